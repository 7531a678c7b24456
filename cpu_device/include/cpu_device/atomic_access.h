// Every atomic access of a kernel comes through these five functions: they know the address, the
// order, the scope and the source line. Blocks run on several OS threads, so the accesses are
// really atomic; on a CPU every scope is as wide as the widest. Race mode has its own five.
//
// T: trivially copyable, of 1, 2, 4, 8 or 16 bytes. Comparison is of bits, as the hardware does it.
#pragma once

#include <cstring>
#include <type_traits>

#include "cpu_device/runtime.h"

namespace cpu_device {

namespace types {
// The unsigned integer of a size. may_alias: a float's bits are accessed through it.
template <std::size_t size>
struct WordOf;
template <>
struct WordOf<1> {
    using type __attribute__((may_alias)) = std::uint8_t;
};
template <>
struct WordOf<2> {
    using type __attribute__((may_alias)) = std::uint16_t;
};
template <>
struct WordOf<4> {
    using type __attribute__((may_alias)) = std::uint32_t;
};
template <>
struct WordOf<8> {
    using type __attribute__((may_alias)) = std::uint64_t;
};
template <>
struct WordOf<16> {
    __extension__ typedef unsigned __int128 type __attribute__((may_alias));
};
}  // namespace types
template <typename T>
using Word = typename WordOf<sizeof(T)>::type;

// The compiler's own word, in place of the library's: no source can specialize it. T may have an
// operator&, and a constructor that does anything: neither is called here.
template <typename T>
Word<T> bits_of(const T& value) {
    static_assert(__is_trivially_copyable(T), "an atomic access copies bits");
    Word<T> bits;
    std::memcpy(&bits, static_cast<const void*>(__builtin_addressof(value)), sizeof bits);
    return bits;
}
namespace types {
template <typename T>
union Unset {
    T value;
    Unset() {}
};
}  // namespace types
template <typename T>
T from_bits(Word<T> bits) {
    static_assert(__is_trivially_copyable(T), "an atomic access copies bits");
    Unset<T> unset;
    std::memcpy(static_cast<void*>(__builtin_addressof(unset)), &bits, sizeof bits);
    return const_cast<const Unset<T>&>(unset).value;
}

// So no function of the source computes the new value in the middle of an atomic access.
template <typename T>
constexpr bool has_no_own_operators = !__is_class(T) && !__is_union(T) && !__is_enum(T);

// Signed overflow wraps around, as on a GPU.
template <typename T>
T wrapping_add(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        using U = std::make_unsigned_t<T>;
        return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
    } else {
        return a + b;
    }
}
template <typename T>
T wrapping_sub(T a, T b) {
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(static_cast<U>(a) - static_cast<U>(b)));
}

// The order for the read of a compare-and-swap that fails: it publishes nothing.
constexpr Order without_release(Order order) {
    return order == Order::acq_rel ? Order::acquire
                                   : (order == Order::release ? Order::relaxed : order);
}

}  // namespace cpu_device

#ifdef CPU_DEVICE_RACE
#include "cpu_device/race_access.h"
#else
namespace cpu_device {

inline void before_atomic_function(const volatile void*, Place) {}

template <typename T>
void note_outcome(const volatile T* address, Word<T> seen, Word<T> wanted, Place place) {
    if (seen != wanted) {
        made_progress();
    } else {
        changed_nothing(address, static_cast<std::uint64_t>(seen),
                        static_cast<std::uint64_t>(wanted), place.file, place.line, place.function);
    }
}

template <typename T>
T atomic_load(const volatile T* address, Order order, Scope, Place place) {
    const auto* word = reinterpret_cast<const volatile Word<T>*>(address);
    const Word<T> seen = __atomic_load_n(word, static_cast<int>(order));
    note_outcome(address, seen, seen, place);
    return from_bits<T>(seen);
}

template <typename T>
void atomic_store(volatile T* address, T value, Order order, Scope, Place) {
    auto* word = reinterpret_cast<volatile Word<T>*>(address);
    __atomic_store_n(word, bits_of(value), static_cast<int>(order));
    made_progress();
}

template <typename T>
T atomic_exchange(volatile T* address, T value, Order order, Scope, Place place) {
    auto* word = reinterpret_cast<volatile Word<T>*>(address);
    const Word<T> wanted = bits_of(value);
    const Word<T> seen = __atomic_exchange_n(word, wanted, static_cast<int>(order));
    note_outcome(address, seen, wanted, place);
    return from_bits<T>(seen);
}

// Returns the old value; it equals `compare` (bit for bit) if the swap was made.
template <typename T>
T atomic_compare_swap(volatile T* address, T compare, T value, Order success, Order failure, Scope,
                      Place place) {
    auto* word = reinterpret_cast<volatile Word<T>*>(address);
    Word<T> seen = bits_of(compare);
    const Word<T> wanted = bits_of(value);
    const bool swapped = __atomic_compare_exchange_n(
        word, &seen, wanted, false, static_cast<int>(success), static_cast<int>(failure));
    if (swapped && seen != wanted) {
        made_progress();
    } else {
        changed_nothing(address, static_cast<std::uint64_t>(seen),
                        static_cast<std::uint64_t>(wanted), place.file, place.line, place.function);
    }
    return from_bits<T>(seen);
}

// Read, compute, write as one step: *address = new_value(*address). Returns the old value.
template <typename T, typename NewValue>
T atomic_update(volatile T* address, NewValue new_value, Order order, Scope, Place place) {
    auto* word = reinterpret_cast<volatile Word<T>*>(address);
    Word<T> seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    Word<T> wanted;
    do {
        wanted = bits_of<T>(new_value(from_bits<T>(seen)));
    } while (!__atomic_compare_exchange_n(word, &seen, wanted, false, static_cast<int>(order),
                                          static_cast<int>(without_release(order))));
    note_outcome(address, seen, wanted, place);
    return from_bits<T>(seen);
}

}  // namespace cpu_device
#endif
