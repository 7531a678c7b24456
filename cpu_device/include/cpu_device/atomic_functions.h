// atomicAdd and its kin, for exactly the types for which the toolkit's headers declare them, at
// device, block and system scope. They order nothing but their own word (relaxed).
//
// The value parameter takes no part in template deduction, so atomicAdd(&an_unsigned, 1) works; and
// a source's own atomicAdd(double*, double), as many have one, is preferred over these templates.
#pragma once

#include <type_traits>

#include "cpu_device/atomic_access.h"
#include "cpu_device/vector_types.h"

namespace cpu_device {

namespace types {
template <typename T>
struct Identity {
    using type = T;
};
}  // namespace types
template <typename T>
using NotDeduced = typename Identity<T>::type;

template <typename T, typename... Allowed>
using IfOneOf = std::enable_if_t<(std::is_same_v<T, Allowed> || ...), int>;

// compare-and-swap and exchange of 128 bits: any type of 16 bytes with that alignment.
template <typename T>
constexpr bool is_16_bytes = sizeof(T) == 16 && alignof(T) >= 16 && std::is_trivially_copyable_v<T>;

}  // namespace cpu_device

// One function at one scope: `compute` makes the new value from `old` and `value`.
#define CPU_DEVICE_ATOMIC(name, scope, compute, ...)                                           \
    template <typename T, cpu_device::IfOneOf<T, __VA_ARGS__> = 0>                             \
    inline T name(T* address, cpu_device::NotDeduced<T> value, cpu_device::Place place = {}) { \
        cpu_device::before_atomic_function(address, place);                                    \
        return cpu_device::atomic_update(                                                      \
            address, [value](T old) -> T { return compute; }, cpu_device::Order::relaxed,      \
            cpu_device::Scope::scope, place);                                                  \
    }
#define CPU_DEVICE_ATOMIC_AT_ALL_SCOPES(name, compute, ...)      \
    CPU_DEVICE_ATOMIC(name, device, compute, __VA_ARGS__)        \
    CPU_DEVICE_ATOMIC(name##_block, block, compute, __VA_ARGS__) \
    CPU_DEVICE_ATOMIC(name##_system, system, compute, __VA_ARGS__)

CPU_DEVICE_ATOMIC_AT_ALL_SCOPES(atomicAdd, cpu_device::wrapping_add(old, value), int, unsigned,
                                unsigned long long, float, double)
CPU_DEVICE_ATOMIC_AT_ALL_SCOPES(atomicSub, cpu_device::wrapping_sub(old, value), int, unsigned)
CPU_DEVICE_ATOMIC_AT_ALL_SCOPES(atomicMin, value < old ? value : old, int, unsigned, long long,
                                unsigned long long)
CPU_DEVICE_ATOMIC_AT_ALL_SCOPES(atomicMax, value > old ? value : old, int, unsigned, long long,
                                unsigned long long)
CPU_DEVICE_ATOMIC_AT_ALL_SCOPES(atomicInc, old >= value ? 0 : old + 1, unsigned)
CPU_DEVICE_ATOMIC_AT_ALL_SCOPES(atomicDec, old == 0 || old > value ? value : old - 1, unsigned)
CPU_DEVICE_ATOMIC_AT_ALL_SCOPES(atomicAnd, old& value, int, unsigned, long long, unsigned long long)
CPU_DEVICE_ATOMIC_AT_ALL_SCOPES(atomicOr, old | value, int, unsigned, long long, unsigned long long)
CPU_DEVICE_ATOMIC_AT_ALL_SCOPES(atomicXor, old ^ value, int, unsigned, long long,
                                unsigned long long)
#undef CPU_DEVICE_ATOMIC_AT_ALL_SCOPES
#undef CPU_DEVICE_ATOMIC

#define CPU_DEVICE_EXCHANGE(name, scope, condition)                                            \
    template <typename T, condition = 0>                                                       \
    inline T name(T* address, cpu_device::NotDeduced<T> value, cpu_device::Place place = {}) { \
        cpu_device::before_atomic_function(address, place);                                    \
        return cpu_device::atomic_exchange(address, value, cpu_device::Order::relaxed,         \
                                           cpu_device::Scope::scope, place);                   \
    }
#define CPU_DEVICE_COMPARE_SWAP(name, scope, condition)                                           \
    template <typename T, condition = 0>                                                          \
    inline T name(T* address, cpu_device::NotDeduced<T> compare, cpu_device::NotDeduced<T> value, \
                  cpu_device::Place place = {}) {                                                 \
        cpu_device::before_atomic_function(address, place);                                       \
        return cpu_device::atomic_compare_swap(                                                   \
            address, compare, value, cpu_device::Order::relaxed, cpu_device::Order::relaxed,      \
            cpu_device::Scope::scope, place);                                                     \
    }

namespace cpu_device {
// The given types, or any of 16 bytes.
template <typename T, typename... Allowed>
using IfOneOfOrWide = std::enable_if_t<is_16_bytes<T> || (std::is_same_v<T, Allowed> || ...), int>;
template <typename T>
using IfExchangeable = IfOneOfOrWide<T, int, unsigned, unsigned long long, float>;
template <typename T>
using IfComparable = IfOneOfOrWide<T, int, unsigned, unsigned long long>;
template <typename T>  // 16 bits at device scope only
using IfComparableAtDeviceScope =
    IfOneOfOrWide<T, int, unsigned, unsigned long long, unsigned short>;
}  // namespace cpu_device

CPU_DEVICE_EXCHANGE(atomicExch, device, cpu_device::IfExchangeable<T>)
CPU_DEVICE_EXCHANGE(atomicExch_block, block, cpu_device::IfExchangeable<T>)
CPU_DEVICE_EXCHANGE(atomicExch_system, system, cpu_device::IfExchangeable<T>)
CPU_DEVICE_COMPARE_SWAP(atomicCAS, device, cpu_device::IfComparableAtDeviceScope<T>)
CPU_DEVICE_COMPARE_SWAP(atomicCAS_block, block, cpu_device::IfComparable<T>)
CPU_DEVICE_COMPARE_SWAP(atomicCAS_system, system, cpu_device::IfComparable<T>)
#undef CPU_DEVICE_EXCHANGE
#undef CPU_DEVICE_COMPARE_SWAP

// float2 and float4: each component is added atomically, the whole is not.
#define CPU_DEVICE_ATOMIC_ADD_VECTOR(name)                                             \
    inline float2 name(float2* address, float2 value, cpu_device::Place place = {}) {  \
        return {name(&address->x, value.x, place), name(&address->y, value.y, place)}; \
    }                                                                                  \
    inline float4 name(float4* address, float4 value, cpu_device::Place place = {}) {  \
        return {name(&address->x, value.x, place), name(&address->y, value.y, place),  \
                name(&address->z, value.z, place), name(&address->w, value.w, place)}; \
    }
CPU_DEVICE_ATOMIC_ADD_VECTOR(atomicAdd)
CPU_DEVICE_ATOMIC_ADD_VECTOR(atomicAdd_block)
CPU_DEVICE_ATOMIC_ADD_VECTOR(atomicAdd_system)
#undef CPU_DEVICE_ATOMIC_ADD_VECTOR
