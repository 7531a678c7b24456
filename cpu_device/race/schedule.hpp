// Who runs next. Everything is drawn by a generator that a seed starts, so that a run repeats
// exactly.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "race/resident_block.hpp"

namespace cpu_device::race {

// No single policy finds every fault: drawn at random, threads stay close together, and none is
// ever far ahead of another or far behind.
enum class Policy {
    random,
    starve,            // one thread, warp or block runs only where no other can use its turn
    starve_first,      // the same with the grid's first thread, which often has a part of its own
    run_ahead,         // one thread, warp or block runs whenever it can
    priority,          // each thread has a priority, which falls now and then: the highest runs
    reverse_priority,  // the same, and the last thread of the grid has the highest
    after_atomics,     // first come, first served; who has changed a word by an atomic goes last
    reverse_blocks,    // the same, and the last block starts first
};

// Threads that can run, the one that has waited longest first until one is taken from the middle.
// Each has a key, by which the policy looks for it: so no search has to go to the threads.
class ReadyThreads {
  public:
    bool empty() const { return size() == 0; }
    std::size_t size() const { return all_.size() - first_; }
    ThreadRef operator[](std::size_t index) const { return all_[first_ + index].thread; }
    void clear() {
        all_.clear();
        highest_.clear();
        first_ = 0;
    }
    // Is with_highest_key() asked for, and take_first() not? While there are no threads.
    void order_by_key(bool order) { by_key_ = order; }
    void push_back(ThreadRef thread, std::int64_t key) {
        all_.push_back({thread, key});
        if (by_key_) {
            note_key((all_.size() - 1) / group, key);
        }
    }
    ThreadRef take_first() {
        const ThreadRef taken = all_[first_++].thread;
        if (first_ * 2 > all_.size()) {
            all_.erase(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(first_));
            first_ = 0;
        }
        return taken;
    }
    ThreadRef take(std::size_t index) {  // the last one gets its place
        const ThreadRef taken = all_[first_ + index].thread;
        all_[first_ + index] = all_.back();
        all_.pop_back();
        if (by_key_) {
            look_again(all_.size() / group);
            look_again((first_ + index) / group);
        }
        if (empty()) {
            clear();
        }
        return taken;
    }
    std::size_t with_highest_key() const {
        const auto found = std::max_element(highest_.begin(), highest_.end()) - highest_.begin();
        const auto first = all_.begin() + found * static_cast<std::ptrdiff_t>(group);
        return index_of(std::find_if(first, all_.end(), [&](const Entry& one) {
            return one.key == highest_[static_cast<std::size_t>(found)];
        }));
    }
    // The first one of those that have it.
    std::size_t with_key(std::int64_t key) const {
        return index_of(
            std::find_if(begin(), all_.end(), [key](const Entry& one) { return one.key == key; }));
    }

  private:
    struct Entry {
        ThreadRef thread;
        std::int64_t key;
    };
    std::vector<Entry>::const_iterator begin() const {
        return all_.begin() + static_cast<std::ptrdiff_t>(first_);
    }
    std::size_t index_of(std::vector<Entry>::const_iterator one) const {
        return static_cast<std::size_t>(one - begin());
    }

    void note_key(std::size_t number, std::int64_t key) {
        if (number == highest_.size()) {
            highest_.push_back(key);
        } else {
            highest_[number] = std::max(highest_[number], key);
        }
    }
    // The group has changed: all of it is looked at.
    void look_again(std::size_t number) {
        const std::size_t begin = number * group;
        const std::size_t end = std::min(begin + group, all_.size());
        if (begin >= end) {
            highest_.resize(std::min(highest_.size(), number));
            return;
        }
        highest_[number] = all_[begin].key;
        for (std::size_t i = begin + 1; i < end; ++i) {
            highest_[number] = std::max(highest_[number], all_[i].key);
        }
    }

    static constexpr std::size_t group = 32;  // threads, of which the highest key is known
    std::vector<Entry> all_;
    std::vector<std::int64_t> highest_;
    std::size_t first_ = 0;
    bool by_key_ = false;
};

enum class NextStep { plain_access, other };  // of a thread

class Schedule {
  public:
    void set_seed(std::uint64_t seed);
    bool is_seeded() const { return seeded_; }
    std::uint64_t seed() const { return seed_; }
    // A thread for which all others wait lets them look thousands of times before it goes on.
    void make_last_slow(bool slow) { last_is_slow_ = slow; }
    // Is such a thread kept from running now? Then it goes on, and no other one of this launch is
    // slow: those that look have done so for long enough.
    bool ends_slowness() {
        if (slow_turns_taken_ == 0) {
            return false;
        }
        slow_turns_left_ = slow_turns_taken_ = 0;
        return true;
    }

    void begin_launch(std::size_t blocks, unsigned threads_per_block);
    // The number of the block that starts as the launch's first, second, ...
    std::size_t block_to_start(std::size_t started) const;
    void add_block(ResidentBlock& block);  // all its threads can run
    void add_ready(ThreadRef thread) {
        if (chosen_end_ > 0) {
            const bool chosen = is_chosen(thread);
            chosen_ready_ += chosen ? 1 : 0;
            ready_.push_back(thread, chosen ? 1 : 0);
        } else {
            const bool by_key = by_priority() && !thread.block->priorities.empty();
            ready_.push_back(thread, by_key ? thread.block->priorities[thread.thread] : 0);
        }
    }
    // It only polls: it runs seldom while others can.
    void back_off(ThreadRef thread) { backing_off_.push_back(thread); }

    bool none_is_ready() const { return ready_.empty(); }
    std::size_t can_run() const { return ready_.size() + backing_off_.size(); }
    bool none_can_run() const { return ready_.empty() && backing_off_.empty(); }
    const std::vector<ThreadRef>& backing_off() const { return backing_off_; }

    // Takes one of the ready threads or of those that back off? The former while they can run, in
    // 15 of 16 cases; in fewer where only the starved ones can.
    bool draws_a_ready_thread();
    void begin_turn() { free_accesses_ = 0; }  // of any thread
    ThreadRef take_ready();                    // by the policy
    ThreadRef take_backing_off();
    // By the plan. False: all that could run wait without end.
    bool take_planned(ThreadRef& next);

    // The running thread, before its next step: does another one run first? Then it has been put
    // back among those that can run. Seldom after many plain accesses in a row: if one of these
    // races with another access, it does so whichever comes first.
    bool preempts(ThreadRef running, NextStep next) {
        if (next == NextStep::plain_access && free_accesses_ > 0) {
            --free_accesses_;
            return false;
        }
        return preempts_now(running, next);
    }
    // It has changed a word by an atomic: the same question.
    bool preempts_after_atomic(ThreadRef running);
    // It has polled in vain so often: does it back off? Not at once where the policy lets it go on
    // for long; never so where all wait.
    unsigned polls_allowed(ThreadRef running) const { return keeps_polling(running) ? 64 : 4; }
    bool keeps_polling(ThreadRef running) const;

    // Turns of threads that all poll in vain, one after another.
    std::uint64_t count_idle_turn() { return ++idle_turns_; }
    void forget_idle_turns() { idle_turns_ = 0; }
    // Accesses in a row of which none has written.
    void count_access() { ++accesses_since_write_; }
    void note_progress() { idle_turns_ = accesses_since_write_ = 0; }
    bool draws_one_of(std::size_t count) { return draw_below(count) == 0; }

  private:
    bool preempts_now(ThreadRef running, NextStep next);
    std::uint64_t draw();
    std::size_t draw_below(std::size_t count);
    ThreadRef taken(ThreadRef one) {  // from `ready_`
        chosen_ready_ -= chosen_end_ > 0 && is_chosen(one) ? 1 : 0;
        return one;
    }
    bool by_priority() const {
        return policy_ == Policy::priority || policy_ == Policy::reverse_priority;
    }
    bool by_queue() const {
        return policy_ == Policy::after_atomics || policy_ == Policy::reverse_blocks;
    }
    // Threads that only read, as in a loop that waits for a plain word, must not go on without end.
    bool has_gone_on_too_long() const { return accesses_since_write_ > 256; }
    bool has_gone_on_much_too_long() const { return accesses_since_write_ > 10'000; }
    // The same of threads that write, as where a thread counts how often it has looked: whom the
    // policy keeps from running may be the one for whom they wait. So now and then all turns are
    // drawn at random.
    bool is_unfair();
    bool is_chosen(const ThreadRef& one) const {
        const std::size_t slot = one.clocks().slot;
        return slot >= chosen_begin_ && slot < chosen_end_;
    }
    void choose_threads(unsigned threads_per_block);

    std::uint64_t seed_ = 0;
    std::uint64_t random_state_ = 0;
    std::uint64_t next_draw_ = 0;  // in advance, since who runs next hangs on it
    bool seeded_ = false;
    Policy policy_ = Policy::random;
    bool last_is_slow_ = false;

    // Of the launch:
    ReadyThreads ready_;
    std::size_t chosen_ready_ = 0;  // of them
    std::vector<ThreadRef> backing_off_;
    std::uint64_t idle_turns_ = 0, accesses_since_write_ = 0;
    std::size_t blocks_ = 0;
    std::size_t chosen_begin_ = 0, chosen_end_ = 0;  // slots of those that are starved or run ahead
    std::int64_t lowest_priority_ = 0;               // that any thread has been given
    unsigned accesses_per_turn_ = 0;                 // on average, where priorities decide
    std::size_t free_accesses_ = 0;  // plain ones before which the running thread is not stopped
    std::uint64_t unfair_ = 0, unfair_allowed_ = 0;  // since all threads had their turns
    unsigned fair_turns_ = 0;                        // that come next
    std::uint64_t slow_turns_left_ = 0;   // in which a slow thread can be kept from running
    std::uint64_t slow_turns_taken_ = 0;  // in which it has been since it was the last one
};

}  // namespace cpu_device::race
