// How long race mode takes for a kernel, as a multiple of the plain loop at -O1 that does the same;
// and how many bytes it keeps of a word.
//
//   race_speed [runs [part]]      8 runs of each if this is not said; those whose name has the part
//
// Each time is the CPU time of the median run; the runs of loop and kernel alternate, so that both
// see the same machine. Each run has another scheduling policy: eight in a row have all of them,
// and scripts/race takes as long as the mean says. Every result is checked. Ends with 1 where one
// is wrong, where something is reported, or where a word that only plain accesses meet takes more
// than 64 bytes.
#include <cuda_runtime.h>
#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda/atomic>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "cpu_device/race.h"

namespace {

void check(cudaError_t error) {
    if (error != cudaSuccess) {
        std::fprintf(stderr, "CUDA error: %s\n", cudaGetErrorString(error));
        std::exit(EXIT_FAILURE);
    }
}

// A loop that is no kernel's: compiled as the compiler does without race mode.
#define PLAIN_LOOP __attribute__((noinline, optimize("O1"), no_sanitize("thread", "undefined")))

// --- the kernels, and the loops: each changes `x`, which has 1024 elements or more -------------

constexpr int threads = 1024;  // in blocks of 128, but for the product
constexpr int rounds = 64;
constexpr double most_bytes = 64;  // of a word that only plain accesses meet

__global__ void use_own_words(int* x) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rounds; ++k) {
        x[i] = x[i] + k;
    }
}
PLAIN_LOOP void use_own_words_loop(volatile int* x) {
    for (int i = 0; i < threads; ++i) {
        for (int k = 0; k < rounds; ++k) {
            x[i] = x[i] + k;
        }
    }
}

// All read the same words, one after the other.
__global__ void read_same_words(int* x) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < rounds; ++k) {
        sum += x[threads + k];
    }
    x[i] += sum;
}
PLAIN_LOOP void read_same_words_loop(volatile int* x) {
    for (int i = 0; i < threads; ++i) {
        int sum = 0;
        for (int k = 0; k < rounds; ++k) {
            sum += x[threads + k];
        }
        x[i] = x[i] + sum;
    }
}

template <cuda::memory_order order>
__global__ void add_to_16_words(int* x) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < rounds; ++k) {
        cuda::atomic_ref<int, cuda::thread_scope_device>(x[i % 16]).fetch_add(1, order);
    }
}
template <int order>
PLAIN_LOOP void add_to_16_words_loop(int* x) {
    for (int i = 0; i < threads; ++i) {
        for (int k = 0; k < rounds; ++k) {
            __atomic_fetch_add(x + i % 16, 1, order);
        }
    }
}

// Products of square matrices, which follow each other: x = x, a, b. The width is a multiple of the
// tile's.
constexpr int width = 64, tile = 16;
__global__ void multiply(int* x) {
    const int* const a = x + width * width;
    const int* const b = a + width * width;
    __shared__ int s_a[tile][tile];
    __shared__ int s_b[tile][tile];
    const unsigned tx = threadIdx.x;
    const unsigned ty = threadIdx.y;
    const unsigned row = blockIdx.y * tile + ty;
    const unsigned column = blockIdx.x * tile + tx;
    int sum = 0;
    for (unsigned first = 0; first < width; first += tile) {
        s_a[ty][tx] = a[row * width + first + tx];
        s_b[ty][tx] = b[(first + ty) * width + column];
        __syncthreads();
        for (int k = 0; k < tile; ++k) {
            sum += s_a[ty][k] * s_b[k][tx];
        }
        __syncthreads();
    }
    x[row * width + column] = sum;
}
PLAIN_LOOP void multiply_loop(volatile int* x) {
    volatile const int* const a = x + width * width;
    volatile const int* const b = a + width * width;
    for (int row = 0; row < width; ++row) {
        for (int column = 0; column < width; ++column) {
            int sum = 0;
            for (int k = 0; k < width; ++k) {
                sum += a[row * width + k] * b[k * width + column];
            }
            x[row * width + column] = sum;
        }
    }
}

template <typename T>
__global__ void write_once(T* x, unsigned times) {
    for (unsigned k = 0; k < times; ++k) {
        x[(k * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x] = 1;
    }
}

// --- measuring --------------------------------------------------------------------------------

double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> all) {
    std::sort(all.begin(), all.end());
    return all[all.size() / 2];
}

double mean(const std::vector<double>& all) {
    return std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
}

std::vector<int> numbers(std::size_t count) {
    std::vector<int> x(count);
    for (std::size_t i = 0; i < count; ++i) {
        x[i] = static_cast<int>(i * 2654435761u >> 16 & 7) - 3;
    }
    return x;
}

const char* part_of_name = "";  // of the rows that are wanted

// `items`: what a time is divided by.
template <typename Loop, typename Kernel>
bool compare(const char* name, int runs, int items, Loop loop, Kernel kernel) {
    if (std::strstr(name, part_of_name) == nullptr) {
        return true;
    }
    const std::vector<int> before = numbers(3 * width * width);
    const std::size_t bytes = before.size() * sizeof(int);
    std::vector<double> loops, kernels[2];
    std::vector<int> expected, out(before.size());
    int* x = nullptr;
    check(cudaMalloc(&x, bytes));
    bool right = true;
    for (int run = 0; run < runs; ++run) {
        expected = before;
        double start = cpu_seconds();
        loop(expected.data());
        loops.push_back(cpu_seconds() - start);
        for (int old_values = 0; old_values < 2; ++old_values) {
            check(cudaMemcpy(x, before.data(), bytes, cudaMemcpyHostToDevice));
            cpu_device::race::set_seed(run);  // with another policy each time
            cpu_device::race::show_old_loads(old_values == 1 ? UINT64_MAX : 0);
            start = cpu_seconds();
            kernel(x);
            check(cudaDeviceSynchronize());
            kernels[old_values].push_back(cpu_seconds() - start);
            check(cudaMemcpy(out.data(), x, bytes, cudaMemcpyDeviceToHost));
            right = right && out == expected;
        }
    }
    check(cudaFree(x));
    const double plain = median(loops);
    const double off = median(kernels[0]);
    const double on = median(kernels[1]);
    std::printf("%-32s %9.2f", name, 1e9 * plain / items);
    for (const double time : {off, on}) {
        std::printf(" %9.1f", 1e9 * time / items);
    }
    for (const double time : {off, on, mean(kernels[0]), mean(kernels[1])}) {
        std::printf(" %8.0f", time / plain);
    }
    std::printf("   %s\n", right ? "ok" : "WRONG");
    return right;
}

// Of this process, in bytes: what it has, or the most that it has had since the peak was reset.
enum class Memory { now, peak };
std::size_t resident_bytes(Memory which) {
    const std::string wanted = which == Memory::now ? "VmRSS:" : "VmHWM:";
    std::ifstream status("/proc/self/status");
    for (std::string name, rest; status >> name; std::getline(status, rest)) {
        if (name == wanted) {
            std::size_t kib = 0;
            status >> kib;
            return kib * 1024;
        }
    }
    return 0;
}

// What a launch takes whose threads write that many values each: while it runs and at its end.
template <typename T>
double bytes_of_launch(unsigned values) {
    int* few = nullptr;
    T* x = nullptr;
    cpu_device::race::set_seed(1);
    check(cudaMalloc(&few, threads * sizeof(int)));
    check(cudaMemset(few, 0, threads * sizeof(int)));
    use_own_words<<<8, 128>>>(few);  // what stays after a launch is there
    check(cudaDeviceSynchronize());
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;  // the peak begins anew
    const std::size_t before = resident_bytes(Memory::now);
    check(cudaMalloc(&x, threads * values * sizeof(T)));
    write_once<<<8, 128>>>(x, values);
    check(cudaDeviceSynchronize());
    const std::size_t peak = resident_bytes(Memory::peak);
    check(cudaFree(x));
    check(cudaFree(few));
    return static_cast<double>(peak - before);
}

// What one more word takes beside its own bytes.
template <typename T>
double bytes_per_word() {
    constexpr unsigned few = 128, many = 512;  // values of a thread
    constexpr double words = threads * (many - few) * (sizeof(T) / 4.0);
    return (bytes_of_launch<T>(many) - bytes_of_launch<T>(few)) / words - 4;
}

}  // namespace

int main(int argc, char** argv) {
    const int runs = argc > 1 ? std::atoi(argv[1]) : 8;
    if (argc > 3 || runs < 1) {
        std::fprintf(stderr,
                     "%s: expected at most the number of runs, from 1, and a part of a name\n",
                     argv[0]);
        return 2;
    }
    part_of_name = argc > 2 ? argv[2] : "";
    const double of_ints = bytes_per_word<int>();
    const double of_doubles = bytes_per_word<double>();
    std::printf("%-32s %9s %19s %17s %17s\n%-32s %9s %9s %9s %8s %8s %8s %8s\n", "", "loop, ns",
                "kernel, ns", "ratio", "ratio of means", "old values:", "", "off", "on", "off",
                "on", "off", "on");
    constexpr int blocks = threads / 128;
    constexpr int accesses = threads * rounds;
    bool right = compare("plain, a thread's own word", runs, 2 * accesses, use_own_words_loop,
                         [](int* x) { use_own_words<<<blocks, 128>>>(x); });
    right &= compare("plain, all read 64 words", runs, accesses, read_same_words_loop,
                     [](int* x) { read_same_words<<<blocks, 128>>>(x); });
    right &= compare(
        "relaxed atomics on 16 words", runs, accesses, add_to_16_words_loop<__ATOMIC_RELAXED>,
        [](int* x) { add_to_16_words<cuda::memory_order_relaxed><<<blocks, 128>>>(x); });
    right &= compare(
        "acquire and release on 16 words", runs, accesses, add_to_16_words_loop<__ATOMIC_ACQ_REL>,
        [](int* x) { add_to_16_words<cuda::memory_order_acq_rel><<<blocks, 128>>>(x); });
    constexpr dim3 tiles(width / tile, width / tile);
    right &= compare("tiled product, per product", runs, width * width * width, multiply_loop,
                     [tiles](int* x) { multiply<<<tiles, dim3(tile, tile)>>>(x); });
    std::printf(
        "%.0f bytes for each word that only plain accesses meet, %.0f if they are of doubles\n",
        of_ints, of_doubles);
    return right && std::max(of_ints, of_doubles) <= most_bytes && cpu_device::race::reports() == 0
               ? 0
               : 1;
}
