// Quasirandom numbers of cuRAND: Sobol sequences in Gray-code order (Bratley and Fox, algorithm
// 659), with the direction numbers of Joe and Kuo (the set for many dimensions) for the first ten.
#pragma once

#include <cmath>
#include <cstdint>

namespace cpu_device {

constexpr int sobol_dimensions = 10;

template <typename Word>
constexpr int word_bits = 8 * sizeof(Word);

// Those of a dimension, from 0. They follow from a primitive polynomial, of which `coefficients`
// holds all but the first and the last, and from the first ones, which are free to choose.
template <typename Word>
void sobol_directions(int dimension, Word* directions) {
    struct Polynomial {
        int degree, coefficients, first[5];
    };
    constexpr Polynomial polynomials[sobol_dimensions] = {{0, 0, {}},
                                                          {1, 0, {1}},
                                                          {2, 1, {1, 3}},
                                                          {3, 1, {1, 3, 1}},
                                                          {3, 2, {1, 1, 1}},
                                                          {4, 1, {1, 1, 3, 3}},
                                                          {4, 4, {1, 3, 5, 13}},
                                                          {5, 2, {1, 1, 5, 5, 17}},
                                                          {5, 4, {1, 1, 5, 5, 5}},
                                                          {5, 7, {1, 1, 7, 11, 19}}};
    const Polynomial& p = polynomials[dimension];
    for (int i = 0; i < word_bits<Word>; ++i) {
        const int shift = word_bits<Word> - 1 - i;
        if (p.degree == 0) {  // the first dimension: bits in reverse
            directions[i] = Word{1} << shift;
        } else if (i < p.degree) {
            directions[i] = static_cast<Word>(p.first[i]) << shift;
        } else {
            Word next = directions[i - p.degree] ^ (directions[i - p.degree] >> p.degree);
            for (int k = 1; k < p.degree; ++k) {
                next ^= (p.coefficients >> (p.degree - 1 - k) & 1) != 0 ? directions[i - k] : 0;
            }
            directions[i] = next;
        }
    }
}

// One dimension of the sequence, and how far it was read.
template <typename Word>
struct SobolStream {
    Word directions[word_bits<Word>];
    Word value;
    std::uint64_t position;

    void begin(const Word* given, std::uint64_t offset) {
        for (int i = 0; i < word_bits<Word>; ++i) {
            directions[i] = given[i];
        }
        skip_to(offset);
    }
    void skip_to(std::uint64_t offset) {
        position = offset;
        value = 0;
        const std::uint64_t gray = offset ^ offset >> 1;
        for (int i = 0; i < word_bits<Word>; ++i) {
            value ^= (gray >> i & 1) != 0 ? directions[i] : 0;
        }
    }

    Word next() {
        const Word result = value;
        const int bit = __builtin_ctzll(~position);
        value ^= bit < word_bits<Word> ? directions[bit] : 0;
        ++position;
        return result;
    }
    // From 0, which is left out, to 1, which is not.
    float uniform() {
        const auto word = static_cast<std::uint32_t>(next() >> (word_bits<Word> - 32));
        return std::fma(static_cast<float>(word), 0x1p-32f, 0x1p-33f);
    }
    double uniform_double() {
        const int used = word_bits<Word> < 53 ? word_bits<Word> : 53;
        const Word word = next() >> (word_bits<Word> - used);
        return (static_cast<double>(word) + 0.5) * std::ldexp(1.0, -used);
    }
};

}  // namespace cpu_device
