#include "race/words.hpp"

#include <cstdio>
#include <cstring>

#include "race/places.hpp"
#include "race/sentences.hpp"
#include "scheduler.hpp"

namespace cpu_device::race {

const char* kind_of_memory(std::size_t offset) {
    return is_shared(offset) ? "shared" : "global";
}

std::string verb(Access::Kind kind, bool is_atomic) {
    constexpr const char* plain[] = {"verb.read", "verb.write", "verb.update"};
    constexpr const char* atomic[] = {"verb.read.atomic", "verb.write.atomic",
                                      "verb.update.atomic"};
    return sentence((is_atomic ? atomic : plain)[kind]);
}
std::string verb(const Access& access) {
    return verb(access.kind, access.atomic);
}

// What the two touch, in a word or two.
std::string name_of_element(unsigned bytes, Element::Kind type) {
    if (type == Element::floating && (bytes == 4 || bytes == 8)) {
        return bytes == 4 ? "a float" : "a double";
    }
    switch (bytes) {
        case 1:
            return "a byte";
        case 4:
            return "a word";
        default:
            return std::to_string(bytes) + " bytes";
    }
}

std::string name_of(std::uint32_t block, std::uint32_t thread) {
    return "block " + std::to_string(block) + ", thread " + std::to_string(thread);
}
std::string name_of(const Access& access) {
    return (access.by_copy ? "the copy begun by " : "") + name_of(access.block, access.thread);
}

// A value as a number, by its type. Where that is not known, only a small number is told as one: a
// larger one could be a float, or have a sign.
std::string value_text(std::uint64_t value, unsigned bytes, Element::Kind kind) {
    char buffer[64];
    float small = 0;
    double large = 0;
    std::memcpy(&small, &value, sizeof small);
    std::memcpy(&large, &value, sizeof large);
    const unsigned unused = bytes < 8 ? 64 - 8 * bytes : 0;
    if (value == (0x0101010101010101u * fresh_memory) >> unused ||
        value == (0x0101010101010101u * poison) >> unused) {
        return never_written;
    }
    constexpr std::uint64_t large_number = 1 << 24;
    if (kind == Element::floating && (bytes == 4 || bytes == 8)) {
        std::snprintf(buffer, sizeof buffer, "%g", bytes == 4 ? static_cast<double>(small) : large);
    } else if (kind == Element::unknown && value >= large_number) {
        std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(value));
    } else if (kind == Element::without_sign || kind == Element::unknown) {
        std::snprintf(buffer, sizeof buffer, "%llu", static_cast<unsigned long long>(value));
    } else {
        std::snprintf(buffer, sizeof buffer, "%lld",
                      static_cast<long long>(value << unused) >> unused);
    }
    return buffer;
}

// An address in words: which element of what.
std::string describe(std::size_t offset, std::size_t element) {
    if (offset >= reserved_bytes) {
        return variable_at(address_of(offset));
    }
    const Piece* const piece = piece_near(offset);
    if (piece == nullptr) {
        return "in no memory that was allocated";
    }
    return describe(*piece, offset, element);
}

std::string describe(const Piece& piece, std::size_t offset, std::size_t element) {
    const bool whole = (offset - piece.begin) % element == 0 && piece.bytes % element == 0;
    const std::size_t size = whole ? element : 1;
    const std::size_t end = piece.begin + piece.bytes;
    std::string what =
        (piece.bytes == size ? "the one element of "
                             : "the " + std::to_string(piece.bytes / size) + " elements of ") +
        std::to_string(size) + (size == 1 ? " byte " : " bytes ");
    what += piece.name != nullptr ? std::string("of ") + piece.name
                                  : "allocated at " + place_of(piece.calls);
    what += piece.freed ? " and freed since" : "";
    if (offset < piece.begin) {
        return std::to_string(piece.begin - offset) + " bytes in front of " + what;
    }
    return "[" + std::to_string((offset - piece.begin) / size) + "]" +
           (offset < end ? " of "
                         : ", " + std::to_string(offset - end) + " bytes after the end of ") +
           what;
}

}  // namespace cpu_device::race
