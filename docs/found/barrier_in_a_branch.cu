// A sum whose __syncthreads() stands inside of an if that some threads of the block do not enter.
//
// Found in: accelerate-cuda, the kernel of foldAll, until pull request 5 (November 2013). A repair
// that was proposed for ArrayFire's reduce_first_kernel had it, too; it was closed, not merged
// (pull request 633, May 2015).
// Teaches: a barrier is for all threads of the block. Put the work into the if, not the barrier.
//
//     scripts/race docs/found/barrier_in_a_branch.cu             # DIVERGENT BARRIER
//     scripts/race docs/found/barrier_in_a_branch.cu -DFIXED     # clean
#include <cstdio>
#include <vector>

#include "../../common/error.cuh"

constexpr int block_size = 64;

__global__ void sum_block(const int* d_x, int n, int* d_sum) {
    __shared__ int s_x[block_size];
    const int tid = threadIdx.x;
    s_x[tid] = tid < n ? d_x[tid] : 0;
    __syncthreads();
    for (int distance = block_size / 2; distance > 0; distance /= 2) {
#ifdef FIXED
        if (tid < distance) {
            s_x[tid] += s_x[tid + distance];
        }
        __syncthreads();
#else
        if (tid < distance) {
            s_x[tid] += s_x[tid + distance];
            __syncthreads();
        }
#endif
    }
    if (tid == 0) {
        *d_sum = s_x[0];
    }
}

int main() {
    const std::vector<int> x(50, 1);
    int sum = 0, *d_x, *d_sum;
    CHECK(cudaMalloc(&d_x, x.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_sum, sizeof(int)));
    CHECK(cudaMemcpy(d_x, x.data(), x.size() * sizeof(int), cudaMemcpyHostToDevice));
    sum_block<<<1, block_size>>>(d_x, static_cast<int>(x.size()), d_sum);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("sum %d, expected 50\n", sum);
    return sum == 50 ? 0 : 1;
}
