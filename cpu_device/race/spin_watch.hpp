// Finds out that threads spin without end. A thread is determined by its own stack and by the
// memory that threads share. If its stack is at some access as it was at an earlier one, and memory
// has not changed in between, it runs through the same steps again and again until memory changes.
// If that is so of every thread that can run, no thread will ever change it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "race/resident_block.hpp"

namespace cpu_device::race {

// How many seconds of CPU time the OS thread has spent.
class Patience {
  public:
    void begin(double seconds);  // these count as spent already
    double look();               // the seconds so far

  private:
    double passed_ = 0, looked_at_ = 0;
};

class SpinWatch {
  public:
    // What may let a thread leave its loop: memory has changed, or a thread has ended.
    void note_change() {
        note_news();
        quiet_accesses_ = quiet_stores_ = 0;
        anew_ = true;
    }
    // The same of what is no memory: a chance, a value from another lane.
    void note_news() {
        ++epoch_;
        repeating_ = repeating_alone_ = 0;
    }
    // And the time. A thread may let much of it pass.
    void note_clock() {
        note_news();
        ++clock_reads_;
    }
    std::uint64_t clock_reads() const { return clock_reads_; }
    // Some have met in a barrier. All repeat still, but none does so without the others.
    void note_barrier() {
        ++barriers_;
        repeating_alone_ = 0;
    }
    // The running thread is about to store there: is that another value?
    void note_store(const volatile void* address, std::size_t bytes) {
        settle();
        if (bytes > sizeof stored_over_) {
            note_change();
            return;
        }
        stored_at_ = address;
        stored_bytes_ = bytes;
        stored_over_ = value_of_store();
    }

    // A thread reads what it has not read since the word's last write: it may go through an array.
    // Of words that no thread has written in this launch there is an end of that, so it does not
    // spin. But who stores the same value again and again finds each time what it has not read.
    void note_new_read(bool is_written) {
        if (!is_written) {
            quiet_accesses_ = 1;
        }
        anew_ = anew_ || !is_written || quiet_stores_ < patience;
    }

    // The running thread is about to make an access, which is only counted as long as there is no
    // need to look at the thread. False: there is.
    bool counts_quickly() {
        settle();
        if (quiet_accesses_ >= patience) {
            return false;
        }
        ++quiet_accesses_;
        return true;
    }
    // Then this one; `frame` is where the stack's part begins that is the kernel's. True: so many
    // threads repeat themselves as there are `runnable` ones.
    bool repeats(ThreadRef running, const volatile void* address, const void* frame,
                 std::size_t runnable);
    std::size_t repeating() const { return repeating_; }
    // Those that repeat themselves without a barrier in between, since the last one in which any
    // have met. If all that can run do, those that wait in barriers wait without end. Else all that
    // are alive must repeat themselves: a thread may count how often it has passed the barrier.
    std::size_t repeating_alone() const { return repeating_alone_; }
    // Stacks tell nothing of a thread that counts how often it has looked. So after a long time in
    // which no word has changed, and all that was read had been read before, this is true too.
    bool seems_endless() {
        return quiet_accesses_ % accesses_between_looks == 0 && has_taken_long();
    }

    // Could another thread of the operating system still change memory? Not if there is none, or if
    // it has had the time.
    bool others_have_had_time();

  private:
    static constexpr std::uint64_t patience = 20'000;  // before stacks are looked at
    static constexpr std::uint64_t accesses_between_looks = 65536;

    [[gnu::always_inline]] void settle() {
        if (stored_bytes_ != 0) {
            settle_store();
        }
    }
    void settle_store() {
        const std::uint64_t value = value_of_store();
        stored_bytes_ = 0;
        if (value != stored_over_) {
            note_change();
        } else {
            ++quiet_stores_;
        }
    }
    std::uint64_t value_of_store() const {
        std::uint64_t value = 0;
        const void* const from = const_cast<const void*>(stored_at_);
        if (stored_bytes_ == sizeof(std::uint32_t)) {  // most often, and without a call
            std::uint32_t word = 0;
            std::memcpy(&word, from, sizeof word);
            value = word;
        } else {
            std::memcpy(&value, from, stored_bytes_);
        }
        return value;
    }
    bool has_taken_long();

    std::uint32_t epoch_ = 1;
    std::uint64_t quiet_accesses_ = 0;
    std::uint64_t quiet_stores_ = 0;  // among them, which have stored what was there
    std::size_t repeating_ = 0, repeating_alone_ = 0;
    std::uint32_t barriers_ = 0;  // in which threads have met
    bool anew_ = true;            // since the last look at the time
    Patience quiet_;
    std::uint64_t clock_reads_before_ = 0;
    std::uint64_t clock_reads_ = 0;
    std::uint32_t waited_epoch_ = 0;  // for which `waited_` holds
    Patience waited_;

    // The store that may be on its way.
    const volatile void* stored_at_ = nullptr;
    std::size_t stored_bytes_ = 0;
    std::uint64_t stored_over_ = 0;
};

}  // namespace cpu_device::race
