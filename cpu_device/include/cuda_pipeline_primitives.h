// Copies from global to shared memory that a thread begins, puts into batches, and waits for. In
// race mode they are made at a moment until then.
#pragma once

#include "cpu_device/copies_of_thread.h"
#include "cuda_runtime.h"

// `bytes` is 4, 8 or 16, and both are aligned to it. The last `zeros` bytes become 0.
inline void __pipeline_memcpy_async(void* to, const void* from, std::size_t bytes,
                                    std::size_t zeros = 0, cpu_device::Place place = {}) {
    cpu_device::copy_in_pipeline(
        to, from, bytes, zeros,
        "__pipeline_memcpy_async copies 4, 8 or 16 bytes, and both addresses must be "
        "multiples of that",
        place);
}
inline void __pipeline_commit(cpu_device::Place place = {}) {
    cpu_device::commit_copies(&cpu_device::pipeline_of_thread, place);
}
// The last `batches` may be under way still, and so may copies that are in no batch yet.
inline void __pipeline_wait_prior(std::size_t batches) {
    cpu_device::finish_batches(&cpu_device::pipeline_of_thread, batches);
}
