// What the lanes of a warp tell each other beside values: equal keys, votes, sums, counts of a
// block.
__global__ void k(const int* keys, int* counts, int* x, int n) {
    const int i = threadIdx.x;
    const unsigned mask = __ballot_sync(0xffffffff, i < n);
    if (i < n) {
        const unsigned same = __match_any_sync(mask, keys[i]);
        if (i % 32 == __ffs(same) - 1) {
            atomicAdd(&counts[keys[i]], __popc(same));
        }
        int all = 1;
        const unsigned equal = __match_all_sync(mask, keys[i], &all);
        x[i] = __reduce_add_sync(mask, 1) + (all || equal ? 1000 : 0);
        __nanosleep(20);
    }
    const int odd = __syncthreads_count(i < n && keys[i] % 2);
    const int any = __syncthreads_or(i == 7), every = __syncthreads_and(i < n);
    if (i == 0) {
        x[n] = odd + 100 * !!any + 1000 * !!every;
    }
}

int main() {
    constexpr int n = 50;
    int *keys, *counts, *x;
    cudaMallocManaged(&keys, n * sizeof(int));
    cudaMallocManaged(&counts, 5 * sizeof(int));
    cudaMallocManaged(&x, (n + 1) * sizeof(int));
    int odd = 0;
    for (int i = 0; i < n; ++i) {
        keys[i] = i * i % 5;
        odd += keys[i] % 2;
    }
    cudaMemset(counts, 0, 5 * sizeof(int));
    k<<<1, 64>>>(keys, counts, x, n);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        return 1;
    }
    if (counts[0] != 10 || counts[1] != 20 || counts[2] != 0 || counts[4] != 20) {
        return 2;
    }
    return x[0] == 32 && x[40] == 18 && x[n] == odd + 100 ? 0 : 3;
}
