// What is said when no thread can go on.
#pragma once

namespace cpu_device::race {

// Says who waits where, and for what. Ends the program.
[[noreturn]] void report_stuck(const char* kind, const char* what);

}  // namespace cpu_device::race
