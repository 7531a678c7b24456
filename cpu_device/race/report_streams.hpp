// Reports of the host and of streams.
#pragma once

#include "race/work.hpp"

namespace cpu_device::race {

// A function copies memory to the host that was never written, or (verb) uses it in another way.
void report_unwritten_copy(const char* function, const Calls& calls, std::size_t offset,
                           std::size_t bytes, const char* verb);
// An access of the host to a word that work which may go on has used.
void report_race_with_host(const Work& earlier, const Use& first, const Use& now);
void report_streams(const Work& earlier, const Use& first, const Work& later, const Use& second);
// The same of launches of two devices. What would put the two in order?
enum class Lacking { order, scope_of_atomics, scope_on_the_way };
void report_devices(const Work& earlier, const Use& first, const Work& later, const Use& second,
                    Lacking lacking);
// A kernel of `device` uses another device's memory, to which it has no access.
void report_memory_of_peer(const Clocks& me, std::size_t offset, Access::Kind kind, bool atomic,
                           Where where, int device);
// Host code accesses memory that cudaMalloc has given, or once did.
void report_host_access(const volatile void* address, bool write, Where where);

}  // namespace cpu_device::race
