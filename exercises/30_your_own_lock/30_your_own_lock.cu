// 30. A lock of your own
//
// Thread i pays d_amount[i] into an account: it adds it to *d_balance, and writes the next line of
// the statement. In line k, d_who[k] is the number i of the thread, and d_after[k] is the balance
// after it. So each line must follow from the line before. *d_lines is the number of lines so far.
// At the beginning *d_balance, *d_lines and *d_lock are 0.
//
// Write a lock, and the kernel with a critical section of plain code. Take an atomic_ref for the
// lock, with acquire and release. Do without fences, and without the word volatile.
// Read: mutex_dot/README.md
#include <cuda/atomic>

__global__ void pay_all(const int* d_amount, int n, int* d_lock, int* d_balance, int* d_lines,
                        int* d_who, int* d_after) {
    ____;
}

void launch_pay_all(const int* d_amount, int n, int* d_lock, int* d_balance, int* d_lines,
                    int* d_who, int* d_after, int block_size) {
    if (n > 0) {
        pay_all<<<(n + block_size - 1) / block_size, block_size>>>(d_amount, n, d_lock, d_balance,
                                                                   d_lines, d_who, d_after);
    }
}
