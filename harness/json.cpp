#include "harness/json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace harness {

namespace {

// The bytes of the UTF-8 character at the start of `text` (not empty), or 0 where there is none:
// RFC 3629, section 4.
std::size_t utf8_bytes(std::string_view text) {
    const auto byte = [&](std::size_t i) {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
    };
    const int first = byte(0);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xc2 ? 0
                               : first < 0xe0 ? 2
                               : first < 0xf0 ? 3
                               : first < 0xf5 ? 4
                                              : 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) {
            return 0;
        }
    }
    const int second = byte(1);
    const bool too_long = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    const bool no_character = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
    return too_long || no_character ? 0 : length;
}

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8_bytes(text.substr(i));
        const unsigned char byte = text[i];
        if (length == 0) {
            result += "\xef\xbf\xbd";  // U+FFFD, the replacement character
        } else if (byte < 0x20) {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\u%04x", byte);
            result += escape.data();
        } else {
            result += byte == '"' || byte == '\\' ? "\\" : "";
            result += text.substr(i, length);
        }
        i += length == 0 ? 1 : length;
    }
    return result + '"';
}

// The shortest digits that are read as the same number; JSON has no infinity and no NaN.
std::string digits(double value) {
    if (!std::isfinite(value)) {
        return "null";
    }
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

}  // namespace

Json::Json(bool value) : text_(value ? "true" : "false") {}
Json::Json(double value) : text_(digits(value)) {}
Json::Json(const std::string& value) : text_(quoted(value)) {}
Json::Json(const char* value) : text_(quoted(value)) {}
Json::Json(const std::vector<int>& values) : Json(list(values.begin(), values.end())) {}
Json::Json(const std::vector<double>& values) : Json(list(values.begin(), values.end())) {}

Json Json::list() {
    Json list;
    list.kind_ = Kind::list;
    return list;
}

Json& Json::set(const std::string& name, Json value) {
    kind_ = Kind::object;
    names_.push_back(name);
    elements_.push_back(std::move(value));
    return *this;
}

Json& Json::add(Json element) {
    kind_ = Kind::list;
    elements_.push_back(std::move(element));
    return *this;
}

std::string Json::text(std::size_t indent) const {
    if (kind_ == Kind::scalar) {
        return text_;
    }
    const bool is_list = kind_ == Kind::list;
    std::string result(1, is_list ? '[' : '{');
    const std::string line = "\n" + std::string(indent, ' ');
    for (std::size_t i = 0; i < elements_.size(); ++i) {
        result += (i == 0 ? "" : ",") + line + "  " + (is_list ? "" : quoted(names_[i]) + ": ") +
                  elements_[i].text(indent + 2);
    }
    return result + (elements_.empty() ? "" : line) + (is_list ? ']' : '}');
}

}  // namespace harness
