// 28. Two locks
//
// Thread i moves the amount d_amount[i] from one account to another, if there is enough on the
// first. Each account has a balance and a lock. A transfer needs both locks. But thread 5 may have
// the lock of account 2 and wait for that of account 7, while thread 9 has that of 7 and waits for
// that of 2. Neither can go on: a deadlock.
//
// Read: hash_table/README.md, and "deadlock" in basics/glossary.md
__device__ void lock(int* d_lock) {
    while (atomicCAS(d_lock, 0, 1) != 0) {
    }
    __threadfence();
}

__device__ void unlock(int* d_lock) {
    __threadfence();
    atomicExch(d_lock, 0);
}

__global__ void transfer_all(const int* d_from, const int* d_to, const int* d_amount, int n,
                             int* d_locks, int* d_balance) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int from = d_from[i], to = d_to[i], amount = d_amount[i];
        // All threads take the smaller number first. So who holds an account waits only for larger
        // ones, and the thread with the largest one of all waits for no one.
        lock(&d_locks[from < to ? from : to]);
        lock(&d_locks[from < to ? to : from]);
        if (d_balance[from] >= amount) {
            d_balance[from] -= amount;
            d_balance[to] += amount;
        }
        unlock(&d_locks[from]);
        unlock(&d_locks[to]);
    }
}

void launch_transfer_all(const int* d_from, const int* d_to, const int* d_amount, int n,
                         int* d_locks, int* d_balance, int block_size) {
    if (n > 0) {
        transfer_all<<<(n + block_size - 1) / block_size, block_size>>>(d_from, d_to, d_amount, n,
                                                                        d_locks, d_balance);
    }
}
