#include "race/source_text.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace cpu_device::race {
namespace {

// The end of the string or character whose opening quote is at `open`; the end of its line where
// nothing closes it.
std::size_t end_of_quoted(const std::string& text, std::size_t open) {
    std::size_t at = open + 1;
    while (at < text.size() && text[at] != text[open] && text[at] != '\n') {
        at += text[at] == '\\' ? 2 : 1;
    }
    return std::min(at < text.size() && text[at] == text[open] ? at + 1 : at, text.size());
}

// The same of R"x(...)x".
std::size_t end_of_raw_string(const std::string& text, std::size_t open) {
    const std::size_t bracket = text.find('(', open);
    if (bracket == std::string::npos) {
        return end_of_quoted(text, open);
    }
    const std::string closing = ")" + text.substr(open + 1, bracket - open - 1) + "\"";
    const std::size_t end = text.find(closing, bracket);
    return end == std::string::npos ? text.size() : end + closing.size();
}

bool ends_with_include(const std::string& text) {
    std::size_t end = text.size();
    if (word_before(text, end) != "include") {
        return false;
    }
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t')) {
        --end;
    }
    return end > 0 && text[end - 1] == '#';
}

}  // namespace

bool is_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool is_space(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

SourceText source_text(const std::string& text) {
    SourceText source;
    std::string& rest = source.text;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        std::size_t word = rest.size();
        if (text.compare(at, 2, "//") == 0) {
            at = std::min(text.find('\n', at), text.size());
        } else if (text.compare(at, 2, "/*") == 0) {
            const std::size_t end = text.find("*/", at + 2);
            at = end == std::string::npos ? text.size() : end + 2;
            rest += ' ';
        } else if (c == '"') {
            const std::string prefix = word_before(rest, word);
            const bool is_raw = (prefix == "R" || prefix == "LR" || prefix == "uR" ||
                                 prefix == "UR" || prefix == "u8R") &&
                                rest.back() == 'R';
            const std::size_t end = is_raw ? end_of_raw_string(text, at) : end_of_quoted(text, at);
            if (ends_with_include(rest) && end > at + 2) {
                source.includes.push_back(text.substr(at + 1, end - at - 2));
            }
            at = end;
            rest += "\"\"";
        } else if (c == '\'') {
            // 1'000 is a number.
            const bool is_in_word = !rest.empty() && is_of_word(rest.back());
            const std::string number = is_in_word ? word_before(rest, word) : "";
            const bool is_digit =
                !number.empty() && std::isdigit(static_cast<unsigned char>(number[0])) != 0;
            at = is_digit ? at + 1 : end_of_quoted(text, at);
            rest += is_digit ? "" : "''";
        } else {
            rest += c;
            ++at;
        }
    }
    return source;
}

SourceText source_text_of(const std::string& file, std::size_t most_bytes) {
    std::error_code error;  // reading a folder would throw
    if (!std::filesystem::is_regular_file(file, error) ||
        std::filesystem::file_size(file, error) > most_bytes || error) {
        return {};
    }
    std::ifstream source(file);
    return source_text(std::string{std::istreambuf_iterator<char>(source), {}});
}

std::size_t find_word(const std::string& text, const std::string& name, std::size_t at) {
    for (at = text.find(name, at); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !is_of_word(text[at - 1])) &&
            (end == text.size() || !is_of_word(text[end]))) {
            break;
        }
    }
    return at;
}

std::string word_before(const std::string& text, std::size_t& end) {
    while (end > 0 && is_space(text[end - 1])) {
        --end;
    }
    const std::size_t behind = end;
    while (end > 0 && is_of_word(text[end - 1])) {
        --end;
    }
    return text.substr(end, behind - end);
}

DeclaredType type_before(const std::string& text, std::size_t at) {
    for (DeclaredType type;;) {
        while (at > 0 && (is_space(text[at - 1]) || text[at - 1] == '*' || text[at - 1] == '&')) {
            type.stars += text[--at] == '*' ? 1 : 0;
        }
        const std::string word = word_before(text, at);
        if (word != "const" && word != "__restrict__" && word != "volatile") {
            type.name = word;
            return type;
        }
    }
}

}  // namespace cpu_device::race
