// Lane 0 sets its warp's counter in shared memory to 0. Then the warp votes by __any_sync(), and
// the lanes that have found something take places from the counter. The vote passes on values; it
// puts no access to memory in order.
//
// Found in: cuCollections, the kernels of its multimap, until pull request 337 (July 2023).
// Teaches: no vote (any, all, ballot) replaces a __syncwarp() between two accesses to memory.
//
//     scripts/race docs/found/vote_is_no_barrier.cu             # DATA RACE
//     scripts/race docs/found/vote_is_no_barrier.cu -DFIXED     # clean
#include <cstdio>

#include "../../common/error.cuh"

__global__ void collect(const int* d_x, int* d_places, int* d_found) {
    __shared__ int s_count;
    const int lane = threadIdx.x;
    if (lane == 0) {
        s_count = 0;
    }
    const bool found = d_x[lane] % 3 == 0;
    if (__any_sync(0xffffffff, found)) {
#ifdef FIXED
        __syncwarp();  // the counter is 0
#endif
        if (found) {
            d_places[lane] = atomicAdd(&s_count, 1);
        }
    }
    __syncwarp();
    if (lane == 0) {
        *d_found = s_count;
    }
}

int main() {
    int x[32], found = 0, *d_x, *d_places, *d_found;
    for (int i = 0; i < 32; ++i) {
        x[i] = i;
    }
    CHECK(cudaMalloc(&d_x, sizeof x));
    CHECK(cudaMalloc(&d_places, sizeof x));
    CHECK(cudaMalloc(&d_found, sizeof(int)));
    CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
    collect<<<1, 32>>>(d_x, d_places, d_found);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&found, d_found, sizeof(int), cudaMemcpyDeviceToHost));
    std::printf("%d found, expected 11\n", found);
    return found == 11 ? 0 : 1;
}
