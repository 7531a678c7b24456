// Inline PTX that names an order and a scope: a message by flag, a lock, a count. Race mode finds
// nothing to report.
__device__ int load_acquire(const int* p) {
    int value;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
    return value;
}
__device__ void store_release(int* p, int value) {
    asm volatile("st.global.release.gpu.b32 [%0], %1;" ::"l"(p), "r"(value) : "memory");
}

struct Shared {
    int flag, message, lock, sum;
    unsigned count;
};

__global__ void k(Shared* s, int* wrong) {
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        s->message = 7;
        store_release(&s->flag, 1);
    } else if (threadIdx.x == 0) {
        while (load_acquire(&s->flag) == 0) {
        }
        if (s->message != 7)
            atomicAdd(wrong, 1);
    }
    if (threadIdx.x % 8 == 0) {
        int old;
        do {
            asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], %2, %3;"
                         : "=r"(old)
                         : "l"(&s->lock), "r"(0), "r"(1)
                         : "memory");
        } while (old != 0);
        s->sum += 2;
        asm volatile("st.release.gpu.b32 [%0], %1;" ::"l"(&s->lock), "r"(0) : "memory");
    }
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(&s->count), "r"(3u));
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

int main() {
    Shared* s;
    int* wrong;
    cudaMalloc(&s, sizeof *s);
    cudaMalloc(&wrong, sizeof *wrong);
    cudaMemset(s, 0, sizeof *s);
    cudaMemset(wrong, 0, sizeof *wrong);
    k<<<2, 32>>>(s, wrong);
    Shared result;
    int wrong_ones = -1;
    cudaMemcpy(&result, s, sizeof result, cudaMemcpyDeviceToHost);
    cudaMemcpy(&wrong_ones, wrong, sizeof wrong_ones, cudaMemcpyDeviceToHost);
    return wrong_ones == 0 && result.sum == 16 && result.count == 192 ? 0 : 1;
}
