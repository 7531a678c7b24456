// An atomic function is for memory that threads share.
// expect: done
// race: status 66, "ATOMIC ON A LOCAL VARIABLE", "calls an atomic function for a local"
#include <cstdio>

__device__ __noinline__ void add(unsigned* sum, unsigned value) {
    atomicAdd(sum, value);
}

__global__ void k(unsigned* d_y) {
    unsigned mine = threadIdx.x;
    add(&mine, 1u);
    d_y[threadIdx.x] = mine;
}

int main() {
    unsigned* d_y = nullptr;
    cudaMalloc(&d_y, 32 * sizeof(unsigned));
    k<<<1, 32>>>(d_y);
    cudaDeviceSynchronize();
    std::puts("done");
    return 0;
}
