// Lines and names of the program: which line an instruction belongs to, which variable an address.
#pragma once

#include <string>

#include "race/memory.hpp"
#include "race/where.hpp"

namespace cpu_device::race {

// Names files from the directory that the program runs in.
std::string relative(std::string text);
// FILE:LINE; an address where the line is not known.
std::string place_of(const Where& where);
// Where the program was: its innermost call, and the call that led there from another file.
std::string place_of(const Calls& calls);
// The program's variable that holds this address.
std::string variable_at(const void* address);
// The line itself, with its bar; nothing if it cannot be read.
std::string source_line(const std::string& place);

}  // namespace cpu_device::race
