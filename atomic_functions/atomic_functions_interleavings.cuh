// The tour's kernels with two or three threads, in every order that their steps can have: what is
// left in the word, and which old values the threads are given. Needs race mode, which chooses the
// order; there is one copy of each kernel, the tour's.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "atomic_functions/atomic_functions_wrong.cuh"
#include "cpu_device/race.h"

// What one order of the steps leads to.
struct WordOutcome {
    std::vector<int> olds;  // of each thread
    int x = 0;              // at the end
    bool operator<(const WordOutcome& other) const {
        return std::tie(x, olds) < std::tie(other.x, other.olds);
    }
};

struct StepOrder {
    std::string steps;  // "0Rx 1Rx 0Wx 1Wx": thread 0 reads x, ...
    WordOutcome outcome;
};

// All interleavings of `threads` threads of one block that run a counting variant.
inline std::vector<StepOrder> interleavings(void (*variant)(WordProblem&), std::size_t threads) {
    namespace race = cpu_device::race;
    WordProblem problem(threads, static_cast<int>(threads), {});
    const int* const d_x = problem.counter().d_words();
    const int* const d_mutex = problem.d_mutex();
    std::vector<StepOrder> all;
    race::for_each_interleaving(
        [&] {
            problem.poison();
            variant(problem);
        },
        [&](const std::vector<race::Turn>& turns) {
            StepOrder one;
            for (const race::Turn& turn : turns) {
                one.steps += (one.steps.empty() ? "" : " ") + std::to_string(turn.thread) +
                             turn.kind +
                             (turn.address == d_x ? "x" : (turn.address == d_mutex ? "m" : "?"));
            }
            one.outcome = {problem.counter().h_olds(), problem.counter().h_words()[0]};
            all.push_back(one);
        });
    return all;
}

// How many interleavings lead to each outcome.
inline std::map<WordOutcome, std::size_t> outcomes(const std::vector<StepOrder>& all) {
    std::map<WordOutcome, std::size_t> counts;
    for (const StepOrder& one : all) {
        ++counts[one.outcome];
    }
    return counts;
}
