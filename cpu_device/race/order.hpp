// What puts two accesses in order: the rules of CUDA's memory model, by vector clocks. README.md
// beside this file has them in words.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "cpu_device/atomic_access.h"
#include "race/clock.hpp"
#include "race/where.hpp"

namespace cpu_device::race {

// An atomic object: one place in memory, in one size. By number, from 0.
using Object = std::uint32_t;
constexpr Object no_object = ~Object{0};

// What a thread has done at an object, and a later access of its own there may make use of.
struct AtObject {
    Object object;
    VectorClock device, in_block;
    VectorClock system = {};
};

// What is known of a thread.
struct Clocks {
    std::uint32_t slot = 0;
    std::uint32_t time = 0;  // its own counter: what it does from here on, no one has seen yet
    std::uint32_t block = 0, thread = 0;
    std::uint32_t arena = 0;                  // where its block's shared memory is
    VectorClock past;                         // of others: all that happens before its next access
    VectorClock read_device, read_block;      // seen by relaxed reads, until a fence
    VectorClock fenced_device, fenced_block;  // its past at its last release fence
    VectorClock read_system, fenced_system;   // as these; only if there are several devices
    // What its sequentially consistent fences have from those before them. It says which values a
    // load may find, where they are drawn. It is no order for the check for races: who has come
    // first is an accident.
    VectorClock fences_before;
    std::vector<AtObject> read_at;      // relaxed reads, until an acquire at the same object
    std::vector<AtObject> released_at;  // its past at its last release at the object

    bool knows(std::uint32_t slot_, std::uint32_t time_) const {
        return slot_ == slot || past.of(slot_) >= time_;
    }
};

// What an atomic location carries from those who wrote it to those who read it: for atomics of
// device scope and wider, and for those within one block. `system`: what of it goes to other
// devices. In one launch, device scope and system scope order the same.
struct Location {
    VectorClock device;
    std::map<std::uint32_t, VectorClock> in_block;
    VectorClock system = {};

    void clear() {
        device = {};
        system = {};
        in_block.clear();
    }
};

// What to assume of all atomics and fences, to find out what is missing.
struct Assume {
    bool device, release, acquire;
    bool barrier = false;  // of the block, around each of its fences and atomics
};

// Are there several devices? Else nothing is kept for system scope.
extern bool keeps_system_scope;

// A thread starts. Its slot is its number in the grid.
void begin(Clocks& me, std::uint32_t slot, std::uint32_t block, std::uint32_t thread);
void fence(Clocks& me, Order order, Scope scope);
// A barrier of these threads.
void synchronize(const std::vector<Clocks*>& threads);
// The two halves of an atomic access: what it reads, before the check for races, and what it
// writes, after that.
void atomic_reads(Clocks& me, Object object, const Location& location, Order order, Scope scope,
                  Assume assume = {});
void atomic_is_done(Clocks& me, Object object, Location& location, AtomicKind kind, Order order,
                    Scope scope, Where where);
// A plain write, or an atomic one of another size, ends what the location carries.
void overwritten(Clocks& me, Object object, Location& location);
void forget_order();  // the launch has ended
// Has a thread of the launch used a fence, or an atomic that is not relaxed? Has this one?
bool has_ordered();
bool has_ordered(std::uint32_t slot);
// The threads of a block meet in a cuda::barrier. Has that happened in this launch?
void note_barrier_object();
bool has_barrier_object();

// What would have put what `slot` did at the moment `from` before the next access of `now`: the
// least assumption, and the atomics that would have carried the order. These are the earlier
// thread's next write, or that of another thread of its block, and the last read of `now`, or of
// another thread of its block. Accesses to `but` count as none. False if no assumption would.
struct Missing {
    Assume order;
    Where signal, answer;
    std::uint32_t signalling_thread, answering_thread;
};
bool what_is_missing(std::uint32_t slot, std::uint32_t block, std::uint32_t from, const Clocks& now,
                     Missing& missing, Object but = no_object);
// How much had happened in the launch that is of any consequence for order, when a thread of this
// block last took part in it. Of blocks that have begun.
inline std::vector<std::uint32_t> moments_of_blocks;
inline std::uint32_t moment(const Clocks& me) {
    return moments_of_blocks[me.block];
}

}  // namespace cpu_device::race
