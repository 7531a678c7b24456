// checkCudaErrors ends the program, and names the call, its place and the error.
// expect: status 1, "fails.cu:7: cudaSetDevice(5) returned 101 (cudaErrorInvalidDevice)"
#include <helper_cuda.h>

int main() {
    checkCudaErrors(cudaSetDevice(0));
    checkCudaErrors(cudaSetDevice(5));
    return 0;
}
