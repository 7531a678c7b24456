// The operands of inline PTX: bits are moved as bits, the instruction says how many bytes it loads,
// and all inputs are read, once each, before an output is written.
#include <cstdint>
#include <cstdio>

__global__ void moves(unsigned* wrong) {
    unsigned bits;
    unsigned long long wide;
    float value;
    asm("mov.b32 %0, %1;" : "=r"(bits) : "f"(1.5f));
    if (bits != 0x3fc00000)
        *wrong |= 1u << 1;
    asm("mov.b32 %0, %1;" : "=f"(value) : "r"(0x3fc00000));
    if (value != 1.5f)
        *wrong |= 1u << 2;
    asm("mov.b64 %0, %1;" : "=l"(wide) : "d"(1.5));
    if (wide != 0x3ff8000000000000)
        *wrong |= 1u << 3;
    asm("mov.b32 %0, 0x3f800000;" : "=f"(value));
    if (value != 1)
        *wrong |= 1u << 4;
    asm("mov.b64 %0, -0x80000000;" : "=l"(wide));
    if (wide != 0xffffffff80000000)
        *wrong |= 1u << 5;
}

__global__ void atomics(float* x, unsigned* wrong) {
    float old, now;
    asm volatile("atom.global.exch.b32 %0, [%1], %2;" : "=f"(old) : "l"(x), "f"(2.5f) : "memory");
    asm volatile("ld.acquire.gpu.b32 %0, [%1];" : "=f"(now) : "l"(x) : "memory");
    if (old != 1.5f || now != 2.5f)
        *wrong |= 1u << 6;
    asm volatile("st.release.gpu.b32 [%0], %1;" ::"l"(x), "f"(3.5f) : "memory");
    asm volatile("ld.relaxed.sys.f32 %0, [%1];" : "=f"(now) : "l"(x) : "memory");
    if (now != 3.5f)
        *wrong |= 1u << 7;
    int seen;
    asm volatile("atom.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(seen)
                 : "l"(x), "f"(3.5f), "r"(0)
                 : "memory");
    if (seen != 0x40600000 || *x != 0)
        *wrong |= 1u << 8;
}

__global__ void loads(const std::int8_t* x, unsigned* wrong) {
    unsigned a, b, c, d;
    int e;
    unsigned long long f;
    asm("ld.global.ca.u8 %0, [%1];" : "=r"(a) : "l"(x));
    asm("ld.global.cg.s8 %0, [%1];" : "=r"(b) : "l"(x));
    asm("ld.global.nc.b16 %0, [%1];" : "=r"(c) : "l"(x));
    asm volatile("ld.volatile.global.u8 %0, [%1];" : "=r"(d) : "l"(x) : "memory");
    asm("ld.global.cs.s16 %0, [%1];" : "=r"(e) : "l"(x));
    asm("ld.global.lu.u32 %0, [%1];" : "=l"(f) : "l"(x));
    if (a != 0xfe || b != 0xfffffffe || c != 0xfdfe || d != 0xfe || e != -514 || f != 0xfbfcfdfe)
        *wrong |= 1u << 9;
    long long g, h;
    asm("ld.global.ca.s32 %0, [%1];" : "=l"(g) : "l"(x));
    asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=l"(h) : "l"(x) : "memory");
    if (g != static_cast<int>(0xfbfcfdfe) || h != g)
        *wrong |= 1u << 10;
}

__global__ void order(unsigned* wrong) {
    unsigned a = 1, b = 2;
    asm("mov.u32 %0, %3; mov.u32 %1, %2;" : "=r"(a), "=r"(b) : "r"(a), "r"(b));
    if (a != 2 || b != 1)
        *wrong |= 1u << 11;
    unsigned i = 5, x[2] = {}, at = 0;
    asm("mov.u32 %0, %2; mov.u32 %1, %2;" : "=r"(x[at++]), "=r"(b) : "r"(i++));
    if (i != 6 || x[0] != 5 || at != 1 || b != 5)
        *wrong |= 1u << 12;
    asm("bfe.u32 %0, %0, 4, 8;" : "+r"(i = 0xabcd));
    if (i != 0xbc)
        *wrong |= 1u << 13;
    unsigned* p;
    asm("mov.u64 %0, %1;" : "=l"(p) : "l"(wrong));
    if (p != wrong)
        *wrong |= 1u << 14;
}

int main() {
    unsigned* wrong;
    float* x;
    std::int8_t* y;
    cudaMallocManaged(&wrong, sizeof *wrong);
    cudaMallocManaged(&x, sizeof *x);
    cudaMallocManaged(&y, 8);
    *wrong = 0;
    *x = 1.5f;
    for (int i = 0; i < 8; ++i)
        y[i] = -2 - i;
    moves<<<1, 1>>>(wrong);
    atomics<<<1, 1>>>(x, wrong);
    loads<<<1, 1>>>(y, wrong);
    order<<<1, 1>>>(wrong);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    if (*wrong != 0)
        printf("wrong, by bits: %x\n", *wrong);
    return *wrong == 0 ? 0 : 2;
}
