// Each device adds up its part of an array, in a stream of its own, and the host adds up what the
// devices give. In the style of a sample of NVIDIA.
// environment: CPU_DEVICES=4
// expect: status 0, "4 devices", "the sums agree"
#include <cmath>
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>
#include <helper_cuda.h>

const int blocks = 4, threads = 64;

// One sum for each thread of the grid.
__global__ void sums(float* out, const float* in, int n) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int i = thread; i < n; i += gridDim.x * blockDim.x) {
        sum += in[i];
    }
    out[thread] = sum;
}

struct Plan {
    int n = 0;
    float *h_in = nullptr, *h_out = nullptr;  // pinned
    float *d_in = nullptr, *d_out = nullptr;
    cudaStream_t stream = nullptr;
};

int main() {
    const int n = 100003;
    int devices = 0;
    checkCudaErrors(cudaGetDeviceCount(&devices));
    printf("%d devices\n", devices);
    std::vector<Plan> plans(devices);
    const int out = blocks * threads;
    double expected = 0;
    for (int device = 0; device < devices; ++device) {
        Plan& plan = plans[device];
        plan.n = n / devices + (device < n % devices ? 1 : 0);
        checkCudaErrors(cudaSetDevice(device));
        checkCudaErrors(cudaStreamCreate(&plan.stream));
        checkCudaErrors(cudaMalloc((void**)&plan.d_in, plan.n * sizeof(float)));
        checkCudaErrors(cudaMalloc((void**)&plan.d_out, out * sizeof(float)));
        checkCudaErrors(cudaMallocHost((void**)&plan.h_in, plan.n * sizeof(float)));
        checkCudaErrors(cudaMallocHost((void**)&plan.h_out, out * sizeof(float)));
        for (int i = 0; i < plan.n; ++i) {
            plan.h_in[i] = (i * 37 + device) % 1000 / 1000.0f;
            expected += plan.h_in[i];
        }
    }
    // All devices get their work before the host waits for any of them.
    for (int device = 0; device < devices; ++device) {
        Plan& plan = plans[device];
        checkCudaErrors(cudaSetDevice(device));
        checkCudaErrors(cudaMemcpyAsync(plan.d_in, plan.h_in, plan.n * sizeof(float),
                                        cudaMemcpyHostToDevice, plan.stream));
        sums<<<blocks, threads, 0, plan.stream>>>(plan.d_out, plan.d_in, plan.n);
        getLastCudaError("sums");
        checkCudaErrors(cudaMemcpyAsync(plan.h_out, plan.d_out, out * sizeof(float),
                                        cudaMemcpyDeviceToHost, plan.stream));
    }
    double sum = 0;
    for (int device = 0; device < devices; ++device) {
        Plan& plan = plans[device];
        checkCudaErrors(cudaSetDevice(device));
        cudaStreamSynchronize(plan.stream);
        for (int i = 0; i < out; ++i) {
            sum += plan.h_out[i];
        }
    }
    for (int device = 0; device < devices; ++device) {
        Plan& plan = plans[device];
        checkCudaErrors(cudaSetDevice(device));
        checkCudaErrors(cudaFreeHost(plan.h_in));
        checkCudaErrors(cudaFreeHost(plan.h_out));
        checkCudaErrors(cudaFree(plan.d_in));
        checkCudaErrors(cudaFree(plan.d_out));
        checkCudaErrors(cudaStreamDestroy(plan.stream));
    }
    const double difference = std::fabs(sum - expected) / expected;
    printf("%f, expected %f: %s\n", sum, expected,
           difference < 1e-5 ? "the sums agree" : "the sums differ");
    return difference < 1e-5 ? 0 : 1;
}
