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
// nothing. So each thread writes down when it begins to wait, and a watchdog, an OS thread, ends
// the test where nothing has changed there for LOCK_WATCHDOG_SECONDS (default: 30).
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

// The blocks of a shape share its locks. A group is such a set of blocks; a launch has as many
// groups side by side as a GPU holds, each with locks of its own.
struct Shape {
    std::string name;
    int blocks = 1;  // per group
    int block_size = 32;
    int takers = 32;           // threads of each block that take locks
    unsigned locks = 1;        // above 1: each turn takes two of them, the lower number first
    bool equal_turns = false;  // each thread has as many turns; else who comes first has them
    int groups = 1;

    int grid_size() const { return groups * blocks; }
    unsigned threads() const { return static_cast<unsigned>(grid_size() * takers); }
};

constexpr unsigned max_locks = 5;

// How many blocks the device holds at a time; `kernel` is the one that takes the locks.
template <typename Kernel>
int resident_blocks(Kernel kernel, int block_size) {
    int blocks = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size, 0));
    return blocks * multiprocessor_count();
}

// --- the kernel ---------------------------------------------------------------------------------

// What a lock guards: plain words. A holder that does not see all that the one before wrote finds
// them unequal, and one that is not alone loses turns.
struct Guarded {
    unsigned turns;
    unsigned shadow;
};

// What a group shares, all of it 0 at first. Lines of their own: else who waits for the lock would
// slow down who holds it.
template <typename Lock>
struct Group {
    alignas(128) typename Lock::Word locks[max_locks];
    alignas(128) Guarded guarded[max_locks];  // by the lock of the same number
    alignas(128) unsigned arrived;            // threads
    unsigned begun;                           // turns
    unsigned unequal;
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
// (equal_turns), or of all of a group together: then these wait for each other at the start, so all
// blocks must be resident. d_turns: per thread, how many it had. d_states: per thread, see State.
template <typename Lock>
__global__ void take_turns(Group<Lock>* d_groups, unsigned groups, unsigned locks, unsigned turns,
                           bool equal_turns, unsigned takers, unsigned* d_turns,
                           volatile State* d_states) {
    if (threadIdx.x >= takers) {
        return;
    }
    Group<Lock>& group = d_groups[blockIdx.x % groups];
    const unsigned thread = blockIdx.x * takers + threadIdx.x;
    if (!equal_turns) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived(group.arrived);
        arrived.fetch_add(1, cuda::memory_order_relaxed);
        while (arrived.load(cuda::memory_order_relaxed) < gridDim.x / groups * takers) {
            __nanosleep(lock_pause_ns);
        }
    }
    unsigned unequal = 0;
    unsigned mine = 0;
    while (equal_turns ? mine < turns : atomicAdd(&group.begun, 1u) < turns) {
        if (locks == 1) {
            d_states[thread] = state_of(mine, 0, true);
            Lock::take(group.locks[0]);
            take_a_turn(group.guarded[0], unequal);
            Lock::give(group.locks[0]);
        } else {
            // All pairs in turn. Who holds the lower lock waits for the upper one only, so no ring
            // of threads can wait for each other.
            const unsigned lower = (thread + mine) % (locks - 1);
            const unsigned upper = lower + 1 + (thread / locks + mine / 7) % (locks - 1 - lower);
            d_states[thread] = state_of(mine, lower, true);
            Lock::take(group.locks[lower]);
            d_states[thread] = state_of(mine, upper, true);
            Lock::take(group.locks[upper]);
            take_a_turn(group.guarded[lower], unequal);
            take_a_turn(group.guarded[upper], unequal);
            Lock::give(group.locks[upper]);
            Lock::give(group.locks[lower]);
        }
        d_states[thread] = state_of(++mine, 0, false);
    }
    d_turns[thread] = mine;
    if (unequal != 0) {
        atomicAdd(&group.unequal, unequal);
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

// The states of the threads, which the host can read while the kernel runs: by a stream that does
// not wait for it.
class States {
  public:
    explicit States(std::size_t size) : states_(std::vector<State>(size, 0)), copy_(size) {
        CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    }
    ~States() { static_cast<void>(cudaStreamDestroy(stream_)); }
    States(const States&) = delete;
    States& operator=(const States&) = delete;

    State* data() { return states_.data(); }
    std::vector<State> seen() {
        CHECK(cudaMemcpyAsync(copy_.data(), states_.data(), states_.bytes(), cudaMemcpyDeviceToHost,
                              stream_));
        CHECK(cudaStreamSynchronize(stream_));
        return copy_;
    }

  private:
    DeviceArray<State> states_;
    std::vector<State> copy_;
    cudaStream_t stream_ = nullptr;
};

// While it lives, it ends the process with status 1 if no state changes for too long.
class Watchdog {
  public:
    Watchdog(const std::string& what, const Shape& shape, States& states)
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
    void watch() {
        using Clock = std::chrono::steady_clock;
        const std::chrono::duration<double> limit(watchdog_seconds());
        std::vector<State> last = states_.seen();
        Clock::time_point since = Clock::now();
        std::unique_lock<std::mutex> lock(mutex_);
        while (!changed_.wait_for(lock, limit / 10, [this] { return ended_; })) {
            std::vector<State> now = states_.seen();
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
    States& states_;
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

// How the turns of each group were shared, each thread of which had some of them. Jain's fairness
// index is 1 where all had the same number, and 1/n where one thread of n had them all.
void print_shares(const std::string& what, const std::vector<unsigned>& turns, int groups) {
    double sum = 0;
    double squares = 0;
    for (const unsigned count : turns) {
        sum += count;
        squares += static_cast<double>(count) * count;
    }
    const double of_a_group = sum / groups;
    const auto [least, most] = std::minmax_element(turns.begin(), turns.end());
    std::printf(
        "[fairness] %-28s %4d x %6zu threads: %6.3f %% to %6.3f %% of the turns each, "
        "Jain's index %.3f\n",
        what.c_str(), groups, turns.size() / groups, 100 * *least / of_a_group,
        100 * *most / of_a_group, sum * sum / (static_cast<double>(turns.size()) * squares));
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
    const auto groups = static_cast<unsigned>(shape.groups);
    const auto divided = [](unsigned a, unsigned b) { return (a + b - 1) / b; };
    const unsigned turns =
        divided(acquisitions(), per_turn * (shape.equal_turns ? threads : groups));
    DeviceArray<Group<Lock>> d_groups{std::vector<Group<Lock>>(groups)};
    DeviceArray<unsigned> d_turns(std::vector<unsigned>(threads, 0));
    States states(threads);
    {
        const Watchdog watchdog(what, shape, states);
        take_turns<Lock><<<shape.grid_size(), shape.block_size>>>(
            d_groups.data(), groups, shape.locks, turns, shape.equal_turns,
            static_cast<unsigned>(shape.takers), d_turns.data(), states.data());
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
    }
    const std::vector<unsigned> per_thread = d_turns.to_host();
    const auto all_turns = std::accumulate(per_thread.begin(), per_thread.end(), std::uint64_t{0});
    EXPECT_EQ(all_turns, std::uint64_t{turns} * (shape.equal_turns ? threads : groups));
    std::uint64_t guarded_turns = 0;
    for (const Group<Lock>& group : d_groups.to_host()) {
        for (const Guarded& guarded : group.guarded) {
            guarded_turns += guarded.turns;
            EXPECT_EQ(guarded.turns, guarded.shadow);
        }
        EXPECT_EQ(group.unequal, 0u) << "a holder saw half of what the one before wrote";
    }
    EXPECT_EQ(guarded_turns, per_turn * all_turns) << "turns were lost";
    EXPECT_GE(guarded_turns, acquisitions());
    print_shares(what, per_thread, shape.groups);
}

template <typename Lock>
class ContentionTest : public DeviceTest {
  protected:
    // With as many groups as a GPU holds at a time, if the shape does not say how many.
    void contend(Shape shape) {
        if (!shape.equal_turns && !on_cpu_device) {
            shape.groups = resident_blocks(take_turns<Lock>, shape.block_size) / shape.blocks;
        }
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
    this->contend({"one_lane_per_block", multiprocessor_count(), 32, 1});
}

// All lanes of 33 blocks on an H200: 4,224. A turn takes as long as the requests of all who wait.
// So with four times as many lanes 20 million turns would take 16 times as long: minutes.
TYPED_TEST(ContentionTest, AllLanes) {
    const int multiprocessors = multiprocessor_count();
    const int blocks = on_cpu_device ? 2 * multiprocessors : (multiprocessors + 3) / 4;
    this->contend({"all_lanes", blocks, 128, 128});
}

// The blocks that wait for room start when others have ended, so each needs turns of its own.
TYPED_TEST(ContentionTest, MoreBlocksThanFit) {
    const int fit = resident_blocks(take_turns<TypeParam>, 32);
    const int groups = on_cpu_device ? 1 : 32;
    this->contend({"more_blocks_than_fit", 3 * fit / groups + 1, 32, 4, 1, true, groups});
}

TYPED_TEST(ContentionTest, NestedInOrder) {
    this->contend({"nested_in_order", multiprocessor_count(), 64, 64, max_locks});
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
