// The text of a source file, as far as its declarations are read from it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cpu_device::race {

struct SourceText {
    std::string text;                   // without comments and without what strings hold
    std::vector<std::string> includes;  // in quotes, as they stand there
};

SourceText source_text(const std::string& text);
// Of a file of at most so many bytes; empty for a larger one, and for what is no file.
SourceText source_text_of(const std::string& file, std::size_t most_bytes);

bool is_of_word(char c);
bool is_space(char c);
// Where `name` stands as a whole word, from `at` on.
std::size_t find_word(const std::string& text, const std::string& name, std::size_t at);
// The word that ends before `end`; `end` becomes its beginning.
std::string word_before(const std::string& text, std::size_t& end);

// Of "const Particle* __restrict__ p" Particle, and one star.
struct DeclaredType {
    std::string name;  // empty: no type stands there
    std::size_t stars = 0;
};
// The type of what is declared at `at`.
DeclaredType type_before(const std::string& text, std::size_t at);

}  // namespace cpu_device::race
