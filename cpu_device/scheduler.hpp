// How threads get their turn. The names are a GPU's:
//
//   Grid             one launch: which block is next
//   Multiprocessor   an OS thread. It runs its resident blocks one at a time, and takes another
//                    when all of them only wait: as a GPU hides one warp's waiting by another's
//                    work
//   Block            its threads, barrier, warps and shared memory
//   Thread           a CUDA thread: where it is and what it waits for
//
// Threads are run by fibers. They start lazily: one fiber runs thread after thread, and a further
// fiber is needed only when a thread has to wait in the middle. Until one does, the block's threads
// are no more than the values of threadIdx in a loop (thread_loop() in launch.h).
#pragma once

#include <time.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "cpu_device/runtime.h"
#include "fiber.hpp"

namespace cpu_device {

enum class State : unsigned char {
    running,  // or ready to
    spinning,
    at_barrier,
    in_warp_function,
    in_active_mask,
    ended,
};

// One cache line each: a barrier touches every thread of a block.
struct alignas(64) Thread {
    Fiber* fiber;
    std::uint16_t number;    // in the block, x first
    std::uint16_t index[3];  // threadIdx
    State state;
    WarpOp op;            // in a warp function: what it came with, and what it gets
    std::uint8_t source;  // lane
    unsigned mask;
    std::uint64_t value;
    std::uint64_t result;
    Place place;  // of the call that it waits in; spinning: `value` is the address
};
static_assert(sizeof(Thread) == 64, "one cache line");

inline bool is_shuffle(WarpOp op) {
    return op >= WarpOp::shuffle && op <= WarpOp::shuffle_xor;
}
inline bool is_vote(WarpOp op) {
    return op >= WarpOp::ballot && op <= WarpOp::all;
}

// Lanes are bits here.
struct Warp {
    unsigned ended = 0;
    unsigned waiting = 0;  // in a warp function
};
// If every lane of `mask` that has not ended has come with this mask and the same operation: gives
// each its result, and returns these lanes, which wait no more; otherwise 0. All results at once,
// before any of the lanes can come again. threads[i] is lane i.
unsigned complete_warp_function(Warp& warp, unsigned mask, Thread* threads);

// Fibers of threads that can run, or that wait at the barrier: first come, first served. None is in
// two queues.
class Queue {
  public:
    bool empty() const { return first_ == nullptr; }
    unsigned size() const { return size_; }
    const Fiber* first() const { return first_; }
    void push(Fiber* fiber) {
        fiber->next = nullptr;
        (empty() ? first_ : last_->next) = fiber;
        last_ = fiber;
        ++size_;
    }
    Fiber* pop() {
        Fiber* const fiber = first_;
        first_ = fiber->next;
        --size_;
        return fiber;
    }
    // All of another queue, which is empty then.
    void push_all(Queue& other) {
        if (!other.empty()) {
            (empty() ? first_ : last_->next) = other.first_;
            last_ = other.last_;
            size_ += other.size_;
            other = {};
        }
    }

  private:
    Fiber* first_ = nullptr;
    Fiber* last_ = nullptr;
    unsigned size_ = 0;
};

class Grid;
class Multiprocessor;

class Block {
  public:
    explicit Block(Multiprocessor& multiprocessor);
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    void begin(Grid& grid, std::size_t number);

    // Runs threads until all have ended, or all that have not merely wait.
    enum class Outcome { ended, idle, idle_throughout };
    Outcome run();

    // The running thread has ended: on to the next, if there is one.
    bool next_thread();
    // The running thread is the block's first to wait: from now on, each has a record.
    Thread& leave_loop();

    // Called by the running thread, `me`.
    unsigned barrier(Thread& me, bool predicate, Place place);
    std::uint64_t warp_function(Thread& me, Place place);
    unsigned active_mask(Thread& me, Place place);
    void spin(Thread& me, const volatile void* address, Place place);
    void* shared_storage(SharedVariable& variable, const char* name);
    void* dynamic_shared() const { return arena_.get(); }

    // The running thread has failed, and the launch with it.
    bool is_first_to_fail();
    [[noreturn]] void leave_launch();
    const LaunchConfig& config() const;

    // What a fiber does: thread after thread of whatever block is running.
    static void fiber_main();

    // Who waits where.
    void describe() const;

  private:
    [[noreturn]] void report_deadlock() const;

    struct FreeArena {
        void operator()(char* memory) const;
    };

    void enter();
    bool next_row();
    bool start_thread(Fiber& fiber);
    void end_thread(Thread& thread);
    void wait(Thread& me);
    Fiber* next_fiber();
    void complete_barrier();
    bool complete_warp_function(unsigned warp, unsigned mask, const Thread* last);
    bool complete_active_masks();
    void* new_shared_storage(SharedVariable& variable, const char* name);

    Multiprocessor& multiprocessor_;
    Grid* grid_ = nullptr;
    uint3 index_{};  // blockIdx

    std::vector<Thread> threads_;
    unsigned size_ = 0;     // number of threads
    unsigned started_ = 0;  // threads started so far, in order
    unsigned live_ = 0;     // threads that have not ended
    uint3 next_index_{};    // threadIdx of the next to start
    Queue ready_;
    Queue at_barrier_;
    unsigned predicates_ = 0;      // true ones that have come to the barrier
    unsigned barrier_result_ = 0;  // of the barrier completed last
    unsigned in_active_mask_ = 0;
    Warp warps_[32];

    // Dynamic shared memory, then the __shared__ variables.
    std::unique_ptr<char, FreeArena> arena_;
    std::size_t arena_used_ = 0;
    std::size_t shared_bytes_ = 0;    // of the __shared__ variables
    std::vector<void*> shared_;       // by SharedVariable::number
    std::vector<int> shared_in_use_;  // those numbers that have storage
};

double seconds_now();

// Says so, once a launch, when it will take a minute or more, by the time that the blocks so far
// have taken. It looks when 1, 2, 4, 8, ... blocks have been started, so it costs nothing.
class Forecast {
  public:
    void block_ended(const LaunchConfig& config, std::size_t blocks, std::size_t started);

  private:
    const double begin_ = seconds_now();
    std::atomic<std::size_t> next_look_{1};
};

// One launch.
class Grid {
  public:
    Grid(const LaunchConfig& config, void (*threads)(const void*), const void* closure);
    // It may run on this many OS threads; on the caller's alone if this is not said.
    void set_os_threads(std::size_t os_threads);

    const LaunchConfig& config() const { return config_; }
    unsigned threads_per_block() const { return threads_per_block_; }
    std::size_t blocks() const { return blocks_; }
    std::size_t blocks_per_os_thread() const { return blocks_per_os_thread_; }
    void thread_loop() const { threads_(closure_); }

    // The number of a block that has not run yet; false when there is none.
    bool take_block(std::size_t& number) {
        const std::size_t taken = next_block_.fetch_add(1, std::memory_order_relaxed);
        number = taken < blocks_ / 2 ? taken : taken + left_out_;
        return taken < blocks_;
    }
    std::size_t blocks_not_started() const;
    void block_ended() { forecast_.block_ended(config_, blocks_, blocks_ - blocks_not_started()); }

    // Multiprocessors that take part, with those that are yet to come; those whose blocks all spin.
    std::atomic<int> taking_part{1};
    std::atomic<int> stuck{0};
    std::atomic<unsigned> next_multiprocessor{0};
    std::atomic<unsigned> progress{0};  // changes whenever a stuck one gets on, or a block ends
    // A multiprocessor has tried in vain since `progress` had this value. Have all that take part?
    void give_up(unsigned progress);
    bool all_gave_up(unsigned progress) const;
    std::atomic<bool> deadlocked{false};
    std::atomic<int> reported{0};  // multiprocessors that have described their blocks
    // A thread has failed: the launch ends, with threads that have not run to their end.
    std::atomic<bool> failed{false};
    void leave_out_the_rest() { next_block_ = blocks_; }

  private:
    LaunchConfig config_;
    void (*threads_)(const void*);
    const void* closure_;
    unsigned threads_per_block_;
    std::size_t blocks_;        // that run
    std::size_t left_out_ = 0;  // in the middle: see first_and_last_blocks.hpp
    std::size_t blocks_per_os_thread_;
    std::atomic<std::size_t> next_block_{0};
    // A value of `progress`, and how many gave up at it.
    std::atomic<std::uint64_t> given_up_{0};
    static std::uint64_t given_up_at(unsigned progress, std::uint64_t given_up) {
        return given_up >> 32 == progress ? given_up & 0xffff'ffff : 0;
    }
    Forecast forecast_;
};

// While it lives, an access of its OS thread to an address without memory makes the kernel fail.
class IllegalAddressCatcher {
  public:
    IllegalAddressCatcher();
    ~IllegalAddressCatcher();
    IllegalAddressCatcher(const IllegalAddressCatcher&) = delete;
    IllegalAddressCatcher& operator=(const IllegalAddressCatcher&) = delete;

  private:
    void* stack_ = nullptr;  // for signals
};

class Multiprocessor {
  public:
    Multiprocessor() : main(fiber_of_os_thread()), fibers(Block::fiber_main) {}

    // Runs blocks of the grid until none is left to take. Nothing may be thrown out of it, since
    // other OS threads use the grid too: without memory for it, the program ends.
    void run(Grid& grid) noexcept;

    // The number of a block to run after one that has ended, where no other waits for its turn.
    bool take_next_block(Grid& grid, std::size_t& number) const {
        grid.block_ended();
        return resident_.empty() && grid.take_block(number);
    }

    // A thread has started, or goes on. Counted for the watchdog of another OS thread.
    void count_turn() {
        turns_.store(turns_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
    // For the watchdog: changes with every turn, and with every thread of a row.
    std::uint64_t turns() const {
        return std::uint64_t{turns_.load(std::memory_order_relaxed)} << 32 |
               __atomic_load_n(x_, __ATOMIC_RELAXED);
    }

    Fiber main;
    FiberPool fibers;

  private:
    IllegalAddressCatcher illegal_addresses_;
    std::unique_ptr<Block> new_block();
    void wait_for_others(Grid& grid);
    [[noreturn]] void report_deadlock(Grid& grid);
    void leave_stuck_state(Grid& grid);
    void see_progress(unsigned progress);

    std::vector<std::unique_ptr<Block>> resident_;
    std::vector<std::unique_ptr<Block>> unused_;
    std::atomic<unsigned> turns_{0};
    const unsigned* const x_ = &threadIdx.x;  // of this OS thread
    bool stuck_ = false;
    unsigned progress_seen_ = 0;
    unsigned fruitless_rounds_ = 0;
    unsigned rounds_since_progress_ = 0;  // all of them fruitless
    bool gave_up_ = false;                // since then
    double stuck_since_ = 0;
};

// How many blocks of this shape a multiprocessor holds at a time.
std::size_t resident_blocks(std::size_t threads_per_block, std::size_t shared_bytes);

// How many multiprocessors the device has: CPU_DEVICE_THREADS, or as many as the process may use
// CPUs. Each is an OS thread. Where fewer of those can be started, each does the work of several.
int multiprocessor_count();

// How long all threads may wait in vain before it is called a deadlock:
// CPU_DEVICE_DEADLOCK_SECONDS, or 5.
double deadlock_seconds();

// Says so, once a launch, when one thread runs for twice that time (the time of its OS thread on a
// CPU: it may have to wait for one) without ending or giving way: it may spin on a variable that is
// not atomic, which the scheduler cannot see.
class Watched {
  public:
    Watched(const Multiprocessor& multiprocessor, const LaunchConfig& config);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

  private:
    friend void watch();
    const Multiprocessor& multiprocessor_;
    const LaunchConfig& config_;
    clockid_t clock_;  // the OS thread's
    std::uint64_t turns_seen_;
    double since_;
    bool reported_ = false;
};

// Who waits where: one line for each group of neighboring threads that do the same.
std::string describe_threads(const uint3& block, const Thread* threads, std::size_t count);

// Memory for cudaMalloc, aligned to 256 bytes, and its end. Null when there is none left.
void* take_device_memory(std::size_t bytes);
void give_back_device_memory(void* memory);
// The host wants to free this, and it is not the begin of memory that it has.
void note_failed_free(const void* pointer);
// The host has filled memory, by a copy or (from: null) in another way. Race mode keeps account.
void host_wrote(void* to, const void* from, std::size_t bytes);
// Memory that was given back, or next to what was taken, as far as the back-end knows.
bool is_given_back(const void* memory);
// Memory of the host that the program has registered for the device.
bool is_registered(const void* memory);

// False, and the last error is set, where a GPU would refuse the launch.
bool acceptable(const LaunchConfig& config);
// The launch has ended. The same where its kernel has refused it: see exceeds_launch_bounds().
void look_at_launch_bounds(const LaunchConfig& config);

// The running thread has failed as a GPU reports it: the launch ends, and from the next call of the
// host API on, the program gets this cudaError_t. The message is printed, of one thread in a
// launch.
[[noreturn]] void kernel_fails(int error, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
void keep_error_of_kernel(int error);
// What each back-end does for it. First: is it the first thread of its launch?
bool first_to_fail();
[[noreturn]] void leave_launch();
const LaunchConfig& running_launch();

// Prints what is wrong and ends the program by abort().
[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

// The limits of a device of today.
constexpr unsigned max_multiprocessors = 256;
constexpr unsigned max_threads_per_block = 1024;
constexpr unsigned max_threads_per_multiprocessor = 2048;
constexpr unsigned max_blocks_per_multiprocessor = 32;
constexpr std::size_t shared_bytes_per_block = 48 * 1024;         // unless a kernel asks for more
constexpr std::size_t shared_bytes_per_block_optin = 227 * 1024;  // the most it can ask for
constexpr std::size_t shared_bytes_per_multiprocessor = 228 * 1024;
constexpr unsigned char fresh_memory = 0xc5;  // as a float -6.3e3, as an int -1e9: never lucky

}  // namespace cpu_device
