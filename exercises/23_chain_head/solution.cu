// 23. The head of a chain
//
// Each thread puts one entry into a chain (a linked list): thread i puts in entry i. *d_head is the
// number of the first entry, and d_next[i] is the entry that follows entry i. -1 means: no entry.
// At the beginning the chain may have entries already, with numbers from n on. At the end it must
// have those and all n new ones, in any order.
//
// Read: hash_table/README.md
__global__ void push_all(int* d_head, int* d_next, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        // One step: no other thread gets the same old head. No one reads d_next before the kernel
        // has ended, so it may be stored later.
        d_next[i] = atomicExch(d_head, i);
    }
}

void launch_push_all(int* d_head, int* d_next, int n, int block_size) {
    if (n > 0) {
        push_all<<<(n + block_size - 1) / block_size, block_size>>>(d_head, d_next, n);
    }
}
