// A block scans a long array, one part after another. The total of the parts so far is in shared
// memory; one thread adds to it while others still read it.
//
// Found in: popsift, excl_blk_prefix_sum.h, until pull request 82 (April 2020).
// Teaches: all have read the old value before one thread writes the new one.
//
//     scripts/race docs/found/running_total.cu             # DATA RACE
//     scripts/race docs/found/running_total.cu -DFIXED     # clean
#include <cstdio>
#include <vector>

#include "../../common/error.cuh"

constexpr int block_size = 64;

__global__ void scan_ones(int parts, int* d_places) {
    __shared__ int s_total;
    if (threadIdx.x == 0) {
        s_total = 0;
    }
    __syncthreads();
    for (int part = 0; part < parts; ++part) {
        // Each thread has the number 1, so the sum of those before it is its index.
        d_places[part * block_size + threadIdx.x] = s_total + threadIdx.x;
#ifdef FIXED
        __syncthreads();  // all have read the total
#endif
        if (threadIdx.x == block_size - 1) {
            s_total += block_size;
        }
        __syncthreads();
    }
}

int main() {
    const int parts = 3;
    std::vector<int> places(parts * block_size);
    int* d_places;
    CHECK(cudaMalloc(&d_places, places.size() * sizeof(int)));
    scan_ones<<<1, block_size>>>(parts, d_places);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(places.data(), d_places, places.size() * sizeof(int), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < parts * block_size; ++i) {
        wrong += places[i] != i ? 1 : 0;
    }
    std::printf("%d of %d places are wrong\n", wrong, parts * block_size);
    return wrong == 0 ? 0 : 1;
}
