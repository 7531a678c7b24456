// What tests ask of race mode beside reports (race.h).
#pragma once

#include <cstddef>
#include <vector>

namespace cpu_device::race {

struct Clocks;

// The running thread stores to these bytes, or an atomic of its own has changed them.
void note_store(const volatile void* address, std::size_t bytes);
void note_change(const volatile void* address, std::size_t bytes);
// Around an atomic load of the running thread: a store that is to come late is not there. Whether
// the load has not seen it.
void hide_late_store(const volatile void* address, std::size_t bytes);
bool show_late_store();
// These threads meet at a barrier or in a function of the warp: what one has found, all may know.
void pass_late_store_on(const std::vector<Clocks*>& threads);
// Is there memory of which that is of interest?
bool watches_changes();

}  // namespace cpu_device::race
