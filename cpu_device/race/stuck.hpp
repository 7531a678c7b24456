// What is said when no thread can go on.
#pragma once

namespace cpu_device::race {

// Says who waits where, and for what. `polling`: the threads could run, but only read in vain. Ends
// the program.
[[noreturn]] void report_stuck(const char* what, bool polling);

}  // namespace cpu_device::race
