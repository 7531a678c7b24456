// What reports say: the words for each kind of fault must fit it.
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#include <fstream>
#include <string>
#include <vector>

#include "cpu_device/pattern.hpp"
#include "cpu_device/race.h"
#include "race_litmus.cuh"
#include "support.cuh"

namespace {

using cpu_device::Pattern;

template <typename T>
std::string report_of(void (*kernel)(T*), int blocks, int threads, int seed = 1) {
    cpu_device::race::forget();
    cpu_device::race::be_quiet(true);
    cpu_device::race::set_seed(static_cast<std::uint64_t>(seed));
    T* d_x = nullptr;
    CHECK(cudaMalloc(&d_x, 256 * sizeof(T)));
    CHECK(cudaMemset(d_x, 0, 256 * sizeof(T)));
    kernel<<<blocks, threads>>>(d_x);
    CHECK_LAUNCH();
    CHECK(cudaFree(d_x));
    const std::string text = cpu_device::race::reports_text();
    cpu_device::race::forget();
    cpu_device::race::be_quiet(false);
    return text;
}
bool has(const std::string& text, const std::string& words) {
    return Pattern(words).is_in(text);
}
#define EXPECT_HAS(text, words) EXPECT_TRUE(has(text, words)) << text
#define EXPECT_HAS_NOT(text, words) EXPECT_FALSE(has(text, words)) << text

constexpr int line_of_plus = __LINE__ + 2;
__global__ void add_one(int* d_x) {
    d_x[0] += 1;
}
TEST(RaceReports, CallAnUpdateThreeSteps) {
    const std::string text = report_of(add_one, 4, 64);
    EXPECT_HAS(text, "An update is lost: block ");
    EXPECT_HAS(text, "Reading, changing and writing the word are three steps");
}
TEST(RaceReports, QuoteTheLine) {
    EXPECT_HAS(report_of(add_one, 4, 64), "writes the same word\n      \\| d_x\\[0\\] \\+= 1;\n");
}
// A program may wait until all of its processes have ended.
TEST(RaceReports, LeaveNoProcessToWaitFor) {
    EXPECT_HAS(report_of(add_one, 4, 64), "race_reports_test.cu:" + std::to_string(line_of_plus));
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
}

__global__ void tell_to_stop(int* d_x) {
    __shared__ bool s_done;
    for (int round = 0;; ++round) {
        if (threadIdx.x == 0) {
            s_done = round == 3;
        }
        __syncthreads();
        if (s_done) {
            break;
        }
    }
    d_x[threadIdx.x] = 1;
}
// Only one thread writes: nothing gets lost, a barrier is missing.
TEST(RaceReports, AskForABarrierWhereOneSideOnlyReads) {
    for (int seed = 1; seed <= 8; ++seed) {
        const std::string text = report_of(tell_to_stop, 1, 64, seed);
        EXPECT_HAS(text, "DATA RACE in kernel");
        EXPECT_HAS(text, "a __syncthreads\\(\\) between the two accesses");
        EXPECT_HAS(text, "a byte of shared memory");
        EXPECT_HAS_NOT(text, "three steps");
    }
}

__global__ void forget_the_block(int* d_x) {
    if (threadIdx.x > 2) {
        d_x[threadIdx.x] += 1;
    }
}
TEST(RaceReports, AskForBlockIdxInTheIndex) {
    for (int seed = 1; seed <= 8; ++seed) {
        const std::string text = report_of(forget_the_block, 2, 8, seed);
        EXPECT_HAS(text, "Does blockIdx.x stand in the index\\?");
        EXPECT_HAS_NOT(text, "three steps");
    }
}

// The last block adds up what all have written: thread 0 counts before the others have written.
__global__ void last_block_without_barrier(int* d_x) {
    __shared__ bool s_last;
    d_x[1 + blockIdx.x * blockDim.x + threadIdx.x] = 1;
    if (threadIdx.x == 0) {
        __threadfence();
        s_last = atomicAdd(d_x, 1) == static_cast<int>(gridDim.x) - 1;
        __threadfence();
    }
    __syncthreads();
    if (s_last) {
        d_x[128 + threadIdx.x] = d_x[1 + threadIdx.x] + d_x[1 + blockDim.x + threadIdx.x];
    }
}
TEST(RaceReports, AskForTheBarrierOfTheLastBlock) {
    int asked = 0;  // with so many seeds
    for (int seed = 1; seed <= 8; ++seed) {
        const std::string text = report_of(last_block_without_barrier, 2, 8, seed);
        EXPECT_HAS_NOT(text, "Does blockIdx.x stand in the index");
        asked +=
            has(text, "a __syncthreads\\(\\) between the first access and the atomic of thread 0");
    }
    EXPECT_GE(asked, 1);
}

__global__ void maximum(int* d_x) {
    const int value = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * 37 % 128;
    if (value > d_x[0]) {
        d_x[0] = value;
    }
}
TEST(RaceReports, DoNotBlameTheIndexOfAMaximum) {
    for (int seed = 1; seed <= 8; ++seed) {
        const std::string text = report_of(maximum, 4, 32, seed);
        EXPECT_HAS(text, "atomicAdd or atomicMax where the\n  new value is computed");
        EXPECT_HAS(text, "atomicExch where it replaces it, as a list's\n  head does");
        EXPECT_HAS_NOT(text, "the index is");
    }
}

// Four elements at a time, and the last four run into the next thread's part.
__global__ void store_four(int* d_x) {
    const int i = static_cast<int>(threadIdx.x) * 4;
    if (threadIdx.x % 2 == 0) {
        *reinterpret_cast<int4*>(d_x + i) = {i, i + 1, i + 2, i + 3};
    } else {
        d_x[i - 1] = 7;
    }
}
TEST(RaceReports, NameTheElementOfTheNarrowerAccess) {
    for (int seed = 1; seed <= 8; ++seed) {
        const std::string text = report_of(store_four, 1, 2, seed);
        EXPECT_HAS(text, "The word is \\[3\\] of the 256 elements of 4 bytes");
        EXPECT_HAS(text, "thread 1 writes 7, where [03] was");
        EXPECT_HAS(text, "thread 0 writes 3, where [07] was");
    }
}

__global__ void write_hash(unsigned* d_x) {
    d_x[0] = 1065353216u + threadIdx.x;
}
__global__ void write_largest(unsigned* d_x) {
    d_x[0] = 0xffffffffu - threadIdx.x;
}
__global__ void write_float(float* d_x) {
    d_x[0] = 1.0f + static_cast<float>(threadIdx.x);
}
__global__ void write_double(double* d_x) {
    d_x[0] = 0.5 + threadIdx.x;
}
__global__ void write_negative(short* d_x) {
    d_x[1] = static_cast<short>(-1 - static_cast<int>(threadIdx.x));
}
// Floats whose bits an atomic for integers changes: the type is not known.
__global__ void lower_to_infinity(float* d_x) {
    if (threadIdx.x == 0) {
        atomicMin(reinterpret_cast<int*>(d_x), __float_as_int(-INFINITY));
    } else {
        d_x[0] = 2.5f;
    }
}
TEST(RaceReports, ShowValuesByTheTypeOfTheMemory) {
    EXPECT_HAS(report_of(lower_to_infinity, 1, 2), "(to -inf in|where -inf was)");
    EXPECT_HAS(report_of(write_hash, 1, 2), "writes 106535321[67], where ");
    EXPECT_HAS(report_of(write_largest, 1, 2), "writes 429496729[45], where ");
    EXPECT_HAS(report_of(write_float, 1, 2),
               "writes a float of global memory\n(.*\n)*.*writes 2, ");
    EXPECT_HAS(report_of(write_double, 1, 2),
               "writes a double of global memory\n(.*\n)*.*writes 1.5, ");
    const std::string text = report_of(write_negative, 1, 2);
    EXPECT_HAS(text, "writes 2 bytes of global memory\n(.*\n)*.*writes -2, ");
    EXPECT_HAS(text, "The 2 bytes are \\[1\\] of the 256 elements of 2 bytes");
}

struct Weighted {
    unsigned key;
    float weight;
};
__global__ void write_key(Weighted* d_x) {
    d_x[0].key = threadIdx.x == 0 ? 7u : 0xfffffff0u;
}
__global__ void write_weight(Weighted* d_x) {
    d_x[0].weight = 1.0f + static_cast<float>(threadIdx.x);
}
// The value of a member may be a float or have a sign, as far as one knows.
TEST(RaceReports, TellOfAMemberOnlyASmallNumberAsANumber) {
    EXPECT_HAS(report_of(write_key, 1, 2), "writes (7, where 0xfffffff0|0xfffffff0, where 7) was");
    const std::string text = report_of(write_weight, 1, 2);
    EXPECT_HAS(text, "writes a word of global memory\n");
    EXPECT_HAS(text, "writes (0x3f800000, where 0x40000000|0x40000000, where 0x3f800000) was");
}

template <typename T>
void run_on(void* memory, void (*kernel)(T*)) {
    kernel<<<1, 2>>>(static_cast<T*>(memory));
    CHECK_LAUNCH();
}
template <typename... T>
std::string report_of_untyped_memory(void (*... kernels)(T*)) {
    cpu_device::race::forget();
    cpu_device::race::be_quiet(true);
    cpu_device::race::set_seed(1);
    void* memory = nullptr;
    CHECK(cudaMalloc(&memory, 64));
    CHECK(cudaMemset(memory, 0, 64));
    (run_on(memory, kernels), ...);
    CHECK(cudaFree(memory));
    const std::string text = cpu_device::race::reports_text();
    cpu_device::race::forget();
    cpu_device::race::be_quiet(false);
    return text;
}
TEST(RaceReports, TakeTheTypeOfTheKernelsParameterIfAllAgree) {
    EXPECT_HAS(report_of_untyped_memory(write_float),
               "writes a float of global memory\n(.*\n)*.*writes 2, ");
    EXPECT_HAS(report_of_untyped_memory(write_largest), "writes 429496729[45], where ");
    EXPECT_HAS(report_of_untyped_memory(write_largest, write_float),
               "writes (0x3f800000, where 0x40000000|0x40000000, where 0x3f800000) was");
}

// Operators have no place of their own to hand on.
__global__ void count_in_block_scope(unsigned* d_x) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_block> word(*d_x);
    ++word;
    word++;
    word += 2;
}
TEST(RaceReports, NameTheLineOfAnOperator) {
    for (int seed = 1; seed <= 4; ++seed) {
        const std::string text = report_of(count_in_block_scope, 2, 2, seed);
        EXPECT_HAS(text, "race_reports_test.cu:[0-9]+: block 0.*updates atomically");
        EXPECT_HAS(text, "race_reports_test.cu:[0-9]+: block 1.*updates atomically");
        EXPECT_HAS_NOT(text, "include/cuda");
    }
}

struct Flags {
    unsigned first : 1;
    unsigned second : 1;
};
__global__ void set_bits(Flags* d_x) {
    if (threadIdx.x == 0) {
        d_x[0].first = 1;
    } else {
        d_x[0].second = 1;
    }
}
TEST(RaceReports, TellOfABitField) {
    EXPECT_HAS(report_of(set_bits, 1, 2), "members of a bit-field, or flags in one byte");
    EXPECT_HAS_NOT(report_of(add_one, 1, 2), "bit-field");
}

// Each thread writes, thread 0 counts the block, the last block reads.
template <bool barrier_before>
__global__ void last_block(int* d_x) {
    __shared__ bool s_is_last;
    d_x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    if (barrier_before) {
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        __threadfence();
        s_is_last = atomicAdd(d_x + 255, 1) + 1 == static_cast<int>(gridDim.x);
        __threadfence();
    }
    __syncthreads();
    if (s_is_last && threadIdx.x == 0) {
        int sum = 0;
        for (unsigned i = 0; i < gridDim.x * blockDim.x; ++i) {
            sum += d_x[i];
        }
        d_x[254] = sum;
    }
}
TEST(RaceReports, MissABarrierBeforeTheSignal) {
    const std::string text = report_of(last_block<false>, 3, 4);
    EXPECT_HAS(text,
               "Missing:\n    a __syncthreads\\(\\) between the first access and the atomic of "
               "thread 0,\n      in the same block");
    EXPECT_HAS_NOT(text, "    a release by");
    EXPECT_EQ(report_of(last_block<true>, 3, 4), "");
}

__global__ void count_in_fresh_memory(int* d_x) {
    __shared__ int s_count;
    atomicAdd(&s_count, 1);
    d_x[threadIdx.x] = 1;
}
TEST(RaceReports, CallAnAtomicAnUpdate) {
    EXPECT_HAS(report_of(count_in_fresh_memory, 1, 2),
               "UNWRITTEN MEMORY in kernel .*\n.*thread [01] updates atomically 4 bytes of shared");
}

__global__ void plain_read_of_a_flag(int* d_x) {
    if (threadIdx.x == 0) {
        d_x[1] = 42;
        __threadfence();
        atomicExch(d_x, 1);
    } else {
        while (atomicAdd(d_x, 0) == 0) {
        }
        d_x[2] = d_x[1];
    }
}
// The reader's fence is missing, and nothing else.
TEST(RaceReports, NameTheSideThatIsMissing) {
    const std::string text = report_of(plain_read_of_a_flag, 1, 2);
    EXPECT_HAS(text, "    an acquire by the second");
    EXPECT_HAS_NOT(text, "    a release by the first");
}

__global__ void tree_in_the_branch(int* d_x) {
    for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
        if (threadIdx.x < d) {
            d_x[threadIdx.x] += d_x[threadIdx.x + d];
            __syncthreads();
        }
    }
}
TEST(RaceReports, SayHowToMendABarrierInABranch) {
    const std::string text = report_of(tree_in_the_branch, 1, 8);
    EXPECT_HAS(text, "DIVERGENT BARRIER in kernel .*\n.*has passed this __syncthreads\\(\\) ");
    EXPECT_HAS(text, "if \\(tid < d\\) \\{ ... \\} __syncthreads\\(\\);");
}

template <int calls>
__device__ void wait_below() {
    if constexpr (calls == 0) {
        __syncthreads();
    } else {
        wait_below<calls - 1>();
    }
}
__global__ void barrier_below_many_calls(int* d_x) {
    if (threadIdx.x % 2 == 0) {
        wait_below<20>();
    } else {
        wait_below<20>();
    }
    d_x[threadIdx.x] = 1;
}
__global__ void one_barrier_below_many_calls(int* d_x) {
    wait_below<20>();
    d_x[threadIdx.x] = 1;
}
TEST(RaceReports, CompareAllCallsThatLeadToABarrier) {
    EXPECT_HAS(
        report_of(barrier_below_many_calls, 1, 8),
        "DIVERGENT BARRIER in kernel .*\n.* comes to this __syncthreads\\(\\) by the call at");
    EXPECT_EQ(report_of(one_barrier_below_many_calls, 1, 8), "");
}

__global__ void index_far_beyond(int* d_x) {
    __shared__ int s_values[4];
    const unsigned index = 3000000000u + static_cast<unsigned>(d_x[0]);
    d_x[1] = &s_values[index] == d_x;
}
TEST(RaceReports, ShowAnIndexByItsType) {
    EXPECT_HAS(report_of(index_far_beyond, 1, 1), "uses index 3000000000 of an array");
}

// Thread 1 of both blocks writes the word, by one line, but thread 2 reads it, too: so it is not a
// word that each block should have for itself.
__global__ void write_what_another_has_read(int* d_x) {
    if (threadIdx.x == 2) {
        d_x[1 + blockIdx.x] = d_x[0];
    }
    __syncthreads();
    if (threadIdx.x == 1) {
        d_x[0] = 1 + static_cast<int>(blockIdx.x);
    }
}
TEST(RaceReports, BlameNoIndexForAWordThatOtherThreadsUse) {
    bool both_write = false;
    for (int seed = 1; seed <= 8; ++seed) {
        const std::string text = report_of(write_what_another_has_read, 2, 4, seed);
        both_write = both_write || has(text, "thread 1 .*writes .*\n(.*\n)*.*thread 1 .*writes ");
        EXPECT_HAS_NOT(text, "Both are thread 1 of their block");
    }
    EXPECT_TRUE(both_write);
}

// Runs in a process of its own, with this setting; ends as a program would.
void add_with(const char* name, const char* value, bool with_another_race = false) {
    setenv(name, value, 1);
    int* d_x = nullptr;
    CHECK(cudaMalloc(&d_x, 256 * sizeof(int)));
    CHECK(cudaMemset(d_x, 0, 256 * sizeof(int)));
    add_one<<<4, 64>>>(d_x);
    if (with_another_race) {
        forget_the_block<<<2, 8>>>(d_x);
    }
    CHECK(cudaFree(d_x));
    std::exit(0);
}
const std::string line_of_add_one = "race_reports_test.cu:" + std::to_string(line_of_plus);

TEST(RaceReportsDeathTest, AreMutedByTheLine) {
    EXPECT_EXIT(add_with("RACE_MUTE", ("other.cu:1,tests/" + line_of_add_one).c_str()),
                testing::ExitedWithCode(0), "^race mode: 1 report muted \\(RACE_MUTE\\)\n$");
    EXPECT_EXIT(add_with("RACE_MUTE", ("x" + line_of_add_one).c_str()), testing::ExitedWithCode(66),
                "DATA RACE in kernel");
    EXPECT_EXIT(add_with("RACE_MUTE", line_of_add_one.substr(5).c_str()),
                testing::ExitedWithCode(66), "DATA RACE in kernel");
    EXPECT_EXIT(add_with("RACE_MUTE", "add_one"), testing::ExitedWithCode(2),
                "RACE_MUTE.*FILE:LINE");
}

__device__ int d_total = 0;
__global__ void add_to_the_total() {
    d_total += 1;
}
void add_without_tools() {
    setenv("PATH", "/no/such/folder", 1);
    add_to_the_total<<<2, 8>>>();
    CHECK_LAUNCH();
    std::exit(0);
}
TEST(RaceReportsDeathTest, NameNoVariableWhereThereIsNoNm) {
    EXPECT_EXIT(add_without_tools(), testing::ExitedWithCode(66),
                "DATA RACE (.*\n)*.*The word is a variable of the program");
}

__global__ void diverge_in_a_shuffle(int* d_x) {
    d_x[threadIdx.x] =
        threadIdx.x < 16 ? __shfl_sync(0xffffffffu, 1, 0) : __any_sync(0xffffffffu, 1);
}
void print_add_and_diverge() {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    std::setvbuf(stdout, nullptr, _IOFBF, BUFSIZ);
    cpu_device::race::be_quiet(true);
    std::puts("printed before");
    int* d_x = nullptr;
    CHECK(cudaMalloc(&d_x, 256 * sizeof(int)));
    CHECK(cudaMemset(d_x, 0, 256 * sizeof(int)));
    add_one<<<4, 64>>>(d_x);
    diverge_in_a_shuffle<<<1, 32>>>(d_x);
    CHECK_LAUNCH();
    std::exit(0);
}
TEST(RaceReportsDeathTest, ThatWereKeptBackComeAfterWhatTheProgramHasPrinted) {
    EXPECT_EXIT(print_add_and_diverge(), testing::ExitedWithCode(66),
                "printed before\n(.*\n)*DATA RACE (.*\n)*DIVERGENT WARP FUNCTION");
}
TEST(RaceReportsDeathTest, AreWrittenAsJson) {
    const std::string path = testing::TempDir() + "race_reports_" + std::to_string(getpid());
    EXPECT_EXIT(add_with("RACE_JSON", path.c_str(), true), testing::ExitedWithCode(66),
                "DATA RACE");
    std::ifstream file(path);
    std::vector<std::string> kernels;
    const std::string string = R"x("((\\.|[^"\\])*)")x";
    const Pattern report(
        R"x(\{"kind": "DATA RACE", "where": "kernel ([a-z_]+), launched at [^"]*:[0-9]+", )x"
        R"x("places": \[)x" +
        string + ", " + string + R"x(\], "text": )x" + string + R"x(\})x");
    for (std::string line; std::getline(file, line);) {
        const std::vector<std::string> parts = report.match(line);
        ASSERT_FALSE(parts.empty()) << line;
        kernels.push_back(parts[1]);
        if (kernels.back() == "add_one") {
            EXPECT_HAS(parts[4], line_of_add_one + "$");
            EXPECT_HAS(parts[6], "An update is lost");
        }
    }
    EXPECT_EQ(kernels, (std::vector<std::string>{"add_one", "forget_the_block"}));
    std::remove(path.c_str());
    EXPECT_EXIT(add_with("RACE_JSON", "/no/such/folder/x"), testing::ExitedWithCode(2),
                "RACE_JSON.*a file that can be written");
}

}  // namespace
