// For graders, who define CPU_DEVICE_COUNTS_PRINTS: printf, also as std::printf, tells how many
// arguments it gets, and of which kinds. No stranger's format can then ask for one that is not
// there, such as a word of the caller's stack. In CUDA printf takes numbers and pointers only.
//
// Included before <cstdio>, so that std has this function, too. Whoever reaches the printf of C, as
// a call without arguments does, calls it by its own name.
#pragma once

#include <stdio.h>

#include <cstddef>
#include <type_traits>

namespace cpu_device {

// `kinds`: a letter for each argument: i for a long long, d for a double, p for a pointer.
int print(const char* format, const char* kinds, ...);

template <typename T>
constexpr char kind_of_printed() {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T> ||
                      std::is_null_pointer_v<T>,
                  "printf takes numbers and pointers");
    return std::is_floating_point_v<T>                         ? 'd'
           : std::is_pointer_v<T> || std::is_null_pointer_v<T> ? 'p'
                                                               : 'i';
}

template <typename T>
auto printed(T value) {
    if constexpr (kind_of_printed<T>() == 'd') {
        return static_cast<double>(value);
    } else if constexpr (std::is_null_pointer_v<T>) {
        return static_cast<const volatile void*>(nullptr);
    } else if constexpr (kind_of_printed<T>() == 'p') {
        return reinterpret_cast<const volatile void*>(value);
    } else {
        return static_cast<long long>(value);
    }
}

}  // namespace cpu_device

template <typename... T>
int printf(const char* format, T... values) {
    static constexpr char kinds[] = {cpu_device::kind_of_printed<T>()..., '\0'};
    return cpu_device::print(format, kinds, cpu_device::printed(values)...);
}
