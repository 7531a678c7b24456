// What the parts of the host API share.
#pragma once

#include <cstddef>

#include "cpu_device/host_api.h"

namespace cpu_device {

// What a call of the API returns, and cudaGetLastError() later: its own error, or the one that a
// test asks for.
cudaError_t result(cudaError_t error, const char* call = __builtin_FUNCTION());

// What the program got from cudaMalloc and its kin, or has registered.
struct Allocation {
    std::size_t bytes;
    enum Kind { device, managed, pinned, registered } kind;
    int owner = 0;  // the device that was current; of a pool: the pool's

    bool host_writes_too() const { return kind != device; }
};
// On the current device, or on the one that is named.
cudaError_t allocate(void** pointer, std::size_t bytes, Allocation::Kind kind = Allocation::device);
cudaError_t allocate_on(int device, void** pointer, std::size_t bytes, Allocation::Kind kind);
cudaError_t release(void* pointer);
// From here to the end of the allocation that holds this byte; 0 bytes if none does.
Allocation allocation_from(const void* pointer);

// May kernels of the device use this memory? All memory that is no other device's own.
bool is_reachable(const void* pointer, int device);
// Takes away all memory that the device's kernels may not use, or gives it back.
void hide_memory_from(int device, bool hidden);
// The device of a stream that is there still.
int device_of(cudaStream_t stream);

// Can kernels use these bytes? Of no allocation, they can only be of a variable of the program.
bool is_device_memory(const void* pointer, std::size_t bytes);

// A copy of `rows` rows of `bytes` bytes; the beginnings of two rows are a pitch apart.
struct Rows {
    std::size_t bytes, rows, to_pitch, from_pitch;
};
enum class Waiting { never, as_documented };
cudaError_t copy(void* to, const void* from, const Rows& size, cudaMemcpyKind kind,
                 cudaStream_t stream, const char* function, Waiting waiting);
cudaError_t set(void* pointer, int byte, std::size_t bytes, cudaStream_t stream,
                const char* function);

// Of a device: they share the memory of the host in equal parts.
std::size_t physical_memory();

}  // namespace cpu_device
