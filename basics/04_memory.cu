// Pageable, pinned and unified memory, and what it costs to bring their data to the GPU and back.
// Notes: basics/04_memory.md. With the toolkit alone, in this folder:
//
//     nvcc -O3 -arch=native 04_memory.cu -o memory
//
// After Storti and Yurtoglu, "CUDA for Engineers", the array of distances.
#include <cmath>
#include <cstdio>
#include <vector>

#include "../common/device.cuh"  // and CHECK of common/error.cuh
#include "../common/timer.cuh"

constexpr float reference_point = 0.5f;

// The input: n points from 0 to 1.
void fill(float* x, int n) {
    for (int i = 0; i < n; ++i) {
        x[i] = static_cast<float>(i) / (n - 1);
    }
}

// The distance of each point from the reference point.
__global__ void find_distances(const float* d_x, float* d_distances, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        d_distances[i] = fabsf(d_x[i] - reference_point);
    }
}

int count_wrong(const float* x, const float* distances, int n) {
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        wrong += distances[i] != std::fabs(x[i] - reference_point);
    }
    return wrong;
}

// x and distances are memory of the host, pageable or pinned. The GPU works on copies. The first
// run warms up; the times are those of the second.
int use_copies(const char* kind, float* x, float* distances, int n) {
    fill(x, n);
    const std::size_t bytes = n * sizeof(float);
    float *d_x, *d_distances;
    CHECK(cudaMalloc(&d_x, bytes));
    CHECK(cudaMalloc(&d_distances, bytes));
    CHECK(cudaMemset(d_distances, 0xff, bytes));  // all NaN: not written
    common::CpuTimer timer;
    double there_ms = 0, kernel_ms = 0, back_ms = 0;
    for (int run = 0; run < 2; ++run) {
        timer.start();
        CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
        CHECK(cudaDeviceSynchronize());
        there_ms = timer.stop_ms();
        timer.start();
        find_distances<<<(n + 255) / 256, 256>>>(d_x, d_distances, n);
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
        kernel_ms = timer.stop_ms();
        timer.start();
        CHECK(cudaMemcpy(distances, d_distances, bytes, cudaMemcpyDeviceToHost));
        back_ms = timer.stop_ms();
    }
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_distances));
    const int wrong = count_wrong(x, distances, n);
    std::printf("%-9s  copy there %.3f ms, kernel %.3f ms, copy back %.3f ms, wrong: %d\n", kind,
                there_ms, kernel_ms, back_ms, wrong);
    return wrong;
}

// Host and GPU use the same pointers, and nothing is copied by hand. The system moves the data to
// the side that uses it.
int use_unified_memory(int n) {
    float *x, *distances;
    CHECK(cudaMallocManaged(&x, n * sizeof(float)));
    CHECK(cudaMallocManaged(&distances, n * sizeof(float)));
    fill(x, n);
    common::CpuTimer timer;
    double kernel_ms[2], host_ms[2];
    int wrong = 0;
    for (double& ms : kernel_ms) {
        timer.start();
        find_distances<<<(n + 255) / 256, 256>>>(x, distances, n);
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());  // the host must not read before the kernel has ended
        ms = timer.stop_ms();
    }
    for (double& ms : host_ms) {
        timer.start();
        wrong += count_wrong(x, distances, n);
        ms = timer.stop_ms();
    }
    CHECK(cudaFree(x));
    CHECK(cudaFree(distances));
    std::printf(
        "unified    kernel %.3f ms, again %.3f ms; host %.3f ms, again %.3f ms, wrong: %d\n",
        kernel_ms[0], kernel_ms[1], host_ms[0], host_ms[1], wrong);
    return wrong;
}

int main() {
    const int n = common::on_cpu_device ? 100'003 : 20'000'003;
    std::vector<float> x(n), distances(n);
    int wrong = use_copies("pageable", x.data(), distances.data(), n);

    float *pinned_x, *pinned_distances;
    CHECK(cudaMallocHost(&pinned_x, n * sizeof(float)));
    CHECK(cudaMallocHost(&pinned_distances, n * sizeof(float)));
    wrong += use_copies("pinned", pinned_x, pinned_distances, n);
    CHECK(cudaFreeHost(pinned_x));
    CHECK(cudaFreeHost(pinned_distances));

    wrong += use_unified_memory(n);
    if (common::on_cpu_device) {
        std::printf("These are times of an emulation. They say nothing about a GPU.\n");
    }
    std::printf(wrong == 0 ? "all distances are right\n" : "WRONG\n");
    return wrong == 0 ? 0 : 1;
}
