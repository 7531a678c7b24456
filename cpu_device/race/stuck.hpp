// What is said when no thread can go on.
#pragma once

#include <ctime>

namespace cpu_device::race {

// Says who waits where, and for what. `polling`: the threads could run, but only read in vain. Ends
// the program.
[[noreturn]] void report_stuck(const char* what, bool polling);

// While it lives, a launch whose threads make no access to memory for too long ends the program.
class EndlessLoopWatch {
  public:
    EndlessLoopWatch();
    ~EndlessLoopWatch();
    EndlessLoopWatch(const EndlessLoopWatch&) = delete;
    EndlessLoopWatch& operator=(const EndlessLoopWatch&) = delete;

  private:
    timer_t timer_;
    bool on_;
};

}  // namespace cpu_device::race
