// Variables in shared memory that stand outside of any function: all functions mean the same ones,
// and each block has its own.
__shared__ int sum, values[32];

namespace scale {
static __shared__ float factor;

__device__ void set(float to) {
    factor = to;
}

__device__ float of(int x) {
    return factor * x;
}
}  // namespace scale

__device__ void add(int i) {
    values[i] = i + blockIdx.x;
    __syncthreads();
    if (i == 0) {
        sum = 0;
        for (int value : values)
            sum += value;
        scale::set(2);
    }
    __syncthreads();
}

__device__ float scaled() {
    return scale::of(sum);
}

__global__ void k(float* x) {
    add(threadIdx.x);
    x[blockIdx.x * 32 + threadIdx.x] = scaled();
}

int main() {
    float* x;
    cudaMallocManaged(&x, 96 * sizeof(float));
    k<<<3, 32>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    int sum = 0;  // a variable of the host's own
    for (int i = 0; i < 96; ++i)
        sum += x[i] == 2 * (496 + 32 * (i / 32));
    return sum == 96 ? 0 : 2;
}
