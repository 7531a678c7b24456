// What is counted: bytes made from a seed, with a dial for how much the threads meet on one bin.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "harness/inputs.hpp"

// The value that contended_bytes() repeats and equal_bytes() consists of: below 128, so that it has
// a bin also where only ASCII is counted.
constexpr unsigned char popular_value = 'e';

// `n` random bytes. Each is popular_value with probability `contention` and else uniform in 0..255:
// 0 gives uniform bytes, 1 gives equal ones.
inline std::vector<unsigned char> contended_bytes(std::size_t n, double contention,
                                                  std::uint64_t seed) {
    constexpr unsigned one = 1u << 24;  // the probability, in steps that 24 random bits can take
    const auto threshold = static_cast<unsigned>(std::lround(contention * one));
    harness::Generator generator(seed);
    std::vector<unsigned char> bytes(n);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < n; ++i) {
        bits = i % 2 == 0 ? generator() : bits >> 32;  // 32 bits a byte: 24 decide, 8 are the value
        const auto draw = static_cast<std::uint32_t>(bits);
        bytes[i] = draw >> 8 < threshold ? popular_value : static_cast<unsigned char>(draw);
    }
    return bytes;
}

// One value: every thread wants the same bin.
inline std::vector<unsigned char> equal_bytes(std::size_t n) {
    return std::vector<unsigned char>(n, popular_value);
}

// Two values in turn: neither all equal nor spread.
inline std::vector<unsigned char> alternating_bytes(std::size_t n) {
    std::vector<unsigned char> bytes(n, popular_value);
    for (std::size_t i = 1; i < n; i += 2) {
        bytes[i] = 't';
    }
    return bytes;
}

// How often a letter occurs in English, in hundredths of a percent of all letters, A to Z.
constexpr std::array<int, 26> english_letters = {820, 150, 280, 430, 1270, 220, 200, 610, 700,
                                                 15,  80,  400, 240, 670,  750, 190, 10,  600,
                                                 630, 910, 280, 100, 240,  15,  200, 7};

// A table of 65536 characters in which each one stands as often as it occurs in English prose:
// drawing an entry at random draws a character.
inline std::vector<unsigned char> english_table() {
    struct Share {
        unsigned char character;
        double weight;
    };
    std::vector<Share> shares{{' ', 1800}, {'\n', 180}, {',', 110}, {'.', 90},
                              {'\'', 30},  {'-', 20},   {'"', 20},  {'?', 10}};
    for (int i = 0; i < 26; ++i) {  // of 100 letters, 3 are capitals
        shares.push_back({static_cast<unsigned char>('a' + i), 0.776 * 0.97 * english_letters[i]});
        shares.push_back({static_cast<unsigned char>('A' + i), 0.776 * 0.03 * english_letters[i]});
    }
    double total = 0;
    for (const Share& share : shares) {
        total += share.weight;
    }
    std::vector<unsigned char> table(65536);
    double sum = 0;
    std::size_t filled = 0;
    for (const Share& share : shares) {
        sum += share.weight;
        const auto end = static_cast<std::size_t>(std::lround(sum / total * 65536));
        for (; filled < end; ++filled) {
            table[filled] = share.character;
        }
    }
    return table;
}

// `n` characters with the frequencies of English prose, drawn one by one: a text to a histogram,
// which looks at no word.
inline std::vector<unsigned char> text_bytes(std::size_t n, std::uint64_t seed) {
    const std::vector<unsigned char> table = english_table();
    harness::Generator generator(seed);
    std::vector<unsigned char> bytes(n);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < n; ++i) {
        bits = i % 4 == 0 ? generator() : bits >> 16;
        bytes[i] = table[bits & 0xffff];
    }
    return bytes;
}
