// Arithmetic on the two halves (functions named ...2) or the four bytes (...4) of a word, each of
// which is a number of its own. Of the letters before the digit, s and u say whether the numbers
// are signed, and ss and us that what does not fit becomes the largest or smallest that does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <type_traits>

namespace cpu_device {

template <typename Lane, typename Function>
unsigned by_lane(unsigned a, unsigned b, Function function) {
    unsigned result = 0;
    for (unsigned shift = 0; shift < 32; shift += 8 * sizeof(Lane)) {
        const int lane = function(static_cast<Lane>(a >> shift), static_cast<Lane>(b >> shift));
        result |= static_cast<unsigned>(static_cast<std::make_unsigned_t<Lane>>(lane)) << shift;
    }
    return result;
}

template <typename Lane>
unsigned sum_of_differences(unsigned a, unsigned b) {
    unsigned sum = 0;
    by_lane<Lane>(a, b, [&](int x, int y) {
        sum += static_cast<unsigned>(std::abs(x - y));
        return 0;
    });
    return sum;
}

template <typename Lane>
int saturated(int value) {
    using Limits = std::numeric_limits<Lane>;
    return std::clamp<int>(value, Limits::min(), Limits::max());
}

}  // namespace cpu_device

// What is done to lanes x and y of type Lane, as an int.
#define CPU_DEVICE_LANES_1(name, Type, ...)                                             \
    inline unsigned name(unsigned a) {                                                  \
        using Lane [[maybe_unused]] = Type;                                             \
        return cpu_device::by_lane<Lane>(a, 0, [](int x, int) { return __VA_ARGS__; }); \
    }
#define CPU_DEVICE_LANES_2(name, Type, ...)                                               \
    inline unsigned name(unsigned a, unsigned b) {                                        \
        using Lane [[maybe_unused]] = Type;                                               \
        return cpu_device::by_lane<Lane>(a, b, [](int x, int y) { return __VA_ARGS__; }); \
    }
#define CPU_DEVICE_COMPARISON(name, digit, Type, op)         \
    CPU_DEVICE_LANES_2(__vcmp##name##digit, Type, -(x op y)) \
    CPU_DEVICE_LANES_2(__vset##name##digit, Type, int{x op y})

// An average is rounded up, that of a negative sum down; that of haddu always down.
#define CPU_DEVICE_LANES(digit, Signed, Unsigned)                                         \
    CPU_DEVICE_LANES_1(__vabs##digit, Signed, std::abs(x))                                \
    CPU_DEVICE_LANES_1(__vabsss##digit, Signed, cpu_device::saturated<Lane>(std::abs(x))) \
    CPU_DEVICE_LANES_1(__vneg##digit, Signed, -x)                                         \
    CPU_DEVICE_LANES_1(__vnegss##digit, Signed, cpu_device::saturated<Lane>(-x))          \
    CPU_DEVICE_LANES_2(__vadd##digit, Unsigned, x + y)                                    \
    CPU_DEVICE_LANES_2(__vaddss##digit, Signed, cpu_device::saturated<Lane>(x + y))       \
    CPU_DEVICE_LANES_2(__vaddus##digit, Unsigned, cpu_device::saturated<Lane>(x + y))     \
    CPU_DEVICE_LANES_2(__vsub##digit, Unsigned, x - y)                                    \
    CPU_DEVICE_LANES_2(__vsubss##digit, Signed, cpu_device::saturated<Lane>(x - y))       \
    CPU_DEVICE_LANES_2(__vsubus##digit, Unsigned, cpu_device::saturated<Lane>(x - y))     \
    CPU_DEVICE_LANES_2(__vavgs##digit, Signed, (x + y + (x + y >= 0)) >> 1)               \
    CPU_DEVICE_LANES_2(__vavgu##digit, Unsigned, (x + y + 1) >> 1)                        \
    CPU_DEVICE_LANES_2(__vhaddu##digit, Unsigned, (x + y) >> 1)                           \
    CPU_DEVICE_LANES_2(__vabsdiffs##digit, Signed, std::abs(x - y))                       \
    CPU_DEVICE_LANES_2(__vabsdiffu##digit, Unsigned, std::abs(x - y))                     \
    CPU_DEVICE_LANES_2(__vmins##digit, Signed, std::min(x, y))                            \
    CPU_DEVICE_LANES_2(__vminu##digit, Unsigned, std::min(x, y))                          \
    CPU_DEVICE_LANES_2(__vmaxs##digit, Signed, std::max(x, y))                            \
    CPU_DEVICE_LANES_2(__vmaxu##digit, Unsigned, std::max(x, y))                          \
    CPU_DEVICE_COMPARISON(eq, digit, Unsigned, ==)                                        \
    CPU_DEVICE_COMPARISON(ne, digit, Unsigned, !=)                                        \
    CPU_DEVICE_COMPARISON(ges, digit, Signed, >=)                                         \
    CPU_DEVICE_COMPARISON(geu, digit, Unsigned, >=)                                       \
    CPU_DEVICE_COMPARISON(gts, digit, Signed, >)                                          \
    CPU_DEVICE_COMPARISON(gtu, digit, Unsigned, >)                                        \
    CPU_DEVICE_COMPARISON(les, digit, Signed, <=)                                         \
    CPU_DEVICE_COMPARISON(leu, digit, Unsigned, <=)                                       \
    CPU_DEVICE_COMPARISON(lts, digit, Signed, <)                                          \
    CPU_DEVICE_COMPARISON(ltu, digit, Unsigned, <)                                        \
    inline unsigned __vsads##digit(unsigned a, unsigned b) {                              \
        return cpu_device::sum_of_differences<Signed>(a, b);                              \
    }                                                                                     \
    inline unsigned __vsadu##digit(unsigned a, unsigned b) {                              \
        return cpu_device::sum_of_differences<Unsigned>(a, b);                            \
    }
CPU_DEVICE_LANES(2, std::int16_t, std::uint16_t)
CPU_DEVICE_LANES(4, std::int8_t, std::uint8_t)
#undef CPU_DEVICE_LANES
#undef CPU_DEVICE_COMPARISON
#undef CPU_DEVICE_LANES_2
#undef CPU_DEVICE_LANES_1
