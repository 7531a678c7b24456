// The atomic accesses of race mode: the same five functions as in atomic_access.h, which includes
// this file in their place. All CUDA threads run on one OS thread and change turns only inside the
// runtime, so plain accesses are one step; what order and scope mean is the checker's business.
// The functions are not instrumented: otherwise the checker would see their accesses as plain. So
// each access to the word comes right after a call that is given its address and size: by that,
// scripts/course/unseen.py tells it from what the source of a user has brought into the function.
#pragma once

namespace cpu_device {

namespace types {
enum class AtomicKind : std::uint8_t { load, store, update };  // update: read-modify-write

struct AtomicStep {
    const volatile void* address;
    unsigned bytes;
    AtomicKind kind;
    Order order;
    Scope scope;
    Place place;
    bool replaces = false;  // whatever was there: an exchange
};
}  // namespace types

// At the beginning of atomicAdd() and its kin, which are for global and shared memory alone.
void before_atomic_function(const volatile void* address, Place place);
// Before an atomic access: other threads may have a turn.
void before_atomic(const volatile void* address, Place place, Order order, Scope scope);
// Between the two: where loads may read old values, the word gets the value that this access finds.
// `compare`: of a compare-and-swap, the value that it wants to find.
void take_store(const volatile void* address, unsigned bytes, AtomicKind kind, Order order,
                Scope scope, const std::uint64_t* compare = nullptr);
// Whether this compare_exchange_weak fails although it finds what it expects.
bool fails_for_no_reason();
// Between the two, where the access is a compare-and-swap.
void before_compare_swap(const volatile void* address, unsigned bytes);
// Just before the word is written.
void before_store(const volatile void* address, unsigned bytes);
// After it, still in the same turn. `before` is the word's value (its low 64 bits) until then.
void after_atomic(const AtomicStep& step, bool changed, std::uint64_t before);

#define CPU_DEVICE_UNCHECKED __attribute__((noinline, no_sanitize("thread", "alignment")))

template <typename T>
CPU_DEVICE_UNCHECKED T atomic_load(const volatile T* address, Order order, Scope scope,
                                   Place place) {
    before_atomic(address, place, order, scope);
    take_store(address, sizeof(T), AtomicKind::load, order, scope);
    const Word<T> seen = *reinterpret_cast<const volatile Word<T>*>(address);
    after_atomic({address, sizeof(T), AtomicKind::load, order, scope, place}, false,
                 static_cast<std::uint64_t>(seen));
    return from_bits<T>(seen);
}

// Read, compute, write as one step: *address = new_bits(*address). Returns the old value. It works
// on bits: T may be a class of the source, and none of its functions may run in between.
template <typename T, typename NewBits>
CPU_DEVICE_UNCHECKED T atomic_update_as(AtomicKind kind, volatile T* address, NewBits new_bits,
                                        Order order, Scope scope, Place place,
                                        bool replaces = false) {
    before_atomic(address, place, order, scope);
    take_store(address, sizeof(T), kind, order, scope);
    auto* word = reinterpret_cast<volatile Word<T>*>(address);
    const Word<T> seen = *word;
    const Word<T> wanted = new_bits(seen);
    before_store(word, sizeof(T));
    *word = wanted;
    after_atomic({address, sizeof(T), kind, order, scope, place, replaces}, seen != wanted,
                 static_cast<std::uint64_t>(seen));
    return from_bits<T>(seen);
}

// *address = new_value(*address), for numbers and pointers.
template <typename T, typename NewValue>
T atomic_update(volatile T* address, NewValue new_value, Order order, Scope scope, Place place) {
    return atomic_update_as(
        AtomicKind::update, address,
        [new_value](Word<T> seen) { return bits_of<T>(new_value(from_bits<T>(seen))); }, order,
        scope, place);
}

template <typename T>
void atomic_store(volatile T* address, T value, Order order, Scope scope, Place place) {
    const Word<T> wanted = bits_of(value);
    atomic_update_as(
        AtomicKind::store, address, [wanted](Word<T>) { return wanted; }, order, scope, place);
}

template <typename T>
T atomic_exchange(volatile T* address, T value, Order order, Scope scope, Place place) {
    const Word<T> wanted = bits_of(value);
    return atomic_update_as(
        AtomicKind::update, address, [wanted](Word<T>) { return wanted; }, order, scope, place,
        true);
}

// A swap that is not made is a load: it publishes nothing.
template <typename T>
CPU_DEVICE_UNCHECKED T atomic_compare_swap(volatile T* address, T compare, T value, Order success,
                                           Order failure, Scope scope, Place place) {
    before_atomic(address, place, success, scope);
    const auto compared = static_cast<std::uint64_t>(bits_of(compare));
    take_store(address, sizeof(T), AtomicKind::update, success, scope, &compared);
    before_compare_swap(address, sizeof(T));
    auto* word = reinterpret_cast<volatile Word<T>*>(address);
    const Word<T> seen = *word;
    const Word<T> wanted = bits_of(value);
    const bool swapped = seen == bits_of(compare);
    if (swapped) {
        before_store(word, sizeof(T));
        *word = wanted;
    }
    after_atomic({address, sizeof(T), swapped ? AtomicKind::update : AtomicKind::load,
                  swapped ? success : failure, scope, place},
                 swapped && seen != wanted, static_cast<std::uint64_t>(seen));
    return from_bits<T>(seen);
}

#undef CPU_DEVICE_UNCHECKED

}  // namespace cpu_device
