// What tests ask of race mode beside reports (race.h).
#pragma once

#include <cstddef>

namespace cpu_device::race {

// The running thread stores to these bytes, or an atomic of its own has changed them.
void note_store(const volatile void* address, std::size_t bytes);
void note_change(const volatile void* address, std::size_t bytes);
// Around an atomic load of the running thread: a store that is to come late is not there.
void hide_late_store(const volatile void* address, std::size_t bytes);
void show_late_store();
// Is there memory of which that is of interest?
bool watches_changes();

}  // namespace cpu_device::race
