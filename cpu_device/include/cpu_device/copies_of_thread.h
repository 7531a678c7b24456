// Copies from global to shared memory that a thread begins, puts into batches, and waits for: what
// __pipeline_memcpy_async and cp.async are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu_device/runtime.h"

namespace cpu_device {

// The last `zeros` of the bytes become 0.
inline void copy_with_zeros(void* to, const void* from, std::size_t bytes, std::size_t zeros) {
    std::memcpy(to, from, bytes - zeros);
    std::memset(static_cast<char*>(to) + (bytes - zeros), 0, zeros);
}

#ifdef CPU_DEVICE_RACE
// As begin_copy() in copies.h, for `make(to, from, bytes, zeros)`.
void begin_copy_of_bytes(const void* barrier,
                         void (*make)(void* to, const void* from, std::size_t bytes,
                                      std::size_t zeros),
                         void* to, const void* from, std::size_t bytes, std::size_t zeros,
                         Place place);
// What this thread has begun since its last batch is one batch from now on: it counts as one copy.
void commit_copies(const void* barrier, Place place);
// Makes the copies of this thread that it has begun, in a batch or not.
void finish_copies(const void* barrier);
// Makes those of its batches, but for the last `left`. What is in no batch yet goes on.
void finish_batches(const void* barrier, std::size_t left);
#else
inline void begin_copy_of_bytes(
    const void*, void (*make)(void* to, const void* from, std::size_t bytes, std::size_t zeros),
    void* to, const void* from, std::size_t bytes, std::size_t zeros, Place) {
    make(to, from, bytes, zeros);
}
inline void commit_copies(const void*, Place) {}
inline void finish_copies(const void*) {}
inline void finish_batches(const void*, std::size_t) {}
#endif

inline const char pipeline_of_thread = 0;  // its address is that of the thread's own pipeline

// `bytes` is 4, 8 or 16, and both are aligned to it.
inline void copy_in_pipeline(void* to, const void* from, std::size_t bytes, std::size_t zeros,
                             const char* refusal, Place place) {
    const auto is_aligned = [bytes](const void* memory) {
        return reinterpret_cast<std::uintptr_t>(memory) % bytes == 0;
    };
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes || !is_aligned(to) ||
        !is_aligned(from)) {
        misuse(refusal, place);
    }
    begin_copy_of_bytes(&pipeline_of_thread, copy_with_zeros, to, from, bytes, zeros, place);
}

}  // namespace cpu_device
