// Locks under contention of six shapes: nothing is lost, whatever the shape. Each case prints
// how the acquisitions were shared among the threads (fairness). On the CPU device a thread gives
// way only where it waits, so the shares there are those of its scheduler.
//
// Environment: LOCK_ACQUISITIONS=N for the number of acquisitions per lock and shape. Without it
// they are as many as a quick test can afford; what counts is a long run on a GPU:
//
//     LOCK_ACQUISITIONS=20000000 build/cuda/bin/lock_contention_test
//
// A lock that is never free again would keep the host waiting without end, and a GPU would say
// nothing. So each thread publishes in memory of the host when it begins to wait, and a watchdog,
// an OS thread, ends the test where nothing has changed there for LOCK_WATCHDOG_SECONDS (default:
// 30).
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <cuda/atomic>

#include "common/device.cuh"
#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/lock.cuh"
#include "common/numbers.hpp"
#include "tests/device_test.cuh"

using namespace common;

namespace {

// --- the locks, under the same names ------------------------------------------------------------

// Tries again at once.
struct Spin {
    using Word = int;
    static constexpr const char* name = "spin";
    static __device__ void take(Word& word) {
        cuda::atomic_ref<int, cuda::thread_scope_device> lock(word);
        int expected = 0;
        while (!lock.compare_exchange_weak(expected, 1, cuda::memory_order_acquire,
                                           cuda::memory_order_relaxed)) {
            expected = 0;
        }
    }
    static __device__ void give(Word& word) { unlock(word); }
};

// Waits twice as long after each failure.
struct BackOff {
    using Word = int;
    static constexpr const char* name = "back_off";
    static __device__ void take(Word& word) {
        cuda::atomic_ref<int, cuda::thread_scope_device> lock(word);
        int expected = 0;
        for (unsigned pause_ns = 32; !lock.compare_exchange_weak(
                 expected, 1, cuda::memory_order_acquire, cuda::memory_order_relaxed);
             pause_ns = pause_ns < 1024 ? 2 * pause_ns : pause_ns) {
            expected = 0;
            __nanosleep(pause_ns);
        }
    }
    static __device__ void give(Word& word) { unlock(word); }
};

// Those of common/lock.cuh: lock() and lock_classic() pause for the same time after each failure.
struct Modern {
    using Word = int;
    static constexpr const char* name = "lock";
    static __device__ void take(Word& word) { lock(word); }
    static __device__ void give(Word& word) { unlock(word); }
};
struct Classic {
    using Word = int;
    static constexpr const char* name = "lock_classic";
    static __device__ void take(Word& word) { lock_classic(word); }
    static __device__ void give(Word& word) { unlock_classic(word); }
};
struct Ticket {
    using Word = TicketLock;
    static constexpr const char* name = "ticket";
    static __device__ void take(Word& word) { lock(word); }
    static __device__ void give(Word& word) { unlock(word); }
};

// A broken one, for the watchdog: the first holder keeps it.
struct NeverGiven {
    using Word = int;
    static constexpr const char* name = "never_given";
    static __device__ void take(Word& word) { lock(word); }
    static __device__ void give(Word&) {}
};

// --- the shapes ---------------------------------------------------------------------------------

struct Shape {
    std::string name;
    int grid_size = 1;
    int block_size = 32;
    int takers = 32;           // threads of each block that take locks
    unsigned locks = 1;        // above 1: each turn takes two of them, the lower number first
    bool equal_turns = false;  // each thread has as many turns; else who comes first has them

    unsigned threads() const { return static_cast<unsigned>(grid_size * takers); }
};

// How many blocks of a warp the device holds at a time; `kernel` is the one that takes the locks.
template <typename Kernel>
int resident_blocks(Kernel kernel) {
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, 0));
    return blocks * multiprocessor_count();
}

// --- the kernel ---------------------------------------------------------------------------------

// What a lock guards: plain words. A holder that does not see all that the one before wrote finds
// them unequal, and one that is not alone loses turns.
struct Guarded {
    unsigned turns;
    unsigned shadow;
};

// What a thread last said: how many turns it has had, and the lock that it waits for.
using State = unsigned long long;
constexpr State waits = 1;
constexpr int lock_bits = 8;
__host__ __device__ State state_of(unsigned turns, unsigned lock, bool waiting) {
    return State{turns} << (lock_bits + 1) | State{lock} << 1 | (waiting ? waits : 0);
}

__device__ void take_a_turn(Guarded& guarded, unsigned& unequal) {
    const unsigned turns = guarded.turns;
    unequal += guarded.shadow != turns ? 1 : 0;
    __nanosleep(lock_pause_ns);  // let others run here, between the read and the write
    guarded.turns = turns + 1;
    guarded.shadow = turns + 1;
}

// The first `takers` threads of each block take turns. `turns` are those of each of them
// (equal_turns), or of all together: then they wait for each other at the start, so all blocks must
// be resident. d_turns: per thread, how many it had. `states`, in memory of the host: per thread,
// see State.
template <typename Lock>
__global__ void take_turns(typename Lock::Word* d_locks, Guarded* d_guarded, unsigned locks,
                           unsigned turns, bool equal_turns, unsigned takers, unsigned* d_arrived,
                           unsigned* d_begun, unsigned* d_turns, unsigned* d_unequal,
                           volatile State* states) {
    if (threadIdx.x >= takers) {
        return;
    }
    const unsigned thread = blockIdx.x * takers + threadIdx.x;
    if (!equal_turns) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived(*d_arrived);
        arrived.fetch_add(1, cuda::memory_order_relaxed);
        while (arrived.load(cuda::memory_order_relaxed) < gridDim.x * takers) {
            __nanosleep(lock_pause_ns);
        }
    }
    unsigned unequal = 0;
    unsigned mine = 0;
    while (equal_turns ? mine < turns : atomicAdd(d_begun, 1u) < turns) {
        if (locks == 1) {
            states[thread] = state_of(mine, 0, true);
            Lock::take(d_locks[0]);
            take_a_turn(d_guarded[0], unequal);
            Lock::give(d_locks[0]);
        } else {
            // All pairs in turn. Who holds the lower lock waits for the upper one only, so no ring
            // of threads can wait for each other.
            const unsigned lower = (thread + mine) % (locks - 1);
            const unsigned upper = lower + 1 + (thread / locks + mine / 7) % (locks - 1 - lower);
            states[thread] = state_of(mine, lower, true);
            Lock::take(d_locks[lower]);
            states[thread] = state_of(mine, upper, true);
            Lock::take(d_locks[upper]);
            take_a_turn(d_guarded[lower], unequal);
            take_a_turn(d_guarded[upper], unequal);
            Lock::give(d_locks[upper]);
            Lock::give(d_locks[lower]);
        }
        states[thread] = state_of(++mine, 0, false);
    }
    d_turns[thread] = mine;
    if (unequal != 0) {
        atomicAdd(d_unequal, unequal);
    }
}

// --- the watchdog -------------------------------------------------------------------------------

[[noreturn]] void refuse(const char* variable, const char* text, const char* expected) {
    std::fprintf(stderr, "%s=%s: expected a number %s\n", variable, text, expected);
    std::exit(2);
}

double watchdog_seconds() {
    double seconds = 30;
    if (const char* const text = std::getenv("LOCK_WATCHDOG_SECONDS")) {
        if (read_number(text, seconds) != Parsed::ok || !(seconds >= 0.1 && seconds <= 3600)) {
            refuse("LOCK_WATCHDOG_SECONDS", text, "from 0.1 to 3600");
        }
    }
    return seconds;
}

// While it lives, it ends the process with status 1 if no state changes for too long.
class Watchdog {
  public:
    Watchdog(const std::string& what, const Shape& shape, const volatile State* states)
        : what_(what), shape_(shape), states_(states), thread_([this] { watch(); }) {}
    ~Watchdog() {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            ended_ = true;
        }
        changed_.notify_one();
        thread_.join();
    }
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

  private:
    std::vector<State> seen() const { return {states_, states_ + shape_.threads()}; }

    void watch() {
        using Clock = std::chrono::steady_clock;
        const std::chrono::duration<double> limit(watchdog_seconds());
        std::vector<State> last = seen();
        Clock::time_point since = Clock::now();
        std::unique_lock<std::mutex> lock(mutex_);
        while (!changed_.wait_for(lock, limit / 10, [this] { return ended_; })) {
            std::vector<State> now = seen();
            if (now != last) {
                last = std::move(now);
                since = Clock::now();
            } else if (Clock::now() - since > limit) {
                report(last, limit.count());
                std::_Exit(EXIT_FAILURE);  // the kernel still runs: no destructor may wait for it
            }
        }
    }

    void report(const std::vector<State>& states, double seconds) const {
        const auto waiting = std::count_if(states.begin(), states.end(),
                                           [](State state) { return (state & waits) != 0; });
        std::fprintf(stderr, "%s: for %g s no thread got a lock; %td of %zu threads wait:\n",
                     what_.c_str(), seconds, waiting, states.size());
        int lines = 0;
        for (std::size_t thread = 0; thread < states.size() && lines < 10; ++thread) {
            if ((states[thread] & waits) == 0) {
                continue;
            }
            const auto per_block = static_cast<std::size_t>(shape_.takers);
            std::fprintf(stderr, "  block %zu, thread %zu waits for lock %llu, after %llu turns\n",
                         thread / per_block, thread % per_block,
                         states[thread] >> 1 & ((1u << lock_bits) - 1),
                         states[thread] >> (lock_bits + 1));
            ++lines;
        }
        if (waiting > lines) {
            std::fprintf(stderr, "  and %td more\n", waiting - lines);
        }
    }

    const std::string what_;
    const Shape shape_;
    const volatile State* const states_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool ended_ = false;
    std::thread thread_;  // the last member: it uses the others
};

// --- the test -----------------------------------------------------------------------------------

unsigned acquisitions() {
    if (const char* const text = std::getenv("LOCK_ACQUISITIONS")) {
        const auto number = whole_number(text);
        if (!number || *number == 0 || *number > 1000000000) {
            refuse("LOCK_ACQUISITIONS", text, "from 1 to 10^9");
        }
        return static_cast<unsigned>(*number);
    }
    const bool thorough = std::getenv("THOROUGH") != nullptr;
    return (on_cpu_device ? 10000 : 100000) * (thorough ? 10 : 1);
}

// The states in memory of the host that kernels write to.
class States {
  public:
    explicit States(std::size_t size) {
        CHECK(cudaHostAlloc(reinterpret_cast<void**>(&data_), size * sizeof(State),
                            cudaHostAllocMapped));
        std::fill_n(data_, size, State{0});
    }
    ~States() { static_cast<void>(cudaFreeHost(data_)); }
    States(const States&) = delete;
    States& operator=(const States&) = delete;
    State* data() const { return data_; }

  private:
    State* data_ = nullptr;
};

// How the turns were shared. Jain's fairness index is 1 where all had the same number, and 1/n
// where one thread of n had them all.
void print_shares(const std::string& what, const std::vector<unsigned>& turns) {
    double sum = 0;
    double squares = 0;
    for (const unsigned count : turns) {
        sum += count;
        squares += static_cast<double>(count) * count;
    }
    const auto [least, most] = std::minmax_element(turns.begin(), turns.end());
    std::printf(
        "[fairness] %-28s %7zu threads: %6.3f %% to %6.3f %% of the turns each, "
        "Jain's index %.3f\n",
        what.c_str(), turns.size(), 100 * *least / sum, 100 * *most / sum,
        sum * sum / (static_cast<double>(turns.size()) * squares));
    if (turns.size() <= 32) {
        std::printf("[fairness]   per thread, in %%:");
        for (const unsigned count : turns) {
            std::printf(" %.1f", 100 * count / sum);
        }
        std::printf("\n");
    }
}

template <typename Lock>
void contend(const Shape& shape) {
    const std::string what = std::string(Lock::name) + " " + shape.name;
    const unsigned threads = shape.threads();
    const unsigned per_turn = shape.locks == 1 ? 1 : 2;
    const unsigned wanted = (acquisitions() + per_turn - 1) / per_turn;
    const unsigned turns = shape.equal_turns ? (wanted + threads - 1) / threads : wanted;
    DeviceArray<typename Lock::Word> d_locks(std::vector<typename Lock::Word>(shape.locks));
    DeviceArray<Guarded> d_guarded(std::vector<Guarded>(shape.locks));
    DeviceArray<unsigned> d_arrived(std::vector<unsigned>{0});
    DeviceArray<unsigned> d_begun(std::vector<unsigned>{0});
    DeviceArray<unsigned> d_turns(std::vector<unsigned>(threads, 0));
    DeviceArray<unsigned> d_unequal(std::vector<unsigned>{0});
    const States states(threads);
    {
        const Watchdog watchdog(what, shape, states.data());
        take_turns<Lock><<<shape.grid_size, shape.block_size>>>(
            d_locks.data(), d_guarded.data(), shape.locks, turns, shape.equal_turns,
            static_cast<unsigned>(shape.takers), d_arrived.data(), d_begun.data(), d_turns.data(),
            d_unequal.data(), states.data());
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
    }
    const std::vector<unsigned> per_thread = d_turns.to_host();
    const auto all_turns = std::accumulate(per_thread.begin(), per_thread.end(), std::uint64_t{0});
    std::uint64_t guarded_turns = 0;
    for (const Guarded& guarded : d_guarded.to_host()) {
        guarded_turns += guarded.turns;
        EXPECT_EQ(guarded.turns, guarded.shadow);
    }
    EXPECT_EQ(all_turns, shape.equal_turns ? std::uint64_t{turns} * threads : turns);
    EXPECT_EQ(guarded_turns, per_turn * all_turns) << "turns were lost";
    EXPECT_GE(guarded_turns, acquisitions());
    EXPECT_EQ(d_unequal.to_host()[0], 0u) << "a holder saw half of what the one before wrote";
    print_shares(what, per_thread);
}

template <typename Lock>
class ContentionTest : public DeviceTest {
  protected:
    void contend(const Shape& shape) {
        ::contend<Lock>(shape);
        this->count_combination();
    }
};

using Locks = testing::Types<Spin, BackOff, Modern, Classic, Ticket>;
class LockName {
  public:
    template <typename Lock>
    static std::string GetName(int) {
        return Lock::name;
    }
};
TYPED_TEST_SUITE(ContentionTest, Locks, LockName);

TYPED_TEST(ContentionTest, OneWarp) {
    this->contend({"one_warp"});
}

TYPED_TEST(ContentionTest, OneBlock) {
    this->contend({"one_block", 1, 256, 256});
}

TYPED_TEST(ContentionTest, OneLanePerBlock) {
    this->contend({"one_lane_per_block", resident_blocks(take_turns<TypeParam>), 32, 1});
}

TYPED_TEST(ContentionTest, AllLanes) {
    this->contend({"all_lanes", 2 * multiprocessor_count(), 128, 128});
}

// The blocks that wait for room start when others have ended, so each needs turns of its own.
TYPED_TEST(ContentionTest, MoreBlocksThanFit) {
    this->contend(
        {"more_blocks_than_fit", 3 * resident_blocks(take_turns<TypeParam>) + 1, 32, 4, 1, true});
}

TYPED_TEST(ContentionTest, NestedInOrder) {
    this->contend({"nested_in_order", multiprocessor_count(), 64, 64, 5});
}

class WatchdogDeathTest : public DeviceTest {};

// A lock that its holder keeps: the watchdog ends the test and names who waits.
TEST_F(WatchdogDeathTest, EndsAHangAndSaysWhoWaits) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    ASSERT_EQ(setenv("LOCK_WATCHDOG_SECONDS", "1", 1), 0);
    ASSERT_EQ(setenv("CPU_DEVICE_DEADLOCK_SECONDS", "1000", 1), 0);  // which has a watchdog too
    EXPECT_EXIT(contend<NeverGiven>({"one_warp"}), testing::ExitedWithCode(1),
                "never_given one_warp: for 1 s no thread got a lock; 32 of 32 threads wait:\n"
                "  block 0, thread 0 waits for lock 0, after [01] turns\n"
                "(  block 0, thread [0-9]+ waits for lock 0, after [01] turns\n)+"
                "  and 22 more");
    EXPECT_EXIT(contend<NeverGiven>({"nested", 2, 32, 1, 5}), testing::ExitedWithCode(1),
                "2 of 2 threads wait:\n"
                "  block 0, thread 0 waits for lock [0-4], after [0-9]+ turns\n"
                "  block 1, thread 0 waits for lock [0-4], after [0-9]+ turns\n");
    unsetenv("LOCK_WATCHDOG_SECONDS");
    unsetenv("CPU_DEVICE_DEADLOCK_SECONDS");
}

}  // namespace
