// What pieces of work have done to memory, and which of it meets.
#pragma once

#include <cstddef>
#include <vector>

#include "race/work.hpp"

namespace cpu_device::race {

// The words of this range, whole ones together; none if it is memory of the host.
void add_uses(std::vector<Use>& uses, const void* memory, std::size_t bytes, Access::Kind kind);
void sort_by_word(Work& work);
// Nothing orders the two: reports one race for each two places. The uses of `later` are sorted.
void compare(const Work& earlier, const Work& later);
// The same of one word, or a part of it, that the host uses now.
void compare_with_host(Work& earlier, const Use& now);

// What other streams' work must be compared with, of the launch that ends: of each word of global
// memory, the accesses of each sort. A read of the same sort as a write comes after it, and need
// not be kept.
//
// Of at most so many words, the last ones.
std::vector<Use> uses_of_launch(std::size_t most);

}  // namespace cpu_device::race
