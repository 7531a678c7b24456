// The runtime's side of cpu_device/counts.h: what it tells the counter.
#pragma once

#include "race/order.hpp"

namespace cpu_device::race {

extern bool counting;

// An access of the running thread to memory that is checked. `by_words`: on a GPU it is one of each
// word.
enum class Counted { load, store, atomic, update };  // update: an atomic that reads and writes
void count_access(const Clocks& me, std::size_t offset, std::size_t bytes, Counted kind,
                  Where where, bool by_words = false);
// What an atomic of the running thread has made of a word.
void count_outcome(const Clocks& me, std::size_t offset, bool changed, bool from_zero,
                   bool to_zero);
void count_barrier(std::size_t absent_threads);
void count_warp_function(unsigned absent_lanes);
void count_launch(std::uint64_t blocks, std::uint64_t threads);  // when it has ended

}  // namespace cpu_device::race
