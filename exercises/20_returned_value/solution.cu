// 20. The returned value is a place
//
// The kernel is to copy all elements that are larger than `limit` to the front of d_out, in any
// order and without gaps. *d_count, which is 0 at the beginning, counts them. Each thread needs a
// place of its own. This kernel reads the place from the counter after it has added 1 there. But
// other threads may have added, too, before it reads.
//
// Read: atomic_functions/README.md and neighbor_list/README.md
__global__ void pick(const int* d_x, int n, int limit, int* d_out, unsigned* d_count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && d_x[i] > limit) {
        const unsigned place = atomicAdd(d_count, 1u);
        d_out[place] = d_x[i];
    }
}

void launch_pick(const int* d_x, int n, int limit, int* d_out, unsigned* d_count, int block_size) {
    if (n > 0) {
        pick<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, limit, d_out, d_count);
    }
}
