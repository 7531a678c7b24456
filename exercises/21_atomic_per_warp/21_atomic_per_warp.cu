// 21. One atomic per warp
//
// The kernel copies all elements that are larger than `limit` to the front of d_out, in any order
// and without gaps. *d_count, which is 0 at the beginning, counts them. It is right, but it needs
// one atomic per element that is picked.
//
// Let the lanes of a warp ask for their places together: one lane adds for all of them. At most one
// atomic in global memory per warp is allowed. The warps of a block are (block_size + 31) / 32.
// Mind that a warp may have nothing to pick, and that the last warp of a block may have fewer lanes
// than 32. The mask may be 0xffffffff there too. But all lanes that exist must come: a function
// with this mask stands in no `if` that some of them skip. Do without __activemask and
// coalesced_threads: they say which lanes are here just now, not which lanes pick an element.
// Read: basics/07_warps.md
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
