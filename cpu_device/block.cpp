// Block: the threads of a block take turns. And the entry points that kernels call.
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <new>

#include "address_sanitizer.hpp"
#include "devices.hpp"
#include "scheduler.hpp"
#include "system.hpp"

__thread uint3 threadIdx;
__thread uint3 blockIdx;
__thread dim3 blockDim;
__thread dim3 gridDim;

namespace cpu_device {

__thread unsigned multiprocessor_number;
__thread SpinCount spin_count;
__thread unsigned row_end;
__thread std::uint64_t last_shared_address;

namespace {

// What this OS thread is running. No thread until one of the block has waited.
__thread Block* this_block = nullptr;
__thread Thread* this_thread = nullptr;

// Set in spin_count.idle_turns while a block has made no progress since it was resumed; the first
// progress, which sets the whole word to 0, clears it.
constexpr unsigned nothing_yet = 1u << 31;

// Dynamic shared memory, then the __shared__ variables, of which there is room for some 3000. Pages
// that are never touched cost nothing.
constexpr std::size_t shared_alignment = 256;
constexpr std::size_t arena_bytes = shared_arena_bytes;

unsigned idle_turns() {
    return spin_count.idle_turns & ~nothing_yet;
}

// Adds one to an index in a box, x first.
void advance(uint3& index, const dim3& size) {
    if (++index.x == size.x) {
        index.x = 0;
        if (++index.y == size.y) {
            index.y = 0;
            ++index.z;
        }
    }
}

inline void must_be_in_kernel(const char* what, const char* file, int line) {
    if (this_block == nullptr) {
        fail("%s:%d: %s is called outside of a kernel", file, line, what);
    }
}

// The running thread, which may have to wait.
__attribute__((always_inline)) inline Thread& caller(const char* what, const char* file, int line) {
    if (this_thread != nullptr) {
        return *this_thread;
    }
    must_be_in_kernel(what, file, line);
    return this_block->leave_loop();
}

}  // namespace

bool in_kernel() {
    return this_block != nullptr;
}

bool first_to_fail() {
    return this_block->is_first_to_fail();
}

void leave_launch() {
    this_block->leave_launch();
}

const LaunchConfig& running_launch() {
    return this_block->config();
}

// --- Block: starting, stopping, waiting -----------------------------------------------------

Block::Block(Multiprocessor& multiprocessor) : multiprocessor_(multiprocessor) {
    arena_.reset(static_cast<char*>(untouched_memory(arena_bytes, "the shared memory of a block")));
    ASAN_POISON_MEMORY_REGION(arena_.get(), arena_bytes);
}

void Block::FreeArena::operator()(char* memory) const {
    ASAN_UNPOISON_MEMORY_REGION(memory, arena_bytes);
    munmap(memory, arena_bytes);
}

void Block::begin(Grid& grid, std::size_t number) {
    const dim3 grid_size = grid.config().grid;
    const std::size_t row = number / grid_size.x;
    grid_ = &grid;
    index_.x = static_cast<unsigned>(number % grid_size.x);
    index_.y = static_cast<unsigned>(row % grid_size.y);
    index_.z = static_cast<unsigned>(row / grid_size.y);

    const unsigned threads = grid.threads_per_block();
    size_ = threads;
    try {
        threads_.resize(threads);
    } catch (const std::bad_alloc&) {
        out_of_memory(threads * sizeof(Thread), "the threads of a block");
    }
    started_ = 0;
    live_ = threads;

    for (const int number_in_use : shared_in_use_) {
        shared_[number_in_use] = nullptr;
    }
    shared_in_use_.clear();
    ASAN_POISON_MEMORY_REGION(arena_.get(), arena_used_);
    arena_used_ = grid.config().dynamic_shared;
    shared_bytes_ = 0;
    ASAN_UNPOISON_MEMORY_REGION(arena_.get(), arena_used_);
    if (arena_used_ > 0) {  // memset() of no bytes takes 50 ns where the page was never touched
        std::memset(arena_.get(), fresh_memory, arena_used_);
    }
}

// The fiber that runs next: of a thread not yet started, else of the thread that can run and has
// waited longest. None if there is no such thread, or if all of them have had a turn in vain.
inline Fiber* Block::next_fiber() {
    if (started_ < size_) {
        return &multiprocessor_.fibers.take();
    }
    if (ready_.empty() || idle_turns() > ready_.size()) {
        return nullptr;
    }
    Fiber* const fiber = ready_.pop();
    if (const Fiber* const soon = ready_.first()) {
        // A large block's threads do not fit into the first-level cache: fetch the stack that is
        // needed after this one.
        __builtin_prefetch(soon->context);
        __builtin_prefetch(static_cast<const char*>(soon->context) + 64);
    }
    return fiber;
}

Block::Outcome Block::run() {
    this_block = this;
    blockDim = grid_->config().block;
    gridDim = grid_->config().grid;
    row_end = started_ == 0 ? blockDim.x : 0;
    enter();
    Outcome outcome = Outcome::ended;
    while (live_ > 0) {
        if (grid_->failed) {
            outcome = Outcome::idle;  // it will not be run again
            break;
        }
        if (Fiber* const fiber = next_fiber()) {
            switch_to(*fiber);
        } else if (!complete_active_masks()) {
            if (ready_.empty()) {
                report_deadlock();
            }
            outcome =
                spin_count.idle_turns & nothing_yet ? Outcome::idle_throughout : Outcome::idle;
            break;
        }
    }
    this_block = nullptr;
    this_thread = nullptr;
    return outcome;
}

const LaunchConfig& Block::config() const {
    return grid_->config();
}

// Other multiprocessors see it before their next block, or when all of their blocks wait.
bool Block::is_first_to_fail() {
    grid_->leave_out_the_rest();
    return !grid_->failed.exchange(true);
}

// The stacks of this block's threads are never gone back to.
void Block::leave_launch() {
    switch_to(multiprocessor_.main);
    __builtin_unreachable();
}

void Block::enter() {
    blockIdx = index_;
    threadIdx = {0, 0, 0};
    spin_count = {full_patience, nothing_yet};
}

inline bool Block::start_thread(Fiber& fiber) {
    if (started_ == size_) {
        return false;
    }
    Thread& thread = threads_[started_];
    thread.number = static_cast<std::uint16_t>(started_++);
    thread.index[0] = static_cast<std::uint16_t>(next_index_.x);
    thread.index[1] = static_cast<std::uint16_t>(next_index_.y);
    thread.index[2] = static_cast<std::uint16_t>(next_index_.z);
    thread.fiber = &fiber;
    thread.state = State::running;
    made_progress();
    multiprocessor_.count_turn();
    this_thread = &thread;
    threadIdx = next_index_;
    advance(next_index_, blockDim);
    return true;
}

void Block::fiber_main() {
    Fiber& self = *running_fiber;
    for (;;) {
        Block& block = *this_block;
        if (row_end != 0 || block.start_thread(self)) {
            block.grid_->thread_loop();
        }
        Multiprocessor& multiprocessor = block.multiprocessor_;
        multiprocessor.fibers.give_back(self);
        Fiber* const next = block.next_fiber();
        switch_to(next != nullptr ? *next : multiprocessor.main);
    }
}

inline bool Block::next_thread() {
    if (row_end != 0) {
        return next_row();
    }
    end_thread(*this_thread);
    return start_thread(*running_fiber);
}

// No thread of the block has waited so far. After its last one comes the next block, if this
// multiprocessor has no other that waits for its turn.
bool Block::next_row() {
    multiprocessor_.count_turn();
    threadIdx.x = 0;
    if (++threadIdx.y < blockDim.y) {
        return true;
    }
    threadIdx.y = 0;
    if (++threadIdx.z < blockDim.z) {
        return true;
    }
    std::size_t number = 0;
    if (multiprocessor_.take_next_block(*grid_, number)) {
        begin(*grid_, number);
        enter();
        return true;
    }
    started_ = size_;
    live_ = 0;
    return false;
}

// Gives every thread its record: those before this one have ended.
Thread& Block::leave_loop() {
    row_end = 0;
    next_index_ = threadIdx;
    started_ = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    live_ = size_ - started_;
    for (unsigned warp = 0; warp < (size_ + 31) / 32; ++warp) {
        warps_[warp] = {};
    }
    if (size_ % 32 != 0) {
        warps_[size_ / 32].ended = ~0u << size_ % 32;  // lanes that do not exist
    }
    for (unsigned ended = 0; ended < started_; ++ended) {
        threads_[ended].state = State::ended;
        warps_[ended / 32].ended |= 1u << ended % 32;
    }
    Thread& me = threads_[started_];
    start_thread(*running_fiber);
    return me;
}

// A thread that has ended is not waited for any more, neither in barriers nor in warp functions.
void Block::end_thread(Thread& thread) {
    thread.state = State::ended;
    --live_;
    made_progress();
    if (!at_barrier_.empty() && at_barrier_.size() == live_) {
        complete_barrier();
    }
    Warp& warp = warps_[thread.number / 32];
    warp.ended |= 1u << thread.number % 32;
    for (unsigned lanes = warp.waiting; lanes != 0; lanes &= lanes - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(lanes));
        const Thread& waiting = threads_[thread.number / 32 * 32 + lane];
        if ((warp.waiting >> lane & 1) != 0) {
            complete_warp_function(thread.number / 32, waiting.mask, nullptr);
        }
    }
}

// The running thread cannot go on: runs others until one wakes it and its turn comes. Inline
// for speed: with Boost's switch, the processor predicts every return after it wrongly.
__attribute__((always_inline)) inline void Block::wait(Thread& me) {
    Fiber* const next = next_fiber();
    if (next != me.fiber) {
        switch_to(next != nullptr ? *next : multiprocessor_.main);
        me.state = State::running;
        multiprocessor_.count_turn();
        this_thread = &me;
        threadIdx = {me.index[0], me.index[1], me.index[2]};
    }
}

// --- Block: what threads wait for -----------------------------------------------------------

__attribute__((always_inline)) inline unsigned Block::barrier(Thread& me, bool predicate,
                                                              Place place) {
    predicates_ += predicate ? 1 : 0;
    if (at_barrier_.size() + 1 == live_) {
        complete_barrier();
    } else {
        at_barrier_.push(me.fiber);
        me.state = State::at_barrier;
        me.place = place;
        wait(me);
    }
    return barrier_result_;
}

// The last thread to come goes on; the others become ready in the order in which they came.
void Block::complete_barrier() {
    barrier_result_ = predicates_;
    predicates_ = 0;
    ready_.push_all(at_barrier_);
    made_progress();
}

// The thread's mask, operation, value and source are set.
__attribute__((always_inline)) inline std::uint64_t Block::warp_function(Thread& me, Place place) {
    const unsigned lane = me.number % 32;
    if ((me.mask >> lane & 1) == 0) {
        if (me.mask == 0) {
            fail(
                "%s:%d: the mask of a warp function is 0 in thread %u (lane %u): it names no lane, "
                "so no thread may call the function",
                place.file, place.line, me.number, lane);
        }
        fail("%s:%d: thread %u (lane %u) is not in the mask 0x%08x of its own warp function",
             place.file, place.line, me.number, lane, me.mask);
    }
    warps_[me.number / 32].waiting |= 1u << lane;
    if (!complete_warp_function(me.number / 32, me.mask, &me)) {
        me.state = State::in_warp_function;
        me.place = place;
        wait(me);
    }
    return me.result;
}

// Wakes the lanes of `mask` but for `last`, if all have come.
bool Block::complete_warp_function(unsigned warp, unsigned mask, const Thread* last) {
    Thread* const lanes = &threads_[0] + warp * 32;
    const unsigned group = cpu_device::complete_warp_function(warps_[warp], mask, lanes);
    if (group == 0) {
        return false;
    }
    for (unsigned left = group; left != 0; left &= left - 1) {
        Thread* const lane = &lanes[__builtin_ctz(left)];
        if (lane != last) {
            ready_.push(lane->fiber);
        }
    }
    made_progress();
    return true;
}

unsigned Block::active_mask(Thread& me, Place place) {
    me.state = State::in_active_mask;
    me.place = place;
    ++in_active_mask_;
    wait(me);
    return static_cast<unsigned>(me.result);
}

// Called when nothing else can run: the lanes of a warp that stand at one line are active together.
bool Block::complete_active_masks() {
    if (in_active_mask_ == 0) {
        return false;
    }
    in_active_mask_ = 0;
    for (Thread& me : threads_) {
        if (me.state != State::in_active_mask) {
            continue;
        }
        const unsigned first = me.number / 32 * 32;
        unsigned group = 0;
        for (unsigned i = first; i < threads_.size() && i < first + 32; ++i) {
            const Thread& other = threads_[i];
            const bool same = other.state == State::in_active_mask &&
                              other.place.line == me.place.line &&
                              std::strcmp(other.place.file, me.place.file) == 0;
            group |= unsigned{same} << (i - first);
        }
        for (unsigned i = first; i < threads_.size() && i < first + 32; ++i) {
            if ((group >> (i - first) & 1) != 0) {
                threads_[i].result = group;
                threads_[i].state = State::running;
                ready_.push(threads_[i].fiber);
            }
        }
    }
    made_progress();
    return true;
}

// The running thread got nowhere: the others have a turn first.
void Block::spin(Thread& me, const volatile void* address, Place place) {
    me.state = State::spinning;
    me.place = place;
    me.value = reinterpret_cast<std::uintptr_t>(address);
    spin_count.patience = full_patience;
    ++spin_count.idle_turns;
    ready_.push(me.fiber);
    wait(me);
    me.state = State::running;
}

// --- shared memory --------------------------------------------------------------------------

inline void* Block::shared_storage(SharedVariable& variable, const char* name) {
    const auto number =
        static_cast<std::size_t>(__atomic_load_n(&variable.number, __ATOMIC_RELAXED));
    if (number < shared_.size() && shared_[number] != nullptr) {
        return shared_[number];
    }
    return new_shared_storage(variable, name);
}

// The first time that the block asks for the variable.
void* Block::new_shared_storage(SharedVariable& variable, const char* name) {
    int number = __atomic_load_n(&variable.number, __ATOMIC_RELAXED);
    if (number == 0) {
        static std::mutex mutex;
        static int numbers = 0;
        const std::lock_guard<std::mutex> lock(mutex);
        number = variable.number != 0 ? variable.number : ++numbers;
        __atomic_store_n(&variable.number, number, __ATOMIC_RELAXED);
    }
    if (static_cast<std::size_t>(number) >= shared_.size()) {
        shared_.resize(number + 1, nullptr);
    }
    shared_bytes_ += variable.bytes;
    if (shared_bytes_ > shared_bytes_per_block) {
        fail("kernel %s: with %s, its __shared__ variables take %zu bytes; a block has %zu",
             grid_->config().kernel, name, shared_bytes_, shared_bytes_per_block);
    }
    // At least a byte stays free before each, for AddressSanitizer to guard.
    arena_used_ = (arena_used_ / shared_alignment + 1) * shared_alignment;
    if (arena_used_ + variable.bytes > arena_bytes) {
        fail("kernel %s: too many __shared__ variables; there is no room for %s",
             grid_->config().kernel, name);
    }
    char* const storage = arena_.get() + arena_used_;
    ASAN_UNPOISON_MEMORY_REGION(storage, variable.bytes);
    std::memset(storage, fresh_memory, variable.bytes);
    arena_used_ += variable.bytes;
    shared_[number] = storage;
    shared_in_use_.push_back(number);
    return storage;
}

// --- global memory --------------------------------------------------------------------------

void* take_device_memory(std::size_t bytes) {
    void* memory = nullptr;  // of just this size, so that AddressSanitizer knows where it ends
    std::size_t alignment = 256;
#if !defined(__SANITIZE_ADDRESS__)
    if (device_count() > 1) {  // whole pages, which can be hidden from another device's launch
        alignment = 4096;
        bytes = (bytes + alignment - 1) / alignment * alignment;
    }
#endif
    return posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}

void give_back_device_memory(void* memory) {
    std::free(memory);
}

void note_failed_free(const void*) {}

void host_wrote(void*, const void*, std::size_t) {}

bool is_given_back(const void*) {
    return false;
}

// --- the entry points -----------------------------------------------------------------------

unsigned block_barrier(bool predicate, const char* file, int line, const char* function) {
    Thread& me = caller("__syncthreads()", file, line);
    return this_block->barrier(me, predicate, Place(file, line, function));
}

std::uint64_t warp_function(WarpOp op, unsigned mask, std::uint64_t value, unsigned source,
                            const char* file, int line, const char* function) {
    Thread& me = caller("a warp function", file, line);
    me.op = op;
    me.mask = mask;
    me.value = value;
    me.source = source % 32;
    return this_block->warp_function(me, Place(file, line, function));
}

unsigned active_mask(Place place) {
    Thread& me = caller("__activemask()", place.file, place.line);
    return this_block->active_mask(me, place);
}

void give_way(Place place) {
    Thread& me = caller("__nanosleep()", place.file, place.line);
    this_block->spin(me, nullptr, place);
}

long long clock_ticks() {
    return nanoseconds_now();
}

// On a CPU a block runs on one OS thread, so block scope needs the compiler's order only.
void memory_fence(Order order, Scope scope) {
    if (scope == Scope::block) {
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    } else {
        __atomic_thread_fence(static_cast<int>(order));
    }
}

// A thread spins if it probes the same few words over and over and finds the same there. Probes of
// ever other words, as in a search, cost little patience.
void changed_nothing(const volatile void* address, std::uint64_t seen, std::uint64_t wanted,
                     const char* file, int line, const char* function) {
    if (!in_kernel()) {
        return;
    }
    static __thread uint3 prober;
    if (row_end != 0 &&
        (threadIdx.x != prober.x || threadIdx.y != prober.y || threadIdx.z != prober.z)) {
        spin_count.patience = full_patience;  // a thread of the loop starts with it too
        prober = threadIdx;
    }
    static __thread std::uint64_t recent[4];
    static __thread unsigned oldest;
    const std::uint64_t probe = (reinterpret_cast<std::uintptr_t>(address) * 0x9e3779b97f4a7c15u) ^
                                (seen * 0xc2b2ae3d27d4eb4fu) ^ (wanted * 0x165667b19e3779f9u);
    const bool repeated =
        probe == recent[0] || probe == recent[1] || probe == recent[2] || probe == recent[3];
    if (!repeated) {
        recent[oldest++ % 4] = probe;
    }
    spin_count.patience -= repeated ? full_patience / 4 : 1;
    if (spin_count.patience <= 0) {
        this_block->spin(caller("an atomic", file, line), address, Place(file, line, function));
    }
}

bool next_thread() {
    return this_block->next_thread();
}

void* shared_storage(SharedVariable& variable, const char* name) {
    must_be_in_kernel(name, "__shared__", 0);
    return this_block->shared_storage(variable, name);
}

void* dynamic_shared_storage() {
    must_be_in_kernel("dynamic shared memory", "__shared__", 0);
    return this_block->dynamic_shared();
}

}  // namespace cpu_device
