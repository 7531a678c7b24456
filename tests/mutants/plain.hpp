// What scripts/mutate puts in the place of an atomic: the same function as a plain read, a
// computation and a plain write. For the CPU device only.
#pragma once

#include <cuda/atomic>

template <typename T, typename NewValue>
T plain_update(T* word, NewValue new_value) {
    const T old = *word;
    // In two steps: g++ puts no call of race mode's before the store of a struct that a function
    // returns.
    const T value = new_value(old);
    *word = value;
    return old;
}

template <typename T, typename V>
T plainAdd(T* word, V value) {
    return plain_update(word, [&](T old) { return static_cast<T>(old + value); });
}
template <typename T, typename V>
T plainSub(T* word, V value) {
    return plain_update(word, [&](T old) { return static_cast<T>(old - value); });
}
template <typename T, typename V>
T plainExch(T* word, V value) {
    return plain_update(word, [&](T) { return static_cast<T>(value); });
}
template <typename T, typename V>
T plainMin(T* word, V value) {
    return plain_update(word, [&](T old) { return value < old ? value : old; });
}
template <typename T, typename V>
T plainMax(T* word, V value) {
    return plain_update(word, [&](T old) { return value > old ? value : old; });
}
template <typename T, typename V>
T plainInc(T* word, V value) {
    return plain_update(word, [&](T old) { return old >= value ? T(0) : old + 1; });
}
template <typename T, typename V>
T plainDec(T* word, V value) {
    return plain_update(word, [&](T old) { return old == 0 || old > value ? value : old - 1; });
}
template <typename T, typename V>
T plainAnd(T* word, V value) {
    return plain_update(word, [&](T old) { return old & value; });
}
template <typename T, typename V>
T plainOr(T* word, V value) {
    return plain_update(word, [&](T old) { return old | value; });
}
template <typename T, typename V>
T plainXor(T* word, V value) {
    return plain_update(word, [&](T old) { return old ^ value; });
}
template <typename T, typename U, typename V>
T plainCAS(T* word, U compare, V value) {
    return plain_update(word,
                        [&](T old) { return old == static_cast<T>(compare) ? T(value) : old; });
}

// cuda::atomic_ref without the atomic.
template <typename T>
class PlainRef {
  public:
    explicit PlainRef(T& word) : word_(&word) {}
    T load(cuda::memory_order) const { return *word_; }
    void store(T value, cuda::memory_order) const { *word_ = value; }
    T fetch_add(T value, cuda::memory_order) const { return plainAdd(word_, value); }
    bool compare_exchange_weak(T& expected, T value, cuda::memory_order, cuda::memory_order) const {
        const T old = plainCAS(word_, expected, value);
        const bool exchanged = old == expected;
        expected = old;
        return exchanged;
    }

  private:
    T* word_;
};
