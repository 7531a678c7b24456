// Tests of the CPU device itself: the rewriter's launches and shared memory, the scheduler (fibers,
// barriers, warp functions, spinning, deadlocks), every atomic function against its definition, and
// the host side. They know things that only the CPU device promises, so a GPU does not run them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <cuda/atomic>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "../first_and_last_blocks.hpp"

namespace {

constexpr unsigned full_mask = 0xffffffffu;
constexpr unsigned char fresh = 0xc5;  // every byte of memory that was never written

// Memory that kernels and test share; freed at the end of the test.
template <typename T>
class Managed {
  public:
    explicit Managed(std::size_t size, T value = T()) : size_(size) {
        EXPECT_EQ(cudaMallocManaged(&data_, std::max<std::size_t>(size, 1) * sizeof(T)),
                  cudaSuccess);
        std::fill(data_, data_ + size, value);
    }
    ~Managed() { EXPECT_EQ(cudaFree(data_), cudaSuccess); }
    Managed(const Managed&) = delete;
    Managed& operator=(const Managed&) = delete;

    operator T*() const { return data_; }
    T* begin() const { return data_; }
    T* end() const { return data_ + size_; }
    T& operator[](std::size_t i) const { return data_[i]; }

  private:
    T* data_ = nullptr;
    std::size_t size_;
};

__device__ unsigned thread_of_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// --- the rewriter: launches ---------------------------------------------------------------------

__global__ void set_value(int* d_out, int value) {
    d_out[0] = value;
}
__global__ void set_value(float* d_out, float value) {  // an overload
    d_out[0] = value;
}
template <typename T, int times>
__global__ void set_multiple(T* d_out, T value) {
    d_out[0] = times * value;
}
namespace inner {
template <typename T>
__global__ void set_plus_one(T* d_out, T value) {
    d_out[0] = value + 1;
}
}  // namespace inner
template <typename T>
struct Kernels {
    static __global__ void set(T* d_out, T value) { d_out[0] = value; }
    template <int times>
    static __global__ void multiply(T* d_out, T value) {
        d_out[0] = times * value;
    }
    void launch(T* d_out, T value) { set<<<1, 1>>>(d_out, value); }
};
template <typename T>
void launch_dependent(T* d_out, T value) {
    Kernels<T>::template multiply<3><<<1, 1>>>(d_out, value);
}
template <typename... Ts>
constexpr unsigned one(Ts...) {
    return 1;
}
__global__ void count_threads(int* d_out, int* d_null) {
    if (d_null == nullptr) {
        atomicAdd(d_out, 1);
    }
}

#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block>>>(__VA_ARGS__)
#define LAUNCH_TWICE(out)                          \
    do {                                           \
        LAUNCH(count_threads, 2, 3, out, nullptr); \
        count_threads<<<2, 3>>>(out, nullptr);     \
    } while (0)

TEST(Rewriter, LaunchesOverloadsTemplatesAndMembers) {
    Managed<int> x(1);
    Managed<float> y(1);
    set_value<<<1, 1>>>(x, 7);
    EXPECT_EQ(x[0], 7);
    set_value<<<1, 1>>>(y, 2.5f);
    EXPECT_EQ(y[0], 2.5f);
    set_multiple<int, (8 > 3)><<<1, 1>>>(x, 7);
    EXPECT_EQ(x[0], 7);
    set_multiple<int, 1 << 2><<<1, 1>>>(x, 7);
    EXPECT_EQ(x[0], 28);
    inner::set_plus_one<<<1, 1>>>(x + 0, 7);
    EXPECT_EQ(x[0], 8);
    ::std::less<int> is_less;
    if (is_less(1, 2))
        inner::set_plus_one<int><<<dim3(1), dim3(1, 1)>>>(x, 9);
    EXPECT_EQ(x[0], 10);
    Kernels<int>::set<<<1, 1>>>(x, 11);
    EXPECT_EQ(x[0], 11);
    Kernels<int>().launch(x, 12);
    EXPECT_EQ(x[0], 12);
    launch_dependent<int>(x, 5);
    EXPECT_EQ(x[0], 15);
}

TEST(Rewriter, LaunchesThroughPointersAndTables) {
    Managed<int> x(1);
    void (*pointer)(int*, int) = set_value;
    pointer<<<1, 1>>>(x, 1);
    EXPECT_EQ(x[0], 1);
    (*pointer)<<<1, 1>>>(x, 2);
    EXPECT_EQ(x[0], 2);
    void (*const table[])(int*, int) = {set_value, set_multiple<int, 10>};
    for (int i = 0; i < 2; ++i)
        table[i]<<<1, 1>>>(x, 3);
    EXPECT_EQ(x[0], 30);
    struct Holder {
        void (*kernel)(int*, int);
        Holder* self() { return this; }
    } holder{set_value};
    holder.kernel<<<1, 1>>>(x, 4);
    EXPECT_EQ(x[0], 4);
    holder.self()->kernel<<<1, 1>>>(x, 5);
    EXPECT_EQ(x[0], 5);
}

TEST(Rewriter, ConfigurationMayHoldCommasTemplatesAndShifts) {
    Managed<int> x(1);
    cudaStream_t stream{};
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    const std::size_t smem = sizeof(std::pair<int, std::vector<std::vector<int>>>);
    count_threads<<<dim3(2, 2), dim3(3, 1, 1), smem, stream>>>(x, NULL);
    EXPECT_EQ(x[0], 12);
    // clang-format off
    count_threads<<<one(std::vector<std::vector<int>>()), 64 >> 3>>>(x, nullptr);
    EXPECT_EQ(x[0], 20);
    switch (x[0]) {
        case 20:count_threads<<<1, 1>>>(x, nullptr);
    }
    // clang-format on
    EXPECT_EQ(x[0], 21);
    ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

TEST(Rewriter, LaunchesFromMacros) {
    Managed<int> x(1);
    LAUNCH_TWICE(x);
    EXPECT_EQ(x[0], 12);
    [&] { LAUNCH(count_threads, 1, 1, x, nullptr); }();
    EXPECT_EQ(x[0], 13);
}

__global__ void add_value(int* d_out, int value) {
    atomicAdd(d_out, value);
}
TEST(Rewriter, EvaluatesArgumentsOnceAndBeforeTheKernel) {
    Managed<int> x(1);
    int evaluated = 0;
    const auto value = [&] { return ++evaluated; };
    set_value<<<4, 64>>>(x, value());
    EXPECT_EQ(evaluated, 1);
    EXPECT_EQ(x[0], 1);
    add_value<<<1, 10>>>(x, x[0]);  // a copy: what the kernel does to x[0] does not matter
    EXPECT_EQ(x[0], 11);
}

// Not launches, and left alone. /* k<<<1, 1>>>(x) */
struct Shifted {
    int value;
    template <typename T>
    int operator<<(T by) const {
        return value << by;
    }
};
TEST(Rewriter, LeavesStringsShiftsAndTemplatesAlone) {
    EXPECT_EQ(std::strlen("k<<<1, 1>>>(x);"), 15u);
    const char* const raw = R"--(one quote " k<<<1, 1>>>(x); )" __shared__ int s; )--";
    EXPECT_STREQ(raw, "one quote \" k<<<1, 1>>>(x); )\" __shared__ int s; ");
    EXPECT_STREQ(R"(a " k<<<1, 1>>>(x))", "a \" k<<<1, 1>>>(x)");
    EXPECT_EQ('<' + sizeof("__shared__ int s;") - '<', 18u);
    // clang-format off
    EXPECT_EQ(Shifted{1}.operator<<<int>(4), 16);
    // clang-format on
    const std::vector<std::vector<std::vector<int>>> nested(1'0);
    EXPECT_EQ(nested.size(), 10u);
    int x = 1'000 << 2;
    x <<= 1;
    x >>= 1;
    EXPECT_EQ(x >> 1, 2000);
    EXPECT_EQ(0x1p+3 + 1e+3, 1008.0);
}

// __LINE__ is the line in this file; __builtin_LINE() the one that the compiler sees at last.
int compiled_line(int line = __builtin_LINE()) {
    return line;
}
__global__ void lines_after_shared(int* d_lines) {
    // clang-format off
    __shared__
    int s_x[4],
        s_y
        [2];
    // clang-format on
    s_x[0] = s_y[0] = compiled_line();
    d_lines[0] = s_x[0];
    d_lines[1] = __LINE__ - 2;
}
TEST(Rewriter, KeepsLines) {
    Managed<int> lines(2);
    // clang-format off
    lines_after_shared
        <<<1,
           1
        >>>(
            lines);
    // clang-format on
    EXPECT_EQ(compiled_line(), __LINE__);
    EXPECT_EQ(lines[0], lines[1]);
    LAUNCH_TWICE(lines);
    EXPECT_EQ(compiled_line(), __LINE__);
}

__noinline__ __device__ int not_inlined(int x) {
    return x + 1;
}
__device__ int with_pragmas(int x) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        x = not_inlined(x);
    }
#pragma unroll 2
    for (int i = 0; i < 4; ++i) {
        ++x;
    }
    return x;
}
TEST(Rewriter, KnowsNoinlineAndUnroll) {
    EXPECT_EQ(with_pragmas(1), 9);
}

// --- built-in variables -------------------------------------------------------------------------

__global__ void record_indices(unsigned* d_seen) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    if (threadIdx.x < blockDim.x && threadIdx.y < blockDim.y && threadIdx.z < blockDim.z) {
        atomicAdd(&d_seen[block * threads + thread_of_block()], 1);
    }
}
TEST(BuiltIns, EveryThreadOfEveryBlockRunsOnce) {
    const dim3 shapes[][2] = {
        {dim3(1), dim3(1)},
        {dim3(7), dim3(33)},
        {dim3(3, 4, 5), dim3(4, 3, 2)},
        {dim3(2, 1, 3), dim3(1, 32, 32)},
        {dim3(1000), dim3(1024)},
    };
    for (const auto& [grid, block] : shapes) {
        const std::size_t threads =
            std::size_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
        Managed<unsigned> seen(threads);
        record_indices<<<grid, block>>>(seen);
        ASSERT_EQ(cudaGetLastError(), cudaSuccess);
        EXPECT_EQ(std::count(seen.begin(), seen.end(), 1u), static_cast<long>(threads));
    }
}

__global__ void indices_survive_waiting(unsigned* d_wrong) {
    const uint3 before = threadIdx;
    const uint3 block_before = blockIdx;
    for (int i = 0; i < 3; ++i) {
        __syncthreads();
        __syncwarp();
        __nanosleep(10);
        if (before.x != threadIdx.x || before.y != threadIdx.y || before.z != threadIdx.z ||
            block_before.x != blockIdx.x || blockDim.y != 3) {
            atomicAdd(d_wrong, 1);
        }
    }
}
TEST(BuiltIns, AreOnesOwnAfterWaiting) {
    Managed<unsigned> wrong(1);
    indices_survive_waiting<<<20, dim3(5, 3, 7)>>>(wrong);
    EXPECT_EQ(wrong[0], 0u);
}

// --- threads that never wait: a loop until one does ---------------------------------------------

// In block b the first b threads end at once; the others meet.
__global__ void first_threads_end(int* d_count, unsigned* d_lanes, uint3* d_index) {
    const unsigned size = blockDim.x * blockDim.y * blockDim.z;
    const unsigned thread = thread_of_block();
    const unsigned place = blockIdx.x * size + thread;
    d_index[place] = threadIdx;
    if (thread < blockIdx.x) {
        return;
    }
    if (blockIdx.x % 2 == 0) {
        d_lanes[place] = __ballot_sync(full_mask, 1);
    }
    d_count[place] = __syncthreads_count(1);
    d_lanes[place] |= __ballot_sync(full_mask, 1);
    d_index[place] = threadIdx;
}
TEST(ThreadLoop, EndsWhereTheFirstThreadWaits) {
    const dim3 block(5, 4, 5);
    const int size = 100;
    for (const int blocks : {1, size + 1}) {
        Managed<int> count(blocks * size, -1);
        Managed<unsigned> lanes(blocks * size);
        Managed<uint3> index(blocks * size);
        first_threads_end<<<blocks, block>>>(count, lanes, index);
        for (int i = 0; i < blocks * size; ++i) {
            const int ended = i / size;
            const int thread = i % size;
            const unsigned here = thread / 32 == size / 32 ? 0xfu : full_mask;  // lanes that exist
            const int gone = std::min(std::max(ended - thread / 32 * 32, 0), 31);
            EXPECT_EQ(count[i], thread < ended ? -1 : size - ended) << i;
            EXPECT_EQ(lanes[i], thread < ended ? 0 : here & full_mask << gone) << i;
            EXPECT_EQ(index[i].x + 5 * (index[i].y + 4 * index[i].z), unsigned(thread)) << i;
        }
    }
}

// Probes the word three times in vain, then takes a number.
__global__ void look_and_take_a_number(int* d_word, int* d_next, int* d_number) {
    for (int i = 0; i < 3; ++i) {
        atomicMax(d_word, 0);
    }
    d_number[blockIdx.x * blockDim.x + threadIdx.x] = (*d_next)++;
}
TEST(ThreadLoop, AFewAtomicsInVainAreNoReasonToWait) {
    Managed<int> word(1, 1);
    Managed<int> next(1);
    Managed<int> number(200);
    look_and_take_a_number<<<1, 200>>>(word, next, number);
    for (int i = 0; i < 200; ++i) {
        ASSERT_EQ(number[i], i);
    }
    next[0] = 0;
    look_and_take_a_number<<<1, dim3(1, 200)>>>(word, next, number);
    EXPECT_EQ(number[0], 199);  // all threads write there
}

// --- shared memory ------------------------------------------------------------------------------

template <typename T>
__global__ void reverse_in_shared(T* d_out) {
    __shared__ T s_values[64];
    s_values[threadIdx.x] = static_cast<T>(64 * blockIdx.x + threadIdx.x);
    __syncthreads();
    d_out[64 * blockIdx.x + threadIdx.x] = s_values[63 - threadIdx.x];
}
template <typename T>
void check_reverse() {
    constexpr int blocks = 50;
    Managed<T> out(64 * blocks);
    reverse_in_shared<<<blocks, 64>>>(out + 0);
    for (int i = 0; i < 64 * blocks; ++i) {
        ASSERT_EQ(out[i], static_cast<T>(i / 64 * 64 + 63 - i % 64)) << i;
    }
}
TEST(SharedMemory, IsOfTheBlockAndOfTheTemplateInstance) {
    check_reverse<int>();
    check_reverse<float>();
    check_reverse<unsigned char>();
    check_reverse<double>();
}

__global__ void shared_across_a_wait_for_another_block(int* d_stage, int* d_out) {
    __shared__ int s_block;
    if (threadIdx.x == 0) {
        s_block = static_cast<int>(blockIdx.x);
        // Block 0 waits for the blocks after it, which may run on the same OS thread meanwhile.
        if (blockIdx.x == 0) {
            while (atomicAdd(d_stage, 0) < static_cast<int>(gridDim.x) - 1) {
            }
        }
        atomicAdd(d_stage, 1);
    }
    __syncthreads();
    d_out[blockIdx.x * blockDim.x + threadIdx.x] = s_block;
}
TEST(SharedMemory, OfABlockThatWaitsIsNotTouchedByOthers) {
    Managed<int> stage(1);
    Managed<int> out(30 * 32, -1);
    shared_across_a_wait_for_another_block<<<30, 32>>>(stage, out);
    for (int i = 0; i < 30 * 32; ++i) {
        ASSERT_EQ(out[i], i / 32);
    }
}

template <typename A, typename B>
struct Two {
    A first;
    B second;
};
__global__ void declare_in_many_ways(unsigned long long* d_out) {
    __shared__ int s_a, s_b[4];
    volatile __shared__ float s_c[2];
    __shared__ __align__(16) unsigned char s_d[3][5];
    static __shared__ Two<int, long> s_e[2];
    __shared__ struct { int x, y; } s_f;
    alignas(64) __shared__ unsigned s_g[1];
    __shared__ union {
        double d;
        int i[2];
    } s_h;
    s_a = 1;
    s_b[3] = 2;
    s_c[1] = 3;
    s_d[2][4] = 4;
    s_e[1].second = 5;
    s_f.y = 6;
    s_g[0] = 7;
    s_h.i[1] = 8;
    d_out[0] = s_a + s_b[3] + static_cast<int>(s_c[1]) + s_d[2][4] + s_e[1].second + s_f.y +
               s_g[0] + s_h.i[1];
    d_out[1] = sizeof(s_b) + sizeof(s_d);
    d_out[2] = reinterpret_cast<std::uintptr_t>(&s_g[0]) % 64 +
               reinterpret_cast<std::uintptr_t>(&s_d[0][0]) % 16;
}
TEST(SharedMemory, MayBeDeclaredInManyWays) {
    Managed<unsigned long long> out(3);
    declare_in_many_ways<<<1, 1>>>(out);
    EXPECT_EQ(out[0], 36u);
    EXPECT_EQ(out[1], 16u + 15u);
    EXPECT_EQ(out[2], 0u);
}

template <typename T>
__global__ void sum_in_dynamic_shared(T* d_out) {
    extern __shared__ __align__(16) unsigned char raw[];
    extern __shared__ unsigned char also_raw[];
    T* s_values = reinterpret_cast<T*>(raw);
    s_values[threadIdx.x] = static_cast<T>(threadIdx.x + blockIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) {
        T sum = 0;
        for (unsigned i = 0; i < blockDim.x; ++i) {
            sum += reinterpret_cast<T*>(also_raw)[i];
        }
        d_out[blockIdx.x] = sum;
    }
}
__global__ void dynamic_table(int* d_out) {
    extern __shared__ int s_table[][4];
    s_table[threadIdx.x][blockIdx.x] = 10 * static_cast<int>(threadIdx.x);
    __syncthreads();
    d_out[threadIdx.x] = s_table[blockDim.x - 1 - threadIdx.x][0];
}
TEST(SharedMemory, DynamicHasTheSizeOfTheLaunch) {
    Managed<int> sums(20);
    sum_in_dynamic_shared<<<20, 100, 100 * sizeof(int)>>>(sums + 0);
    Managed<double> double_sums(20);
    sum_in_dynamic_shared<<<20, 100, 100 * sizeof(double)>>>(double_sums + 0);
    for (int block = 0; block < 20; ++block) {
        EXPECT_EQ(sums[block], 4950 + 100 * block);
        EXPECT_EQ(double_sums[block], 4950 + 100 * block);
    }
    Managed<int> out(3);
    dynamic_table<<<1, 3, 3 * 4 * sizeof(int)>>>(out);
    EXPECT_EQ(out[0], 20);
    EXPECT_EQ(out[2], 0);
}

__global__ void read_fresh_shared(unsigned char* d_out) {
    __shared__ unsigned char s_static[16];
    extern __shared__ unsigned char s_dynamic[];
    d_out[blockIdx.x] = s_static[7] == s_dynamic[3] ? s_static[7] : 0;
    s_static[7] = 0;
    s_dynamic[3] = 0;
}
TEST(SharedMemory, HoldsAPatternAtFirstInEveryBlock) {
    Managed<unsigned char> out(100);
    read_fresh_shared<<<100, 1, 16>>>(out);
    EXPECT_EQ(std::count(out.begin(), out.end(), fresh), 100);
}

// --- barriers -----------------------------------------------------------------------------------

// Threads write, all wait, each reads what another wrote: any thread let through early is seen.
__global__ void barrier_rounds(unsigned* d_wrong, int rounds) {
    __shared__ int s_round[1024];
    const unsigned me = threadIdx.x;
    for (int round = 0; round < rounds; ++round) {
        s_round[me] = round;
        __syncthreads();
        if (s_round[(me * 7 + 13) % blockDim.x] != round) {
            atomicAdd(d_wrong, 1);
        }
        __syncthreads();
    }
}
TEST(Barrier, HoldsEveryThreadUntilTheLastHasCome) {
    Managed<unsigned> wrong(1);
    for (const int block_size : {1, 2, 31, 32, 33, 100, 256, 1024}) {
        barrier_rounds<<<9, block_size>>>(wrong, 20);
        EXPECT_EQ(wrong[0], 0u) << block_size;
    }
}

__global__ void barrier_votes(int* d_out) {
    const int tid = static_cast<int>(threadIdx.x);
    const int count = __syncthreads_count(tid % 3 == 0);
    const int any = __syncthreads_or(tid == 57);
    const int none = __syncthreads_or(tid == 5000);
    const int all = __syncthreads_and(tid >= 0);
    const int not_all = __syncthreads_and(tid != 99);
    const int again = __syncthreads_count(1);
    if (count == 34 && any == 1 && none == 0 && all == 1 && not_all == 0 && again == 100) {
        atomicAdd(d_out, 1);
    }
}
TEST(Barrier, CountsVotes) {
    Managed<int> out(1);
    barrier_votes<<<3, 100>>>(out);
    EXPECT_EQ(out[0], 300);
}

// Threads that have ended do not hold up the others; nor does it matter at which line they wait.
__global__ void barrier_after_exit(int* d_out) {
    const unsigned tid = threadIdx.x;
    if (tid % 5 == 4) {
        return;
    }
    if (tid % 2 == 0) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    atomicAdd(d_out, __syncthreads_count(1));
}
__global__ void barrier_released_by_exit(int* d_out) {
    if (threadIdx.x == 0) {
        for (int i = 0; i < 100; ++i) {
            __nanosleep(1);
        }
        return;  // all others have been waiting for long
    }
    __syncthreads();
    atomicAdd(d_out, 1);
}
TEST(Barrier, DoesNotWaitForThreadsThatHaveEnded) {
    Managed<int> out(2);
    barrier_after_exit<<<2, 100>>>(out);
    EXPECT_EQ(out[0], 2 * 80 * 80);
    barrier_released_by_exit<<<2, 64>>>(out + 1);
    EXPECT_EQ(out[1], 2 * 63);
}

// --- warp functions -----------------------------------------------------------------------------

template <typename T>
__device__ T lane_value() {
    return static_cast<T>((thread_of_block() * 2654435761u) >> 3) / static_cast<T>(3);
}
template <typename T>
__global__ void shuffles(T* d_out, int width, int argument) {
    const T value = lane_value<T>();
    T* d_row = d_out + 4 * threadIdx.x;
    d_row[0] = __shfl_sync(full_mask, value, argument, width);
    d_row[1] = __shfl_up_sync(full_mask, value, static_cast<unsigned>(argument), width);
    d_row[2] = __shfl_down_sync(full_mask, value, static_cast<unsigned>(argument), width);
    d_row[3] = __shfl_xor_sync(full_mask, value, argument, width);
}
// The definitions, from the programming guide; of a distance the low five bits count (PTX ISA).
int shuffle_source(int kind, int lane, int width, int argument) {
    const int first = lane / width * width;
    const int last = first + width - 1;
    if (kind == 0) {
        return first + ((argument % width) + width) % width;
    }
    argument %= 32;
    switch (kind) {
        case 1:
            return lane - argument < first ? lane : lane - argument;
        case 2:
            return lane + argument > last ? lane : lane + argument;
        default:
            return (lane ^ argument) > last ? lane : (lane ^ argument);
    }
}
template <typename T>
void check_shuffles() {
    Managed<T> out(4 * 64);
    for (const int width : {1, 2, 4, 8, 16, 32}) {
        for (const int argument : {0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 31, 32, 33}) {
            shuffles<<<1, 64>>>(out + 0, width, argument);
            for (int i = 0; i < 4 * 64; ++i) {
                const int tid = i / 4;
                const int source = tid / 32 * 32 + shuffle_source(i % 4, tid % 32, width, argument);
                threadIdx.x = static_cast<unsigned>(source);  // for lane_value on the host
                blockDim = dim3(64);
                ASSERT_EQ(out[i], lane_value<T>())
                    << "kind " << i % 4 << " thread " << tid << " width " << width << " argument "
                    << argument;
            }
        }
    }
}
TEST(Warp, ShufflesReadTheLaneOfTheirDefinition) {
    check_shuffles<int>();
    check_shuffles<unsigned>();
    check_shuffles<long long>();
    check_shuffles<unsigned long long>();
    check_shuffles<float>();
    check_shuffles<double>();
}

__global__ void votes_and_reductions(const unsigned* d_values, unsigned long long* d_out) {
    const unsigned value = d_values[threadIdx.x];
    const auto as_int = static_cast<int>(value);
    unsigned long long* d_row = d_out + 13 * threadIdx.x;
    d_row[0] = __ballot_sync(full_mask, static_cast<int>(value & 4));
    d_row[1] = __any_sync(full_mask, value == 12345) != 0;
    d_row[2] = __all_sync(full_mask, value != 12345) != 0;
    d_row[3] = __match_any_sync(full_mask, value % 5);
    int all_equal = -1;
    d_row[4] = __match_all_sync(full_mask, value % 5, &all_equal);
    d_row[5] = all_equal;
    d_row[6] = __reduce_add_sync(full_mask, value);
    d_row[7] = __reduce_min_sync(full_mask, value);
    d_row[8] = __reduce_max_sync(full_mask, value);
    d_row[9] = static_cast<unsigned>(__reduce_min_sync(full_mask, as_int));
    d_row[10] = static_cast<unsigned>(__reduce_max_sync(full_mask, as_int));
    d_row[11] = static_cast<unsigned long long>(__reduce_and_sync(full_mask, value)) << 32 |
                __reduce_or_sync(full_mask, value);
    d_row[12] = __reduce_xor_sync(full_mask, value);
}
TEST(Warp, VotesMatchesAndReductionsFollowTheirDefinitions) {
    Managed<unsigned> values(32);
    Managed<unsigned long long> out(13 * 32);
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        const unsigned spread = round % 3 == 0 ? 5 : (round % 3 == 1 ? 1 : 0xffffffffu);
        for (unsigned& value : values) {
            value =
                12340 + (spread == full_mask ? static_cast<unsigned>(random()) : random() % spread);
        }
        if (round % 4 == 0) {
            values[random() % 32] = 12345;
        }
        votes_and_reductions<<<1, 32>>>(values, out);
        unsigned ballot = 0, sum = 0, all_and = full_mask, all_or = 0, all_xor = 0;
        for (int i = 0; i < 32; ++i) {
            ballot |= unsigned{(values[i] & 4) != 0} << i;
            sum += values[i];
            all_and &= values[i];
            all_or |= values[i];
            all_xor ^= values[i];
        }
        const bool has = std::find(values.begin(), values.end(), 12345u) != values.end();
        const auto compare_signed = [](unsigned a, unsigned b) {
            return static_cast<int>(a) < static_cast<int>(b);
        };
        for (int lane = 0; lane < 32; ++lane) {
            unsigned same = 0;
            for (int i = 0; i < 32; ++i) {
                same |= unsigned{values[i] % 5 == values[lane] % 5} << i;
            }
            const unsigned long long* row = out + 13 * lane;
            ASSERT_EQ(row[0], ballot);
            ASSERT_EQ(row[1], has);
            ASSERT_EQ(row[2], !has);
            ASSERT_EQ(row[3], same);
            ASSERT_EQ(row[4], same == full_mask ? full_mask : 0);
            ASSERT_EQ(row[5], same == full_mask);
            ASSERT_EQ(row[6], sum);
            ASSERT_EQ(row[7], *std::min_element(values.begin(), values.end()));
            ASSERT_EQ(row[8], *std::max_element(values.begin(), values.end()));
            ASSERT_EQ(row[9], *std::min_element(values.begin(), values.end(), compare_signed));
            ASSERT_EQ(row[10], *std::max_element(values.begin(), values.end(), compare_signed));
            ASSERT_EQ(row[11], static_cast<unsigned long long>(all_and) << 32 | all_or);
            ASSERT_EQ(row[12], all_xor);
        }
    }
}

// Groups of lanes with masks of their own, in one warp, at different times.
__global__ void groups_of_lanes(unsigned* d_out) {
    const unsigned lane = threadIdx.x % 32;
    const unsigned group = lane % 3;
    const unsigned mask = 0x49249249u << group;  // every third lane
    unsigned sum = lane;
    for (unsigned round = 0; round < group + 1; ++round) {  // the groups do not keep step
        sum = __reduce_add_sync(mask, sum);
    }
    d_out[threadIdx.x] = sum;
}
TEST(Warp, MasksFormGroupsThatDoNotWaitForEachOther) {
    Managed<unsigned> out(64);
    groups_of_lanes<<<1, 64>>>(out);
    for (unsigned tid = 0; tid < 64; ++tid) {
        const unsigned lane = tid % 32;
        unsigned sum = 0;
        unsigned lanes = 0;
        for (unsigned i = lane % 3; i < 32; i += 3) {
            sum += i;
            ++lanes;
        }
        for (unsigned round = 0; round < lane % 3; ++round) {
            sum *= lanes;
        }
        ASSERT_EQ(out[tid], sum) << tid;
    }
}

__global__ void lanes_that_end(unsigned* d_out) {
    const unsigned lane = threadIdx.x % 32;
    if (lane % 4 == 3) {
        return;
    }
    if (lane == 0) {
        __nanosleep(100);
    }
    d_out[threadIdx.x] = __ballot_sync(full_mask, 1);
    __syncwarp();
    d_out[threadIdx.x] += __shfl_sync(full_mask, 1u, 3) == 0xc5c5c5c5u;  // from a lane that ended
}
TEST(Warp, LanesThatEndedOrDoNotExistAreNotWaitedFor) {
    Managed<unsigned> out(50, 0u);
    lanes_that_end<<<1, 50>>>(out);
    for (unsigned tid = 0; tid < 50; ++tid) {
        const unsigned expected = tid < 32 ? 0x77777778u : (0x77777777u & 0x3ffffu) + 1;
        ASSERT_EQ(out[tid], tid % 4 == 3 ? 0u : expected) << tid;
    }
}

__global__ void lanes_that_end_late(unsigned* d_out) {
    const unsigned lane = threadIdx.x;
    if (lane % 8 == 5) {
        for (int i = 0; i < 20; ++i) {
            __nanosleep(10);  // the others are waiting for this lane by then
        }
        return;
    }
    d_out[lane] = __ballot_sync(full_mask, 1);
}
TEST(Warp, ALaneThatEndsReleasesThoseThatWaitForIt) {
    Managed<unsigned> out(32, 0u);
    lanes_that_end_late<<<1, 32>>>(out);
    for (unsigned lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(out[lane], lane % 8 == 5 ? 0u : 0xdfdfdfdfu);
    }
}

// Lane 1 waits for lane 2 under another mask when lane 0 comes to meet it.
__global__ void overlapping_masks(unsigned* d_out) {
    const unsigned lane = threadIdx.x;
    const auto sleep = [](int times) {
        for (int i = 0; i < times; ++i) {
            __nanosleep(10);
        }
    };
    if (lane == 0) {
        sleep(5);
        d_out[0] = __reduce_add_sync(0b011, 1u);
    } else if (lane == 1) {
        d_out[1] = __reduce_add_sync(0b110, 10u);
        d_out[2] = __reduce_add_sync(0b011, 100u);
    } else if (lane == 2) {
        sleep(20);
        d_out[3] = __reduce_add_sync(0b110, 1000u);
    }
}
TEST(Warp, OnlyLanesWithTheSameMaskMeet) {
    Managed<unsigned> out(4);
    overlapping_masks<<<1, 32>>>(out);
    EXPECT_EQ(out[0], 101u);
    EXPECT_EQ(out[1], 1010u);
    EXPECT_EQ(out[2], 101u);
    EXPECT_EQ(out[3], 1010u);
}

// Lane 0 meets lane 1, then lane 2, and so on; the others have their results in time.
__global__ void lane_meets_others_in_turn(unsigned* d_out) {
    const unsigned lane = threadIdx.x;
    unsigned sum = 0;
    for (unsigned other = 1; other < 32; ++other) {
        if (lane == 0 || lane == other) {
            sum += __shfl_xor_sync(1u | 1u << other, 100 * other + lane, static_cast<int>(other));
        }
    }
    d_out[lane] = sum;
}
TEST(Warp, ALaneMayGoOnBeforeItsPartnerHasReadTheResult) {
    Managed<unsigned> out(32);
    lane_meets_others_in_turn<<<1, 32>>>(out);
    EXPECT_EQ(out[0], 100u * 496 + 496);
    for (unsigned lane = 1; lane < 32; ++lane) {
        EXPECT_EQ(out[lane], 100 * lane);
    }
}

__global__ void active_masks(unsigned* d_out) {
    const unsigned lane = threadIdx.x;
    if (lane % 3 == 0) {
        d_out[lane] = __activemask();
    } else if (lane != 5) {
        d_out[lane] = __activemask();
    }
    __syncwarp();
    d_out[32 + lane] = __activemask();
}
TEST(Warp, ActiveMaskIsTheLanesAtTheSameLine) {
    Managed<unsigned> out(64);
    active_masks<<<1, 32>>>(out);
    for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned third = 0x49249249u;
        EXPECT_EQ(out[lane], lane == 5 ? 0 : (lane % 3 == 0 ? third : ~third & ~(1u << 5)));
        EXPECT_EQ(out[32 + lane], full_mask);
    }
}

// --- spinning -----------------------------------------------------------------------------------

__global__ void count_under_lock(int* d_lock, int* d_count) {
    while (atomicCAS(d_lock, 0, 1) != 0) {
    }
    __threadfence();
    const int seen = *d_count;
    __syncwarp(1u << threadIdx.x % 32);  // others may run while the lock is held
    __nanosleep(1);
    *d_count = seen + 1;
    __threadfence();
    atomicExch(d_lock, 0);
}
__global__ void count_under_exchange_lock(int* d_lock, int* d_count) {
    while (atomicExch(d_lock, 1) != 0) {
    }
    __threadfence();
    ++*d_count;
    __threadfence();
    atomicExch(d_lock, 0);
}
__global__ void count_under_ticket_lock(unsigned* d_next, unsigned* d_serving, int* d_count) {
    const unsigned ticket = atomicAdd(d_next, 1u);
    const cuda::atomic_ref<unsigned, cuda::thread_scope_device> serving(*d_serving);
    while (serving.load(cuda::memory_order_acquire) != ticket) {  // loads only
    }
    ++*d_count;
    serving.store(ticket + 1, cuda::memory_order_release);
}
TEST(Spinning, LocksWorkWithinAndAcrossBlocks) {
    Managed<int> words(2);
    const int shapes[][2] = {{1, 2}, {1, 32}, {1, 1024}, {40, 33}, {300, 8}};
    for (const auto& [grid_size, block_size] : shapes) {
        words[0] = words[1] = 0;
        count_under_lock<<<grid_size, block_size>>>(words, words + 1);
        EXPECT_EQ(words[1], grid_size * block_size);
        words[1] = 0;
        count_under_exchange_lock<<<grid_size, block_size>>>(words, words + 1);
        EXPECT_EQ(words[1], grid_size * block_size);
        Managed<unsigned> tickets(2);
        words[1] = 0;
        count_under_ticket_lock<<<grid_size, block_size>>>(tickets, tickets + 1, words + 1);
        EXPECT_EQ(words[1], grid_size * block_size);
    }
}

// The consumer has the lower index, so the producer starts only when the consumer's block makes
// room. Each way of waiting in turn.
__global__ void pass_a_flag(int* d_flag, int* d_data, int way) {
    if (blockIdx.x == gridDim.x - 1) {
        if (threadIdx.x == blockDim.x - 1) {
            *d_data = 42;
            __threadfence();
            atomicExch(d_flag, 1);
        }
        return;
    }
    if (blockIdx.x != 0) {
        return;
    }
    if (way == 0) {
        while (atomicAdd(d_flag, 0) == 0) {
        }
    } else if (way == 1) {
        const cuda::atomic_ref<int, cuda::thread_scope_device> flag(*d_flag);
        while (flag.load(cuda::memory_order_acquire) == 0) {
        }
    } else if (way == 2) {
        while (*static_cast<volatile int*>(d_flag) == 0) {
            __nanosleep(20);
        }
    } else if (way == 3) {
        while (atomicCAS(d_flag, 1, 1) == 0) {
        }
    } else {
        const cuda::atomic_ref<int, cuda::thread_scope_device> flag(*d_flag);
        flag.wait(0);
    }
    __threadfence();
    atomicAdd(d_data + 1, *d_data);
}
TEST(Spinning, AFlagMayComeFromABlockThatStartsLater) {
    for (int way = 0; way < 5; ++way) {
        for (const int grid_size : {2, 3, 16}) {
            Managed<int> words(3);
            pass_a_flag<<<grid_size, 100>>>(words, words + 1, way);
            EXPECT_EQ(words[2], 4200) << "way " << way << ", blocks " << grid_size;
        }
    }
}

// Every block waits for the one after it: all must be resident at once.
__global__ void chain_of_blocks(int* d_done) {
    const int next = static_cast<int>(blockIdx.x) + 1;
    if (threadIdx.x == 0 && next < static_cast<int>(gridDim.x)) {
        while (atomicAdd(&d_done[next], 0) == 0) {
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicExch(&d_done[blockIdx.x], 1);
    }
}
// A barrier across the grid, as a cooperative launch has it.
__global__ void grid_barrier(int* d_count, int* d_wrong, int rounds) {
    for (int round = 1; round <= rounds; ++round) {
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicAdd(d_count, 1);
            while (atomicAdd(d_count, 0) < round * static_cast<int>(gridDim.x)) {
            }
        }
        __syncthreads();
        if (atomicAdd(d_count, 0) < round * static_cast<int>(gridDim.x)) {
            atomicAdd(d_wrong, 1);
        }
    }
}
TEST(Spinning, AllBlocksThatFitRunAtOnce) {
    int blocks = 0;
    int multiprocessors = 0;
    ASSERT_EQ(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0),
              cudaSuccess);
    // Where many OS threads share few processors, each step of the chain waits for its turn.
    const int block_size = multiprocessors > 64 ? 1024 : 64;
    ASSERT_EQ(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, chain_of_blocks, block_size, 0),
        cudaSuccess);
    const int grid_size = blocks * multiprocessors;
    Managed<int> done(static_cast<std::size_t>(grid_size));
    chain_of_blocks<<<grid_size, block_size>>>(done);
    EXPECT_EQ(std::count(done.begin(), done.end(), 1), grid_size);
    Managed<int> words(2);
    grid_barrier<<<grid_size, block_size>>>(words, words + 1, 5);
    EXPECT_EQ(words[0], 5 * grid_size);
    EXPECT_EQ(words[1], 0);

    // Each of those threads has a stack. At the limit on mappings, nothing could be allocated.
    std::size_t limit = 0;
    std::ifstream("/proc/sys/vm/max_map_count") >> limit;
    std::ifstream maps("/proc/self/maps");
    const auto mappings = static_cast<std::size_t>(
        std::count(std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>(), '\n'));
    EXPECT_GT(mappings, 0u);
    EXPECT_LT(mappings, limit / 5 * 4);
}

// Reads of ever other words are a search, not a spin; and there may be many.
__global__ void long_search(const unsigned* d_words, unsigned n, unsigned* d_sum) {
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
        const cuda::atomic_ref<const unsigned, cuda::thread_scope_device> word(d_words[i]);
        sum += word.load(cuda::memory_order_relaxed);
    }
    atomicAdd(d_sum, sum);
}
TEST(Spinning, ASearchByAtomicLoadsIsNotADeadlock) {
    constexpr unsigned n = 1 << 20;
    Managed<unsigned> words(n, 1u);
    Managed<unsigned> sum(1);
    long_search<<<1, 96>>>(words, n, sum);
    EXPECT_EQ(sum[0], n);
}

// --- deadlocks and other faults -----------------------------------------------------------------

__global__ void syncwarp_against_syncthreads() {
    if (threadIdx.x == 3) {
        __syncthreads();
    } else if (threadIdx.x < 32) {
        __syncwarp();
    }
}
__global__ void shuffle_against_vote() {
    if (threadIdx.x % 2 == 0) {
        __shfl_sync(full_mask, 1, 0);
    } else {
        __ballot_sync(full_mask, 1);
    }
}
__global__ void wait_forever(int* d_flag) {
    if (threadIdx.x < 2) {
        while (atomicAdd(d_flag, 0) == 0) {
        }
    }
    __syncthreads();
}
__global__ void wait_for_all_blocks(int* d_count) {
    atomicAdd(d_count, 1);
    while (atomicAdd(d_count, 0) < static_cast<int>(gridDim.x * blockDim.x)) {
    }
}
__global__ void lock_twice(int* d_lock) {
    const cuda::atomic_ref<int, cuda::thread_scope_device> lock(*d_lock);
    for (int i = 0; i < 2; ++i) {
        int expected = 0;
        while (!lock.compare_exchange_weak(expected, 1)) {
            expected = 0;
            __nanosleep(10);
        }
    }
}
__global__ void not_in_ones_own_mask() {
    __syncwarp(0xfffffffeu);
}
__device__ void launch_from_device_function(int* d_out) {
    set_value<<<1, 1>>>(d_out, 1);
}
__global__ void launch_from_kernel(int* d_out) {
    launch_from_device_function(d_out);
}
__global__ void too_much_static_shared(int* d_out) {
    __shared__ int s_big[12 * 1024];
    __shared__ int s_more[1];
    s_big[0] = s_more[0] = 1;
    d_out[0] = s_big[0];
}
__global__ void overflow_the_stack(int* d_out, int depth) {
    volatile char frame[4096];
    frame[0] = static_cast<char>(depth);
    __syncwarp(1u << threadIdx.x);
    if (depth > 0) {
        overflow_the_stack(d_out, depth - 1);
    }
    d_out[0] = frame[0];
}

// A variable of the environment, until the end of the test; then it is what it was before.
class Setting {
  public:
    Setting(const char* name, const char* value) : name_(name) {
        if (const char* const before = std::getenv(name)) {
            before_ = before;
        }
        setenv(name, value, 1);
    }
    ~Setting() {
        if (before_) {
            setenv(name_, before_->c_str(), 1);
        } else {
            unsetenv(name_);
        }
    }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;

  private:
    const char* name_;
    std::optional<std::string> before_;
};

class Faults : public testing::Test {
  protected:
    // The child starts anew and runs up to the statement: no other test's threads, own settings.
    Faults() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
    Setting deadlock_seconds_{"CPU_DEVICE_DEADLOCK_SECONDS", "0.3"};
};
using FaultsDeathTest = Faults;

template <char>
__global__ void named_by_a_character() {}

TEST_F(FaultsDeathTest, ARefusedLaunchIsToldAtTheEndIfNobodyAsked) {
    const auto launch_too_large = [](bool ask) {
        set_value<<<1, 2048>>>(static_cast<int*>(nullptr), 1);
        if (ask) {
            std::fprintf(stderr, "%s\n", cudaGetErrorName(cudaGetLastError()));
        }
        std::exit(0);
    };
    EXPECT_EXIT(launch_too_large(false), testing::ExitedWithCode(0),
                "cpu_device_test.cu:[0-9]+: the launch of set_value was refused, and nothing ran: "
                "invalid argument");
    const auto launch_with_an_escape = [] {
        named_by_a_character<'\n'><<<1, 2048>>>();
        std::exit(0);
    };
    EXPECT_EXIT(launch_with_an_escape(), testing::ExitedWithCode(0),
                R"(the launch of named_by_a_character<'\\n'> was refused)");
    EXPECT_EXIT(launch_too_large(true), testing::ExitedWithCode(0), "^cudaErrorInvalidValue\n$");
}

TEST_F(FaultsDeathTest, DeadlockInABlockNamesWhoWaitsWhere) {
    EXPECT_DEATH(
        (syncwarp_against_syncthreads<<<1, 64>>>()),
        "deadlock in kernel syncwarp_against_syncthreads, launched at "
        ".*cpu_device_test.cu:[0-9]+.*wait for each other\n"
        "  block .0, 0, 0. of 64 threads:\n"
        "    threads 0 to 2, 4 to 31: wait in __syncwarp for the lanes of mask 0xffffffff, "
        ".*cpu_device_test.cu:[0-9]+ in syncwarp_against_syncthreads\n"
        "    thread  3: wait in __syncthreads, .*cpu_device_test.cu:[0-9]+ in .*\n"
        "    threads 32 to 63: ended\n");
}

TEST_F(FaultsDeathTest, DifferentWarpFunctionsDoNotMeet) {
    EXPECT_DEATH(
        (shuffle_against_vote<<<1, 32>>>()),
        "threads 0, 2, 4, .* 28, 30: wait in __shfl_sync for the lanes of mask 0xffffffff.*\n"
        "    threads 1, 3, 5, .* 29, 31: wait in __ballot_sync ");
}

TEST_F(FaultsDeathTest, DeadlockAcrossTheGridNamesWhoSpinsWhere) {
    Managed<int> flag(1);
    EXPECT_DEATH(
        (wait_forever<<<2, 40>>>(flag)),
        "deadlock in kernel wait_forever.*for 0.3 s every thread has waited in vain\n(.*\n)*"
        "    threads 0 to 1: spin on the atomic at 0x[0-9a-f]+, which does not change, "
        ".*cpu_device_test.cu:[0-9]+ in wait_forever\n"
        "    threads 2 to 39: wait in __syncthreads, ");
}

TEST_F(FaultsDeathTest, MoreBlocksThanFitCannotWaitForEachOther) {
    Managed<int> count(1);
    EXPECT_DEATH((wait_for_all_blocks<<<10000, 1024>>>(count)),
                 "[0-9]+ blocks have not started: each of the [0-9]+ multiprocessors holds at most "
                 "2 blocks");
}

TEST_F(FaultsDeathTest, ALockTakenTwiceIsADeadlock) {
    Managed<int> lock(1);
    EXPECT_DEATH((lock_twice<<<1, 1>>>(lock)), "deadlock in kernel lock_twice");
}

TEST_F(FaultsDeathTest, MisuseIsReportedWithItsPlace) {
    Managed<int> x(1);
    EXPECT_DEATH((not_in_ones_own_mask<<<1, 32>>>()),
                 "cpu_device_test.cu:[0-9]+: thread 0 .lane 0. is not in the mask 0xfffffffe");
    EXPECT_DEATH((launch_from_kernel<<<1, 1>>>(x)), "set_value is launched from a kernel");
    EXPECT_DEATH(__syncthreads(), "cpu_device_test.cu:[0-9]+: __syncthreads.. is called outside");
    EXPECT_DEATH((too_much_static_shared<<<1, 1>>>(x)), "take 49156 bytes; a block has 49152");
    EXPECT_DEATH((overflow_the_stack<<<1, 1>>>(x, 1000)), "");
}

// For so long on a CPU: other processes may have it in between.
__global__ void spin_unseen(volatile int* d_flag, double seconds) {
    const auto now = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double start = now();
    while (*d_flag == 0) {
        if (now() - start > seconds) {
            *d_flag = 1;
        }
    }
}
TEST_F(FaultsDeathTest, AThreadThatNeverGivesWayIsMentioned) {
    Managed<int> flag(1);
    EXPECT_EXIT(
        {
            (spin_unseen<<<1, 1>>>(flag, 1.5));
            std::_Exit(flag[0] == 1 ? 7 : 1);
        },
        testing::ExitedWithCode(7),
        "a thread of kernel spin_unseen, launched at .*cpu_device_test.cu:[0-9]+, has run for 0.6 "
        "s");
}

__global__ void work_for(double seconds) {
    timespec time{};
    const auto now = [&time] {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    const double start = now();
    while (now() - start < seconds) {
    }
}
TEST_F(FaultsDeathTest, ManyThreadsThatWorkForLongAreNotMentioned) {
    for (const dim3 block : {dim3(6), dim3(1, 6)}) {
        EXPECT_EXIT(
            {
                (work_for<<<1, block>>>(0.15));
                std::_Exit(7);
            },
            testing::ExitedWithCode(7), "^$");
    }
}

// Block 0 spins all the while. Block 1 works for longer than the time that makes a deadlock, and
// then only sleeps for a moment: for that moment no thread gets on, but not for long.
__global__ void work_long_then_sleep(int* d_flag, volatile int* d_unused) {
    if (blockIdx.x == 0) {
        while (atomicAdd(d_flag, 0) == 0) {
        }
        return;
    }
    const long long start = clock64();
    while (clock64() - start < 1500 * 1000000LL) {
        *d_unused = 0;
    }
    // More than the 200 rounds that a deadlock has at least, and far less than its time: each is
    // some tenths of a millisecond where no other program runs.
    for (int i = 0; i < 300; ++i) {
        __nanosleep(100);
    }
    atomicExch(d_flag, 1);
}
TEST_F(FaultsDeathTest, AMomentsRestAfterLongWorkIsNoDeadlock) {
    const Setting seconds("CPU_DEVICE_DEADLOCK_SECONDS", "1");
    Managed<int> words(2);
    EXPECT_EXIT(
        {
            (work_long_then_sleep<<<2, 1>>>(words, words + 1));
            std::_Exit(words[0] == 1 ? 7 : 1);
        },
        testing::ExitedWithCode(7), "");
}

__device__ void work_for(long long nanoseconds, volatile int* d_unused) {
    const long long start = clock64();
    while (clock64() - start < nanoseconds) {
        *d_unused = 0;
    }
}
// Block 0 works, so that another OS thread takes block 1, and spins then. Block 1 spins until the
// system gives its OS thread no CPU for longer than the time that makes a deadlock. Work of that
// length stands for the system. It comes early, since turns in vain take long where other programs
// run: too many would be a deadlock.
__global__ void wait_and_be_held_up(int* d_flag, volatile int* d_unused) {
    if (blockIdx.x == 0) {
        work_for(100 * 1000000LL, d_unused);
        while (atomicAdd(d_flag, 0) == 0) {
        }
        return;
    }
    for (int turn = 0; atomicAdd(d_flag, 0) == 0 && turn < 6; ++turn) {
        __nanosleep(100);
        if (turn == 4) {
            work_for(800 * 1000000LL, d_unused);
        }
    }
    atomicExch(d_flag, 1);
}
TEST_F(FaultsDeathTest, AnOsThreadWithoutACpuIsNoDeadlock) {
    Managed<int> words(2);
    EXPECT_EXIT(
        {
            (wait_and_be_held_up<<<2, 1>>>(words, words + 1));
            std::_Exit(words[0] == 1 ? 7 : 1);
        },
        testing::ExitedWithCode(7), "");
}

// The other blocks have ended before all OS threads have come, and these come no more.
__global__ void one_block_waits(int* d_flag) {
    while (blockIdx.x == 1 && atomicAdd(d_flag, 0) == 0) {
    }
}
TEST_F(FaultsDeathTest, ADeadlockIsToldBeforeAllOsThreadsHaveCome) {
    const Setting threads("CPU_DEVICE_THREADS", "64");
    Managed<int> flag(1);
    for (int i = 0; i < 3; ++i) {
        EXPECT_DEATH((one_block_waits<<<64, 1>>>(flag)), "deadlock in kernel one_block_waits");
    }
}

TEST_F(FaultsDeathTest, SettingsThatMakeNoSenseAreRefused) {
    Managed<int> x(1);
    const auto refused = [&](const char* name, const char* value, const char* expected) {
        const Setting setting(name, value);
        EXPECT_EXIT((set_value<<<1, 1>>>(x, 1)), testing::ExitedWithCode(2),
                    std::string(name) + "=" + value + ": expected " + expected);
    };
    for (const char* const threads : {"many", "0", "257", "1.5", "1e2", " 4", "-1", ""}) {
        refused("CPU_DEVICE_THREADS", threads, "a whole number from 1 to 256");
    }
    refused("CPU_DEVICE_DEADLOCK_SECONDS", "-1", "a number from");
    for (const char* const fault :
         {"", "call", "call 0", "call -1", "call 1x", "calls 1", "call 1 ", "call 1 cudaError",
          "call cudaErrorNoDevice", "thread 1 cudaErrorNoDevice"}) {
        refused("CPU_DEVICE_FAIL", fault, "'call', 'allocation'");
    }
}

// With no OS thread but the host's, the device still has room for as many blocks as before.
TEST_F(FaultsDeathTest, GoesOnWithoutTheOsThreadsThatCannotBeStarted) {
    const Setting threads("CPU_DEVICE_THREADS", "3");
    for (const char* const fault : {"thread 1", "thread 2", "thread 3"}) {
        const Setting setting("CPU_DEVICE_FAIL", fault);
        EXPECT_EXIT(
            {
                Managed<int> words(2);
                (grid_barrier<<<3 * 32, 64>>>(words, words + 1, 5));
                std::_Exit(words[0] == 5 * 3 * 32 && words[1] == 0 ? 7 : 1);
            },
            testing::ExitedWithCode(7), std::string(fault) + " .*fails, as CPU_DEVICE_FAIL asks");
    }
}

TEST_F(FaultsDeathTest, TheCallThatATestNamesFailsAndTheOthersDoNot) {
    const auto failing = [](const char* fault, int status, const char* said) {
        const Setting setting("CPU_DEVICE_FAIL", fault);
        EXPECT_EXIT(
            {
                int* d_x = nullptr;
                const bool first = cudaMalloc(&d_x, 4) == cudaErrorUnknown;
                const bool second = cudaMemset(d_x, 0, 4) == cudaErrorUnknown;
                (set_value<<<1, 1>>>(d_x, 1));
                const bool third = cudaGetLastError() == cudaErrorUnknown;
                std::_Exit(100 * first + 10 * second + third);
            },
            testing::ExitedWithCode(status), said);
    };
    failing("call 1", 101,
            "call 1 .cudaMalloc. fails");  // the last error is still the first call's
    failing("call 2", 11, "call 2 .cudaMemset. fails");
    failing("call 3", 1, "call 3 .a launch. fails");
    failing("call 4", 0, "");
    failing("call 2 cudaErrorUnknown", 11, "call 2 .cudaMemset. fails");
    failing("call 2 cudaErrorNoDevice", 0, "call 2 .cudaMemset. fails");  // another error
}

TEST_F(FaultsDeathTest, AForkedChildRunsKernelsToo) {
    GTEST_FLAG_SET(death_test_style, "fast");
    Managed<int> x(1);
    count_threads<<<64, 64>>>(x, nullptr);  // the parent's OS threads exist now
    EXPECT_EXIT(
        {
            (count_threads<<<64, 64>>>(x, nullptr));
            std::_Exit(x[0] == 2 * 64 * 64 ? 7 : 1);
        },
        testing::ExitedWithCode(7), "");
}

// --- atomics ------------------------------------------------------------------------------------

// What each function is defined to make of the old value.
enum Function { add, sub, exch, min_, max_, inc, dec, and_, or_, xor_ };

template <typename T>
T defined(Function function, T old, T value) {
    using Wide = std::conditional_t<std::is_floating_point_v<T>, T, unsigned long long>;
    if constexpr (std::is_integral_v<T>) {
        switch (function) {
            case inc:
                return old >= value ? 0 : old + 1;
            case dec:
                return old == 0 || old > value ? value : old - 1;
            case and_:
                return old & value;
            case or_:
                return old | value;
            case xor_:
                return old ^ value;
            default:
                break;
        }
    }
    switch (function) {
        case add:
            return static_cast<T>(static_cast<Wide>(old) + static_cast<Wide>(value));
        case sub:
            return static_cast<T>(static_cast<Wide>(old) - static_cast<Wide>(value));
        case min_:
            return std::min(old, value);
        case max_:
            return std::max(old, value);
        default:
            return value;
    }
}

// Calls one of the functions at one of the scopes.
#define CALL_AT_SCOPES(name)                \
    return scope == 0 ? name(d_word, value) \
                      : (scope == 1 ? name##_block(d_word, value) : name##_system(d_word, value))
template <typename T>
__device__ T call(Function function, int scope, T* d_word, T value) {
    constexpr bool is_int = std::is_same_v<T, int> || std::is_same_v<T, unsigned>;
    constexpr bool is_long_long = std::is_same_v<T, long long>;
    constexpr bool is_ulong_long = std::is_same_v<T, unsigned long long>;
    constexpr bool is_float = std::is_same_v<T, float>;
    if constexpr (is_int || is_ulong_long || std::is_floating_point_v<T>) {
        if (function == add) {
            CALL_AT_SCOPES(atomicAdd);
        }
    }
    if constexpr (is_int) {
        if (function == sub) {
            CALL_AT_SCOPES(atomicSub);
        }
    }
    if constexpr (is_int || is_ulong_long || is_float) {
        if (function == exch) {
            CALL_AT_SCOPES(atomicExch);
        }
    }
    if constexpr (std::is_same_v<T, unsigned>) {
        if (function == inc) {
            CALL_AT_SCOPES(atomicInc);
        }
        if (function == dec) {
            CALL_AT_SCOPES(atomicDec);
        }
    }
    if constexpr (is_int || is_long_long || is_ulong_long) {
        switch (function) {
            case min_:
                CALL_AT_SCOPES(atomicMin);
            case max_:
                CALL_AT_SCOPES(atomicMax);
            case and_:
                CALL_AT_SCOPES(atomicAnd);
            case or_:
                CALL_AT_SCOPES(atomicOr);
            case xor_:
                CALL_AT_SCOPES(atomicXor);
            default:
                break;
        }
    }
    return T();
}
#undef CALL_AT_SCOPES

template <typename T>
__global__ void call_each(Function function, int scope, T* d_words, const T* d_values, T* d_old) {
    const unsigned i = threadIdx.x;
    d_old[i] = call(function, scope, &d_words[i], d_values[i]);
}

// Values around the edges of the type, and random ones.
template <typename T>
std::vector<T> operands() {
    std::vector<T> values{
        T(0), T(1), T(2), T(-1), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
    std::mt19937_64 random(7);
    for (int i = 0; i < 10; ++i) {
        if constexpr (std::is_floating_point_v<T>) {
            values.push_back(static_cast<T>(random() % 1000000) / T(997));
        } else {
            values.push_back(static_cast<T>(random()));
        }
    }
    return values;
}

template <typename T>
void check_function(const char* name, Function function) {
    const std::vector<T> values = operands<T>();
    const std::size_t pairs = values.size() * values.size();
    for (int scope = 0; scope < 3; ++scope) {
        Managed<T> words(pairs);
        Managed<T> arguments(pairs);
        Managed<T> old(pairs);
        for (std::size_t i = 0; i < pairs; ++i) {
            words[i] = values[i / values.size()];
            arguments[i] = values[i % values.size()];
        }
        call_each<<<1, static_cast<unsigned>(pairs)>>>(function, scope, words + 0, arguments + 0,
                                                       old + 0);
        for (std::size_t i = 0; i < pairs; ++i) {
            const T before = values[i / values.size()];
            const T after = defined(function, before, arguments[i]);
            ASSERT_EQ(old[i], before) << name << ", scope " << scope;
            ASSERT_EQ(words[i], after)
                << name << ", scope " << scope << " of " << before << " and " << arguments[i];
        }
    }
}

TEST(Atomics, EachReturnsTheOldValueAndStoresItsDefinition) {
    for (const auto& [name, function] : {std::pair{"Add", add},
                                         {"Sub", sub},
                                         {"Exch", exch},
                                         {"Min", min_},
                                         {"Max", max_},
                                         {"And", and_},
                                         {"Or", or_},
                                         {"Xor", xor_}}) {
        check_function<int>(name, function);
        check_function<unsigned>(name, function);
    }
    check_function<unsigned>("Inc", inc);
    check_function<unsigned>("Dec", dec);
    for (const auto& [name, function] :
         {std::pair{"Min", min_}, {"Max", max_}, {"And", and_}, {"Or", or_}, {"Xor", xor_}}) {
        check_function<long long>(name, function);
        check_function<unsigned long long>(name, function);
    }
    check_function<unsigned long long>("Add", add);
    check_function<unsigned long long>("Exch", exch);
    check_function<float>("Add", add);
    check_function<float>("Exch", exch);
    check_function<double>("Add", add);
}

struct alignas(16) Pair64 {
    std::uint64_t low, high;
    friend bool operator==(Pair64 a, Pair64 b) { return a.low == b.low && a.high == b.high; }
};
// Of 16 bits there is one at device scope only.
__global__ void compare_swap_short(unsigned short* d_word, unsigned short* d_old) {
    d_old[0] = atomicCAS(d_word, 5, 6);
    d_old[1] = atomicCAS(d_word, 5, 7);
}
template <typename T>
__global__ void compare_swap_once(T* d_word, T compare, T value, T* d_old) {
    d_old[0] = atomicCAS(d_word, compare, value);
    d_old[1] = atomicCAS_block(d_word + 1, compare, value);
    d_old[2] = atomicCAS_system(d_word + 2, compare, value);
}
template <typename T>
void check_compare_swap(T first, T second, T third) {
    Managed<T> words(3);
    Managed<T> old(3);
    for (const T before : {first, second}) {
        std::fill(words.begin(), words.end(), before);
        compare_swap_once<<<1, 1>>>(words + 0, first, third, old + 0);
        for (int scope = 0; scope < 3; ++scope) {
            EXPECT_TRUE(old[scope] == before);
            EXPECT_TRUE(words[scope] == (before == first ? third : before));
        }
    }
}
TEST(Atomics, CompareAndSwap) {
    check_compare_swap<int>(-5, 6, 7);
    check_compare_swap<unsigned>(5, 6, 0xffffffffu);
    check_compare_swap<unsigned long long>(5, 6ull << 40, ~0ull);
    Managed<unsigned short> words(2);
    words[0] = 5;
    words[1] = 0xffff;  // its neighbor in the 32-bit word
    Managed<unsigned short> old(2);
    compare_swap_short<<<1, 1>>>(words, old);
    EXPECT_EQ(words[0], 6);
    EXPECT_EQ(words[1], 0xffff);
    EXPECT_EQ(old[0], 5);
    EXPECT_EQ(old[1], 6);
    check_compare_swap<Pair64>({1, 2}, {1, 3}, {4, 5});
    check_compare_swap<Pair64>({1, 2}, {3, 2}, {4, 5});
}

// The toolkit declares no such functions, so neither may the CPU device.
template <typename T, typename = void>
constexpr bool can_sub = false;
template <typename T>
constexpr bool can_sub<T, std::void_t<decltype(atomicSub(std::declval<T*>(), T()))>> = true;
template <typename T, typename = void>
constexpr bool can_add = false;
template <typename T>
constexpr bool can_add<T, std::void_t<decltype(atomicAdd(std::declval<T*>(), T()))>> = true;
template <typename T, typename = void>
constexpr bool can_exchange = false;
template <typename T>
constexpr bool can_exchange<T, std::void_t<decltype(atomicExch(std::declval<T*>(), T()))>> = true;
template <typename T, typename = void>
constexpr bool can_min = false;
template <typename T>
constexpr bool can_min<T, std::void_t<decltype(atomicMin(std::declval<T*>(), T()))>> = true;
template <typename T, typename = void>
constexpr bool can_cas = false;
template <typename T>
constexpr bool can_cas<T, std::void_t<decltype(atomicCAS(std::declval<T*>(), T(), T()))>> = true;

template <typename T, typename = void>
constexpr bool can_cas_block = false;
template <typename T>
constexpr bool
    can_cas_block<T, std::void_t<decltype(atomicCAS_block(std::declval<T*>(), T(), T()))>> = true;

static_assert(can_cas_block<int> && can_cas_block<unsigned long long> && can_cas_block<Pair64> &&
              !can_cas_block<unsigned short>);
static_assert(can_sub<int> && can_sub<unsigned> && !can_sub<unsigned long long> &&
              !can_sub<long long> && !can_sub<float>);
static_assert(can_add<int> && can_add<unsigned long long> && can_add<float> && can_add<double> &&
              can_add<float2> && can_add<float4> && can_add<__half> && can_add<__half2> &&
              can_add<__nv_bfloat16> && can_add<__nv_bfloat162> && !can_add<long long> &&
              !can_add<unsigned long> && !can_add<short> && !can_add<float3>);
static_assert(can_exchange<float> && can_exchange<Pair64> && !can_exchange<double> &&
              !can_exchange<long long> && !can_exchange<unsigned short>);
static_assert(can_min<long long> && !can_min<float> && !can_min<unsigned long>);
static_assert(can_cas<unsigned short> && can_cas<Pair64> && !can_cas<float> && !can_cas<double> &&
              !can_cas<long long> && !can_cas<unsigned char>);

}  // namespace

// A reader's own function, of a name and type that the device has too. It is the one called.
static __device__ double atomicAdd(double* d_word, double value) {
    auto* d_bits = reinterpret_cast<unsigned long long*>(d_word);
    unsigned long long seen = *d_bits;
    unsigned long long assumed = 0;
    do {
        assumed = seen;
        const double sum = __longlong_as_double(static_cast<long long>(assumed)) + value;
        seen =
            atomicCAS(d_bits, assumed, static_cast<unsigned long long>(__double_as_longlong(sum)));
    } while (seen != assumed);
    return __longlong_as_double(static_cast<long long>(seen)) + 1000;  // to tell it apart
}

namespace {

__global__ void add_by_own_function(double* d_sum) {
    d_sum[1] = atomicAdd(d_sum, 1);
}
TEST(Atomics, AReadersOwnOverloadIsPreferred) {
    Managed<double> sum(2);
    add_by_own_function<<<1, 1>>>(sum);
    EXPECT_EQ(sum[0], 1);
    EXPECT_EQ(sum[1], 1000);
}

// All threads of many blocks at one word. Nothing may be lost, and no old value may come twice.
__global__ void contend(int* d_int, unsigned* d_unsigned, unsigned long long* d_long,
                        float* d_float, unsigned* d_old) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(d_int, 1);
    atomicSub(d_int + 1, 1);
    atomicMin(d_int + 2, -static_cast<int>(i));
    atomicMax(d_int + 3, static_cast<int>(i));
    atomicXor(d_int + 4, static_cast<int>(i));
    atomicOr(d_unsigned, 1u << i % 32);
    atomicAnd(d_unsigned + 1, ~(1u << i % 32));
    d_old[i] = atomicInc(d_unsigned + 2, 0xffffffffu);
    atomicInc(d_unsigned + 3, 99);
    atomicDec(d_unsigned + 4, 99);
    atomicAdd(d_long, 1ull << 33);
    atomicAdd(d_float, 1.0f);
}
TEST(Atomics, LoseNothingUnderContention) {
    constexpr unsigned blocks = 60;
    constexpr unsigned block_size = 256;
    constexpr unsigned n = blocks * block_size;
    Managed<int> ints(5);
    Managed<unsigned> unsigneds(5, 0u);
    unsigneds[1] = full_mask;
    Managed<unsigned long long> longs(1);
    Managed<float> floats(1);
    Managed<unsigned> old(n);
    contend<<<blocks, block_size>>>(ints, unsigneds, longs, floats, old);
    EXPECT_EQ(ints[0], static_cast<int>(n));
    EXPECT_EQ(ints[1], -static_cast<int>(n));
    EXPECT_EQ(ints[2], -static_cast<int>(n - 1));
    EXPECT_EQ(ints[3], static_cast<int>(n - 1));
    EXPECT_EQ(ints[4], 0);  // 0 to n - 1, n a multiple of 4
    EXPECT_EQ(unsigneds[0], full_mask);
    EXPECT_EQ(unsigneds[1], 0u);
    EXPECT_EQ(unsigneds[2], n);
    EXPECT_EQ(unsigneds[3], n % 100);
    EXPECT_EQ(unsigneds[4], (100 - n % 100) % 100);
    EXPECT_EQ(longs[0], static_cast<unsigned long long>(n) << 33);
    EXPECT_EQ(floats[0], static_cast<float>(n));
    EXPECT_EQ(std::set<unsigned>(old.begin(), old.end()).size(), n);
}

// Long enough for the OS threads to overlap, whatever else the machine does.
__global__ void hammer(unsigned* d_count, unsigned short* d_narrow, double* d_sum) {
    for (int i = 0; i < 200; ++i) {
        atomicAdd(d_count, 1u);
        const cuda::atomic_ref<unsigned short, cuda::thread_scope_device> narrow(*d_narrow);
        narrow.fetch_add(1, cuda::memory_order_relaxed);
        atomicAdd_system(d_sum, 1.0);
    }
}
TEST(Atomics, AreAtomicAcrossOsThreads) {
    Managed<unsigned> count(1);
    Managed<unsigned short> narrow(1);
    Managed<double> sum(1);
    hammer<<<64, 64>>>(count, narrow, sum);
    EXPECT_EQ(count[0], 64u * 64 * 200);
    EXPECT_EQ(narrow[0], static_cast<unsigned short>(64 * 64 * 200));
    EXPECT_EQ(sum[0], 64.0 * 64 * 200);
}

__global__ void contend_wide(Pair64* d_pair, Pair64* d_box, unsigned long long* d_sum, float4* d_f4,
                             float2* d_f2, __half* d_half, __half2* d_half2, __nv_bfloat16* d_bf,
                             unsigned short* d_short) {
    const std::uint64_t i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    Pair64 seen = {0, 0};
    Pair64 assumed{};
    do {
        assumed = seen;
        seen = atomicCAS(d_pair, assumed, Pair64{assumed.low + 1, assumed.high + 2});
    } while (!(seen == assumed));
    const Pair64 got = atomicExch(d_box, Pair64{i, ~i});
    if (got.high != ~got.low) {
        atomicAdd(d_sum + 1, 1);  // torn
    }
    atomicAdd(d_sum, got.low);
    atomicAdd(d_f4, make_float4(1, 2, 3, 4));
    atomicAdd(d_f2, make_float2(1, 2));
    atomicAdd(d_half, __float2half(1));
    atomicAdd(d_half2, __half2{1.0f, 2.0f});
    atomicAdd(d_bf, __float2bfloat16(1));
    unsigned short old = *d_short;
    unsigned short before = 0;
    do {
        before = old;
        old = atomicCAS(d_short, before, static_cast<unsigned short>(before + 1));
    } while (old != before);
}
TEST(Atomics, WideAndNarrowTypesLoseNothingEither) {
    constexpr unsigned blocks = 40;
    constexpr unsigned n = blocks * 32;
    Managed<Pair64> pairs(2, Pair64{0, 0});
    pairs[1] = {0, ~std::uint64_t{0}};
    Managed<unsigned long long> sum(2);
    Managed<float4> f4(1, make_float4(0, 0, 0, 0));
    Managed<float2> f2(1, make_float2(0, 0));
    Managed<__half> half_sum(1, __float2half(0));
    Managed<__half2> half2_sum(1, __half2{0.0f, 0.0f});
    Managed<__nv_bfloat16> bf_sum(1, __float2bfloat16(0));
    Managed<unsigned short> short_sum(1);
    contend_wide<<<blocks, 32>>>(pairs, pairs + 1, sum, f4, f2, half_sum, half2_sum, bf_sum,
                                 short_sum);
    EXPECT_EQ(pairs[0].low, n);
    EXPECT_EQ(pairs[0].high, 2 * n);
    EXPECT_EQ(sum[0] + pairs[1].low, n * (n + 1ull) / 2);
    EXPECT_EQ(sum[1], 0u);
    EXPECT_EQ(f4[0].x, n);
    EXPECT_EQ(f4[0].w, 4 * n);
    EXPECT_EQ(f2[0].y, 2 * n);
    EXPECT_EQ(__half2float(half_sum[0]), n);  // up to 2048 exact
    EXPECT_EQ(__half2float(half2_sum[0].y), 2048 + (n - 1024) * 2);
    EXPECT_EQ(__bfloat162float(bf_sum[0]), 256);  // 256 + 1 rounds to 256
    EXPECT_EQ(short_sum[0], n);
}

// --- cuda::atomic_ref, cuda::atomic --------------------------------------------------------------

template <cuda::thread_scope scope, typename T>
bool operations_follow_definitions(T a, T b) {
    T word = a;
    const cuda::atomic_ref<T, scope> ref(word);
    bool ok = ref.load() == a;
    const auto check = [&](T returned, T before, T after) {
        ok = ok && returned == before && word == after;
        word = a;
    };
    check(ref.exchange(b, cuda::memory_order_acq_rel), a, b);
    check(ref.fetch_add(b, cuda::memory_order_relaxed), a, static_cast<T>(a + b));
    check(ref.fetch_sub(b, cuda::memory_order_release), a, static_cast<T>(a - b));
    check(ref.fetch_min(b), a, std::min(a, b));
    check(ref.fetch_max(b), a, std::max(a, b));
    if constexpr (std::is_integral_v<T>) {
        check(ref.fetch_and(b), a, static_cast<T>(a & b));
        check(ref.fetch_or(b), a, static_cast<T>(a | b));
        check(ref.fetch_xor(b), a, static_cast<T>(a ^ b));
    }
    ref.store(b, cuda::memory_order_release);
    check(b, b, b);
    T expected = b;
    ok = ok && ref.compare_exchange_strong(expected, a, cuda::memory_order_acquire,
                                           cuda::memory_order_relaxed) == (a == b);
    ok = ok && expected == a && word == a;
    ok = ok && ref.compare_exchange_weak(expected, b, cuda::memory_order_release);
    return ok && expected == a && word == b;
}
TEST(AtomicRef, OperationsFollowTheirDefinitions) {
    EXPECT_TRUE((operations_follow_definitions<cuda::thread_scope_device>(5, 9)));
    EXPECT_TRUE((operations_follow_definitions<cuda::thread_scope_block>(-5, 3)));
    EXPECT_TRUE((operations_follow_definitions<cuda::thread_scope_system>(5u, 0xff00ff00u)));
    EXPECT_TRUE((operations_follow_definitions<cuda::thread_scope_device>(1LL << 40, -7LL)));
    EXPECT_TRUE((operations_follow_definitions<cuda::thread_scope_device>(2.5, -1.25)));
    EXPECT_TRUE((operations_follow_definitions<cuda::thread_scope_device>(2.5f, 8.0f)));
    EXPECT_TRUE(
        (operations_follow_definitions<cuda::thread_scope_device, unsigned char>(200, 100)));
    EXPECT_TRUE((operations_follow_definitions<cuda::thread_scope_device, short>(-200, 100)));
}
__global__ void push_to_list(int** d_head, int* d_next_of, int* d_count) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> s_count;
    if (threadIdx.x == 0) {
        s_count = 0;
    }
    __syncthreads();
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const cuda::atomic_ref<int*, cuda::thread_scope_device> head(*d_head);
    int* const before = head.exchange(&d_next_of[i]);
    d_next_of[i] = before == nullptr ? -1 : static_cast<int>(before - d_next_of);
    ++s_count;
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
        atomicAdd(d_count, s_count.load());
    }
}
TEST(AtomicRef, HoldsPointersAndStandsInSharedMemory) {
    Managed<int*> head(1, nullptr);
    Managed<int> next_of(20 * 50);
    Managed<int> count(1);
    push_to_list<<<20, 50>>>(head, next_of, count);
    EXPECT_EQ(count[0], 1000);
    std::set<int> found;
    for (auto i = static_cast<int>(head[0] - next_of); i != -1; i = next_of[i]) {
        ASSERT_TRUE(found.insert(i).second);
    }
    EXPECT_EQ(found.size(), 1000u);
}

// --- the host side -------------------------------------------------------------------------------

TEST(Host, FreshMemoryHoldsAPatternAndErrorsAreReturned) {
    unsigned char* d_x = nullptr;
    ASSERT_EQ(cudaMalloc(&d_x, 1000), cudaSuccess);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(d_x) % 256, 0u);
    EXPECT_EQ(std::count(d_x, d_x + 1000, fresh), 1000);
    std::vector<unsigned char> h_x(2000);
    EXPECT_EQ(cudaMemcpy(h_x.data(), d_x, 1000, cudaMemcpyDeviceToHost), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(h_x.data(), d_x, 1001, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(d_x + 500, h_x.data(), 501, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(d_x + 999, 0, 2), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemset(d_x + 999, 0, 1), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(nullptr, d_x, 1, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    EXPECT_EQ(cudaMemcpy(h_x.data(), d_x, 1, static_cast<cudaMemcpyKind>(9)),
              cudaErrorInvalidMemcpyDirection);
    EXPECT_EQ(cudaFree(d_x + 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(h_x.data()), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(d_x), cudaSuccess);
    EXPECT_EQ(cudaFree(d_x), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
    EXPECT_EQ(cudaMalloc(&d_x, std::size_t{1} << 60), cudaErrorMemoryAllocation);
    EXPECT_EQ(d_x, nullptr);
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_STREQ(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation");
    EXPECT_STREQ(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
}

TEST(Host, ALaunchThatAGpuWouldRefuseDoesNotRun) {
    Managed<int> x(1);
    const auto outcome = [&](dim3 grid, dim3 block, std::size_t smem) {
        x[0] = 0;
        count_threads<<<grid, block, smem>>>(x, nullptr);
        const cudaError_t peeked = cudaPeekAtLastError();
        const cudaError_t error = cudaGetLastError();
        EXPECT_EQ(peeked, error);
        EXPECT_EQ(x[0] == 0, error != cudaSuccess);
        return error;
    };
    EXPECT_EQ(outcome(dim3(1), dim3(1024), 0), cudaSuccess);
    EXPECT_EQ(outcome(dim3(1), dim3(1025), 0), cudaErrorInvalidValue);
    EXPECT_EQ(outcome(dim3(1), dim3(32, 33), 0), cudaErrorInvalidValue);
    EXPECT_EQ(outcome(dim3(1), dim3(1, 1, 65), 0), cudaErrorInvalidValue);
    EXPECT_EQ(outcome(dim3(1), dim3(65536, 65536), 0), cudaErrorInvalidValue);
    EXPECT_EQ(outcome(dim3(1), dim3(0), 0), cudaErrorInvalidValue);
    EXPECT_EQ(outcome(dim3(0), dim3(1), 0), cudaErrorInvalidValue);
    EXPECT_EQ(outcome(dim3(1, 65536), dim3(1), 0), cudaErrorInvalidValue);
    EXPECT_EQ(outcome(dim3(1, 1, 3), dim3(1, 1, 64), 0), cudaSuccess);
    EXPECT_EQ(outcome(dim3(1), dim3(1), 48 * 1024), cudaSuccess);
    EXPECT_EQ(outcome(dim3(1), dim3(1), 48 * 1024 + 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFuncSetAttribute(count_threads, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   228 * 1024),
              cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaFuncSetAttribute(count_threads, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   100 * 1024),
              cudaSuccess);
    // What another kernel asks for takes nothing away from this one.
    EXPECT_EQ(
        cudaFuncSetAttribute(add_value, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024),
        cudaSuccess);
    EXPECT_EQ(outcome(dim3(1), dim3(1), 100 * 1024), cudaSuccess);
    EXPECT_EQ(outcome(dim3(1), dim3(1), 100 * 1024 + 1), cudaErrorInvalidValue);
}

// On a GPU others may take memory at the same time, and it comes in larger pieces.
TEST(Host, TakesFromTheFreeMemoryAndGivesBack) {
    constexpr std::size_t bytes = std::size_t{1} << 20;
    std::size_t before = 0, during = 0, after = 0, total = 0;
    void* d_memory = nullptr;
    ASSERT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&d_memory, bytes), cudaSuccess);
    ASSERT_EQ(cudaMemGetInfo(&during, &total), cudaSuccess);
    ASSERT_EQ(cudaFree(d_memory), cudaSuccess);
    ASSERT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
    EXPECT_LE(before, total);
    EXPECT_EQ(during, before - bytes);
    EXPECT_EQ(after, before);
}

// On a GPU, ranges that share a page are another matter.
TEST(Host, RegistersHostMemoryNextToOther) {
    std::vector<int> host(3000);
    for (const int first : {1000, 0, 2000}) {
        EXPECT_EQ(cudaHostRegister(&host[first], 1000 * sizeof(int), cudaHostRegisterDefault),
                  cudaSuccess)
            << first;
    }
    for (const int first : {0, 1000, 2000}) {
        EXPECT_EQ(cudaHostUnregister(&host[first]), cudaSuccess) << first;
    }
}

__device__ int d_symbol[4];
__constant__ float c_factor;
__global__ void use_symbols(float* d_out) {
    d_symbol[3] += 1;
    d_out[0] = c_factor * static_cast<float>(d_symbol[3]);
}
TEST(Host, CopiesToAndFromSymbols) {
    const int h_values[] = {1, 2, 3, 4};
    const float h_factor = 2.5f;
    ASSERT_EQ(cudaMemcpyToSymbol(d_symbol, h_values, sizeof h_values), cudaSuccess);
    ASSERT_EQ(cudaMemcpyToSymbol(c_factor, &h_factor, sizeof h_factor), cudaSuccess);
    EXPECT_EQ(cudaMemcpyToSymbol(d_symbol, h_values, 8, 12), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    Managed<float> out(1);
    use_symbols<<<1, 1>>>(out);
    EXPECT_EQ(out[0], 12.5f);
    int h_last = 0;
    ASSERT_EQ(cudaMemcpyFromSymbol(&h_last, d_symbol, sizeof h_last, 12), cudaSuccess);
    EXPECT_EQ(h_last, 5);
}

TEST(Host, EventsAndStreams) {
    cudaEvent_t start{};
    cudaEvent_t stop{};
    ASSERT_EQ(cudaEventCreate(&start), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&stop), cudaSuccess);
    float ms = -1;
    EXPECT_EQ(cudaEventElapsedTime(&ms, start, stop), cudaErrorInvalidResourceHandle);
    static_cast<void>(cudaGetLastError());
    ASSERT_EQ(cudaEventRecord(start), cudaSuccess);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ASSERT_EQ(cudaEventRecord(stop), cudaSuccess);
    ASSERT_EQ(cudaEventSynchronize(stop), cudaSuccess);
    ASSERT_EQ(cudaEventElapsedTime(&ms, start, stop), cudaSuccess);
    EXPECT_GE(ms, 5.0f);
    EXPECT_LT(ms, 5000.0f);
    EXPECT_EQ(cudaEventDestroy(start), cudaSuccess);
    EXPECT_EQ(cudaEventDestroy(stop), cudaSuccess);
}

TEST(Host, PropertiesAgreeWithAttributes) {
    cudaDeviceProp properties{};
    ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
    EXPECT_EQ(std::string(properties.name).rfind("CPU device (", 0), 0u) << properties.name;
    int value = 0;
    ASSERT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
    EXPECT_EQ(value, properties.multiProcessorCount);
    EXPECT_GE(value, 1);
    EXPECT_EQ(cudaGetDeviceProperties(&properties, 1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
    static_cast<void>(cudaGetLastError());
    int blocks = 0;
    ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_threads, 256, 0),
              cudaSuccess);
    EXPECT_EQ(blocks, 8);
    ASSERT_EQ(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_threads, 256, 100 * 1024),
        cudaSuccess);
    EXPECT_EQ(blocks, 2);
}

TEST(Host, SeveralHostThreadsMayLaunch) {
    Managed<int> x(4);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            for (int round = 0; round < 20; ++round) {
                count_threads<<<8, 64>>>(x + i, nullptr);
            }
            count_threads<<<1, 2000>>>(x + i, nullptr);  // the error is this thread's own
            EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(std::count(x.begin(), x.end(), 20 * 8 * 64), 4);
}

__global__ void print_and_use_stack(int* d_out) {
    volatile char big[16 * 1024];
    for (int i = 0; i < 16 * 1024; ++i) {
        big[i] = static_cast<char>(threadIdx.x);
    }
    __syncthreads();
    printf("thread %3u of block %u: %.3f\n", threadIdx.x, blockIdx.x, 1.0 * threadIdx.x);
    __syncthreads();
    int wrong = 0;
    for (int i = 0; i < 16 * 1024; ++i) {
        wrong += big[i] != static_cast<char>(threadIdx.x);
    }
    atomicAdd(d_out, wrong);
}
TEST(Host, KernelsPrintAndHaveSomeStack) {
    Managed<int> wrong(1);
    testing::internal::CaptureStdout();
    print_and_use_stack<<<2, 40>>>(wrong);
    const std::string printed = testing::internal::GetCapturedStdout();
    EXPECT_EQ(std::count(printed.begin(), printed.end(), '\n'), 80);
    EXPECT_NE(printed.find("thread  39 of block 1: 39.000\n"), std::string::npos);
    EXPECT_EQ(wrong[0], 0);
}

// --- arithmetic ----------------------------------------------------------------------------------

TEST(Arithmetic, BitFunctionsFollowTheirDefinitions) {
    std::mt19937_64 random(3);
    for (int round = 0; round < 2000; ++round) {
        const std::uint64_t wide = round == 0 ? 0 : random() >> (random() % 64);
        const auto narrow = static_cast<unsigned>(wide);
        int ones = 0, wide_ones = 0, first = 0, wide_first = 0, leading = 32, wide_leading = 64;
        unsigned reversed = 0;
        for (int bit = 63; bit >= 0; --bit) {
            if ((wide >> bit & 1) != 0) {
                ++wide_ones;
                wide_first = bit + 1;
                wide_leading = std::min(wide_leading, 63 - bit);
                if (bit < 32) {
                    ++ones;
                    first = bit + 1;
                    leading = std::min(leading, 31 - bit);
                    reversed |= 1u << (31 - bit);
                }
            }
        }
        ASSERT_EQ(__popc(narrow), ones);
        ASSERT_EQ(__popcll(wide), wide_ones);
        ASSERT_EQ(__ffs(static_cast<int>(narrow)), first);
        ASSERT_EQ(__ffsll(static_cast<long long>(wide)), wide_first);
        ASSERT_EQ(__clz(static_cast<int>(narrow)), leading);
        ASSERT_EQ(__clzll(static_cast<long long>(wide)), wide_leading);
        ASSERT_EQ(__brev(narrow), reversed);
        ASSERT_EQ(__float_as_uint(__uint_as_float(narrow & 0x7f7fffff)), narrow & 0x7f7fffff);
        const unsigned shift = static_cast<unsigned>(random());
        const auto other = static_cast<unsigned>(random());
        unsigned left = other, right = narrow;
        for (unsigned i = 0; i < shift % 32; ++i) {
            left = left << 1 | (i < 32 ? narrow >> (31 - i) & 1 : 0);
            right = right >> 1 | (other >> i & 1) << 31;
        }
        ASSERT_EQ(__funnelshift_l(narrow, other, shift), left);
        ASSERT_EQ(__funnelshift_r(narrow, other, shift), right);
    }
    EXPECT_EQ(__byte_perm(0x33221100, 0x77665544, 0x7250), 0x77225500u);
    EXPECT_EQ(__byte_perm(0x80, 0, 0x4448), 0xffu);
}

TEST(Arithmetic, MinAndMaxTakeMixedTypesAsCudaDoes) {
    static_assert(std::is_same_v<decltype(min(1, 2u)), unsigned>);
    static_assert(std::is_same_v<decltype(max(1.0f, 2.0)), double>);
    EXPECT_EQ(min(-1, 2u), 2u);
    EXPECT_EQ(max(-1, 2u), 0xffffffffu);
    EXPECT_EQ(min(-1LL, 2LL), -1);
    EXPECT_EQ(max(2.0f, NAN), 2.0f);
}

TEST(Arithmetic, VectorTypesHaveCudasSizeAndAlignment) {
    static_assert(sizeof(float2) == 8 && alignof(float2) == 8);
    static_assert(sizeof(float3) == 12 && alignof(float3) == 4);
    static_assert(sizeof(float4) == 16 && alignof(float4) == 16);
    static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4);
    static_assert(sizeof(short4) == 8 && alignof(short4) == 8);
    static_assert(sizeof(double2) == 16 && alignof(double2) == 16);
    static_assert(sizeof(ulonglong2) == 16 && alignof(ulonglong2) == 16);
    static_assert(sizeof(int3) == 12 && sizeof(dim3) == 12 && sizeof(uint3) == 12);
    const dim3 shape(3, 4);
    EXPECT_EQ(shape.x * shape.y * shape.z, 12u);
    EXPECT_EQ(make_uint4(1, 2, 3, 4).w, 4u);
}

// Every half and bfloat16 comes back from float; and of two neighbors the nearer one is chosen,
// the even one where they are as near.
template <typename Small, typename FromBits>
void check_small_float(FromBits from_bits) {
    for (unsigned bits = 0; bits < 0x8000; ++bits) {
        const Small here = from_bits(static_cast<unsigned short>(bits));
        const float value = here;
        if (std::isnan(value)) {
            EXPECT_TRUE(std::isnan(static_cast<float>(Small(value))));
            continue;
        }
        ASSERT_EQ(Small(value).bits, bits);
        ASSERT_EQ(Small(-value).bits, bits | 0x8000);
        const float next = from_bits(static_cast<unsigned short>(bits + 1));
        if (std::isinf(value) || std::isinf(next)) {
            continue;
        }
        const float middle = static_cast<float>((static_cast<double>(value) + next) / 2);
        ASSERT_EQ(Small(middle).bits, bits % 2 == 0 ? bits : bits + 1);
        ASSERT_EQ(Small(std::nextafter(middle, value)).bits, bits);
        ASSERT_EQ(Small(std::nextafter(middle, next)).bits, bits + 1);
    }
}
TEST(Arithmetic, HalfAndBfloat16RoundToNearestEven) {
    check_small_float<__half>(__ushort_as_half);
    check_small_float<__nv_bfloat16>(__ushort_as_bfloat16);
    EXPECT_EQ(__half2float(__float2half(65519.0f)), 65504.0f);
    EXPECT_TRUE(std::isinf(__half2float(__float2half(65520.0f))));
    EXPECT_TRUE(std::isinf(__half2float(__float2half(1e30f))));
    EXPECT_TRUE(std::isnan(__half2float(__float2half(NAN))));
    EXPECT_TRUE(__half(2.0f) * __half(3.0f) - __half(1.0f) == __half(5.0f));
}

// --- tests' own call ------------------------------------------------------------------------

__global__ void count_runs_of_blocks(int* d_runs) {
    atomicAdd(&d_runs[blockIdx.x + gridDim.x * blockIdx.y], 1);
}
TEST(FirstAndLastBlocks, RunAlone) {
    const auto runs_of_blocks = [](dim3 grid) {
        Managed<int> runs(grid.x * grid.y, 0);
        count_runs_of_blocks<<<grid, 1>>>(runs);
        return std::vector<int>(runs.begin(), runs.end());
    };
    cpu_device::run_only_first_and_last_blocks(2);
    const std::vector<int> of_nine = runs_of_blocks(dim3(3, 3));
    const std::vector<int> of_four = runs_of_blocks(dim3(4));
    cpu_device::run_only_first_and_last_blocks(0);
    EXPECT_EQ(of_nine, (std::vector<int>{1, 1, 0, 0, 0, 0, 0, 1, 1}));
    EXPECT_EQ(of_four, std::vector<int>(4, 1));
    EXPECT_EQ(runs_of_blocks(dim3(9)), std::vector<int>(9, 1));
}

}  // namespace
