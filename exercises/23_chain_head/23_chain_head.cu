// 23. The head of a chain
//
// Each thread puts one entry into a chain (a linked list): thread i puts in entry i. *d_head is the
// number of the first entry, and d_next[i] is the entry that follows entry i. -1 means: no entry.
// At the beginning the chain may have entries already, with numbers from n on. At the end it must
// have those and all n new ones, in any order.
//
// Entries get lost: two threads read the same old head. Mend the two lines below `if`.
// Read: hash_table/README.md
__global__ void push_all(int* d_head, int* d_next, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        d_next[i] = *d_head;  // the old first entry follows this one
        *d_head = i;          // this entry is the first now
    }
}

void launch_push_all(int* d_head, int* d_next, int n, int block_size) {
    if (n > 0) {
        push_all<<<(n + block_size - 1) / block_size, block_size>>>(d_head, d_next, n);
    }
}
