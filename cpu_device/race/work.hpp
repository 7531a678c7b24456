// What is put into a stream: a launch or a function's work, and what it does to memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "race/access_list.hpp"

namespace cpu_device::race {

// What a piece of work did to one word, or to `words` words in a row. There may be as many of these
// as the memory has words: so an access is as small here as it can be.
struct Use {
    std::size_t word, words;

    Use(std::size_t word_, std::size_t words_, const Access& access)
        : word(word_),
          words(words_),
          where_(Kept::packed(access.where)),
          slot_(access.slot),
          time_(access.time),
          block_(access.block),
          thread_(access.thread),
          bytes_(access.bytes),
          mask_(access.mask & 0xfu),
          kind_(access.kind),
          atomic_(access.atomic),
          by_copy_(access.by_copy),
          scope_(access.scope) {}

    // But for what only comparisons within a launch need.
    Access access() const {
        Access whole{};
        whole.slot = slot_;
        whole.time = time_;
        whole.block = block_;
        whole.thread = thread_;
        whole.kind = kind_;
        whole.atomic = atomic_;
        whole.scope = scope_;
        whole.by_copy = by_copy_;
        whole.bytes = bytes_;
        whole.mask = mask_;
        whole.where = Kept::place(where_);
        return whole;
    }

  private:
    std::uint64_t where_;
    std::uint32_t slot_, time_, block_;
    std::uint16_t thread_;
    std::uint8_t bytes_;
    std::uint8_t mask_ : 4;
    Access::Kind kind_ : 2;
    bool atomic_ : 1;
    bool by_copy_ : 1;
    Scope scope_;
};
static_assert(sizeof(Use) == 48, "a use is small");

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

// Two launches, which have been compared access by access while the later one ran.
inline bool are_on_two_devices(const Work& a, const Work& b) {
    return a.is_launch && b.is_launch && a.device != b.device;
}

}  // namespace cpu_device::race
