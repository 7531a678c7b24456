// Advice is a claim. For each row of the table in race/advice.cpp there is a program here whose
// race gets this advice, and the same program with the cure done to the letter (`mended`): then the
// report is gone, and the program's own check passes.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cuda/atomic>
#include <cuda/barrier>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cooperative_groups.h"
#include "cooperative_groups/memcpy_async.h"
#include "cpu_device/race.h"
#include "support.cuh"

namespace {

constexpr int words = 256;

__device__ unsigned global_thread() {
    return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ void spin_until_set(int* d_flag) {
    while (atomicAdd(d_flag, 0) == 0) {
        __nanosleep(32);
    }
}

// --- rows ----------------------------------------------------------------------------------------

// Each kernel gets `words` ints that are 0, and its check looks at those.

// A sum of 32 lanes that trusts the warp to run in step.
template <bool mended>
__global__ void volatile_sum(int* d_x) {
    __shared__ volatile int s_x[64];
    s_x[threadIdx.x] = 1;
    s_x[32 + threadIdx.x] = 0;
    if (mended) {
        __syncwarp();
    }
    for (int d = 16; d > 0; d /= 2) {
        const int other = s_x[threadIdx.x + static_cast<unsigned>(d)];
        if (mended) {
            __syncwarp();
        }
        s_x[threadIdx.x] = s_x[threadIdx.x] + other;
        if (mended) {
            __syncwarp();
        }
    }
    if (threadIdx.x == 0) {
        d_x[0] = s_x[0];
    }
}

template <bool mended>
__global__ void count_in_two_sizes(int* d_x) {
    if (threadIdx.x == 0 && !mended) {
        atomicAdd(d_x, 1);
    } else {
        atomicAdd(reinterpret_cast<unsigned long long*>(d_x), 1ull);
    }
}

template <bool mended>
__global__ void count_in_block_scope(int* d_x) {
    if (mended) {
        atomicAdd(d_x, 1);
    } else {
        atomicAdd_block(d_x, 1);
    }
}

struct Bits {
    unsigned char one : 1, two : 1;
};
struct Bytes {
    unsigned char one, two;
};
template <bool mended>
__global__ void set_flags(int* d_x) {
    using Flags = std::conditional_t<mended, Bytes, Bits>;
    auto* const flags = reinterpret_cast<Flags*>(d_x + 1);
    if (threadIdx.x == 0) {
        flags->one = 1;
    } else {
        flags->two = 1;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        d_x[0] = flags->one + flags->two;
    }
}

template <bool mended>
__global__ void fill(int* d_x) {
    const unsigned i = mended ? global_thread() : threadIdx.x;
    if (threadIdx.x > 0) {
        d_x[i] = static_cast<int>(blockIdx.x) + 1;
    }
}
template <bool mended>
__global__ void add_to_own(int* d_x) {
    if (threadIdx.x > 0) {
        if (mended) {
            atomicAdd(d_x + threadIdx.x, 1);
        } else {
            d_x[threadIdx.x] += 1;
        }
    }
}

template <bool mended>
__global__ void count_plainly(int* d_x) {
    if (mended) {
        atomicAdd(d_x, 1);
    } else {
        d_x[0] += 1;
    }
}
// Compared first, and not written by all.
template <bool mended>
__global__ void maximum(int* d_x) {
    const int value = static_cast<int>(global_thread() * 37 % 128);
    if (mended) {
        atomicMax(d_x, value);
    } else if (value > d_x[0]) {
        d_x[0] = value;
    }
}

// Block 0 leaves a message for block 1. What is left out when it is not mended is `lacking`.
enum Part {
    release,
    acquire,
    release_of_another,
    acquire_of_another,
    barrier_before,
    barrier_after,
    device_scope,
};
template <Part lacking>
struct Message {
    template <bool mended>
    static __global__ void kernel(int* d_x) {
        // By another thread than that which signals, or which looks for the signal?
        constexpr unsigned writer =
            lacking == release_of_another || lacking == barrier_before ? 1 : 0;
        constexpr unsigned reader =
            lacking == acquire_of_another || lacking == barrier_after ? 1 : 0;
        if (blockIdx.x == 0) {
            if (threadIdx.x == writer) {
                d_x[1] = 42;
            }
            if (lacking != barrier_before || mended) {
                __syncthreads();
            }
            if (threadIdx.x == 0) {
                if (lacking == device_scope && !mended) {
                    __threadfence_block();
                } else if ((lacking != release && lacking != release_of_another) || mended) {
                    __threadfence();
                }
                atomicExch(d_x + 2, 1);
            }
        } else {
            if (threadIdx.x == 0) {
                spin_until_set(d_x + 2);
                if ((lacking != acquire && lacking != acquire_of_another) || mended) {
                    __threadfence();
                }
            }
            if (lacking != barrier_after || mended) {
                __syncthreads();
            }
            if (threadIdx.x == reader) {
                for (int k = 0; k < 100; ++k) {  // by luck it comes late
                    __nanosleep(32);
                }
                d_x[0] = d_x[1];
            }
        }
    }
};

// The flag is raised plainly, although both use atomics.
template <bool mended>
__global__ void raise_flag(int* d_x) {
    if (blockIdx.x == 0) {
        if (mended) {
            atomicExch(d_x, 1);
        } else {
            d_x[0] = 1;
        }
        atomicAdd(d_x + 1, 1);
    } else {
        spin_until_set(d_x + 1);
        d_x[2] = atomicAdd(d_x, 0);
    }
}

// The lock is given back plainly.
template <bool mended>
__global__ void add_under_lock(int* d_x) {
    while (atomicCAS(d_x + 1, 0, 1) != 0) {
        __nanosleep(32);
    }
    __threadfence();
    d_x[0] += 1;
    __threadfence();
    if (mended) {
        atomicExch(d_x + 1, 0);
    } else {
        d_x[1] = 0;
    }
}

template <bool mended>
__global__ void set_and_count(int* d_x) {
    if (blockIdx.x == 0 && threadIdx.x == 0 && !mended) {
        d_x[0] = 0;
    }
    atomicAdd(d_x, 1);
}

template <bool mended>
__global__ void number_threads(int* d_x) {
    const int old = atomicAdd(d_x, 1);
    d_x[1 + global_thread()] = mended ? old : d_x[0];
}

template <bool mended>
__global__ void say_found(int* d_x) {
    if (!mended) {
        d_x[0] = 1;
    } else {
        cuda::atomic_ref<int, cuda::thread_scope_device>(d_x[0]).store(1,
                                                                       cuda::memory_order_relaxed);
    }
}

template <bool mended>
__global__ void number_of_thread(int* d_x) {
    d_x[mended ? threadIdx.x : 0] = static_cast<int>(threadIdx.x) + 1;
}
template <bool mended>
__global__ void number_of_block(int* d_x) {
    d_x[mended ? blockIdx.x : 0] = static_cast<int>(blockIdx.x) + 1;
}
// Two lines write for two threads.
template <bool mended>
__global__ void two_results(int* d_x) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) {
        d_x[0] = 1;
    } else if (i == 32) {
        d_x[mended ? 1 : 0] = 2;
    }
}

// Two halves of a block, and a buffer that is used twice.
template <bool mended>
__global__ void produce_and_consume(int* d_x) {
    using Barrier = cuda::barrier<cuda::thread_scope_block>;
    __shared__ int s_x;
    __shared__ Barrier s_full, s_empty;
    if (threadIdx.x == 0) {
        init(&s_full, 2);
        init(&s_empty, 2);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        s_x = 1;
        static_cast<void>(s_full.arrive());
        if (mended) {
            s_empty.arrive_and_wait();
        }
        s_x = 2;
    } else if (threadIdx.x == 32) {
        s_full.arrive_and_wait();
        d_x[0] = s_x;
        if (mended) {
            static_cast<void>(s_empty.arrive());
        }
    }
}

// Two copies are under way, and the wait is for the first one of them only.
template <bool mended>
__global__ void copy_asynchronously(int* d_x) {
    namespace cg = cooperative_groups;
    __shared__ int s_x[2 * 64];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, s_x, d_x, sizeof(int) * 64);
    cg::memcpy_async(block, s_x + 64, d_x + 64, sizeof(int) * 64);
    if (mended) {
        cg::wait(block);
    } else {
        cg::wait_prior<1>(block);
    }
    d_x[128 + threadIdx.x] = s_x[127 - threadIdx.x] + 1;
    cg::wait(block);
}

// Each thread reads what its neighbor has written.
template <bool mended>
__global__ void pass_on(int* d_x) {
    __shared__ int s_x[64];
    s_x[threadIdx.x] = static_cast<int>(threadIdx.x);
    if (mended) {
        __syncthreads();
    }
    d_x[threadIdx.x] = s_x[blockDim.x - 1 - threadIdx.x];
}
// The neighbor is in the same warp.
template <bool mended>
__global__ void pass_on_in_warp(int* d_x) {
    __shared__ int s_x[64];
    s_x[threadIdx.x] = static_cast<int>(threadIdx.x);
    if (mended) {
        __syncwarp();
    }
    d_x[threadIdx.x] = s_x[threadIdx.x ^ 1u];
}

template <bool mended>
__global__ void ask_next_block(int* d_x) {
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(d_x[2]);
    if (blockIdx.x == 0) {
        d_x[1] = 42;
        if (mended) {
            flag.store(1, cuda::memory_order_release);
        }
    } else {
        while (mended && flag.load(cuda::memory_order_acquire) == 0) {
            __nanosleep(32);
        }
        d_x[0] = d_x[1];
    }
}

// The exchange never succeeds: it only looks, with the order of one that fails.
template <bool mended>
__global__ void ask_by_exchange(int* d_x) {
    constexpr cuda::memory_order on_failure =
        mended ? cuda::memory_order_acquire : cuda::memory_order_relaxed;
    cuda::atomic_ref<int> flag(d_x[2]);
    if (blockIdx.x == 0) {
        d_x[1] = 42;
        flag.store(1, cuda::memory_order_release);
    } else {
        int seen = 0;
        while (seen != 1) {
            seen = 2;
            flag.compare_exchange_strong(seen, 2, cuda::memory_order_acq_rel, on_failure);
        }
        d_x[0] = d_x[1];
    }
}

// Eight messages through one place. The sender must wait until the last one is taken, and waits for
// the one before it.
template <bool mended>
__global__ void send_eight(int* d_x) {
    cuda::atomic_ref<int> sent(d_x[2]), taken(d_x[3]);
    for (int i = 1; i <= 8; ++i) {
        if (blockIdx.x == 0) {
            while (taken.load(cuda::memory_order_acquire) < (mended ? i - 1 : i - 2)) {
            }
            d_x[1] = i;
            sent.store(i, cuda::memory_order_release);
        } else {
            while (sent.load(cuda::memory_order_acquire) < i) {
            }
            d_x[0] += d_x[1];
            taken.store(i, cuda::memory_order_release);
        }
    }
}

// Volatile, so that nothing races.
template <bool mended>
__global__ void count_in_volatile_steps(int* d_x) {
    volatile int* const d_count = d_x;
    if (mended) {
        atomicAdd(d_x, 1);
    } else {
        const int old = *d_count;
        *d_count = old + 1;
    }
}
// A lock around them that orders nothing.
template <bool mended>
__global__ void count_under_lock(int* d_x) {
    volatile int* const d_count = d_x;
    while (atomicCAS(d_x + 1, 0, 1) != 0) {
        __nanosleep(32);
    }
    if (mended) {
        __threadfence();
    }
    *d_count = *d_count + 1;
    if (mended) {
        __threadfence();
    }
    atomicExch(d_x + 1, 0);
}
template <bool mended>
__global__ void send_volatile(int* d_x) {
    volatile int* const d_message = d_x + 2;
    if (blockIdx.x == 0) {
        *d_message = 42;
        if (mended) {
            __threadfence();
        }
        atomicExch(d_x + 1, 1);
    } else {
        spin_until_set(d_x + 1);
        if (mended) {
            __threadfence();
        }
        d_x[0] = *d_message;
    }
}
// Each looks for the other: at least one is to find it.
template <bool mended>
__global__ void announce_and_look(int* d_x) {
    volatile int* const d_here = d_x + 8;
    d_here[blockIdx.x] = 1;
    if (mended) {
        cuda::atomic_thread_fence(cuda::memory_order_seq_cst);
    }
    if (d_here[1 - blockIdx.x] == 1) {
        atomicExch(d_x, 1);
    }
}

// --- the test ------------------------------------------------------------------------------------

using Kernel = void (*)(int*);
struct Case {
    const char* row;
    Kernel wrong, mended;
    int blocks, threads;
    std::function<bool(const std::vector<int>&)> check;
    bool by_old_value = false;  // that the first load which can do so reads
};
std::ostream& operator<<(std::ostream& out, const Case& one) {
    return out << one.row;
}

auto first_word_is(int value) {
    return [value](const std::vector<int>& x) { return x[0] == value; };
}
#define BOTH(kernel) kernel<false>, kernel<true>
#define MESSAGE(part) Message<part>::kernel<false>, Message<part>::kernel<true>

std::vector<Case> cases() {
    return {
        {"volatile", BOTH(volatile_sum), 1, 32, first_word_is(32)},
        {"atomics of different bytes", BOTH(count_in_two_sizes), 1, 64, first_word_is(64)},
        {"atomics of narrow scope", BOTH(count_in_block_scope), 4, 32, first_word_is(128)},
        {"different bits", BOTH(set_flags), 1, 2, first_word_is(2)},
        {"index without block", BOTH(fill), 2, 64,
         [](const std::vector<int>& x) { return x[63] == 1 && x[64 + 63] == 2; }},
        {"index or update", BOTH(add_to_own), 4, 64,
         [](const std::vector<int>& x) {
             return x[0] == 0 && std::count(x.begin(), x.end(), 4) == 63;
         }},
        {"update in steps", BOTH(count_plainly), 4, 64, first_word_is(256)},
        {"update in steps", BOTH(maximum), 4, 32, first_word_is(127)},
        {"signal of narrow scope", MESSAGE(device_scope), 2, 2, first_word_is(42)},
        {"incomplete signal", MESSAGE(release), 2, 2, first_word_is(42)},
        {"release by the first", MESSAGE(release), 2, 2, first_word_is(42)},
        {"release by another", MESSAGE(release_of_another), 2, 2, first_word_is(42)},
        {"acquire by the second", MESSAGE(acquire), 2, 2, first_word_is(42)},
        {"acquire by another", MESSAGE(acquire_of_another), 2, 2, first_word_is(42)},
        {"barrier before the signal", MESSAGE(barrier_before), 2, 2, first_word_is(42)},
        {"barrier after the answer", MESSAGE(barrier_after), 2, 2, first_word_is(42)},
        {"device scope", MESSAGE(device_scope), 2, 2, first_word_is(42)},
        {"other access atomic", BOTH(raise_flag), 2, 1,
         [](const std::vector<int>& x) { return x[0] == 1 && x[2] == 1; }},
        {"plain write beside atomics", BOTH(add_under_lock), 4, 1, first_word_is(4)},
        {"plain write beside atomics", BOTH(set_and_count), 4, 32, first_word_is(128)},
        {"plain read beside atomics", BOTH(number_threads), 4, 32,
         [](std::vector<int> x) {
             std::sort(x.begin() + 1, x.begin() + 129);
             return x[0] == 128 && x[1] == 0 && x[128] == 127;
         }},
        {"same value", BOTH(say_found), 4, 32, first_word_is(1)},
        {"writes of one block", BOTH(number_of_thread), 1, 64,
         [](const std::vector<int>& x) { return x[0] == 1 && x[63] == 64; }},
        {"one line of two blocks", BOTH(number_of_block), 4, 1,
         [](const std::vector<int>& x) { return x[0] == 1 && x[3] == 4; }},
        {"writes of one block", BOTH(two_results), 1, 64,
         [](const std::vector<int>& x) { return x[0] == 1 && x[1] == 2; }},
        {"index of one of them", BOTH(two_results), 33, 1,
         [](const std::vector<int>& x) { return x[0] == 1 && x[1] == 2; }},
        {"barrier object", BOTH(produce_and_consume), 1, 64, first_word_is(1)},
        {"asynchronous copy", BOTH(copy_asynchronously), 1, 64,
         [](const std::vector<int>& x) { return std::count(x.begin(), x.end(), 1) == 64; }},
        {"block of one warp", BOTH(pass_on), 1, 32, first_word_is(31)},
        {"one block", BOTH(pass_on), 1, 64, first_word_is(63)},
        {"one warp", BOTH(pass_on_in_warp), 1, 64, first_word_is(1)},
        {"acquire where an exchange fails", BOTH(ask_by_exchange), 2, 1, first_word_is(42)},
        {"not this time", BOTH(send_eight), 2, 1, first_word_is(36)},
        {"different blocks", BOTH(ask_next_block), 2, 1, first_word_is(42)},
        {"lost update", BOTH(count_in_volatile_steps), 4, 32, first_word_is(128)},
        {"update under an incomplete lock", BOTH(count_under_lock), 4, 1, first_word_is(4), true},
        {"stale value by an incomplete signal", BOTH(send_volatile), 2, 1, first_word_is(42), true},
        {"stale value", BOTH(announce_and_look), 2, 1, first_word_is(1), true},
    };
}

class Advice : public testing::TestWithParam<Case> {
  protected:
    Advice() { cpu_device::race::be_quiet(true); }
    ~Advice() override {
        cpu_device::race::forget();
        cpu_device::race::be_quiet(false);
        cpu_device::race::show_old_loads(0);
    }
    // What the kernel leaves.
    static std::vector<int> run(Kernel kernel, int seed) {
        const Case& one = GetParam();
        cpu_device::race::forget();
        cpu_device::race::set_seed(static_cast<std::uint64_t>(seed));
        int* d_x = nullptr;
        CHECK(cudaMalloc(&d_x, words * sizeof(int)));
        CHECK(cudaMemset(d_x, 0, words * sizeof(int)));
        kernel<<<one.blocks, one.threads>>>(d_x);
        CHECK_LAUNCH();
        std::vector<int> x(words);
        CHECK(cudaMemcpy(x.data(), d_x, words * sizeof(int), cudaMemcpyDeviceToHost));
        CHECK(cudaFree(d_x));
        return x;
    }
};

constexpr int seeds = 8;

TEST_P(Advice, IsGiven) {
    int given = 0;  // with so many seeds
    for (int seed = 1; seed <= seeds; ++seed) {
        // Which old value matters only scripts/race knows: here the first one is told.
        cpu_device::race::show_old_loads(GetParam().by_old_value ? 1 : 0, true);
        run(GetParam().wrong, seed);
        given += static_cast<int>(cpu_device::race::advice_given().count(GetParam().row));
    }
    EXPECT_GE(given, 3) << cpu_device::race::reports_text();
}

TEST_P(Advice, CuresTheProgram) {
    for (int seed = 1; seed <= seeds; ++seed) {
        cpu_device::race::show_old_loads(GetParam().by_old_value ? 100 : 0);
        const std::vector<int> x = run(GetParam().mended, seed);
        EXPECT_EQ(cpu_device::race::reports(), 0u) << cpu_device::race::reports_text();
        EXPECT_TRUE(GetParam().check(x)) << "seed " << seed << ": " << x[0];
    }
}

INSTANTIATE_TEST_SUITE_P(Rows, Advice, testing::ValuesIn(cases()));

TEST(AdviceTable, HasNoRowWithoutAProgram) {
    std::set<std::string> tested;
    for (const Case& one : cases()) {
        tested.insert(one.row);
    }
    for (const std::string& row : cpu_device::race::advice_rows()) {
        EXPECT_EQ(tested.count(row), 1u) << row;
    }
    EXPECT_EQ(tested.size(), cpu_device::race::advice_rows().size());
}

}  // namespace
