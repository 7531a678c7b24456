// What a statement of the program does with a value that it has read, as its text says.
#pragma once

#include <string>

namespace cpu_device::race {

// Is what the statement at the place `write` stores computed from what the one at `read` has
// loaded? So it is if both are one statement that is an update (`*x = *x + 1`, `++*x`, `*x |= 4`),
// or if the variable that gets the loaded value (or another one that is computed from it) stands in
// what is stored: `int old = *x;` and later `*x = old + 1;`. False where the text cannot be read,
// and where only the condition depends on the value: `if (*x == 0) { *x = 7; }`.
bool is_computed_from(const std::string& read, const std::string& write);

}  // namespace cpu_device::race
