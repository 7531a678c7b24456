// What inline PTX becomes where CUDA C++ has no name for it: see ptx.cpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cpu_device/copies_of_thread.h"
#include "cpu_device/device_functions.h"
#include "cpu_device/nv_atomic.h"

namespace cpu_device {

inline unsigned warp_in_block() {
    return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32;
}

// Bits of a number, from `first` on; what lies beyond its end is 0.
template <typename T>
T bits_of(T from, unsigned first, unsigned count) {
    first &= 255;
    count &= 255;
    const T rest = first < 8 * sizeof(T) ? from >> first : 0;
    return count < 8 * sizeof(T) ? rest & ((T{1} << count) - 1) : rest;
}
// The lowest bits of `bits` take the place of as many of `into`, from `first` on.
template <typename T>
T bits_into(T bits, T into, unsigned first, unsigned count) {
    first &= 255;
    count &= 255;
    if (first >= 8 * sizeof(T)) {
        return into;
    }
    const T mask = (count < 8 * sizeof(T) ? (T{1} << count) - 1 : ~T{0}) << first;
    return (into & ~mask) | ((bits << first) & mask);
}

// Bit by bit the entry of a table of eight, whose number the three bits are.
inline unsigned logic_of_three(unsigned a, unsigned b, unsigned c, unsigned table) {
    unsigned result = 0;
    for (unsigned entry = 0; entry < 8; ++entry) {
        if ((table >> entry & 1) != 0) {
            result |= ((entry & 4) != 0 ? a : ~a) & ((entry & 2) != 0 ? b : ~b) &
                      ((entry & 1) != 0 ? c : ~c);
        }
    }
    return result;
}

// A shift by more than the number's bits gives 0, or of a negative number -1.
template <typename T>
T shifted_left(T x, unsigned count) {
    return static_cast<T>(count < 8 * sizeof(T) ? x << count : 0);
}
template <typename T>
T shifted_right(T x, unsigned count) {
    return static_cast<T>(count < 8 * sizeof(T) ? x >> count : (x < 0 ? -1 : 0));
}

// Whole numbers. A division by 0 does not fail: its quotient has all bits set, and its remainder is
// the dividend. That of the least number by -1 wraps.
template <typename T>
T quotient(T x, T y) {
    if (y == 0) {
        return static_cast<T>(~T{0});
    }
    if (std::is_signed_v<T> && y == static_cast<T>(-1)) {
        return static_cast<T>(std::uint64_t{0} - static_cast<std::uint64_t>(x));
    }
    return static_cast<T>(x / y);
}
template <typename T>
T remainder_of(T x, T y) {
    if (y == 0) {
        return x;
    }
    return std::is_signed_v<T> && y == static_cast<T>(-1) ? T{0} : static_cast<T>(x % y);
}
template <typename T>
T magnitude(T x) {
    return x < 0 ? static_cast<T>(std::uint64_t{0} - static_cast<std::uint64_t>(x)) : x;
}

// setp.ne of floating-point numbers is false where one of them is not a number.
template <typename T>
bool are_ordered_and_differ(T x, T y) {
    return x < y || x > y;
}
// .ftz: a subnormal number counts as zero of its sign.
inline float without_subnormal(float x) {
    return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}

// cp.async: the last bytes become 0 where fewer are used than copied.
inline void cp_async(void* to, const void* from, unsigned bytes, unsigned used, Place place = {}) {
    if (used > bytes) {
        misuse(
            "cp.async is told to read more bytes than it copies: its last operand, the size of "
            "the source, must not be larger than the size of the copy",
            place);
    }
    copy_in_pipeline(to, from, bytes, bytes - used,
                     "cp.async copies 4, 8 or 16 bytes, and both addresses must be multiples of "
                     "that",
                     place);
}

// shfl.sync ("PTX ISA"): `bounds` has the last lane of a segment in bits 0 to 4, and in bits 8 to
// 12 those of the lane's number that say the segment.
template <char kind>
unsigned ptx_shuffle(unsigned value, unsigned operand, unsigned bounds, unsigned mask,
                     Place place = {}) {
    const unsigned me = static_cast<unsigned>(lane()), segment = bounds >> 8 & 31;
    const unsigned first = me & segment, last = first | (bounds & 31 & ~segment);
    operand &= 31;
    const int source = static_cast<int>(kind == 'u'   ? me - operand
                                        : kind == 'd' ? me + operand
                                        : kind == 'b' ? me ^ operand
                                                      : first | (operand & ~segment));
    const bool inside =
        kind == 'u' ? source >= static_cast<int>(last) : source <= static_cast<int>(last);
    constexpr WarpOp op = kind == 'u'   ? WarpOp::shuffle_up
                          : kind == 'd' ? WarpOp::shuffle_down
                          : kind == 'b' ? WarpOp::shuffle_xor
                                        : WarpOp::shuffle;
    return shuffle(op, mask, value, inside ? source : static_cast<int>(me), place);
}

// An operand's value in the register that its constraint names, and back.
template <typename T, typename Register>
constexpr bool fits_register = sizeof(T) == sizeof(Register) &&
                               (std::is_floating_point_v<Register> ? std::is_same_v<T, Register>
                                                                   : std::is_integral_v<T> ||
                                                                         std::is_enum_v<T> ||
                                                                         std::is_pointer_v<T>);
template <typename Register, typename T>
Register to_register(T value) {
    static_assert(fits_register<T, Register>,
                  "an operand of inline PTX is of another size or kind than its constraint says");
    if constexpr (std::is_pointer_v<T>) {
        return reinterpret_cast<Register>(value);
    } else {
        return static_cast<Register>(value);
    }
}
template <typename Reference, typename Register>
auto from_register(Register value) {
    using T = std::remove_cv_t<std::remove_reference_t<Reference>>;
    static_assert(fits_register<T, Register>,
                  "an operand of inline PTX is of another size or kind than its constraint says");
    if constexpr (std::is_pointer_v<T>) {
        return reinterpret_cast<T>(value);
    } else {
        return static_cast<T>(value);
    }
}

// The address of an access, whose type the instruction says.
template <typename T>
T* pointer_to(unsigned long long address) {
    return reinterpret_cast<T*>(address);
}
template <typename T>
T* shared_pointer_to(unsigned long long address) {
    return static_cast<T*>(from_shared_address(address));
}
// A load and a store of a volatile asm statement, which nothing else orders: a thread may wait by
// them for another one, which must have its turn then. Race mode sees all accesses, these too.
template <typename T>
void has_loaded([[maybe_unused]] const volatile T* address, [[maybe_unused]] T value,
                [[maybe_unused]] Place place = {}) {
#ifndef CPU_DEVICE_RACE
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    changed_nothing(address, bits, bits, place.file, place.line, place.function);
#endif
}
inline void has_stored() {
#ifndef CPU_DEVICE_RACE
    made_progress();
#endif
}
// The value found.
template <typename T>
T compare_and_swap(T* address, NotDeduced<T> expected, NotDeduced<T> desired, int order, int scope,
                   Place place = {}) {
    return atomic_compare_swap<T>(address, expected, desired, nv_order(order), Order::relaxed,
                                  nv_scope(scope), place);
}

}  // namespace cpu_device
