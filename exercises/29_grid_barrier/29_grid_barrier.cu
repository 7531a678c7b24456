// 29. A barrier for the grid
//
// n elements form a ring. In each round every element becomes the sum of its two neighbors. A
// round may begin only after all blocks have ended the round before. So there is a barrier for all
// blocks: each block adds 1 to *d_arrived, which is 0 at the beginning, and waits until all have
// come. The number of rounds is even, so the result is in d_x.
//
// The barrier works once. From the second round on, it lets every block pass at once.
//
// Mend the barrier or the way in which it is called, so that it works in all rounds. *d_arrived
// stays the only word by which blocks wait for each other. Write each access to it as an atomic
// function. Do without the word volatile. The fences stay in the thread that counts: a fence of
// another thread does not order what this one does.
// Read: grid_barrier/README.md
__device__ void wait_for_all_blocks(unsigned* d_arrived) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(d_arrived, 1u);
        while (atomicAdd(d_arrived, 0u) < gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
}

__global__ void add_neighbors(unsigned* d_x, unsigned* d_y, int n, int rounds,
                              unsigned* d_arrived) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int round = 0; round < rounds; ++round) {
        if (i < n) {
            d_y[i] = d_x[(i + n - 1) % n] + d_x[(i + 1) % n];
        }
        wait_for_all_blocks(d_arrived);
        unsigned* const d_old = d_x;  // what was written is read in the next round
        d_x = d_y;
        d_y = d_old;
    }
}

// The grid has 32 blocks at most, which all run at the same time.
void launch_add_neighbors(unsigned* d_x, unsigned* d_y, int n, int rounds, unsigned* d_arrived,
                          int block_size) {
    if (n > 0) {
        add_neighbors<<<(n + block_size - 1) / block_size, block_size>>>(d_x, d_y, n, rounds,
                                                                         d_arrived);
    }
}
