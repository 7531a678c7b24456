// A string in JSON: of race mode's traces, and of the harness.
#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace cpu_device {

// The bytes of the UTF-8 character at the start of `text` (not empty), or 0 where there is none:
// RFC 3629, section 4.
inline std::size_t utf8_bytes(std::string_view text) {
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

// A string in JSON, with its quotes. What is no UTF-8 becomes U+FFFD, the replacement character.
inline std::string json_string(std::string_view text) {
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

}  // namespace cpu_device
