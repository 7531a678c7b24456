// Two threads of the host launch at once.
#include <thread>

__global__ void count(int* x) {
    __shared__ int s_x;
    if (threadIdx.x == 0)
        s_x = 0;
    __syncthreads();
    atomicAdd(&s_x, 1);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(x, s_x);
}

int main() {
    int* x[2];
    std::thread threads[2];
    for (int t = 0; t < 2; ++t) {
        cudaMallocManaged(&x[t], sizeof(int));
        *x[t] = 0;
    }
    cudaDeviceSynchronize();
    for (int t = 0; t < 2; ++t) {
        threads[t] = std::thread([p = x[t]] {
            for (int i = 0; i < 50; ++i)
                count<<<2, 32>>>(p);
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    cudaDeviceSynchronize();
    return *x[0] == 3200 && *x[1] == 3200 ? 0 : 1;
}
