// Atomics that read a word of shared memory which others change by atomics: told where a program
// has asked for it (look_at_shared_reads() in race.h).
#pragma once

#include <cstdint>

#include "race/access.hpp"

namespace cpu_device::race {

// An atomic of the running thread has been made in shared memory.
void note_shared_atomic(const Clocks& me, std::size_t offset, const AtomicStep& step,
                        std::uint64_t before, Where where);
void report_shared_reads();  // those of the launch

}  // namespace cpu_device::race
