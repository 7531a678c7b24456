// What a GPU says of itself, and launches that try whether its limits are as it says.
// Notes: basics/02_device.md. With the toolkit alone, in this folder:
//
//     nvcc -O3 -arch=native 02_device.cu -o device
//
// After Sanders and Kandrot, "CUDA by Example", chapter 3, with what CUDA 13 has changed.
#include <cstdio>

#include "../common/device.cuh"  // and CHECK of common/error.cuh

// The last thread of all reports what a kernel sees as the size of a warp.
__global__ void report(int* d_warp_size) {
    if (threadIdx.x == blockDim.x - 1 && threadIdx.z == blockDim.z - 1 &&
        blockIdx.y == gridDim.y - 1) {
        *d_warp_size = warpSize;
    }
}

// Is such a launch taken, and does its last thread run?
bool runs(dim3 grid, dim3 block, std::size_t shared_bytes, int expected_warp_size) {
    int warp_size = 0, *d_warp_size;
    CHECK(cudaMalloc(&d_warp_size, sizeof(int)));
    CHECK(cudaMemset(d_warp_size, 0, sizeof(int)));
    report<<<grid, block, shared_bytes>>>(d_warp_size);
    const cudaError_t error = cudaGetLastError();  // a refused launch leaves its error here
    CHECK(cudaMemcpy(&warp_size, d_warp_size, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_warp_size));
    return error == cudaSuccess && warp_size == expected_warp_size;
}

// At its limit a launch must run, and with one more it must be refused.
bool show_limit(const char* what, bool at_limit, bool one_more) {
    std::printf("%-28s  %-12s  %s\n", what, at_limit ? "runs" : "REFUSED",
                one_more ? "RUNS" : "refused");
    return at_limit && !one_more;
}

bool try_limits(const cudaDeviceProp& p) {
    std::printf("\n%-28s  at the limit  one more\n", "launches with");
    const int warp = p.warpSize, threads = p.maxThreadsPerBlock;
    const int block_z = p.maxThreadsDim[2], grid_y = p.maxGridSize[1];
    const std::size_t shared = p.sharedMemPerBlock;
    bool right =
        show_limit("threads per block", runs(1, threads, 0, warp), runs(1, threads + 1, 0, warp));
    right &= show_limit("block in z", runs(1, dim3(1, 1, block_z), 0, warp),
                        runs(1, dim3(1, 1, block_z + 1), 0, warp));
    right &= show_limit("grid in y", runs(dim3(1, grid_y), 1, 0, warp),
                        runs(dim3(1, grid_y + 1), 1, 0, warp));
    right &= show_limit("shared memory per block", runs(1, 1, shared, warp),
                        runs(1, 1, shared + 1, warp));
    return right;
}

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

void show(const char* what, double value, const char* unit = "") {
    std::printf("  %-32s %.10g%s\n", what, value, unit);
}

int main() {
    int devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    bool right = true;
    for (int device = 0; device < devices; ++device) {
        CHECK(cudaSetDevice(device));
        cudaDeviceProp p;
        CHECK(cudaGetDeviceProperties(&p, device));
        std::printf("device %d of %d: %s\n", device, devices, p.name);
        std::printf("  %-32s %d.%d\n", "compute capability", p.major, p.minor);
        std::printf("  %-32s bus %d, device %d\n", "place on PCI", p.pciBusID, p.pciDeviceID);
        show("clock", attribute(cudaDevAttrClockRate, device) / 1e6, " GHz");
        show("copies at the same time", p.asyncEngineCount);
        show("time limit for kernels", attribute(cudaDevAttrKernelExecTimeout, device));
        show("float speed / double speed",
             attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio, device));

        std::printf("memory\n  %-32s %.1f GiB\n", "global", p.totalGlobalMem / 1073741824.0);
        show("constant", p.totalConstMem / 1024, " KiB");
        std::printf("  %-32s %.1f MiB\n", "L2 cache", p.l2CacheSize / 1048576.0);
        show("largest pitch", p.memPitch, " bytes");
        show("alignment of textures", p.textureAlignment, " bytes");

        std::printf("multiprocessors: %d, each with\n", p.multiProcessorCount);
        show("resident threads, at most", p.maxThreadsPerMultiProcessor);
        show("resident blocks, at most", p.maxBlocksPerMultiProcessor);
        show("shared memory", p.sharedMemPerMultiprocessor / 1024, " KiB");
        show("registers", p.regsPerMultiprocessor);

        std::printf("limits of a launch\n");
        show("threads per warp", p.warpSize);
        show("threads per block", p.maxThreadsPerBlock);
        std::printf("  %-32s %d x %d x %d\n", "block in x, y, z", p.maxThreadsDim[0],
                    p.maxThreadsDim[1], p.maxThreadsDim[2]);
        std::printf("  %-32s %d x %d x %d\n", "grid in x, y, z", p.maxGridSize[0], p.maxGridSize[1],
                    p.maxGridSize[2]);
        show("shared memory per block", p.sharedMemPerBlock / 1024, " KiB");
        show("the same, if asked for", p.sharedMemPerBlockOptin / 1024, " KiB");
        show("registers per block", p.regsPerBlock);
        right &= try_limits(p);
    }
    std::printf(right ? "the limits are as the device says\n" : "WRONG\n");
    return right ? 0 : 1;
}
