// Updates that are lost although no accesses race: a thread reads a word, computes a new value from
// it and writes that, each by an atomic or volatile access, and another thread has written the word
// in between. The thread's write then wipes out what the other one has written.
#pragma once

#include "race/race_record.hpp"
#include "race/word_history.hpp"

namespace cpu_device::race {

// The running thread has made an atomic or volatile load or store of this object, which is in the
// record; a store is not counted yet in the object's version.
void follow_update(const Clocks& me, Object object, const ObjectState& state, AtomicKind kind,
                   Where where);
void finish_lost_updates();  // the last write that was noted has been made now
void print_lost_updates();   // those of the launch
// A race of two volatile accesses of one of them is told by that.
bool is_told_as_lost_update(const Race& race);
void forget_lost_updates();  // the launch has ended

}  // namespace cpu_device::race
