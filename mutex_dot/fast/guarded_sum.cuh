// A partial sum with its mutex, in two forms: separate words, and one word that is both.
#pragma once

#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

#include "common/lock.cuh"

// A sum under a mutex, with the number of blocks that have added to it. 128 bytes apart, so that
// blocks that wait for one mutex do not load the memory line of another.
template <typename T>
struct alignas(128) MutexSum {
    int mutex;
    unsigned blocks;
    T sum;
};

// Adds `sum` under the mutex. True for the last of `members` blocks, whose `sum` becomes the sum of
// all of them. The last block sets the words back to 0 for the next launch: to do that before each
// launch would be an operation of its own.
template <typename T>
__device__ bool add_guarded(MutexSum<T>& guarded, unsigned members, T& sum) {
    common::lock(guarded.mutex);
    sum += guarded.sum;
    const unsigned blocks = guarded.blocks + 1;
    const bool is_last = blocks == members;
    guarded.sum = is_last ? 0 : sum;
    guarded.blocks = is_last ? 0 : blocks;
    common::unlock(guarded.mutex);
    return is_last;
}

// A sum and the number of blocks that have added to it, in one word that one atomic can exchange:
// 64 bits for float, 128 for double. The count is the lock as well: `taken` means "in use".
template <typename T>
struct alignas(2 * sizeof(T)) SumAndCount {
    using Count = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
    static constexpr Count taken = ~Count{0};
    T sum;
    Count blocks;
};

template <typename T>
struct alignas(128) OneWordSum {
    SumAndCount<T> word;
};

// Puts `value` into the word and returns what it held, in one atomic step.
__device__ inline SumAndCount<float> exchange(SumAndCount<float>* d_word,
                                              SumAndCount<float> value) {
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof bits);
    bits = atomicExch(reinterpret_cast<unsigned long long*>(d_word), bits);
    memcpy(&value, &bits, sizeof bits);
    return value;
}

__device__ inline SumAndCount<double> exchange(SumAndCount<double>* d_word,
                                               SumAndCount<double> value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
    static_cast<void>(d_word);  // never called: the table skips the variant on such a GPU
    __trap();
    return value;
#else
    return atomicExch(d_word, value);
#endif
}

// One exchange takes the lock and reads the sum, one more writes the sum and gives the lock back.
// So a turn is two trips to memory, where a lock with separate data needs four. A block that finds
// the word taken has put back what was there, and tries again at once, without a pause: the
// exchange itself takes long enough. Only the word itself is handed over, and all atomics on one
// word are in one order; so no fence, acquire or release is needed.
template <typename T>
__device__ bool add_guarded(OneWordSum<T>& guarded, unsigned members, T& sum) {
    constexpr SumAndCount<T> in_use{0, SumAndCount<T>::taken};
    SumAndCount<T> held = exchange(&guarded.word, in_use);
    while (held.blocks == SumAndCount<T>::taken) {
        held = exchange(&guarded.word, in_use);
    }
    sum += held.sum;
    const bool is_last = held.blocks + 1 == members;
    exchange(&guarded.word, is_last ? SumAndCount<T>{0, 0} : SumAndCount<T>{sum, held.blocks + 1});
    return is_last;
}
