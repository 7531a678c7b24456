// A read of what cp.async copies, before the wait for it; and one after a wait for groups, of which
// the copy is none, since it was not committed; and a thread that ends without a wait. In the CPU
// device the copy is made at once; race mode reports all three.
// race: status 66, "DATA RACE in kernel too_early", "DATA RACE in kernel not_committed",
//     "reads a word of shared memory", "COPY WITHOUT A WAIT in kernel no_wait",
//     "cp.async.wait_all, or"
// quick
__global__ void too_early(const int* d_x, int* d_y) {
    __shared__ int s_x[32];
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s_x[threadIdx.x]));
    asm volatile(
        "{\n .reg .pred p;\n setp.ne.b32 p, %0, 0;\n"
        " @p cp.async.ca.shared.global [%1], [%2], %3;\n}\n" ::"r"(1),
        "r"(to), "l"(d_x + threadIdx.x), "n"(4));
    d_y[threadIdx.x] = s_x[threadIdx.x];
    asm volatile("cp.async.wait_all;" ::: "memory");
}

__global__ void not_committed(const int* d_x, int* d_y) {
    __shared__ int s_x[32];
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s_x[threadIdx.x]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(d_x + threadIdx.x));
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    d_y[threadIdx.x] = s_x[threadIdx.x];
    asm volatile("cp.async.wait_all;" ::: "memory");
}

__global__ void no_wait(const int* d_x) {
    __shared__ int s_x[32];
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s_x[threadIdx.x]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4; cp.async.commit_group;" ::"r"(to),
                 "l"(d_x + threadIdx.x));
}

int main() {
    int* d_x;
    cudaMallocManaged(&d_x, 64 * sizeof *d_x);
    for (int i = 0; i < 64; ++i)
        d_x[i] = i;
    too_early<<<1, 32>>>(d_x, d_x + 32);
    not_committed<<<1, 32>>>(d_x, d_x + 32);
    no_wait<<<1, 32>>>(d_x);
    return cudaDeviceSynchronize() == cudaSuccess && d_x[63] == 31 ? 0 : 1;
}
