// 7. Reverse
//
// This is the race of exercise 6: a block turns a part of the array around, and a thread may read
// an element before another thread has stored it. Here there are 2 blocks for any n. So a block may
// have several parts, one after another, and the last part may have fewer elements than the block
// has threads.
//
// Check first, and read the report: do you find your two lines? Then add the line that orders them.
// (The barrier at the end of the loop is needed too: it orders the reads of this part and the
// stores of the next one.)
// Read: basics/06_shared_memory.md
__global__ void reverse_parts(int* d_x, int n) {
    __shared__ int s_x[1024];
    const int tid = threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    for (int first = blockIdx.x * blockDim.x; first < n; first += stride) {
        const int size = min(int(blockDim.x), n - first);
        if (tid < size) {
            s_x[tid] = d_x[first + tid];
        }
        if (tid < size) {
            d_x[first + tid] = s_x[size - 1 - tid];
        }
        __syncthreads();
    }
}

void launch_reverse_parts(int* d_x, int n, int block_size) {
    reverse_parts<<<2, block_size>>>(d_x, n);
}
