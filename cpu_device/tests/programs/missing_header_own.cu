// expect: does not compile "missing_header_own.cu:4: error: my_helper.h: no header of CUDA, but a
//     file of the program's own or of a library"

#include <my_helper.h>

int main() {}
