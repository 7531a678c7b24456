// 6. Find the race
//
// Each block turns its part of the array around: its first element changes places with its last
// one, and so on. (Here n is a multiple of block_size.) But the kernel has a race: two lines use
// the same word of memory, in different threads, and nothing orders the two.
//
// Put the comment  // race  at the ends of these two lines. Change nothing else: the cure is the
// next exercise. No report helps you here. Ask of each line: which word does thread 0 use, and
// which other thread uses the same word?
// Read: basics/06_shared_memory.md
__global__ void reverse_parts(int* d_x) {
    __shared__ int s_x[1024];
    const int tid = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + tid;
    const int mirrored = blockDim.x - 1 - tid;
    const int mine = d_x[i];
    s_x[tid] = mine;
    const int other = s_x[mirrored];
    d_x[i] = other;
}

void launch_reverse_parts(int* d_x, int n, int block_size) {
    if (n > 0) {
        reverse_parts<<<n / block_size, block_size>>>(d_x);
    }
}
