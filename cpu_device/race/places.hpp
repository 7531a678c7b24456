// Lines and names of the program: which line an instruction belongs to, which variable an address.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "race/memory.hpp"
#include "race/where.hpp"

namespace cpu_device::race {

// Names files from the directory that the program runs in.
std::string relative(std::string text);
// FILE:LINE; an address where the line is not known.
std::string place_of(const Where& where);
// Where the program was: its innermost call, and the call that led there from another file.
std::string place_of(const Calls& calls);
// The lines of the program that these calls come from, the innermost first; none of a library or of
// the runtime.
std::vector<std::string> lines_in_program(const void* const* code, unsigned depth);
bool is_of_the_program(const std::string& place);
// Asks for many lines at once, which is faster than one by one.
void look_up(const std::vector<const void*>& code);
// What has been looked up so far, by address.
std::map<const void*, std::string>& known_lines();
std::map<const void*, std::string>& known_variables();
// The program's variable that holds this address.
std::string variable_at(const void* address);
constexpr const char* barrier_of_grid = "the barrier of the grid";  // it is called
// The line itself, with its bar; nothing if it cannot be read.
std::string source_line(const std::string& place);

}  // namespace cpu_device::race
