// expect: does not compile "missing_driver_api.cu:5: error: CUdeviceptr belongs to the driver API"
#include <cuda.h>

int main() {
    CUdeviceptr pointer;
    return cuMemAlloc(&pointer, 100) != CUDA_SUCCESS;
}
