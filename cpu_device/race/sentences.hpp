// The sentences of the reports, each with a key: a further language is a further column of the
// table in sentence_rows.hpp.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace cpu_device::race {

// What stands for a word in braces: {"place", "a.cu:7"} for "{place}".
using Word = std::pair<const char*, std::string>;
using Words = std::vector<Word>;

// The text of a report, and which sentences it is made of.
class Text {
  public:
    Text() = default;
    Text(std::string text) : all_(std::move(text)) {}  // of no sentence: names, lines of the source
    Text(const char* text) : all_(text) {}

    // Adds the sentence with this key, with its words filled in.
    Text& say(const char* key, const Words& words = {});
    Text& operator+=(const Text& more);

    const std::string& all() const { return all_; }
    // Keys and sentences, without the line breaks of the report.
    const std::vector<std::pair<std::string, std::string>>& sentences() const { return said_; }
    void drop_last() { all_.pop_back(); }  // a line's end

  private:
    std::string all_;
    std::vector<std::pair<std::string, std::string>> said_;
};

// One sentence as the table has it, filled in. A key that the table lacks ends the program.
std::string sentence(const char* key, const Words& words = {});
// All keys of the table.
std::vector<std::string> sentence_keys();

}  // namespace cpu_device::race
