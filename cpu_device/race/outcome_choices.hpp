// What the processes of one exploration of outcomes share: each run repeats the choices of the run
// before it, up to the last one that has another way left.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cpu_device::race {

using WordAddress = std::uintptr_t;

// A point at which the run had a choice: of threads, each before an access to a word, or of stores.
struct Choice {
    static constexpr std::size_t most = 16;
    bool of_threads;
    std::uint8_t count, taken;
    std::uint16_t asleep;  // threads, as bits: what they would do first has been tried before
    std::uint32_t slots[most];
    WordAddress words[most];
};

// What the processes share: the choices, and the words that several threads use.
struct Shared {
    static constexpr std::size_t most_choices = 10000, most_words = 1000, most_text = 8000;
    bool with_old_values;
    bool for_tree;   // each order is tried, and the run hands over its path
    bool is_told;    // the run tells its steps
    bool is_asleep;  // all that could go on was asleep: nothing new
    bool is_too_large;
    bool has_new_word;
    std::size_t choices, words, text_bytes;
    Choice choice[most_choices];
    WordAddress word[most_words];
    char text[most_text];
};

// The choices of the next run; false if all have been tried.
inline bool advance(Shared& state) {
    while (state.choices > 0) {
        Choice& last = state.choice[state.choices - 1];
        do {
            ++last.taken;
        } while (last.of_threads && last.taken < last.count &&
                 (last.asleep >> last.taken & 1) != 0);
        if (last.taken < last.count) {
            return true;
        }
        --state.choices;
    }
    return false;
}

}  // namespace cpu_device::race
