// The random numbers of cuRAND as the CPU device has them: one generator for all types, Philox
// 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3"). Its
// numbers are NOT those of NVIDIA's cuRAND, but they are always the same: word i of a stream is
// word i % 4 of Philox with the seed as its key and (i / 4, subsequence, type) as its counter.
#pragma once

#include <cmath>
#include <cstdint>

namespace cpu_device {

struct PhiloxBlock {
    std::uint32_t word[4];
};
inline PhiloxBlock philox(PhiloxBlock counter, std::uint32_t key0, std::uint32_t key1) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xd2511f53} * counter.word[0];
        const std::uint64_t b = std::uint64_t{0xcd9e8d57} * counter.word[2];
        counter = {{static_cast<std::uint32_t>(b >> 32) ^ counter.word[1] ^ key0,
                    static_cast<std::uint32_t>(b),
                    static_cast<std::uint32_t>(a >> 32) ^ counter.word[3] ^ key1,
                    static_cast<std::uint32_t>(a)}};
        key0 += 0x9e3779b9;
        key1 += 0xbb67ae85;
    }
    return counter;
}

// A stream of words, and how far it was read. A normal deviate that was made beside another one is
// kept for the next call.
struct RandomStream {
    std::uint64_t seed, subsequence, position;
    std::uint32_t type;
    bool has_normal, has_normal_double;
    float normal;
    double normal_double;

    void begin(std::uint64_t seed_, std::uint64_t subsequence_, std::uint64_t position_,
               std::uint32_t type_) {
        seed = seed_;
        subsequence = subsequence_;
        position = position_;
        type = type_;
        has_normal = has_normal_double = false;
        normal = 0;
        normal_double = 0;
    }

    std::uint32_t next() {
        const std::uint64_t block = position / 4;
        const PhiloxBlock words =
            philox({{static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32),
                     static_cast<std::uint32_t>(subsequence),
                     static_cast<std::uint32_t>(subsequence >> 32) ^ type << 24}},
                   static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32));
        return words.word[position++ % 4];
    }
    std::uint64_t next64() {
        const std::uint64_t high = next();
        return high << 32 | next();
    }
    // From 0, which is left out, to 1, which is not.
    float uniform() { return std::fma(static_cast<float>(next()), 0x1p-32f, 0x1p-33f); }
    double uniform_double() { return (static_cast<double>(next64() >> 11) + 1) * 0x1p-53; }

    // Box and Muller: two independent ones from two uniform ones.
    template <typename T>
    static void two_normals(T u, T v, T* first, T* second) {
        const T radius = std::sqrt(-2 * std::log(u));
        const T angle = static_cast<T>(6.283185307179586) * v;
        *first = radius * std::sin(angle);
        *second = radius * std::cos(angle);
    }
    float next_normal() {
        has_normal = !has_normal;
        if (!has_normal) {
            return normal;
        }
        float result = 0;
        const float u = uniform(), v = uniform();
        two_normals(u, v, &result, &normal);
        return result;
    }
    double next_normal_double() {
        has_normal_double = !has_normal_double;
        if (!has_normal_double) {
            return normal_double;
        }
        double result = 0;
        const double u = uniform_double(), v = uniform_double();
        two_normals(u, v, &result, &normal_double);
        return result;
    }

    // By Knuth's product of uniform numbers, in parts of at most 32, whose sum has the right
    // distribution. Beyond 4000 a normal one is near enough.
    unsigned poisson(double lambda) {
        if (lambda > 4000) {
            const double value =
                std::floor(lambda + std::sqrt(lambda) * next_normal_double() + 0.5);
            return value > 0 ? static_cast<unsigned>(value) : 0;
        }
        unsigned count = 0;
        for (; lambda > 0; lambda -= 32) {
            const double limit = std::exp(-(lambda < 32 ? lambda : 32));
            for (double product = uniform_double(); product > limit; product *= uniform_double()) {
                ++count;
            }
        }
        return count;
    }
};

}  // namespace cpu_device
