// 21. One atomic per warp
//
// The kernel copies all elements that are larger than `limit` to the front of d_out, in any order
// and without gaps. *d_count, which is 0 at the beginning, counts them. It is right, but it needs
// one atomic per element that is picked.
//
// Read: basics/07_warps.md
__global__ void pick(const int* d_x, int n, int limit, int* d_out, unsigned* d_count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x % 32;
    const bool picked = i < n && d_x[i] > limit;  // all lanes come to the ballot
    const unsigned mask = __ballot_sync(0xffffffff, picked);
    unsigned first = 0;
    if (lane == 0 && mask != 0) {
        first = atomicAdd(d_count, __popc(mask));
    }
    first = __shfl_sync(0xffffffff, first, 0);
    if (picked) {
        d_out[first + __popc(mask & ((1u << lane) - 1))] = d_x[i];
    }
}

void launch_pick(const int* d_x, int n, int limit, int* d_out, unsigned* d_count, int block_size) {
    if (n > 0) {
        pick<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, limit, d_out, d_count);
    }
}
