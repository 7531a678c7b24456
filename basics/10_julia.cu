// The Julia set of c = -0.8 + 0.156 i as a picture, julia.png, with one thread per pixel.
// Notes: basics/10_julia.md. After Sanders and Kandrot, "CUDA by Example", chapter 4.
// With the toolkit alone, in this folder:
//
//     nvcc -O3 -arch=native 10_julia.cu -o julia
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../common/device.cuh"  // and CHECK of common/error.cuh
#include "../common/timer.cuh"
#include "png.hpp"

using Picture = std::vector<unsigned char>;
constexpr int max_steps = 200;

// a * b + c, rounded once, or once after the product and once after the sum.
__host__ __device__ float multiply_add(float a, float b, float c, bool round_once) {
    if (round_once) {
        return fmaf(a, b, c);
    }
    volatile float product = a * b;  // volatile: the compiler must not make it one step again
    return product + c;
}

// How many steps z = z * z + c can be made until z is further than 2 from 0. z starts at the point
// of pixel (x, y). The picture shows the points from -1.5 - 1.5 i to 1.5 + 1.5 i.
__host__ __device__ int count_steps(int x, int y, int size, bool round_once) {
    float re = 1.5f * (2 * x - size) / size, im = 1.5f * (2 * y - size) / size;
    int steps = 0;
    for (; steps < max_steps && multiply_add(re, re, im * im, round_once) <= 4; ++steps) {
        const float old_re = re;
        re = multiply_add(re, re, multiply_add(-im, im, -0.8f, round_once), round_once);
        im = multiply_add(2 * old_re, im, 0.156f, round_once);
    }
    return steps;
}

// One pixel per thread, from row first_row on.
__global__ void draw(unsigned char* d_pixels, int size, int first_row) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = first_row + blockIdx.y * blockDim.y + threadIdx.y;
    if (x < size && y < size) {
        d_pixels[y * size + x] = count_steps(x, y, size, true);
    }
}

// One line that is written over again and again, on a terminal only.
void show_progress(const char* who, int rows, int size) {
    if (isatty(STDERR_FILENO)) {
        std::fprintf(stderr, "\r%s: %d %%%s", who, 100 * rows / size, rows < size ? "" : "\n");
    }
}

Picture draw_on_cpu(int size, bool round_once) {
    Picture pixels(size * size);
    for (int y = 0; y < size; ++y) {
        show_progress("CPU", y, size);
        for (int x = 0; x < size; ++x) {
            pixels[y * size + x] = count_steps(x, y, size, round_once);
        }
    }
    show_progress("CPU", size, size);
    return pixels;
}

// Launches the kernel for 64 rows at a time: so the host knows how far it is.
Picture draw_on_gpu(int size) {
    Picture pixels(size * size);
    unsigned char* d_pixels;
    CHECK(cudaMalloc(&d_pixels, pixels.size()));
    CHECK(cudaMemset(d_pixels, 0xff, pixels.size()));  // more than max_steps: not written
    for (int first_row = 0; first_row < size; first_row += 64) {
        show_progress("GPU", first_row, size);
        draw<<<dim3((size + 15) / 16, 64 / 16), dim3(16, 16)>>>(d_pixels, size, first_row);
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
    }
    show_progress("GPU", size, size);
    CHECK(cudaMemcpy(pixels.data(), d_pixels, pixels.size(), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_pixels));
    return pixels;
}

int count_different(const Picture& a, const Picture& b) {
    int different = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        different += a[i] != b[i];
    }
    return different;
}

int main(int argc, char** argv) {
    char* end = nullptr;
    const long size = argc == 2 ? std::strtol(argv[1], &end, 10) : 600;
    if (argc > 2 || (end && *end != '\0') || size < 1 || size > 10'000) {
        std::fprintf(stderr, "usage: 10_julia [SIZE]; expected one SIZE, from 1 to 10000\n");
        return 2;
    }
    CHECK(cudaFree(nullptr));  // a GPU starts at the first call: before the time is measured
    common::CpuTimer timer;
    timer.start();
    const Picture expected = draw_on_cpu(size, true);
    const double cpu_ms = timer.stop_ms();
    timer.start();
    const Picture pixels = draw_on_gpu(size);
    const double gpu_ms = timer.stop_ms();
    const int wrong = count_different(pixels, expected);
    std::printf("%ld x %ld pixels, CPU: %.1f ms, GPU with the copy: %.1f ms%s\n", size, size,
                cpu_ms, gpu_ms, common::on_cpu_device ? " (an emulation)" : "");
    std::printf("pixels that differ between CPU and GPU: %d\n", wrong);
    std::printf("pixels that differ if the CPU rounds twice: %d\n",
                count_different(draw_on_cpu(size, false), expected));
    png::write("julia.png", pixels, size, size);
    std::printf(wrong == 0 ? "julia.png is right\n" : "WRONG\n");
    return wrong == 0 ? 0 : 1;
}
