// The built-in functions __nv_atomic_..., which name the order and the scope of an atomic access.
#pragma once

#include "cpu_device/atomic_access.h"

#define __NV_ATOMIC_RELAXED __ATOMIC_RELAXED
#define __NV_ATOMIC_CONSUME __ATOMIC_CONSUME
#define __NV_ATOMIC_ACQUIRE __ATOMIC_ACQUIRE
#define __NV_ATOMIC_RELEASE __ATOMIC_RELEASE
#define __NV_ATOMIC_ACQ_REL __ATOMIC_ACQ_REL
#define __NV_ATOMIC_SEQ_CST __ATOMIC_SEQ_CST
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

namespace cpu_device {

constexpr Order nv_order(int order) {
    return order == __NV_ATOMIC_CONSUME ? Order::acquire : static_cast<Order>(order);
}
// There are no clusters here: that of one block.
constexpr Scope nv_scope(int scope) {
    return scope == __NV_THREAD_SCOPE_SYSTEM   ? Scope::system
           : scope == __NV_THREAD_SCOPE_DEVICE ? Scope::device
           : scope == __NV_THREAD_SCOPE_THREAD ? Scope::thread
                                               : Scope::block;
}
template <typename T>
T nv_minus(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        return wrapping_sub(a, b);
    } else {
        return a - b;
    }
}

}  // namespace cpu_device

#define CPU_DEVICE_SYSTEM int scope = __NV_THREAD_SCOPE_SYSTEM, cpu_device::Place place = {}

template <typename T>
T __nv_atomic_load_n(const T* address, int order, CPU_DEVICE_SYSTEM) {
    return cpu_device::atomic_load(address, cpu_device::nv_order(order),
                                   cpu_device::nv_scope(scope), place);
}
template <typename T>
void __nv_atomic_load(const T* address, T* result, int order, CPU_DEVICE_SYSTEM) {
    *result = __nv_atomic_load_n(address, order, scope, place);
}
template <typename T>
void __nv_atomic_store_n(T* address, cpu_device::NotDeduced<T> value, int order,
                         CPU_DEVICE_SYSTEM) {
    cpu_device::atomic_store<T>(address, value, cpu_device::nv_order(order),
                                cpu_device::nv_scope(scope), place);
}
template <typename T>
void __nv_atomic_store(T* address, T* value, int order, CPU_DEVICE_SYSTEM) {
    __nv_atomic_store_n(address, *value, order, scope, place);
}
template <typename T>
T __nv_atomic_exchange_n(T* address, cpu_device::NotDeduced<T> value, int order,
                         CPU_DEVICE_SYSTEM) {
    return cpu_device::atomic_exchange<T>(address, value, cpu_device::nv_order(order),
                                          cpu_device::nv_scope(scope), place);
}
template <typename T>
void __nv_atomic_exchange(T* address, T* value, T* result, int order, CPU_DEVICE_SYSTEM) {
    *result = __nv_atomic_exchange_n(address, *value, order, scope, place);
}
// Whether the swap was made; if not, *expected becomes the value found.
template <typename T>
bool __nv_atomic_compare_exchange_n(T* address, T* expected, cpu_device::NotDeduced<T> desired,
                                    bool, int success, int failure, CPU_DEVICE_SYSTEM) {
    const T seen = cpu_device::atomic_compare_swap<T>(
        address, *expected, desired, cpu_device::nv_order(success), cpu_device::nv_order(failure),
        cpu_device::nv_scope(scope), place);
    const bool swapped = cpu_device::bits_of(seen) == cpu_device::bits_of(*expected);
    if (!swapped) {
        *expected = seen;
    }
    return swapped;
}
template <typename T>
bool __nv_atomic_compare_exchange(T* address, T* expected, T* desired, bool weak, int success,
                                  int failure, CPU_DEVICE_SYSTEM) {
    return __nv_atomic_compare_exchange_n(address, expected, *desired, weak, success, failure,
                                          scope, place);
}
inline void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
    cpu_device::memory_fence(cpu_device::nv_order(order), cpu_device::nv_scope(scope));
}

// fetch_... returns the old value, the other form nothing.
#define CPU_DEVICE_NV_ATOMIC(name, compute)                                                \
    template <typename T>                                                                  \
    T __nv_atomic_fetch_##name(T* address, cpu_device::NotDeduced<T> value, int order,     \
                               CPU_DEVICE_SYSTEM) {                                        \
        static_assert(cpu_device::has_no_own_operators<T>,                                 \
                      "__nv_atomic_fetch_" #name " takes numbers");                        \
        return cpu_device::atomic_update(                                                  \
            address, [value](T old) -> T { return compute; }, cpu_device::nv_order(order), \
            cpu_device::nv_scope(scope), place);                                           \
    }                                                                                      \
    template <typename T>                                                                  \
    void __nv_atomic_##name(T* address, cpu_device::NotDeduced<T> value, int order,        \
                            CPU_DEVICE_SYSTEM) {                                           \
        __nv_atomic_fetch_##name(address, value, order, scope, place);                     \
    }
CPU_DEVICE_NV_ATOMIC(add, cpu_device::wrapping_add(old, value))
CPU_DEVICE_NV_ATOMIC(sub, cpu_device::nv_minus(old, value))
CPU_DEVICE_NV_ATOMIC(and, static_cast<T>(old& value))
CPU_DEVICE_NV_ATOMIC(or, static_cast<T>(old | value))
CPU_DEVICE_NV_ATOMIC(xor, static_cast<T>(old ^ value))
CPU_DEVICE_NV_ATOMIC(min, value < old ? value : old)
CPU_DEVICE_NV_ATOMIC(max, old < value ? value : old)
#undef CPU_DEVICE_NV_ATOMIC
#undef CPU_DEVICE_SYSTEM
