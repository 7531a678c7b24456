// The dot product at the speed of memory: without a mutex, with mutexes, and the library.
//
//   vector_loads     16-byte loads, several in flight; one atomicAdd per block
//   two_level_mutex  the same, finished under mutexes: a block waits for a few others, not for all
//   one_word_mutex   the same two levels, but a mutex and what it guards share one word
//   mutex_tree       the same words in four levels
//   cublas           cublasSdot, cublasDdot
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "common/compiled_for.cuh"
#include "common/vector_load.cuh"
#include "mutex_dot/mutex_dot.cuh"

#ifdef __CUDACC__
#include <cublas_v2.h>
#endif

namespace {

// --- vector_loads ---

// The part of the dot product that falls to one thread of block number `block` of `blocks`, by
// 16-byte loads from both vectors.
template <typename T>
__device__ T vector_load_dot(const T* d_a, const T* d_b, std::size_t n, unsigned block,
                             unsigned blocks) {
    const T* const d_arrays[] = {d_a, d_b};
    const auto term = [](const T* x) { return x[0] * x[1]; };
    return pack_sum(d_arrays, n, term, block, blocks);
}

// As atomic_add, fed faster.
template <typename T>
__global__ void dot_vector_loads(const T* d_a, const T* d_b, std::size_t n, T* d_dot) {
    const T sum = block_sum(vector_load_dot(d_a, d_b, n, blockIdx.x, gridDim.x));
    if (threadIdx.x == 0) {
        atomicAdd(d_dot, sum);
    }
}

}  // namespace

// Each block takes one tile of packs, so the blocks' ends are spread over time.
template <typename T>
void run_vector_loads(DotProblem<T>& p) {
    const int block_size = p.block_size_or(512);
    CHECK(cudaMemsetAsync(p.d_dot(), 0, sizeof(T)));
    const int grid_size = blocks_of_one_tile<T>(p.n, block_size, 2);
    dot_vector_loads<<<grid_size, block_size>>>(p.d_a, p.d_b, p.n, p.d_dot());
    CHECK_LAUNCH();
    p.set_accuracy(pack_sum_additions<T>(p.n, grid_size, block_size) + block_sum_additions +
                   grid_size);
}

namespace {

// --- two_level_mutex ---

// A sum under a mutex, with the number of blocks that have added to it. 128 bytes apart, so that
// those who wait for one mutex do not load the memory line of another.
template <typename T>
struct alignas(128) MutexSum {
    int mutex;
    unsigned blocks;
    T sum;
};

// Adds `sum` under the mutex. True for the last of `members` blocks, whose `sum` becomes the sum of
// all of them. The last block leaves 0 behind for the next launch: to set the words before each
// launch is an operation of its own, which takes about a microsecond.
template <typename T>
__device__ bool add_guarded(MutexSum<T>& guarded, unsigned members, T& sum) {
    lock(guarded.mutex);
    sum += guarded.sum;
    const unsigned blocks = guarded.blocks + 1;
    const bool is_last = blocks == members;
    guarded.sum = is_last ? 0 : sum;
    guarded.blocks = is_last ? 0 : blocks;
    unlock(guarded.mutex);
    return is_last;
}

// A mutex is slow in proportion to those who want it at once. So the mutexes form a tree: each
// serves `fan_in` blocks (the last of a level perhaps fewer), and the last of them carries their
// sum on to a mutex of the next level, until there is only one. Every block still takes a mutex,
// but at each it waits for fan_in - 1 others at the most, and the longest way to the result has as
// many turns as the tree has levels times fan_in, instead of one for each block.
// d_guarded: a word for each mutex, level by level from the blocks on; all bytes 0 before and
// after.
template <typename T, typename Guarded>
__global__ void dot_mutex_tree(const T* d_a, const T* d_b, std::size_t n, unsigned fan_in,
                               Guarded* d_guarded, T* d_dot) {
    T sum = block_sum(vector_load_dot(d_a, d_b, n, blockIdx.x, gridDim.x));
    if (threadIdx.x == 0) {
        unsigned number = blockIdx.x;  // of this block, among those that have come to this level
        unsigned blocks = gridDim.x;
        bool is_last = false;
        do {
            const unsigned mutexes = (blocks - 1) / fan_in + 1;
            const unsigned mine = number / fan_in;
            const unsigned members = min(fan_in, blocks - mine * fan_in);
            is_last = add_guarded(d_guarded[mine], members, sum);
            d_guarded += mutexes;
            number = mine;
            blocks = mutexes;
        } while (is_last && blocks > 1);
        if (is_last) {
            *d_dot = sum;
        }
    }
}

}  // namespace

// Few blocks, for few contenders: one of 1024 threads for each multiprocessor, which keep 128 KiB
// under way. And the smallest fan_in with which the tree has no more than `levels` levels: fan_in
// to the power of `levels` is at least the number of blocks.
template <typename T, typename Guarded>
void run_mutex_levels(DotProblem<T>& p, int levels) {
    const int block_size = p.block_size_or(1024);
    const int wanted = multiprocessor_count() * std::max(1, 1024 / block_size);
    const int grid_size = std::min(wanted, blocks_of_one_tile<T>(p.n, block_size, 2));
    unsigned fan_in = 2;
    while (std::pow(fan_in, levels) < grid_size) {
        ++fan_in;
    }
    std::size_t mutexes = 0;
    double additions = 0;  // that a block's sum passes through on its way up
    int blocks = grid_size;
    do {
        blocks = blocks_to_cover(blocks, static_cast<int>(fan_in));
        mutexes += blocks;
        additions += fan_in;
    } while (blocks > 1);
    Guarded* d_guarded = static_cast<Guarded*>(p.d_guarded(mutexes * sizeof(Guarded)));
    dot_mutex_tree<<<grid_size, block_size>>>(p.d_a, p.d_b, p.n, fan_in, d_guarded, p.d_dot());
    CHECK_LAUNCH();
    p.set_accuracy(pack_sum_additions<T>(p.n, grid_size, block_size) + block_sum_additions +
                   additions);
}

template <typename T>
void run_two_level_mutex(DotProblem<T>& p) {
    run_mutex_levels<T, MutexSum<T>>(p, 2);
}

namespace {

// --- one_word_mutex ---

// A sum and the number of blocks that have added to it, in one word that can be exchanged at once:
// 64 bits for float, 128 for double. The count is the lock as well: `taken` stands for "in use".
template <typename T>
struct alignas(2 * sizeof(T)) SumAndCount {
    using Count = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
    static constexpr Count taken = ~Count{0};
    T sum;
    Count blocks;
};

template <typename T>
struct alignas(128) OneWordSum {
    SumAndCount<T> word;
};

// Puts `value` into the word and returns what it held, in one atomic step.
__device__ inline SumAndCount<float> exchange(SumAndCount<float>* d_word,
                                              SumAndCount<float> value) {
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof bits);
    bits = atomicExch(reinterpret_cast<unsigned long long*>(d_word), bits);
    memcpy(&value, &bits, sizeof bits);
    return value;
}

__device__ inline SumAndCount<double> exchange(SumAndCount<double>* d_word,
                                               SumAndCount<double> value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    static_cast<void>(d_word);  // never called: why_no_one_word refuses first
    __trap();
    return value;
#else
    return atomicExch(d_word, value);
#endif
}

// One exchange takes the lock and reads the sum, one more writes the sum and gives the lock back: a
// turn is two trips to memory where a lock with separate data needs four. Whoever finds the word
// taken has put back what was there, and tries again at once: the trip is pause enough. Nothing but
// the word itself is handed over, and on one word all atomics agree about the order; so no fence,
// acquire or release is needed.
template <typename T>
__device__ bool add_guarded(OneWordSum<T>& guarded, unsigned members, T& sum) {
    constexpr SumAndCount<T> in_use{0, SumAndCount<T>::taken};
    SumAndCount<T> held = exchange(&guarded.word, in_use);
    while (held.blocks == SumAndCount<T>::taken) {
        held = exchange(&guarded.word, in_use);
    }
    sum += held.sum;
    const bool is_last = held.blocks + 1 == members;
    exchange(&guarded.word, is_last ? SumAndCount<T>{0, 0} : SumAndCount<T>{sum, held.blocks + 1});
    return is_last;
}

}  // namespace

template <typename T>
std::string why_no_one_word(const DotProblem<T>&) {
    return sizeof(T) == 8 ? why_not_90() : "";  // 128-bit exchange for double
}

template <typename T>
void run_one_word_mutex(DotProblem<T>& p) {
    run_mutex_levels<T, OneWordSum<T>>(p, 2);
}

// --- mutex_tree ---

// Fewer contenders for each mutex, but more mutexes on the way. In a trial on an H200, with 132
// blocks and 10^7 floats, 12, 6, 4, 3 and 2 blocks a mutex took the device 27.3, 26.2, 26.0, 26.4
// and 27.5 microseconds, and atomicAdd in place of the mutexes 22.0. Where reading takes longer,
// the difference is lost in it.
template <typename T>
void run_mutex_tree(DotProblem<T>& p) {
    run_mutex_levels<T, OneWordSum<T>>(p, 4);
}

#ifdef __CUDACC__
inline void exit_on_cublas_error(cublasStatus_t status, const char* call, const char* file,
                                 int line) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        std::fflush(stdout);
        std::fprintf(stderr, "%s:%d: %s\n    failed with %s: %s\n", file, line, call,
                     cublasGetStatusName(status), cublasGetStatusString(status));
        std::exit(EXIT_FAILURE);
    }
}

#define CHECK_CUBLAS(call) exit_on_cublas_error((call), #call, __FILE__, __LINE__)

// One handle for the program, made at the first call, which is not timed. It is not destroyed: at
// the end of a program the driver may be gone already.
inline cublasHandle_t cublas_handle() {
    static const cublasHandle_t handle = [] {
        cublasHandle_t created = nullptr;
        CHECK_CUBLAS(cublasCreate(&created));
        // The result goes to device memory, as all other variants' does; otherwise the call would
        // wait for it and copy it to the host.
        CHECK_CUBLAS(cublasSetPointerMode(created, CUBLAS_POINTER_MODE_DEVICE));
        return created;
    }();
    return handle;
}

template <typename T>
void run_cublas(DotProblem<T>& p) {
    const auto n = static_cast<std::int64_t>(p.n);
    if (n == 0) {
        CHECK(cudaMemsetAsync(p.d_dot(), 0, sizeof(T)));  // whatever the library does without work
    }
    if constexpr (sizeof(T) == 4) {
        CHECK_CUBLAS(cublasSdot_64(cublas_handle(), n, p.d_a, 1, p.d_b, 1, p.d_dot()));
    } else {
        CHECK_CUBLAS(cublasDdot_64(cublas_handle(), n, p.d_a, 1, p.d_b, 1, p.d_dot()));
    }
    // cuBLAS promises no bound. Its threads are taken to be at least 8192, then come trees.
    p.set_accuracy(64 + static_cast<double>(p.n) / 8192);
}
#endif
