// What is put into a stream: a launch or a function's work, and what it does to memory.
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

    std::uint32_t stream = 0;    // its number
    std::uint32_t time = 0;      // how many pieces of work the stream has had, this one included
    Calls stream_made{};         // where the stream was
    std::uint64_t sequence = 0;  // how many pieces of work came before it, of all streams
    int device = 0;
    bool in_default_stream = true;
    bool sorted = false;        // the uses, by their words
    bool single_words = false;  // each of them is of one word; else there are a few only

    static Work none() { return {"", false, nullptr, {}, {}, {}}; }
    static Work launch(const LaunchConfig& config, std::vector<Use> uses) {
        Work work{config.kernel,  true, nullptr, {config.place.file, config.place.line}, {},
                  std::move(uses)};
        work.single_words = true;
        return work;
    }
    static Work call(const char* function, const char* verb) {
        return {function, false, verb, {}, calls_here(), {}};
    }
};

}  // namespace cpu_device::race
