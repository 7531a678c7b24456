// Litmus kernels: a few lines each that are either in order by CUDA's rules or not. Race mode must
// say so, whatever turns the threads take. race_test.cu runs them all; the other race_litmus_*.cu
// files hold them, by subject.
#pragma once

#include <cuda_runtime.h>

#include <cuda/atomic>
#include <string>
#include <vector>

// A kernel gets 256 words that are 0, and then 512 of which the first 256 are 0 and the others
// fresh.
struct Litmus {
    std::string name;
    void (*kernel)(int*, int*);
    const char* kind;  // of all its reports; null: there shall be none
    int blocks = 4;
    int threads = 64;
    const char* consequence = nullptr;  // another kind, that may come of it
    bool in_every_order = true;         // else some turns do not lead to the fault
    bool only_by_old_value = false;     // that a load reads, as it may in every fourth seed
    bool takes_long = false;            // told after seconds
    bool ends_the_program() const;
};

inline const char* const clean = nullptr;
inline const char* const race = "DATA RACE";
inline const char* const scope = "SCOPE TOO NARROW";
inline const char* const bounds = "OUT OF BOUNDS";
inline const char* const fresh = "UNWRITTEN MEMORY";
inline const char* const misaligned = "MISALIGNED ACCESS";
inline const char* const barrier = "DIVERGENT BARRIER";
inline const char* const lost = "LOST UPDATE";
inline const char* const unordered = "VOLATILE WITHOUT ORDER";
inline const char* const shuffle = "UNDEFINED SHUFFLE";
inline const char* const foreign = "SHARED MEMORY OF ANOTHER BLOCK";
inline const char* const local = "LOCAL MEMORY OF ANOTHER THREAD";
inline const char* const read_only = "READ-ONLY LOAD";
inline const char* const unset = "UNSET VARIABLE";
inline const char* const warp = "DIVERGENT WARP FUNCTION";  // this one and the next end the program
inline const char* const deadlock = "DEADLOCK";
inline const char* const null = "NULL POINTER";

inline bool Litmus::ends_the_program() const {
    const std::string what = kind == nullptr ? "" : kind;
    return what == warp || what == deadlock || what == null;
}

std::vector<Litmus> litmus_of_order();
std::vector<Litmus> litmus_of_barriers();
std::vector<Litmus> litmus_of_memory();
std::vector<Litmus> litmus_of_spins();

using DeviceAtomic = cuda::atomic_ref<int, cuda::thread_scope_device>;
using BlockAtomic = cuda::atomic_ref<int, cuda::thread_scope_block>;

constexpr cuda::memory_order relaxed = cuda::memory_order_relaxed;
constexpr cuda::memory_order acquire = cuda::memory_order_acquire;
constexpr cuda::memory_order release = cuda::memory_order_release;
constexpr cuda::memory_order acq_rel = cuda::memory_order_acq_rel;
constexpr cuda::memory_order seq_cst = cuda::memory_order_seq_cst;

// Is the calling thread the first of this block?
__device__ inline bool first_of(unsigned block) {
    return blockIdx.x == block && threadIdx.x == 0;
}

// Waits until the word holds the value. Relaxed unless said otherwise: it orders nothing then, and
// only sees to it that things happen in a certain order.
__device__ inline void await(int* word, int value, cuda::memory_order order = relaxed) {
    while (DeviceAtomic(*word).load(order) != value) {
        __nanosleep(32);
    }
}
__device__ inline void set(int* word, int value, cuda::memory_order order = relaxed) {
    DeviceAtomic(*word).store(value, order);
}
