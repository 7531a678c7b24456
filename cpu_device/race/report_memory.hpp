// Reports of single accesses: memory that is not there, not set, or not to be written.
#pragma once

#include <map>
#include <string>

#include "race/access_list.hpp"
#include "race/sentences.hpp"

namespace cpu_device::race {

// Reads of memory that had not been written, by their place: told when the launch ends, unless a
// race explains them.
struct UnwrittenRead {
    Text text;
    std::uint64_t step;  // in the record
};
extern std::map<std::string, UnwrittenRead>& read_unwritten;

// An access to memory that is not there, or has not been written.
void report_memory(const Clocks& me, std::size_t offset, std::size_t bytes, Access::Kind kind,
                   bool atomic, ByteState state, Where where);
// An access to the shared memory of another block.
void report_foreign(const Clocks& me, std::size_t offset, std::size_t bytes, Where where);
// A load that is for memory that is only read, of memory that was written.
void report_read_only(Where load, Where write, std::uint32_t writer, std::size_t offset,
                      std::size_t bytes, bool texture);
// The last plain store of 4 or 8 bytes: where it is, packed as in Kept, the address that it goes
// to, and whose it is; none if `bytes` is 0.
struct LastStore {
    std::uint64_t where = 0;
    const char* to = nullptr;
    std::uint32_t slot = 0;
    std::uint8_t bytes = 0;
};
inline LastStore last_store;
// A value has been read from memory: 0xfe bytes that come from there are no unset variable's.
inline bool unset_pattern_was_read = false;
inline void note_read_value(std::uint64_t value, std::size_t bytes) {
    unset_pattern_was_read = unset_pattern_was_read ||
                             (bytes == 4 && static_cast<std::uint32_t>(value) == 0xfefefefeu) ||
                             (bytes == 8 && value == 0xfefefefefefefefeu);
}
// The last store has been made: was it the value of a local variable that was never set?
void report_unset_variable();
inline void look_at_stored_value() {
    if (last_store.bytes != 0) {
        std::uint32_t first = 0, last = 0;
        std::memcpy(&first, last_store.to, sizeof first);
        std::memcpy(&last, last_store.to + last_store.bytes - sizeof last, sizeof last);
        if (first == 0xfefefefeu && last == 0xfefefefeu) {
            report_unset_variable();
        }
        last_store.bytes = 0;
    }
}
// An index beyond the end of an array, by the array's type ("'int [4]'").
void report_index(const Clocks& me, long long index, const char* array, Where where);
// A value of so many bits is shifted by a distance below 0, or by as many bits or more.
void report_shift(const Clocks& me, long long distance, unsigned bits, Where where);
// A number is converted to an integer type that does not have it. `type`: its name, in quotes.
void report_float_cast(const Clocks& me, double value, const char* type, Where where);
// A load or store that is for global memory alone, of shared memory or of the thread's own.
void report_not_global(const Clocks& me, const volatile void* address, std::size_t bytes,
                       Where where);
// An atomic function of CUDA is called for a local variable.
void report_atomic_on_local(const Clocks& me, Where where);
// An access, to memory that is checked or not, whose address is no multiple of `alignment` bytes.
void report_misaligned(const Clocks& me, const volatile void* address, std::size_t alignment,
                       Where where);

}  // namespace cpu_device::race
