// POSIX extended regular expressions by the C library, with glibc's \b and \1. <regex> says the
// same and takes five times as long to compile as all else of a source that includes it.
#pragma once

#include <regex.h>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace cpu_device {

// A dot is any character but the end of a line; ^ and $ are the ends of a line.
class Pattern {
  public:
    explicit Pattern(const std::string& expression) {
        if (regcomp(&compiled_, expression.c_str(), REG_EXTENDED | REG_NEWLINE) != 0) {
            throw std::invalid_argument("no regular expression: " + expression);
        }
        if (compiled_.re_nsub >= most_groups) {
            throw std::invalid_argument("more than 9 groups: " + expression);
        }
    }
    ~Pattern() { regfree(&compiled_); }
    Pattern(const Pattern&) = delete;
    Pattern& operator=(const Pattern&) = delete;

    // Finds the first place at or after `begin` that is like this: its text, then that of each
    // group, "" for a group that takes no part. Empty if there is none. `end`: set to where it
    // ends.
    std::vector<std::string> find(const std::string& text, std::size_t begin = 0,
                                  std::size_t* end = nullptr) const {
        std::array<regmatch_t, most_groups> places{};
        std::vector<std::string> found;
        const int flags = begin == 0 || text[begin - 1] == '\n' ? 0 : REG_NOTBOL;
        if (regexec(&compiled_, text.c_str() + begin, places.size(), places.data(), flags) != 0) {
            return found;
        }
        for (std::size_t i = 0; i <= compiled_.re_nsub; ++i) {
            const auto from = static_cast<std::size_t>(places[i].rm_so);
            const auto to = static_cast<std::size_t>(places[i].rm_eo);
            found.push_back(places[i].rm_so < 0 ? "" : text.substr(begin + from, to - from));
        }
        if (end != nullptr) {
            *end = begin + static_cast<std::size_t>(places[0].rm_eo);
        }
        return found;
    }
    // The same if the whole text is like this.
    std::vector<std::string> match(const std::string& text) const {
        std::vector<std::string> found = find(text);  // of the longest from its begin
        return !found.empty() && found[0].size() == text.size() ? found
                                                                : std::vector<std::string>{};
    }
    bool is(const std::string& text) const { return !match(text).empty(); }
    bool is_in(const std::string& text) const { return !find(text).empty(); }

  private:
    static constexpr std::size_t most_groups = 10;  // with the whole

    regex_t compiled_{};
};

}  // namespace cpu_device
