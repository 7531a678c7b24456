// What inline PTX becomes where CUDA C++ has no name for it: see ptx.cpp.
#pragma once

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
    return shuffle(mask, value, inside ? source : static_cast<int>(me), place);
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
// The value found.
template <typename T>
T compare_and_swap(T* address, NotDeduced<T> expected, NotDeduced<T> desired, int order, int scope,
                   Place place = {}) {
    return atomic_compare_swap<T>(address, expected, desired, nv_order(order), Order::relaxed,
                                  nv_scope(scope), place);
}

}  // namespace cpu_device
