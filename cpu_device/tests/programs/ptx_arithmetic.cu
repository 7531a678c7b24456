// Inline PTX with registers of its own, predicates, named operands, vectors, and arithmetic.
// quick
#include <cstdio>

__global__ void numbers(unsigned* x, unsigned long long* wide, float* f) {
    unsigned r[8] = {};
    asm("add.u32 %0, %1, %2;" : "=r"(r[0]) : "r"(0xffffffffu), "r"(3u));
    asm("{ .reg .u32 t, %u;\n\t mul.lo.u32 t, %1, %2;\n\t add.s32 %u, t, 1; mov.b32 %0, %u; }"
        : "=r"(r[1])
        : "r"(6), "r"(7));
    asm("shl.b32 %[to], %[from], %[count];" : [to] "=r"(r[2]) : [from] "r"(3u), [count] "r"(40u));
    asm("shr.s32 %0, %1, 4;" : "=r"(r[3]) : "r"(-256));
    asm("{\n .reg .pred p;\n setp.ge.s32 p, %1, %2;\n @p mov.u32 %0, 7;\n @!p mov.u32 %0, 9;\n}"
        : "+r"(r[4])
        : "r"(-1), "r"(0));
    asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; selp.u32 %0, 11, 12, p; }" : "=r"(r[5]) : "r"(1));
    asm("max.s32 %0, %1, %2;" : "=r"(r[6]) : "r"(-5), "r"(2));
    asm("cvt.u32.u64 %0, %1;" : "=r"(r[7]) : "l"(0x100000005ull));
    const unsigned right[] = {2, 43, 0, 0xfffffff0u, 9, 11, 2, 5};
    for (int i = 0; i < 8; ++i)
        if (r[i] != right[i]) {
            printf("number %d: %u\n", i, r[i]);
            x[0] = 1;
        }
    asm("mul.wide.s32 %0, %1, %2;" : "=l"(wide[0]) : "r"(-3), "r"(1 << 30));
    asm("mov.b64 %0, {%1, %2};" : "=l"(wide[1]) : "r"(5u), "r"(1u));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(x[1]), "=r"(x[2]) : "l"(0x700000009ull));
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f[4]) : "f"(2.0f), "f"(3.0f), "f"(0.5f));
    asm volatile("st.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(f), "f"(1.0f), "f"(2.0f),
                 "f"(3.0f), "f"(4.0f)
                 : "memory");
    asm volatile("ld.global.v2.f32 {%0, %1}, [%2+8];" : "=f"(f[5]), "=f"(f[6]) : "l"(f) : "memory");
}

__global__ void in_shared_memory(unsigned* x) {
    __shared__ unsigned s_x[64], s_sum;
    const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&s_x[threadIdx.x]));
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(threadIdx.x) : "memory");
    if (threadIdx.x == 0)
        s_sum = 0;
    __syncthreads();
    unsigned other, before;
    asm volatile("ld.shared.u32 %0, [%1 + 4];" : "=r"(other) : "r"(at - (threadIdx.x & 1) * 8));
    asm volatile("atom.shared.add.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(&s_sum))), "r"(other));
    __syncthreads();
    if (other != (threadIdx.x ^ 1) || before > s_sum || s_sum != 63 * 32)
        x[0] = 2;
}

__global__ void in_a_warp(unsigned* x) {
    const unsigned lane = threadIdx.x;
    unsigned r[4], odd;
    asm volatile("shfl.sync.idx.b32 %0, %1, 5, 0x1f, 0xffffffff;" : "=r"(r[0]) : "r"(lane));
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, %3;"
                 : "=r"(r[1])
                 : "r"(lane), "r"(8), "r"(0xffffffffu));
    asm volatile("shfl.sync.up.b32 %0, %1, 1, 0x1000, -1;" : "=r"(r[2]) : "r"(lane));
    asm volatile("shfl.sync.down.b32 %0, %1, 1, 0x181f, -1;" : "=r"(r[3]) : "r"(lane));
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, -1; }"
                 : "=r"(odd)
                 : "r"(lane & 1));
    if (r[0] != 5 || r[1] != (lane ^ 8) || r[2] != __shfl_up_sync(~0u, lane, 1, 16) ||
        r[3] != __shfl_down_sync(~0u, lane, 1, 8) || odd != 0xaaaaaaaa)
        x[0] = 3;
    uint4 all;
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(all.x), "=r"(all.y), "=r"(all.z), "=r"(all.w)
                 : "l"(x + 4));
    if (all.x != 1 || all.w != 4)
        x[0] = 4;
}

int main() {
    unsigned* x;
    unsigned long long* wide;
    float* f;
    cudaMallocManaged(&x, 8 * sizeof *x);
    cudaMallocManaged(&wide, 2 * sizeof *wide);
    cudaMallocManaged(&f, 8 * sizeof *f);
    x[0] = 0;
    for (int i = 0; i < 4; ++i)
        x[4 + i] = i + 1;
    in_a_warp<<<1, 32>>>(x);
    cudaDeviceSynchronize();
    numbers<<<1, 1>>>(x, wide, f);
    in_shared_memory<<<3, 64>>>(x);
    cudaDeviceSynchronize();
    const bool right = x[0] == 0 && wide[0] == -(3ull << 30) && wide[1] == 0x100000005ull &&
                       x[1] == 9 && x[2] == 7 && f[3] == 4 && f[4] == 6.5f && f[5] == 3 &&
                       f[6] == 4;
    printf("%s\n", right ? "ok" : "wrong");
    return right ? 0 : 1;
}
