// expect: does not compile "missing_header_cudaegl.cu:3: error: EGL: the CPU device does not have it"

#include <cudaEGL.h>

int main() {}
