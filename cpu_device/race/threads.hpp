// The threads of race mode: all on one OS thread, one step at a time.
#pragma once

#include "race/checker.hpp"

namespace cpu_device::race {

// The clocks of the running thread; null in host code, also in that of another OS thread.
extern __thread Clocks* running;

// Any thread of any block may have a turn here, by the seed's choice; `address`: of the access that
// comes next, if any.
void may_switch(const volatile void* address = nullptr);
// The running thread has written, or has read in vain: who only reads in vain stands back.
void note_progress();
// The running thread stores to this address: see watch_changes().
void note_store(const volatile void* address);
void note_vain_read(const volatile void* address, Place place);
// An address that is not checked: ends the program if it is that of no memory at all.
void check_pointer(const volatile void* address, Where where);

// Chooses the turns in place of the seed's draws (interleavings.cpp). Threads run on until they
// stop before an access; when all have stopped, one is chosen, and makes its access.
class Plan {
  public:
    virtual ~Plan() = default;
    // Of the running thread:
    virtual bool stops_before(const volatile void* address) = 0;
    virtual void accesses(const volatile void* address, AtomicKind kind) = 0;
    virtual void reads_in_vain(const volatile void* address) = 0;
    virtual void gives_way() = 0;
    // Which of the stopped threads goes on, as an index; none: all wait without end.
    virtual std::size_t choose(const std::vector<const Clocks*>& stopped) = 0;
    static constexpr std::size_t none = ~std::size_t{0};
};
extern Plan* plan;  // null: the seed decides

}  // namespace cpu_device::race
