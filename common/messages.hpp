// Text of a user in a message: a value from the command line, a word of a file, the name of a file.
// It may be long or hold any byte, and must neither flood the terminal nor control it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace common {

namespace detail {

// The bytes of the character at the start of `text` (not empty) if a terminal shows it as it is,
// else 0. That is printable ASCII, and well-formed UTF-8 other than controls, blanks of no width
// and marks that turn the direction of writing.
inline std::size_t printable_bytes(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80) {
        return byte(0) >= 0x20 && byte(0) != 0x7f ? 1 : 0;
    }
    const std::size_t length = byte(0) < 0xc2   ? 0  // a later byte, or an overlong form
                               : byte(0) < 0xe0 ? 2
                               : byte(0) < 0xf0 ? 3
                               : byte(0) < 0xf5 ? 4
                                                : 0;
    if (length == 0 || text.size() < length) {
        return 0;
    }
    std::uint32_t code = byte(0) & (0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (byte(i) & 0x3fu);
    }
    constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    const auto within = [&](std::uint32_t first, std::uint32_t last) {
        return first <= code && code <= last;
    };
    const bool hidden = within(0x80, 0x9f) || within(0x200b, 0x200f) || within(0x2028, 0x202e) ||
                        within(0x2060, 0x206f) || code == 0xfeff;
    const bool no_character = code < smallest[length] || within(0xd800, 0xdfff) || code > 0x10ffff;
    return hidden || no_character ? 0 : length;
}

}  // namespace detail

// `text` with each byte that a terminal would not show written as \n, \t, \r or \xNN. At most
// `max_bytes` are written; "..." follows where some are left out.
inline std::string visible(std::string_view text, std::size_t max_bytes = 300) {
    std::string shown;
    for (std::size_t i = 0; i < text.size();) {
        std::string next;
        const std::size_t printable = detail::printable_bytes(text.substr(i, 4));
        if (printable > 0) {
            next = text.substr(i, printable);
        } else if (text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
            next = text[i] == '\n' ? "\\n" : text[i] == '\t' ? "\\t" : "\\r";
        } else {
            std::array<char, 5> escape{};
            std::snprintf(escape.data(), escape.size(), "\\x%02X",
                          static_cast<unsigned>(static_cast<unsigned char>(text[i])));
            next = escape.data();
        }
        if (shown.size() + next.size() > max_bytes) {
            return shown + "...";
        }
        shown += next;
        i += printable > 0 ? printable : 1;
    }
    return shown;
}

// A word in quotes, of which a message shows at most 70 bytes: 'word'.
inline std::string in_quotes(std::string_view word) {
    return "'" + visible(word, 70) + "'";
}

}  // namespace common
