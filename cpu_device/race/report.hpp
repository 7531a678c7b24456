// Reports of data races, and what the end of a launch or of the program prints.
#pragma once

#include <string>
#include <vector>

#include "race/access.hpp"

namespace cpu_device::race {

bool is_known(const Access& earlier, const Access& now);  // no report of it is wanted any more
// The two accesses race. `steps`: the last ones of all threads on the word, the earlier access
// among them if it is not too long ago.
void report_race(const Access& earlier, const Access& now, const Clocks& me, std::size_t word,
                 std::vector<Access> steps);
// The threads cannot go on: says so, and ends the program.
[[noreturn]] void report_the_end(const char* kind, const std::string& text);
// Race mode cannot run this launch: says why, and ends the program with a status of its own.
[[noreturn]] void report_too_large(const std::string& text);
void finish_reports();  // the last access that was reported has been made now
void print_reports();   // those of the launch

}  // namespace cpu_device::race
