// The chapter's kernels with two or three threads, in every order that their steps can have: what
// is left in the word, and which old values the threads get. Needs race mode, which chooses the
// order.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "atomic_functions/1_atomic_add.cuh"
#include "atomic_functions/2_cas_loop_add.cuh"
#include "atomic_functions/more/mutex_add.cuh"
#include "atomic_functions/wrong_lost_update.cuh"
#include "common/device_array.cuh"
#include "cpu_device/race.h"
#include "harness/poison.cuh"

// What one order of the steps leads to.
struct WordOutcome {
    std::vector<int> olds;  // of each thread
    int x = 0;              // at the end
    bool operator<(const WordOutcome& other) const {
        return std::tie(x, olds) < std::tie(other.x, other.olds);
    }
    bool operator==(const WordOutcome& other) const {
        return std::tie(x, olds) == std::tie(other.x, other.olds);
    }
};

struct StepOrder {
    std::string steps;  // "0Rx 1Rx 0Wx 1Wx": thread 0 reads x, ...
    WordOutcome outcome;
};

// What all variants that are enumerated can be called as.
using Counting = void (*)(int* d_x, std::size_t n, int* d_mutex, int* d_olds, int block_size);

template <void (*launch)(int* d_x, std::size_t n, int* d_olds, int block_size)>
void without_mutex(int* d_x, std::size_t n, int*, int* d_olds, int block_size) {
    launch(d_x, n, d_olds, block_size);
}

constexpr Counting lost_update = without_mutex<launch_lost_update>;
constexpr Counting atomic_add = without_mutex<launch_atomic_add>;
constexpr Counting cas_loop_add = without_mutex<launch_cas_loop_add>;
constexpr Counting mutex_add = launch_mutex_add;

// All interleavings of `threads` threads of one block. `name`: in the trace, if one is written.
inline std::vector<StepOrder> interleavings(Counting launch, std::size_t threads,
                                            const std::string& name = "") {
    namespace race = cpu_device::race;
    common::DeviceArray<int> x(1);
    common::DeviceArray<int> mutex(1);
    common::DeviceArray<int> olds(threads);
    std::vector<StepOrder> all;
    race::for_each_interleaving(
        [&] {
            harness::poison(olds);
            launch(x.data(), threads, mutex.data(), olds.data(), static_cast<int>(threads));
        },
        [&](const std::vector<race::Step>& steps) {
            StepOrder one;
            for (const race::Step& step : steps) {
                const char* const word =
                    step.address == x.data() ? "x" : (step.address == mutex.data() ? "m" : "?");
                one.steps +=
                    (one.steps.empty() ? "" : " ") + std::to_string(step.thread) + step.kind + word;
            }
            one.outcome = {olds.to_host(), x.to_host()[0]};
            all.push_back(one);
            race::tell_outcome({"x = " + std::to_string(one.outcome.x)},
                               one.outcome.x == static_cast<int>(threads));
        },
        name);
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
