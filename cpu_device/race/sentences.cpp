#include "race/sentences.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "race/sentence_rows.hpp"
#include "scheduler.hpp"

namespace cpu_device::race {
namespace {

const SentenceRow* row_of(const char* key) {
    for (const SentenceRows& rows : {sentences_of_races, sentences_of_runs}) {
        const SentenceRow* const row =
            std::find_if(rows.first, rows.last,
                         [&](const SentenceRow& one) { return std::strcmp(one.key, key) == 0; });
        if (row != rows.last) {
            return row;
        }
    }
    fail("race mode has no sentence '%s'", key);
}

}  // namespace

std::string sentence(const char* key, const Words& words) {
    std::string text = row_of(key)->english;
    for (std::size_t at = 0; (at = text.find('{', at)) != std::string::npos;) {
        const auto word = std::find_if(words.begin(), words.end(), [&](const Word& one) {
            return text.compare(at + 1, std::strlen(one.first), one.first) == 0 &&
                   text[at + 1 + std::strlen(one.first)] == '}';
        });
        if (word == words.end()) {
            ++at;  // braces of code
        } else {
            text.replace(at, std::strlen(word->first) + 2, word->second);
            at += word->second.size();
        }
    }
    return text;
}

Text& Text::say(const char* key, const Words& words) {
    const std::string text = sentence(key, words);
    all_ += text;
    std::string line;
    for (const char c : text) {
        const bool is_blank = c == '\n' || c == ' ';
        if (!is_blank) {
            line += c;
        } else if (!line.empty() && line.back() != ' ') {
            line += ' ';
        }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    said_.emplace_back(key, line);
    return *this;
}

Text& Text::operator+=(const Text& more) {
    all_ += more.all_;
    said_.insert(said_.end(), more.said_.begin(), more.said_.end());
    return *this;
}

std::vector<std::string> sentence_keys() {
    std::vector<std::string> keys;
    for (const SentenceRows& rows : {sentences_of_races, sentences_of_runs}) {
        std::transform(rows.first, rows.last, std::back_inserter(keys),
                       [](const SentenceRow& row) { return row.key; });
    }
    return keys;
}

}  // namespace cpu_device::race
