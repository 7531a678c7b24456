// What an example gives to race mode's suite. Its race_test.cu calls race_cases() for its table,
// with a function that makes a problem: small, since every access is checked, but of several blocks
// and several warps a block.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "cpu_device/race.h"
#include "harness/variant.cuh"
#include "tests/race_suite.hpp"

namespace race = cpu_device::race;

// `make(variant)` returns a std::unique_ptr to a small problem.
template <typename P, typename Make>
std::vector<RaceCase> race_cases(const std::string& example,
                                 const std::vector<harness::Variant<P>>& table, Make make,
                                 const std::string& precision = "") {
    std::vector<RaceCase> cases;
    for (const harness::Variant<P>& variant : table) {
        const auto run = [variant, make] {
            return harness::run_and_check(variant, *make(variant), race_block_size);
        };
        const auto unavailable = [variant, make] {
            return harness::why_skipped(variant, *make(variant));
        };
        const std::string source = variant.source;
        cases.push_back({example, variant.name, precision, variant.kind, variant.instead, source,
                         run, unavailable});
    }
    return cases;
}
