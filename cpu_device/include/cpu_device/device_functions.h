// Device functions: barriers, fences, warp functions, time, loads and stores with a hint.
#pragma once

#include <cstdint>
#include <cstring>
#include <ctime>

#include "cpu_device/runtime.h"

// --- barriers and fences --------------------------------------------------------------------

inline int __syncthreads_count(int predicate, cpu_device::Place place = {}) {
    return static_cast<int>(
        cpu_device::block_barrier(predicate != 0, place.file, place.line, place.function));
}
inline void __syncthreads(cpu_device::Place place = {}) {
    __syncthreads_count(0, place);
}
inline int __syncthreads_or(int predicate, cpu_device::Place place = {}) {
    return __syncthreads_count(predicate != 0, place) != 0;
}
inline int __syncthreads_and(int predicate, cpu_device::Place place = {}) {
    return __syncthreads_count(predicate == 0, place) == 0;
}

inline void __threadfence_block() {
    cpu_device::memory_fence(cpu_device::Order::seq_cst, cpu_device::Scope::block);
}
inline void __threadfence() {
    cpu_device::memory_fence(cpu_device::Order::seq_cst, cpu_device::Scope::device);
}
inline void __threadfence_system() {
    cpu_device::memory_fence(cpu_device::Order::seq_cst, cpu_device::Scope::system);
}

inline void __nanosleep(unsigned, cpu_device::Place place = {}) {
    cpu_device::give_way(place);
}

// --- warp functions -------------------------------------------------------------------------

namespace cpu_device {

// The lane of the calling thread: its number in the block, x first, modulo 32.
inline int lane() {
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return static_cast<int>(thread % 32);
}

inline std::uint64_t warp_function(WarpOp op, unsigned mask, std::uint64_t value, unsigned source,
                                   const Place& place) {
    return warp_function(op, mask, value, source, place.file, place.line, place.function);
}

template <typename T>
T shuffle(WarpOp op, unsigned mask, T value, int source, Place place) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = warp_function(op, mask, bits, static_cast<unsigned>(source), place);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// CUDA promises nothing of another width.
inline int shuffle_width(int width, Place place) {
    if (width < 1 || width > warpSize || (width & (width - 1)) != 0) {
        misuse("the width of a shuffle must be a power of two, from 1 to 32", place);
    }
    return width;
}

// The lane that each kind of shuffle reads. Outside the segment of `width` lanes: one's own. Of a
// distance and of a mask a GPU takes the low five bits (PTX ISA, "shfl.sync").
inline int shuffle_source(int source_lane, int width) {
    return (lane() & ~(width - 1)) | (source_lane & (width - 1));
}
inline int shuffle_up_source(unsigned delta, int width) {
    const int source = lane() - static_cast<int>(delta % 32);
    return source < (lane() & ~(width - 1)) ? lane() : source;
}
inline int shuffle_down_source(unsigned delta, int width) {
    const int source = lane() + static_cast<int>(delta % 32);
    return source > (lane() | (width - 1)) ? lane() : source;
}
inline int shuffle_xor_source(int lane_mask, int width) {
    const int source = lane() ^ (lane_mask & 31);
    return source > (lane() | (width - 1)) ? lane() : source;
}

}  // namespace cpu_device

#define CPU_DEVICE_SHUFFLES(T)                                                                     \
    inline T __shfl_sync(unsigned mask, T value, int source, int width = warpSize,                 \
                         cpu_device::Place place = {}) {                                           \
        return cpu_device::shuffle(                                                                \
            cpu_device::WarpOp::shuffle, mask, value,                                              \
            cpu_device::shuffle_source(source, cpu_device::shuffle_width(width, place)), place);   \
    }                                                                                              \
    inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize,          \
                            cpu_device::Place place = {}) {                                        \
        return cpu_device::shuffle(                                                                \
            cpu_device::WarpOp::shuffle_up, mask, value,                                           \
            cpu_device::shuffle_up_source(delta, cpu_device::shuffle_width(width, place)), place); \
    }                                                                                              \
    inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize,        \
                              cpu_device::Place place = {}) {                                      \
        return cpu_device::shuffle(                                                                \
            cpu_device::WarpOp::shuffle_down, mask, value,                                         \
            cpu_device::shuffle_down_source(delta, cpu_device::shuffle_width(width, place)),       \
            place);                                                                                \
    }                                                                                              \
    inline T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize,          \
                             cpu_device::Place place = {}) {                                       \
        return cpu_device::shuffle(                                                                \
            cpu_device::WarpOp::shuffle_xor, mask, value,                                          \
            cpu_device::shuffle_xor_source(lane_mask, cpu_device::shuffle_width(width, place)),    \
            place);                                                                                \
    }
#define CPU_DEVICE_MATCHES(T)                                                                \
    inline unsigned __match_any_sync(unsigned mask, T value, cpu_device::Place place = {}) { \
        return cpu_device::match(cpu_device::WarpOp::match_any, mask, value, place);         \
    }                                                                                        \
    inline unsigned __match_all_sync(unsigned mask, T value, int* all_equal,                 \
                                     cpu_device::Place place = {}) {                         \
        const unsigned lanes =                                                               \
            cpu_device::match(cpu_device::WarpOp::match_all, mask, value, place);            \
        *all_equal = lanes != 0;                                                             \
        return lanes;                                                                        \
    }

namespace cpu_device {
template <typename T>
unsigned match(WarpOp op, unsigned mask, T value, Place place) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return static_cast<unsigned>(warp_function(op, mask, bits, 0, place));
}
}  // namespace cpu_device

#define CPU_DEVICE_FOR_EACH_TYPE(function)                                                      \
    function(int) function(unsigned) function(long) function(unsigned long) function(long long) \
        function(unsigned long long) function(float) function(double)
CPU_DEVICE_FOR_EACH_TYPE(CPU_DEVICE_SHUFFLES)
CPU_DEVICE_FOR_EACH_TYPE(CPU_DEVICE_MATCHES)
#undef CPU_DEVICE_FOR_EACH_TYPE
#undef CPU_DEVICE_SHUFFLES
#undef CPU_DEVICE_MATCHES

inline void __syncwarp(unsigned mask = 0xffffffffu, cpu_device::Place place = {}) {
    cpu_device::warp_function(cpu_device::WarpOp::sync, mask, 0, 0, place);
}
inline unsigned __ballot_sync(unsigned mask, int predicate, cpu_device::Place place = {}) {
    return static_cast<unsigned>(
        cpu_device::warp_function(cpu_device::WarpOp::ballot, mask, predicate != 0, 0, place));
}
inline int __any_sync(unsigned mask, int predicate, cpu_device::Place place = {}) {
    return cpu_device::warp_function(cpu_device::WarpOp::any, mask, predicate != 0, 0, place) != 0;
}
inline int __all_sync(unsigned mask, int predicate, cpu_device::Place place = {}) {
    return cpu_device::warp_function(cpu_device::WarpOp::all, mask, predicate == 0, 0, place) == 0;
}
inline unsigned __activemask(cpu_device::Place place = {}) {
    return cpu_device::active_mask(place);
}

#define CPU_DEVICE_REDUCE(name, T, op)                                                   \
    inline T name(unsigned mask, T value, cpu_device::Place place = {}) {                \
        return static_cast<T>(cpu_device::warp_function(                                 \
            cpu_device::WarpOp::op, mask, static_cast<std::uint64_t>(value), 0, place)); \
    }
CPU_DEVICE_REDUCE(__reduce_add_sync, int, reduce_add)
CPU_DEVICE_REDUCE(__reduce_add_sync, unsigned, reduce_add)
CPU_DEVICE_REDUCE(__reduce_min_sync, int, reduce_min)
CPU_DEVICE_REDUCE(__reduce_min_sync, unsigned, reduce_min)
CPU_DEVICE_REDUCE(__reduce_max_sync, int, reduce_max)
CPU_DEVICE_REDUCE(__reduce_max_sync, unsigned, reduce_max)
CPU_DEVICE_REDUCE(__reduce_and_sync, unsigned, reduce_and)
CPU_DEVICE_REDUCE(__reduce_or_sync, unsigned, reduce_or)
CPU_DEVICE_REDUCE(__reduce_xor_sync, unsigned, reduce_xor)
#undef CPU_DEVICE_REDUCE

// --- time -----------------------------------------------------------------------------------

inline long long clock64() {
    return cpu_device::clock_ticks();
}

// In a kernel the same; on the host what C says.
extern "C" clock_t clock() noexcept __asm__("cpu_device_clock");

inline void __trap(cpu_device::Place place = {}) {
    cpu_device::trap(place);
}

// --- spaces of memory -----------------------------------------------------------------------

namespace cpu_device {
// On a GPU the addresses of shared memory begin at 0 and fit into 32 bits. Here they are the lowest
// 32 bits of the address. The rest is that of the shared memory of which the OS thread has last
// made such an address, or one more or less.
inline std::uint32_t shared_address(std::uint64_t address) {
    last_shared_address = address;
    return static_cast<std::uint32_t>(address);
}
inline void* from_shared_address(std::uint64_t address) {
    const auto distance = static_cast<std::int32_t>(
        static_cast<std::uint32_t>(address) - static_cast<std::uint32_t>(last_shared_address));
    return reinterpret_cast<void*>(last_shared_address +
                                   static_cast<std::uint64_t>(static_cast<std::int64_t>(distance)));
}
}  // namespace cpu_device

inline std::size_t __cvta_generic_to_shared(const void* pointer) {
    return cpu_device::shared_address(reinterpret_cast<std::uintptr_t>(pointer));
}
inline void* __cvta_shared_to_generic(std::size_t address) {
    return cpu_device::from_shared_address(address);
}
// A __constant__ variable counts as global memory.
inline unsigned __isShared(const void* pointer) {
    const auto begin = reinterpret_cast<std::uintptr_t>(cpu_device::dynamic_shared_storage());
    return reinterpret_cast<std::uintptr_t>(pointer) - begin < cpu_device::shared_arena_bytes;
}
// The stack of another thread is not local to this one.
inline unsigned __isLocal(const void* pointer) {
    return cpu_device::is_on_stack(pointer);
}
inline unsigned __isGlobal(const void* pointer) {
    return __isShared(pointer) == 0 && __isLocal(pointer) == 0;
}
inline std::size_t __cvta_generic_to_global(const void* pointer) {
    return reinterpret_cast<std::size_t>(pointer);
}
inline void* __cvta_global_to_generic(std::size_t address) {
    return reinterpret_cast<void*>(address);
}

// --- loads and stores with a cache hint -----------------------------------------------------

#ifdef CPU_DEVICE_RACE
#include "cpu_device/race_loads.h"
#else
#define CPU_DEVICE_LOAD(name)         \
    template <typename T>             \
    inline T name(const T* address) { \
        return *address;              \
    }
#define CPU_DEVICE_STORE(name)              \
    template <typename T>                   \
    inline void name(T* address, T value) { \
        *address = value;                   \
    }
CPU_DEVICE_LOAD(__ldg)
#endif
CPU_DEVICE_LOAD(__ldca)
CPU_DEVICE_LOAD(__ldcg)
CPU_DEVICE_LOAD(__ldcs)
CPU_DEVICE_LOAD(__ldlu)
CPU_DEVICE_LOAD(__ldcv)
CPU_DEVICE_STORE(__stwb)
CPU_DEVICE_STORE(__stcg)
CPU_DEVICE_STORE(__stcs)
CPU_DEVICE_STORE(__stwt)
#undef CPU_DEVICE_LOAD
#undef CPU_DEVICE_STORE
