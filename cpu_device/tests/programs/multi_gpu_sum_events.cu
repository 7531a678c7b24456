// A sum by several devices: each adds up its part and copies the result to device 0, whose stream
// waits for an event of each before it adds up the parts. The host waits once.
// environment: CPU_DEVICES=3
// expect: status 0, "3 devices: 4999950000"
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                \
    do {                                                                           \
        const cudaError_t error_ = (call);                                         \
        if (error_ != cudaSuccess) {                                               \
            printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
            return 1;                                                              \
        }                                                                          \
    } while (0)

__global__ void fill(unsigned long long* x, unsigned long long first, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = first + i;
    }
}

__global__ void add_up(const unsigned long long* x, int n, unsigned long long* sum) {
    unsigned long long mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        mine += x[i];
    }
    atomicAdd(sum, mine);
}

int main() {
    const int n = 100000;
    int devices = 0;
    CHECK(cudaGetDeviceCount(&devices));
    std::vector<cudaStream_t> streams(devices);
    std::vector<cudaEvent_t> done(devices);
    std::vector<unsigned long long*> x(devices), sums(devices);
    unsigned long long *parts = nullptr, *total = nullptr;  // on device 0
    CHECK(cudaSetDevice(0));
    CHECK(cudaMalloc(&parts, devices * sizeof *parts));
    CHECK(cudaMalloc(&total, sizeof *total));
    int begin = 0;
    for (int device = 0; device < devices; ++device) {
        const int end = static_cast<int>(static_cast<long long>(n) * (device + 1) / devices);
        CHECK(cudaSetDevice(device));
        CHECK(cudaStreamCreateWithFlags(&streams[device], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&done[device], cudaEventDisableTiming));
        CHECK(cudaMalloc(&x[device], (end - begin) * sizeof *x[device]));
        CHECK(cudaMalloc(&sums[device], sizeof *sums[device]));
        fill<<<(end - begin + 255) / 256, 256, 0, streams[device]>>>(x[device], begin, end - begin);
        CHECK(cudaMemsetAsync(sums[device], 0, sizeof *sums[device], streams[device]));
        add_up<<<4, 128, 0, streams[device]>>>(x[device], end - begin, sums[device]);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpyPeerAsync(parts + device, 0, sums[device], device, sizeof *parts,
                                  streams[device]));
        CHECK(cudaEventRecord(done[device], streams[device]));
        begin = end;
    }
    CHECK(cudaSetDevice(0));
    for (int device = 1; device < devices; ++device) {
        CHECK(cudaStreamWaitEvent(streams[0], done[device], 0));
    }
    CHECK(cudaMemsetAsync(total, 0, sizeof *total, streams[0]));
    add_up<<<1, 32, 0, streams[0]>>>(parts, devices, total);
    unsigned long long sum = 0;
    CHECK(cudaMemcpyAsync(&sum, total, sizeof sum, cudaMemcpyDeviceToHost, streams[0]));
    CHECK(cudaStreamSynchronize(streams[0]));
    printf("%d devices: %llu\n", devices, sum);
    for (int device = 0; device < devices; ++device) {
        CHECK(cudaSetDevice(device));
        CHECK(cudaFree(x[device]));
        CHECK(cudaFree(sums[device]));
        CHECK(cudaEventDestroy(done[device]));
        CHECK(cudaStreamDestroy(streams[device]));
    }
    return sum == static_cast<unsigned long long>(n) * (n - 1) / 2 ? 0 : 1;
}
