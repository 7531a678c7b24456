// cuda.h without the driver API, and the runtime API in a file without kernels.
#include <cuda.h>
#include <cuda_runtime.h>

struct CUthing {
    int texture = CUDA_VERSION;
};
int cuCount(int x) {
    return x;
}

int main() {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && cuCount(count) == 1 &&
                   CUthing().texture >= 12000
               ? 0
               : 1;
}
