// cp.async: a thread begins copies into shared memory, puts them into groups, and waits for them.
#include <cstdio>

__device__ void copy(void* to, const void* from, int bytes) {
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2, %3;\n" ::"r"(at), "l"(from),
                 "n"(16), "r"(bytes));
}

__global__ void halves(const float4* d_x, float* d_sum) {
    __shared__ float4 s_x[2][32];
    copy(&s_x[0][threadIdx.x], &d_x[threadIdx.x], 16);
    asm volatile("cp.async.commit_group;\n" ::);
    copy(&s_x[1][threadIdx.x], &d_x[32 + threadIdx.x], 8);
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group %0;\n" ::"n"(1));
    const float4 first = s_x[0][threadIdx.x];
    asm volatile("cp.async.wait_all;" ::: "memory");
    const float4 second = s_x[1][threadIdx.x];
    d_sum[threadIdx.x] = first.x + first.w + second.x + second.y + second.z + second.w;
}

int main() {
    float4* d_x;
    float* d_sum;
    cudaMallocManaged(&d_x, 64 * sizeof *d_x);
    cudaMallocManaged(&d_sum, 32 * sizeof *d_sum);
    for (int i = 0; i < 64; ++i)
        d_x[i] = make_float4(i, 100, 1000, 2 * i);
    halves<<<1, 32>>>(d_x, d_sum);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; ++i)
        if (d_sum[i] != 3 * i + 32 + i + 100) {
            printf("sum %d is %f\n", i, d_sum[i]);
            return 1;
        }
    printf("ok\n");
}
