// Copies from global to shared memory that a thread begins, puts into batches, and waits for. In
// race mode they are made at a moment until then.
#pragma once

#include <cstring>

#include "cpu_device/copies.h"
#include "cuda_runtime.h"

namespace cpu_device {
inline const char pipeline_of_thread = 0;  // its address is that of the thread's own pipeline
}

// `bytes` is 4, 8 or 16, and both are aligned to it. The last `zeros` bytes become 0.
inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes,
                                    std::size_t zeros = 0, cpu_device::Place place = {}) {
    const auto is_aligned = [bytes](const void* memory) {
        return reinterpret_cast<std::uintptr_t>(memory) % bytes == 0;
    };
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes || !is_aligned(to) ||
        !is_aligned(from)) {
        cpu_device::misuse(
            "__pipeline_memcpy_async copies 4, 8 or 16 bytes, and both addresses must be "
            "multiples of that",
            place);
    }
    const auto copy = [=] {
        std::memcpy(to, from, bytes - zeros);
        std::memset(static_cast<char*>(to) + (bytes - zeros), 0, zeros);
    };
    cpu_device::begin_copy(&cpu_device::pipeline_of_thread, copy, place);
}
inline void __pipeline_commit(cpu_device::Place place = {}) {
    cpu_device::commit_copies(&cpu_device::pipeline_of_thread, place);
}
// The last `batches` may be under way still.
inline void __pipeline_wait_prior(std::size_t batches) {
    cpu_device::finish_copies(&cpu_device::pipeline_of_thread, batches);
}
