// A thread waits by loads of volatile inline PTX for another thread.
// race: not run: without an order of the accesses it is a data race
// quick
#include <cstdio>

__global__ void ping_pong(unsigned* d_flags) {
    unsigned* const mine = d_flags + threadIdx.x / 32;
    unsigned* const other = d_flags + 1 - threadIdx.x / 32;
    if (threadIdx.x % 32 != 0)
        return;
    for (unsigned round = 1; round <= 1000; ++round) {
        asm volatile("st.global.u32 [%0], %1;" ::"l"(mine), "r"(round) : "memory");
        unsigned seen = 0;
        while (seen < round)
            if (round % 3 == 0)
                asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(seen) : "l"(other));
            else if (round % 3 == 1)
                asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(seen) : "l"(other));
            else
                asm volatile("ld.u32 %0, [%1];" : "=r"(seen) : "l"(other));
    }
}

int main() {
    unsigned* d_flags;
    cudaMallocManaged(&d_flags, 2 * sizeof *d_flags);
    d_flags[0] = d_flags[1] = 0;
    ping_pong<<<1, 64>>>(d_flags);
    const bool right = cudaDeviceSynchronize() == cudaSuccess && d_flags[0] == 1000;
    printf("%s\n", right ? "ok" : "wrong");
    return right ? 0 : 1;
}
