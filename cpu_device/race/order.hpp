// What puts two accesses in order: the rules of CUDA's memory model, by vector clocks. README.md
// beside this file has them in words.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "cpu_device/atomic_access.h"

namespace cpu_device::race {

// A place in the source: a file and a line, or (line 0) the address of an instruction.
struct Where {
    const void* at;
    int line;
    bool operator==(const Where& other) const { return at == other.at && line == other.line; }
};

// For each thread slot of the launch, how far that thread's past is known. Copies share their
// memory until one of them changes: a barrier gives all its threads the same clock.
class VectorClock {
  public:
    bool empty() const { return times_ == nullptr; }
    std::uint32_t of(std::size_t slot) const {
        return times_ != nullptr && slot < times_->size() ? (*times_)[slot] : 0;
    }
    void set(std::size_t slot, std::uint32_t time) { own(slot + 1)[slot] = time; }
    void join(const VectorClock& other);

  private:
    std::uint32_t* own(std::size_t size);
    std::shared_ptr<std::vector<std::uint32_t>> times_;
};

// What is known of a thread.
struct Clocks {
    std::uint32_t slot = 0;
    std::uint32_t time = 0;  // its own counter: what it does from here on, nobody has seen yet
    std::uint32_t block = 0, thread = 0;
    VectorClock past;                         // of others: all that happens before its next access
    VectorClock read_device, read_block;      // seen by relaxed reads, until a fence
    VectorClock fenced_device, fenced_block;  // its past at its last release fence

    bool knows(std::uint32_t slot_, std::uint32_t time_) const {
        return slot_ == slot || past.of(slot_) >= time_;
    }
};

// What an atomic location carries from those who wrote it to those who read it: for atomics of
// device scope and wider, and for those within one block.
struct Location {
    VectorClock device;
    std::map<std::uint32_t, VectorClock> in_block;

    void clear() {
        device = {};
        in_block.clear();
    }
};

// What to assume of all atomics and fences, to find out what is missing.
struct Assume {
    bool device, release, acquire;
};

// A thread starts in a slot, and comes after the thread that had the slot before.
void begin(Clocks& me, std::uint32_t slot, std::uint32_t time, std::uint32_t block,
           std::uint32_t thread);
void fence(Clocks& me, Order order, Scope scope);
// A barrier of these threads.
void synchronize(const std::vector<Clocks*>& threads);
// The two halves of an atomic access: what it reads, before the check for races, and what it
// writes, after that.
void atomic_reads(Clocks& me, const Location& location, Order order, Scope scope,
                  Assume assume = {});
void atomic_is_done(Clocks& me, Location& location, AtomicKind kind, Order order, Scope scope,
                    std::size_t word, Where where);
// A plain write ends what the location carries.
void plain_write_at(Clocks& me, Location& location, std::size_t word);
void forget_order();  // the launch has ended

// What would have put (slot, time) before the next access of `now`: the least assumption, and the
// atomics that would have carried the order. These are the earlier thread's next write, and the
// last read of `now`, or of another thread of its block. False if no assumption would.
struct Missing {
    Assume order;
    Where signal, answer;
    std::uint32_t answering_thread;
};
bool what_is_missing(std::uint32_t slot, std::uint32_t time, const Clocks& now, Missing& missing);

}  // namespace cpu_device::race
