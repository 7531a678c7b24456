// The driver API in a file without kernels.
// quick
// expect: does not compile "missing_driver_api.cpp:10: error: CUdevice belongs to the driver API,
//     which"
#include <cuda.h>

#include <cstdio>

int main() {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    if (cuInit(0) != CUDA_SUCCESS) {
        return 1;
    }
    cuDeviceGet(&device, 0);
    cuCtxCreate(&context, 0, device);
    cuModuleLoad(&module, "kernel.ptx");
    cuModuleGetFunction(&function, module, "kernel");
}
