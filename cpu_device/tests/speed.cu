// How long the CPU device takes for a kernel, as a multiple of the plain loop that does the same.
//
//   cpu_device_speed [runs]      20 runs of each if this is not said
//
// One OS thread, or CPU_DEVICE_THREADS of them. Each time is the CPU time of the fastest of the
// runs; the runs of loop and kernel alternate, so that both see the same machine. Every result is
// checked. Ends with 1 where one is wrong, or where vector addition takes more than 4 times as long
// as its loop (not in a build without optimization, or with sanitizers).
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
constexpr double slowest_addition = 1e9;
#else
constexpr double slowest_addition = 4;
#endif

void check(cudaError_t error) {
    if (error != cudaSuccess) {
        std::fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(error));
        std::exit(EXIT_FAILURE);
    }
}

// --- the kernels, and the loops ---------------------------------------------------------------

// Each thread works on one element.
__global__ void add(const float* a, const float* b, float* c, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        c[i] = a[i] + b[i];
    }
}
__attribute__((noinline)) void add_loop(const float* a, const float* b, float* c, int n) {
    for (int i = 0; i < n; ++i) {
        c[i] = a[i] + b[i];
    }
}

// Square matrices of `width` rows.
__global__ void transpose(const float* a, float* b, int width) {
    const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    if (row < width && column < width) {
        b[column * width + row] = a[row * width + column];
    }
}
__attribute__((noinline)) void transpose_loop(const float* a, float* b, int width) {
    for (int row = 0; row < width; ++row) {
        for (int column = 0; column < width; ++column) {
            b[column * width + row] = a[row * width + column];
        }
    }
}

// A tree in each block of 128 threads: eight barriers for each element.
constexpr int tree_block = 128;
__global__ void tree(const float* x, int n, float* sum) {
    __shared__ float s_x[tree_block];
    const int t = static_cast<int>(threadIdx.x);
    const int i = static_cast<int>(blockIdx.x) * tree_block + t;
    s_x[t] = i < n ? x[i] : 0.0f;
    for (int offset = tree_block / 2; offset > 0; offset /= 2) {
        __syncthreads();
        if (t < offset) {
            s_x[t] += s_x[t + offset];
        }
    }
    __syncthreads();
    if (t == 0) {
        atomicAdd(sum, s_x[0]);
    }
}
__attribute__((noinline)) void sum_loop(const float* x, int n, float* sum) {
    float total = 0;
    for (int i = 0; i < n; ++i) {
        total += x[i];
    }
    *sum = total;
}

// A thread per element of c; `width` is a multiple of the tile's.
constexpr int tile = 16;
__global__ void multiply(const float* a, const float* b, float* c, int width) {
    __shared__ float s_a[tile][tile];
    __shared__ float s_b[tile][tile];
    const int tx = static_cast<int>(threadIdx.x);
    const int ty = static_cast<int>(threadIdx.y);
    const int row = static_cast<int>(blockIdx.y) * tile + ty;
    const int column = static_cast<int>(blockIdx.x) * tile + tx;
    float sum = 0;
    for (int first = 0; first < width; first += tile) {
        s_a[ty][tx] = a[row * width + first + tx];
        s_b[ty][tx] = b[(first + ty) * width + column];
        __syncthreads();
        for (int k = 0; k < tile; ++k) {
            sum += s_a[ty][k] * s_b[k][tx];
        }
        __syncthreads();
    }
    c[row * width + column] = sum;
}
__attribute__((noinline)) void multiply_loop(const float* a, const float* b, float* c, int width) {
    for (int row = 0; row < width; ++row) {
        for (int column = 0; column < width; ++column) {
            float sum = 0;
            for (int k = 0; k < width; ++k) {
                sum += a[row * width + k] * b[k * width + column];
            }
            c[row * width + column] = sum;
        }
    }
}

// --- measuring --------------------------------------------------------------------------------

constexpr int n = 1 << 20;
constexpr int side = 1024;         // of the matrix that is transposed
constexpr int product_side = 256;  // of those that are multiplied

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Small whole numbers: sums and products of them are exact in any order.
float* numbers(std::size_t count) {
    float* x = nullptr;
    check(cudaMallocManaged(&x, count * sizeof(float)));
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = static_cast<float>(static_cast<int>(i * 2654435761u >> 16 & 7) - 3);
    }
    return x;
}

struct Result {
    bool right;
    double ratio;
};

// `loop` and `kernel` write `outputs` floats each, to the address that they are given, which is 0
// before. `items` is what a time is divided by.
template <typename Loop, typename Kernel>
Result compare(const char* name, int runs, int items, int outputs, Loop loop, Kernel kernel) {
    std::vector<float> expected(outputs);
    float* const out = numbers(outputs);
    double loop_seconds = 1e9;
    double kernel_seconds = 1e9;
    bool right = true;
    for (int run = 0; run < runs; ++run) {
        std::fill(expected.begin(), expected.end(), 0.0f);
        double start = cpu_seconds();
        loop(expected.data());
        loop_seconds = std::min(loop_seconds, cpu_seconds() - start);
        std::fill(out, out + outputs, 0.0f);
        start = cpu_seconds();
        kernel(out);
        check(cudaGetLastError());
        check(cudaDeviceSynchronize());
        kernel_seconds = std::min(kernel_seconds, cpu_seconds() - start);
        right = right && std::equal(expected.begin(), expected.end(), out);
    }
    check(cudaFree(out));
    const double ratio = kernel_seconds / loop_seconds;
    std::printf("%-24s %12.2f %12.2f %9.2f   %s\n", name, 1e9 * loop_seconds / items,
                1e9 * kernel_seconds / items, ratio, right ? "ok" : "WRONG");
    return {right, ratio};
}

}  // namespace

int main(int argc, char** argv) {
    setenv("CPU_DEVICE_THREADS", "1", 0);
    const int runs = argc > 1 ? std::atoi(argv[1]) : 20;
    if (argc > 2 || runs < 1) {
        std::fprintf(stderr, "%s: expected at most one argument, the number of runs, from 1\n",
                     argv[0]);
        return 2;
    }
    float* const a = numbers(std::max(n, side * side));
    float* const b = numbers(std::max(n, side * side));
    std::printf("%-24s %12s %12s %9s\n", "", "loop, ns", "kernel, ns", "ratio");

    const Result addition = compare(
        "vector addition", runs, n, n, [&](float* c) { add_loop(a, b, c, n); },
        [&](float* c) { add<<<(n + 255) / 256, 256>>>(a, b, c, n); });
    const Result transposed = compare(
        "transpose", runs, side * side, side * side, [&](float* c) { transpose_loop(a, c, side); },
        [&](float* c) { transpose<<<dim3(side / 16, side / 16), dim3(16, 16)>>>(a, c, side); });
    const Result sum = compare(
        "tree, blocks of 128", runs, n, 1, [&](float* c) { sum_loop(a, n, c); },
        [&](float* c) { tree<<<n / tree_block, tree_block>>>(a, n, c); });
    constexpr int steps = product_side * product_side * product_side;
    const Result product = compare(
        "tiled matrix product", runs, steps, product_side * product_side,
        [&](float* c) { multiply_loop(a, b, c, product_side); },
        [&](float* c) {
            multiply<<<dim3(product_side / tile, product_side / tile), dim3(tile, tile)>>>(
                a, b, c, product_side);
        });
    check(cudaFree(a));
    check(cudaFree(b));

    if (addition.ratio > slowest_addition) {
        std::fprintf(stderr, "vector addition takes %.1f times as long as its loop; at most %g\n",
                     addition.ratio, slowest_addition);
        return 1;
    }
    return addition.right && transposed.right && sum.right && product.right ? 0 : 1;
}
