// A reduction over several types: each instance of the template has its own name for the dynamic
// shared memory, as no variable can have two types.
#include <cstdio>
#include <vector>

template <typename T>
struct SharedMemory;
template <>
struct SharedMemory<int> {
    __device__ operator int*() {
        extern __shared__ int s_int[];
        return s_int;
    }
};
template <>
struct SharedMemory<double> {
    __device__ operator double*() {
        extern __shared__ double s_double[];
        return s_double;
    }
};

template <typename T, unsigned block>
__global__ void __launch_bounds__(block) sum(const T* __restrict__ d_x, T* d_sums, unsigned n) {
    T* s_x = SharedMemory<T>();
    T mine = 0;
    for (unsigned i = blockIdx.x * block + threadIdx.x; i < n; i += gridDim.x * block) {
        mine += __ldg(d_x + i);
    }
    s_x[threadIdx.x] = mine;
    __syncthreads();
#pragma unroll
    for (unsigned half = block / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            s_x[threadIdx.x] += s_x[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        d_sums[blockIdx.x] = s_x[0];
    }
}

template <typename T>
bool is_right(unsigned n) {
    std::vector<T> x(n), sums(3);
    T expected = 0;
    for (unsigned i = 0; i < n; ++i) {
        expected += x[i] = static_cast<T>(i % 10) / 2;
    }
    T *d_x, *d_sums;
    cudaMalloc(&d_x, n * sizeof(T));
    cudaMalloc(&d_sums, 3 * sizeof(T));
    cudaMemcpy(d_x, x.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    sum<T, 64><<<3, 64, 64 * sizeof(T)>>>(d_x, d_sums, n);
    cudaMemcpy(sums.data(), d_sums, 3 * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_sums);
    return sums[0] + sums[1] + sums[2] == expected;
}

int main() {
    return is_right<int>(1000) && is_right<double>(1001) ? 0 : 1;
}
