// What the runtime asks of the system: memory, OS threads, settings.
#pragma once

#include <cstddef>

namespace cpu_device {

// Memory in whole pages, which hold zeros and cost nothing until they are first touched. Without it
// the program ends: see out_of_memory().
void* untouched_memory(std::size_t bytes, const char* purpose);

// Ends the program with exit status 1 and a message that says how many bytes were wanted, and what
// for ("the stacks of 64 CUDA threads").
[[noreturn]] void out_of_memory(std::size_t bytes, const char* purpose);

// Starts an OS thread that runs until the program ends. False when the system gives no more of them
// (ulimit -u, a container's limit, no memory for its stack).
bool start_os_thread(void* (*run)(void*), void* argument);

// Of a clock that only goes forward.
long long nanoseconds_now();

// A number from the environment, or `otherwise` where the variable is not set; another number, or
// none, ends the program.
double number_from_environment(const char* name, double otherwise, double least, double most);
// The same for a whole number, written in decimal digits.
unsigned long whole_number_from_environment(const char* name, unsigned long otherwise,
                                            unsigned long least, unsigned long most);
// False if the text is anything but decimal digits, or the number is too large.
bool read_whole_number(const char* text, unsigned long& number);
// Ends the program with exit status 2, as for a wrong command line.
[[noreturn]] void refuse_setting(const char* name, const char* text, const char* expected);

}  // namespace cpu_device
