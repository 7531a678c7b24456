// What nvcc's --default-stream per-thread defines: work without a stream goes to the own stream of
// the thread of the host, which waits for no other thread's.
// options: -DCUDA_API_PER_THREAD_DEFAULT_STREAM
// race: status 66, "RACE BETWEEN STREAMS in kernel read", "per_thread_default_stream.cu:22"
#include <thread>

__global__ void write(int* x) {
    x[threadIdx.x] = 1;
}
__global__ void read(const int* x, int* y) {
    y[threadIdx.x] = x[threadIdx.x];
}

int main() {
    int *x, *y;
    cudaMalloc(&x, 32 * sizeof(int));
    cudaMalloc(&y, 32 * sizeof(int));
    cudaMemset(x, 0, 32 * sizeof(int));
    cudaMemset(y, 0, 32 * sizeof(int));
    cudaDeviceSynchronize();
    std::thread([=] { write<<<1, 32>>>(x); }).join();
    read<<<1, 32>>>(x, y);
    return cudaDeviceSynchronize();
}
