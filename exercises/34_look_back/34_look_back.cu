// 34. Look back
//
// As in exercise 33, d_prefix[t] becomes the sum of all elements of the tiles 0 to t. But no block
// waits until the blocks before it are done. Each one first says the sum of its own tile. Then it
// looks back, from tile to tile, and adds up their own sums, up to a tile with a whole prefix.
// d_state[t] tells what may be read of tile t: nothing; its own sum, d_own[t]; or its whole prefix,
// d_prefix[t]. All states are 0 before the launch, and so is *d_ticket.
//
// Fill in the three holes; each may become several lines. Use `load` and `store` of an atomic_ref
// for d_state. Leave the sums plain, and do without the word volatile.
// Read: scan/README.md (3. Look back, and 4. State and value in two words)
#include <cuda/atomic>

enum State : unsigned { nothing = 0, own_sum = 1, whole_prefix = 2 };
using Word = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;

// The sum of all tiles before `tile`.
__device__ int look_back(unsigned* d_state, const int* d_own, const int* d_prefix, unsigned tile) {
    int before = 0;
    ____;
    return before;
}

__global__ void sum_tiles(const int* d_x, int n, unsigned* d_ticket, unsigned* d_state, int* d_own,
                          int* d_prefix) {
    __shared__ int s_sum;
    __shared__ unsigned s_tile;
    if (threadIdx.x == 0) {
        s_sum = 0;
        s_tile = atomicAdd(d_ticket, 1u);
    }
    __syncthreads();
    const unsigned tile = s_tile;
    const int i = tile * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&s_sum, d_x[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        ____;  // say the own sum
        const int before = look_back(d_state, d_own, d_prefix, tile);
        ____;  // say the whole prefix
    }
}

void launch_sum_tiles(const int* d_x, int n, unsigned* d_ticket, unsigned* d_state, int* d_own,
                      int* d_prefix, int block_size) {
    const int blocks = (n + block_size - 1) / block_size;
    sum_tiles<<<blocks, block_size>>>(d_x, n, d_ticket, d_state, d_own, d_prefix);
}
