// What happened to each word, and whether the next access fits in: is the memory there, has it been
// written, and do CUDA's rules put the access in order with those before it?
#pragma once

#include <cstdint>

#include "race/access.hpp"
#include "race/memory.hpp"
#include "race/order.hpp"

namespace cpu_device::race {

void begin_launch(const LaunchConfig& config);
void end_launch(const LaunchConfig& config);

// An access by the running thread, just before it is made; one that is volatile counts as relaxed
// at system scope.
void check_plain(Clocks& me, std::size_t offset, std::size_t bytes, bool write, bool is_volatile,
                 Where where);
// An atomic access, just after it was made.
void check_atomic(Clocks& me, std::size_t offset, const AtomicStep& step, std::uint64_t before);
// The access was one by __ldg or a texture: no thread may write there as long as the kernel runs.
void check_read_only(std::size_t offset, std::size_t bytes, Where where, bool texture = false);

}  // namespace cpu_device::race
