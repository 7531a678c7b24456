// One execution, as the process that has made it hands it to the one that grows a tree of all.
#pragma once

#include <cstddef>
#include <vector>

#include "race/trace.hpp"

namespace cpu_device::race {

struct TreePath {
    TraceLists lists;
    std::vector<TraceStep> steps;      // as tell_launch() gives them, before replay()
    std::vector<std::size_t> waiting;  // threads that wait without end
};

// The names of lines and variables that this process knows go with it, so that no other process has
// to look them up.
void hand_over(int file, TreePath path);
// False if the process has handed over nothing.
bool take_over(int file, TreePath& path);

}  // namespace cpu_device::race
