// Reports of data races, and what the end of a launch or of the program prints.
#pragma once

#include <cstdint>

#include "race/access.hpp"
#include "race/sentences.hpp"

namespace cpu_device::race {

bool is_known(const Access& earlier, const Access& now);  // no report of it is wanted any more
// The two accesses race. `last_step`: in the record, the last one on the word before `now`.
void report_race(const Access& earlier, const Access& now, const Clocks& me, std::size_t word,
                 std::uint64_t last_step);
// The threads cannot go on: says so, and ends the program.
[[noreturn]] void report_the_end(const char* kind, const Text& text);
// Race mode cannot run this launch: says why, and ends the program with a status of its own.
[[noreturn]] void report_too_large(const Text& text);
inline bool report_is_unfinished = false;
void finish_reports();  // the last access that was reported has been made now
void print_reports();   // those of the launch
void print_races();     // of these, the races until now

}  // namespace cpu_device::race
