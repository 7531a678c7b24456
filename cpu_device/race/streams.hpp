// Work of different streams, and whether anything orders it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "race/access.hpp"

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
    const char* verb;  // what a function does to memory; null: it reads and writes
    Where launched;    // a launch's place
    Calls called;      // a function's
    std::vector<Use> uses;

    std::uint32_t stream = 0;  // its number; 0 is the default stream
    std::uint32_t time = 0;    // how many pieces of work the stream has had, this one included
    Calls stream_made{};       // where the stream was
    std::uint64_t turn = 0;    // how many pieces of work came before it, of all streams

    static Work launch(const LaunchConfig& config, std::vector<Use> uses) {
        return {config.kernel,  true, nullptr, {config.place.file, config.place.line}, {},
                std::move(uses)};
    }
    static Work call(const char* function, const char* verb) {
        return {function, false, verb, {}, calls_here(), {}};
    }
};

// No more uses than these are kept of work that is done, but for the last.
constexpr std::size_t most_uses = 1 << 20;
// Has the program made a stream? Else no work meets any other, and what came last is enough.
bool has_streams();
// A launch has ended, and made these uses of global memory.
void launch_in_stream(const LaunchConfig& config, std::vector<Use> uses);

}  // namespace cpu_device::race
