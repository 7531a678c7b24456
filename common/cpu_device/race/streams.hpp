// Work of different streams, and whether anything orders it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "race/checker.hpp"

namespace cpu_device::race {

// What a piece of work did to one word, or to `words` words in a row.
struct Use {
    std::size_t word, words;
    Access access;
};

// A launch, or what a function such as cudaMemcpyAsync puts into a stream.
struct Work {
    const char* name;  // of the kernel or the function
    bool is_launch;
    Where where;       // of the launch
    Calls calls;       // of the function
    const char* verb;  // what the function does to memory; null: it reads and writes
    std::vector<Use> uses;
    std::uint32_t stream = 0;   // its number; 0 is the default stream
    std::uint32_t time = 0;     // how many pieces of work the stream has had, this one included
    bool with_default = false;  // the stream and the default stream wait for each other
};

// A launch has ended, and made these uses of global memory.
void launch_in_stream(const LaunchConfig& config, std::vector<Use> uses);

// report.cpp
void report_streams(const Work& earlier, const Use& first, const Work& later, const Use& second);

}  // namespace cpu_device::race
