// What happened to each word, and whether the next access fits in: is the memory there, has it been
// written, and do CUDA's rules put the access in order with those before it?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "race/memory.hpp"
#include "race/order.hpp"

namespace cpu_device::race {

struct Access {
    enum Kind : std::uint8_t { read, write, update };
    std::uint32_t slot, time, block;
    std::uint32_t moment;  // of order.hpp
    std::uint16_t thread;
    Kind kind;
    bool atomic;
    Scope scope;              // of an atomic
    bool is_volatile;         // of shared memory
    std::uint8_t bytes;       // of the whole access
    std::uint8_t mask;        // the bytes of the word that it touches
    std::uint32_t chain = 0;  // atomic: the object's chain of read-modify-writes that it read
    std::uint32_t link = 0;   // from, and how many links it knows of
    Where where;
    std::uint64_t before;  // the 8 bytes from the word's begin on, until then

    bool wide() const { return atomic && scope >= Scope::device; }  // includes other blocks
};

void begin_launch(const LaunchConfig& config);
void end_launch(const LaunchConfig& config);

// An access by the running thread, just before it is made; one that is volatile counts as relaxed
// at system scope.
void check_plain(Clocks& me, std::size_t offset, std::size_t bytes, bool write, bool is_volatile,
                 Where where);
// An atomic access, just after it was made.
void check_atomic(Clocks& me, std::size_t offset, const AtomicStep& step, std::uint64_t before);
// The access was one by __ldg: no thread may write there as long as the kernel runs.
void check_read_only(const Clocks& me, std::size_t offset, std::size_t bytes, Where where);
// The last access has been made: was a value stored that was never set?
void look_at_stored_value();
// Forgets what happened to this memory: another block has it now.
void forget_memory(std::size_t begin, std::size_t bytes);
// The (at most 8) bytes there.
std::uint64_t value_at(std::size_t offset, std::size_t bytes);
// Who has changed this word last in this launch, if anybody has.
std::optional<Access> last_change(std::size_t offset);

// report.cpp
bool is_known(const Access& earlier, const Access& now);  // no report of it is wanted any more
// The two accesses race. `steps`: the last ones of all threads on the word, the earlier access
// among them if it is not too long ago.
void report_race(const Access& earlier, const Access& now, const Clocks& me, std::size_t word,
                 std::vector<Access> steps);
// An access to memory that is not there, or has not been written.
void report_memory(const Clocks& me, std::size_t offset, std::size_t bytes, Access::Kind kind,
                   bool atomic, ByteState state, Where where);
// An access to the shared memory of another block.
void report_foreign(const Clocks& me, std::size_t offset, std::size_t bytes, Where where);
// A load that is for memory that is only read, of memory that was written.
void report_read_only(const Clocks& me, Where load, Where write, std::uint32_t writer,
                      std::size_t offset, std::size_t bytes);
// A value is stored that comes from a local variable that was never set.
void report_unset(const Access& store, std::size_t offset);
// An index beyond the end of an array, by the array's type ("'int [4]'").
void report_index(const Clocks& me, long long index, const char* array, Where where);
// An access, to memory that is checked or not, whose address is no multiple of `alignment` bytes.
void report_misaligned(const Clocks& me, const volatile void* address, std::size_t alignment,
                       Where where);
// Host code accesses memory that cudaMalloc has given, or once did.
void report_host_access(const volatile void* address, bool write, Where where);
// Any other report: its kind in capitals, where it is, what happened, what would help.
void report(const char* kind, const std::string& key, const std::string& text);
// The threads cannot go on: says so, and ends the program.
[[noreturn]] void report_the_end(const char* kind, const std::string& text);
// Race mode cannot run this launch: says why, and ends the program with a status of its own.
[[noreturn]] void report_too_large(const std::string& text);
void begin_json();      // makes the file that RACE_JSON names
void finish_reports();  // the last access that was reported has been made now
void print_reports();   // those of the launch
void name_launch(const LaunchConfig* config);
std::string place_of(const Where& where);
std::string name_of(std::uint32_t block, std::uint32_t thread);
std::string name_of(const Access& access);
std::string value_text(std::uint64_t value, unsigned bytes, Element::Kind kind);
std::string describe(std::size_t offset, std::size_t element);

}  // namespace cpu_device::race
