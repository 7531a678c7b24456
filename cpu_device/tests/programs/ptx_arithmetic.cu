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

#define MUST_BE(expression, expected)                                                     \
    if (const auto value = (expression); !(value == (expected))) {                        \
        printf("line %d: %s is %g\n", __LINE__, #expression, static_cast<double>(value)); \
        *wrong = 5;                                                                       \
    }

__global__ void edges_of_whole_numbers(unsigned* wrong, int zero) {
    int s[8];
    unsigned u[8];
    long long w[4];
    asm("div.s32 %0, %1, %2;" : "=r"(s[0]) : "r"(7), "r"(zero));
    asm("rem.s32 %0, %1, %2;" : "=r"(s[1]) : "r"(7), "r"(zero));
    asm("div.s32 %0, %1, %2;" : "=r"(s[2]) : "r"(-2147483647 - 1), "r"(zero - 1));
    asm("rem.s32 %0, %1, %2;" : "=r"(s[3]) : "r"(-2147483647 - 1), "r"(zero - 1));
    asm("div.s32 %0, %1, %2;" : "=r"(s[4]) : "r"(-7), "r"(2));
    asm("rem.s32 %0, %1, %2;" : "=r"(s[5]) : "r"(-7), "r"(2));
    asm("abs.s32 %0, %1;" : "=r"(s[6]) : "r"(-7));
    asm("neg.s32 %0, %1;" : "=r"(s[7]) : "r"(7));
    MUST_BE(s[0], -1);
    MUST_BE(s[1], 7);
    MUST_BE(s[2], -2147483647 - 1);
    MUST_BE(s[3], 0);
    MUST_BE(s[4], -3);
    MUST_BE(s[5], -1);
    MUST_BE(s[6], 7);
    MUST_BE(s[7], -7);
    asm("div.u32 %0, %1, %2;" : "=r"(u[0]) : "r"(7), "r"(zero));
    asm("rem.u32 %0, %1, %2;" : "=r"(u[1]) : "r"(7), "r"(zero));
    asm("not.b32 %0, %1;" : "=r"(u[2]) : "r"(0xffu));
    asm("shr.u32 %0, %1, 32;" : "=r"(u[3]) : "r"(0x80000000u));
    asm("shr.s32 %0, %1, 99;" : "=r"(u[4]) : "r"(0x80000000u));
    asm("cvt.s32.s8 %0, %1;" : "=r"(u[5]) : "r"(0x1fe));
    asm("cvt.s32.s16 %0, %1;" : "=r"(u[6]) : "h"(static_cast<short>(-3)));
    asm("cvt.u32.u8 %0, %1; // was:\tadd.u32 %0, %0, 1;\n" : "=r"(u[7]) : "r"(0x1fe));
    MUST_BE(u[0], ~0u);
    MUST_BE(u[1], 7);
    MUST_BE(u[2], 0xffffff00);
    MUST_BE(u[3], 0);
    MUST_BE(u[4], ~0u);
    MUST_BE(u[5], ~1u);
    MUST_BE(u[6], ~2u);
    MUST_BE(u[7], 0xfe);
    const long long least = -9223372036854775807 - 1;
    asm("abs.s64 %0, %1;" : "=l"(w[0]) : "l"(least));
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(w[1]) : "r"(-3), "r"(1 << 30), "l"(5ll));
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(w[2]) : "r"(1), "r"(-1), "l"(least));
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(w[3]) : "r"(~0u), "r"(2u), "l"(1ll));
    MUST_BE(w[0], least);
    MUST_BE(w[1], 5 - (3ll << 30));
    MUST_BE(w[2], 9223372036854775807);
    MUST_BE(w[3], 0x1ffffffff);
}

__global__ void edges_of_floating_point(unsigned* wrong, float subnormal) {
    const float nan = __int_as_float(0x7fc00000);
    unsigned u[6];
    float f[9];
    double d;
    int s;
    asm("{ .reg .pred p; setp.ne.f32 p, %1, %1; selp.u32 %0, 1, 0, p; }" : "=r"(u[0]) : "f"(nan));
    asm("{ .reg .pred p; setp.ne.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(u[1])
        : "f"(1.0f), "f"(2.0f));
    asm("{ .reg .pred p; setp.eq.f64 p, %1, %1; selp.u32 %0, 1, 0, p; }"
        : "=r"(u[2])
        : "d"(static_cast<double>(nan)));
    asm("{ .reg .pred p; setp.ge.f32 p, %1, %2; selp.u32 %0, 1, 0, p; }"
        : "=r"(u[3])
        : "f"(1.0f), "f"(nan));
    MUST_BE(u[0], 0);
    MUST_BE(u[1], 1);
    MUST_BE(u[2], 0);
    MUST_BE(u[3], 0);
    asm("cvt.rzi.f32.f32 %0, %1;" : "=f"(f[0]) : "f"(2.7f));
    asm("cvt.rzi.f64.f64 %0, %1;" : "=d"(d) : "d"(-2.7));
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(s) : "f"(nan));
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(u[4]) : "f"(-2.7f));
    asm("cvt.rn.f32.s32 %0, %1;" : "=f"(f[1]) : "r"(16777217));
    asm("min.f32 %0, %1, %2;" : "=f"(f[2]) : "f"(nan), "f"(2.0f));
    asm("max.f32 %0, %1, %2;" : "=f"(f[3]) : "f"(3.0f), "f"(2.0f));
    MUST_BE(f[0], 2);
    MUST_BE(d, -2);
    MUST_BE(s, 0);
    MUST_BE(u[4], ~1u);
    MUST_BE(f[1], 16777216);
    MUST_BE(f[2], 2);
    MUST_BE(f[3], 3);
    asm("add.f32 %0, %1, %2;" : "=f"(f[4]) : "f"(subnormal), "f"(0.0f));
    asm("add.ftz.f32 %0, %1, %2;" : "=f"(f[5]) : "f"(subnormal), "f"(0.0f));
    asm("mul.ftz.f32 %0, %1, %2;" : "=f"(f[6]) : "f"(-1e-20f), "f"(1e-20f));
    asm("neg.ftz.f32 %0, %1;" : "=f"(f[7]) : "f"(subnormal));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(f[8]) : "f"(-subnormal));
    MUST_BE(f[4], subnormal);
    MUST_BE(f[5], 0);
    MUST_BE(__float_as_uint(f[6]), 0x80000000);
    MUST_BE(__float_as_uint(f[7]), 0x80000000);
    MUST_BE(f[8], __int_as_float(0xff800000));
}

// A guard that is false, of a load, a store, and a copy.
__global__ void guards(unsigned* wrong, unsigned* x) {
    __shared__ unsigned s_x;
    s_x = 3;
    unsigned loaded = 3;
    asm volatile(
        "{ .reg .pred p; setp.ne.b32 p, %1, 0;\n"
        " @p ld.global.u32 %0, [%2]; @p st.global.u32 [%2], 8;\n"
        " @p cp.async.ca.shared.global [%3], [%2], 4; cp.async.wait_all; }"
        : "+r"(loaded)
        : "r"(0), "l"(x), "r"(static_cast<unsigned>(__cvta_generic_to_shared(&s_x)))
        : "memory");
    MUST_BE(loaded, 3);
    MUST_BE(s_x, 3);
    MUST_BE(*x, 7);
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
    unsigned votes[4];
    asm volatile(
        "{ .reg .pred p, q; setp.lo.u32 p, %4, 5;\n"
        " vote.sync.any.pred q, p, -1; selp.u32 %0, 1, 0, q;\n"
        " vote.sync.all.pred q, p, -1; selp.u32 %1, 1, 0, q;\n"
        " setp.hs.u32 p, %4, 32; vote.sync.any.pred q, p, -1; selp.u32 %2, 1, 0, q;\n"
        " setp.ls.u32 p, %4, 31; vote.sync.all.pred q, p, -1; selp.u32 %3, 1, 0, q; }"
        : "=r"(votes[0]), "=r"(votes[1]), "=r"(votes[2]), "=r"(votes[3])
        : "r"(lane));
    if (votes[0] != 1 || votes[1] != 0 || votes[2] != 0 || votes[3] != 1)
        x[0] = 6;
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
    edges_of_whole_numbers<<<1, 1>>>(x, 0);
    edges_of_floating_point<<<1, 1>>>(x, 1e-40f);
    cudaDeviceSynchronize();
    x[3] = 7;
    guards<<<1, 1>>>(x, x + 3);
    in_shared_memory<<<3, 64>>>(x);
    cudaDeviceSynchronize();
    const bool right = x[0] == 0 && wide[0] == -(3ull << 30) && wide[1] == 0x100000005ull &&
                       x[1] == 9 && x[2] == 7 && f[3] == 4 && f[4] == 6.5f && f[5] == 3 &&
                       f[6] == 4;
    printf("%s\n", right ? "ok" : "wrong");
    return right ? 0 : 1;
}
