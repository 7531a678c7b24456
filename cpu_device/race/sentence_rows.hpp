// The table of sentences.cpp, in two parts.
#pragma once

#include <iterator>

namespace cpu_device::race {

// Words in braces are filled in. Line breaks and indentation belong to the language.
struct SentenceRow {
    const char* key;
    const char* english;
};
struct SentenceRows {
    const SentenceRow* first;
    const SentenceRow* last;  // one behind
};
extern const SentenceRows sentences_of_races;
extern const SentenceRows sentences_of_runs;

}  // namespace cpu_device::race
