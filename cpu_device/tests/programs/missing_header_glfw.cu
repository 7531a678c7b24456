// expect: does not compile "missing_header_glfw.cu:4: error: GLFW/glfw3.h: a library that shows
//     windows, which is no part of CUDA"

#include <GLFW/glfw3.h>

int main() {}
