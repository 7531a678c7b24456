// What race mode's suite (race_suite.cpp) knows of an example: a case for each variant.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "harness/check.hpp"
#include "harness/kind.hpp"

struct RaceCase {
    std::string example;
    std::string variant;
    std::string precision;  // "float" or "double", where the example has both
    harness::Kind kind = harness::Kind::right;
    std::string instead;
    std::string source;                     // the variant's file
    std::function<harness::Verdict()> run;  // makes the problem, runs the variant once, and checks
    std::function<std::string()> unavailable;  // why it cannot run here, or empty
};

std::ostream& operator<<(std::ostream& out, const RaceCase& one);

// Two warps per block, where a variant lets one choose.
constexpr int race_block_size = 64;

std::vector<RaceCase> operator+(std::vector<RaceCase> a, const std::vector<RaceCase>& b);

// This example's cases; each race_test.cu defines it.
std::vector<RaceCase> example_cases();

// Eight seeds in a row have all ways in which race mode gives turns.
constexpr int ways_of_turns = 8;

// How many seeds a case takes that takes `thorough` of them in the thorough suite.
int seeds_or(int thorough, int quick = ways_of_turns);
