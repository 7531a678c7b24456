// expect: does not compile "missing_header_cudaegl.cu:4: error: EGL: the CPU device does not have
//     it"

#include <cudaEGL.h>

int main() {}
