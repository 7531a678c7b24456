// Loads that read old values. An atomic or volatile access of a kernel takes part with one of the
// stores of its word that the memory model allows (views.hpp): a load reads it, a store or an
// update gets the place after it. Between accesses memory holds the newest value of each word.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu_device/atomic_access.h"
#include "race/order.hpp"
#include "race/word_history.hpp"

namespace cpu_device::race {

enum class OldValues : std::uint8_t {
    off,      // each load reads the newest store
    drawn,    // an older one, by the seed
    explored  // the plan chooses
};
extern OldValues old_values;
// Of so many seeds, one lets loads read old values, in turn now and then or wherever it can.
constexpr std::uint64_t old_values_every = 4;

// Of a launch. So that it can be found out which of
// them matters, and be told:
//   RACE_OLD_VALUES=0 or 1   no seed does, or each does
//   RACE_OLD_LOADS=N         only the first N loads of the program that do
//   RACE_TELL_OLD_LOAD=1     the last of these is reported, as a STALE VALUE
void begin_old_values();
// Stands for the order of sequentially consistent fences, as if it were a word that they share.
inline char order_of_seq_cst;
// A sequentially consistent fence of the running thread, or what stands for it before an access.
void seq_cst_fence(Clocks& me, Scope scope);

// Before an access: chooses the store, and puts its value into memory until finish_access().
// `compare`: of a compare-and-swap, the value that it wants to find.
void choose_store(Clocks& me, const volatile void* address, std::size_t bytes, AtomicKind kind,
                  Order order, Scope scope, Where where, const std::uint64_t* compare = nullptr);
// Around the rules of order and the check for races, if a store has been chosen: the object is as
// the chosen store has left it; then a new store is kept, which was made at the thread's `time`.
void enter_chosen_store(const Clocks& me, ObjectState& object, AtomicKind kind, Scope scope);
void leave_chosen_store(const Clocks& me, ObjectState& object, AtomicKind kind, Scope scope,
                        Where where, std::uint32_t time);
// Which version of the object the access that is being made has read, as ObjectState counts them.
std::uint32_t version_read(const ObjectState& object);
// Memory holds the newest value again. Called before anything else happens in the kernel.
void finish_chosen_access();
inline bool access_is_open = false;
inline void finish_access() {
    if (access_is_open) {
        finish_chosen_access();
    }
}

}  // namespace cpu_device::race
