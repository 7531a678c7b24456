// One block never comes to the barrier of the grid.
// expect: status 134, "deadlock in kernel k, launched at grid_sync_left_out.cu:18"
// race: status 66, "DEADLOCK", "3 of 4 blocks have come to grid.sync(), and block 3 has not."
// environment: CPU_DEVICE_DEADLOCK_SECONDS=0.2
#include <cooperative_groups.h>

__global__ void k(int* d_x) {
    if (blockIdx.x != 3) {
        cooperative_groups::this_grid().sync();
        d_x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    }
}

int main() {
    int* d_x = nullptr;
    cudaMalloc(&d_x, 128 * sizeof(int));
    void* arguments[] = {&d_x};
    cudaLaunchCooperativeKernel((void*)k, dim3(4), dim3(32), arguments);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
