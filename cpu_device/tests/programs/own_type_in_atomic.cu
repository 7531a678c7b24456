// Atomic accesses copy the bits of a type of one's own, and call none of its functions.
// quick
#include <cstdio>
#include <cuda/atomic>

__device__ int calls = 0;

struct Place {
    int at;

    __host__ __device__ Place() : at(-1) { ++calls; }
    __host__ __device__ explicit Place(int at_) : at(at_) {}
    __host__ __device__ const Place* operator&() const {
        ++calls;
        return nullptr;
    }
};
using Ref = cuda::atomic_ref<Place, cuda::thread_scope_device>;

__global__ void exchange(int* word, int* seen) {
    const Ref ref(*reinterpret_cast<Place*>(word));
    calls = 0;
    const Place first = ref.load(), one(1), two(2), three(3);
    const Place second = ref.exchange(one);
    ref.store(two);
    Place expected(2);
    const bool swapped = ref.compare_exchange_strong(expected, three);
    seen[0] = first.at;
    seen[1] = second.at;
    seen[2] = expected.at + swapped;
    seen[3] = calls;
}

int main() {
    int *word, *seen;
    cudaMallocManaged(&word, sizeof *word);
    cudaMallocManaged(&seen, 4 * sizeof *seen);
    *word = 7;
    exchange<<<1, 1>>>(word, seen);
    if (cudaDeviceSynchronize() != cudaSuccess || seen[0] != 7 || seen[1] != 7 || seen[2] != 3 ||
        seen[3] != 0 || *word != 3) {
        std::printf("%d %d %d, %d calls, %d\n", seen[0], seen[1], seen[2], seen[3], *word);
        return 1;
    }
    std::printf("ok\n");
}
