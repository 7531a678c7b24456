// nvstd::function in a kernel: it holds a lambda with a copy of a variable, a device function, or
// nothing.
#include <nvfunctional>

__device__ int twice(int x) {
    return 2 * x;
}

__device__ int value_of(const nvstd::function<int(int)>& f, int x) {
    return f ? f(x) : -1;
}

__global__ void k(int* x) {
    const int i = threadIdx.x;
    nvstd::function<int(int)> f;
    if (i % 3 == 0)
        f = [i](int a) { return a + i; };
    else if (i % 3 == 1)
        f = twice;
    x[i] = value_of(f, 100);
}

int main() {
    int* x;
    cudaMallocManaged(&x, 64 * sizeof(int));
    k<<<1, 64>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    for (int i = 0; i < 64; ++i) {
        if (x[i] != (i % 3 == 0 ? 100 + i : i % 3 == 1 ? 200 : -1))
            return 2;
    }
    return 0;
}
