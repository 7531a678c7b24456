// Copies that a thread has begun (memcpy_async).
#pragma once

#include <cstdint>
#include <functional>

#include "race/resident_block.hpp"
#include "race/where.hpp"

namespace cpu_device::race {

inline unsigned copies_to_make = 0;  // of all threads
inline bool makes_copy = false;      // now: no other thread has a turn meanwhile

// While it lives, accesses are taken for those of this place.
class PlacedAccesses {
  public:
    explicit PlacedAccesses(Where place);
    ~PlacedAccesses();
    PlacedAccesses(const PlacedAccesses&) = delete;
    PlacedAccesses& operator=(const PlacedAccesses&) = delete;
};
// The running thread begins one; `barrier`: what it will wait at.
void begin_copy_of_thread(const void* barrier, std::function<void()> copy, Place place);
// Makes one of the copies that have begun, in the turn of whatever thread.
void make_some_copy();
// A thread of the block ends: has it waited for all that it has begun?
void check_copies(const ResidentBlock& block, unsigned thread);

// A cuda::barrier in which threads have met.
struct BarrierObject {
    const std::uint32_t *left, *expected;  // still to arrive in this phase, of how many
};
// The one whose phases are counted there; null if there is none.
const BarrierObject* barrier_with_phase(const void* phase);
void forget_barriers();  // a launch begins

}  // namespace cpu_device::race
