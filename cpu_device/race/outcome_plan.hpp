// One run of the search for all outcomes of a program with small kernels (outcomes.cpp): it repeats
// the choices that it is given, and makes new ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu_device/atomic_access.h"
#include "race/order.hpp"
#include "race/outcome_choices.hpp"

namespace cpu_device::race {

// This process is such a run. For a tree it leaves its path in the file.
void explore_here(Shared& state, int file);
// Is this one of the runs that explore? Then its loads read old values, and its plan chooses.
bool explores_outcomes();
// The plan of this run, from its next launch on.
void begin_outcomes_launch();
// The launch has ended, or a report ends the run in it: for the tree of all executions.
void end_outcomes_launch();
// An access of the running thread, for the story of the run: `found` is the value of the store that
// it read or followed, and `newer` how many stores of the word were newer than that.
void tell_step(const Clocks& me, AtomicKind kind, std::uint64_t found, std::size_t newer,
               Where where);

}  // namespace cpu_device::race
