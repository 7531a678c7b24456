// What the device headers ask of the runtime: a handful of entry points. The plain runtime
// (block.cpp, multiprocessor.cpp) answers them by running threads as fibers; another back-end may
// answer them in another way, so nothing of a GPU's behaviour is decided in the headers themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cpu_device/vector_types.h"

// Thread-local without the wrapper call that C++ makes for an extern thread_local variable.
#define CPU_DEVICE_THREAD_LOCAL extern __thread __attribute__((tls_model("initial-exec")))

// The built-in variables, set anew whenever another CUDA thread runs on this OS thread.
CPU_DEVICE_THREAD_LOCAL uint3 threadIdx;
CPU_DEVICE_THREAD_LOCAL uint3 blockIdx;
CPU_DEVICE_THREAD_LOCAL dim3 blockDim;
CPU_DEVICE_THREAD_LOCAL dim3 gridDim;
namespace cpu_device {
// The multiprocessor that this OS thread is.
CPU_DEVICE_THREAD_LOCAL unsigned multiprocessor_number;
}  // namespace cpu_device
constexpr int warpSize = 32;

struct CUstream_st;  // what a cudaStream_t points to

namespace cpu_device {

// Every type has its place in this namespace, in which there is no function. So an argument of such
// a type, which a source can have without its name, makes no function of cpu_device known to the
// call (argument-dependent lookup, which goes by no using-directive).
namespace types {}
using namespace types;

namespace types {
// A place in the source. As a default argument, `Place place = {}` is the place of the call; return
// addresses would not do, since the optimiser duplicates calls.
struct Place {
    const char* file;
    const char* function;
    int line;

    constexpr Place(const char* file_ = __builtin_FILE(), int line_ = __builtin_LINE(),
                    const char* function_ = __builtin_FUNCTION())
        : file(file_), function(function_), line(line_) {}
};

enum class Scope : std::uint8_t { thread, block, device, system };

enum class Order : int {
    relaxed = __ATOMIC_RELAXED,
    acquire = __ATOMIC_ACQUIRE,
    release = __ATOMIC_RELEASE,
    acq_rel = __ATOMIC_ACQ_REL,
    seq_cst = __ATOMIC_SEQ_CST,
};
}  // namespace types

// The calls that kernels make most take the three parts of a Place one by one: they then travel in
// registers, which halves the time of a barrier.

// __syncthreads in all its forms: waits for the block's other threads, except those that have
// ended. Returns how many threads came with a true predicate.
unsigned block_barrier(bool predicate, const char* file, int line, const char* function);

namespace types {
enum class WarpOp : std::uint8_t {
    sync,     // returns 0
    shuffle,  // the value of lane `source`; undefined (a pattern) if that lane takes no part
    shuffle_up,
    shuffle_down,
    shuffle_xor,
    ballot,  // a bit for each lane with a value other than 0; of it the header makes the next two
    any,
    all,
    match_any,   // a bit for each lane with the same value as mine
    match_all,   // the lanes if all have one value, else 0
    reduce_add,  // of values that were widened to 64 bits, with their sign if they have one
    reduce_min,
    reduce_max,
    reduce_and,
    reduce_or,
    reduce_xor,
};
}  // namespace types

// A warp function: waits until every lane of `mask` that has not ended came with the same mask and
// operation, then returns this lane's result.
std::uint64_t warp_function(WarpOp op, unsigned mask, std::uint64_t value, unsigned source,
                            const char* file, int line, const char* function);

// __activemask: the lanes of this warp that are at the same place when nothing else can run.
unsigned active_mask(Place place);

// __nanosleep: lets the other threads run.
void give_way(Place place);

// What clock() and clock64() count in kernels: nanoseconds, where a GPU counts cycles.
long long clock_ticks();

void memory_fence(Order order, Scope scope);

namespace types {
// Independent thread scheduling needs to know who merely spins. An atomic that changed memory is
// progress; one that changed nothing uses up the thread's patience, and then others run.
struct SpinCount {
    int patience;         // spent by probes that find nothing new
    unsigned idle_turns;  // threads of this block that gave way since anything changed
};
}  // namespace types
constexpr int full_patience = 64;
CPU_DEVICE_THREAD_LOCAL SpinCount spin_count;

inline void made_progress() {
    spin_count = {full_patience, 0};
}

// An atomic at `address` found `seen`, was to write `wanted`, and changed nothing.
void changed_nothing(const volatile void* address, std::uint64_t seen, std::uint64_t wanted,
                     const char* file, int line, const char* function);

// What the elements of an array are, for messages: floating-point numbers (f), integers with a sign
// (i) or without one (u), or something else (0).
template <typename T>
constexpr char kind_of_element = std::is_floating_point_v<T> ? 'f'
                                 : !std::is_integral_v<T>    ? 0
                                 : std::is_signed_v<T>       ? 'i'
                                                             : 'u';

namespace types {
// A variable declared __shared__: every block has its own, filled with a pattern at first.
struct SharedVariable {
    std::size_t bytes;
    int number;  // 0 until a block first asks for it
    std::size_t element_bytes = 0;
    char element_kind = 0;
};
}  // namespace types
void* shared_storage(SharedVariable& variable, const char* name);
void* dynamic_shared_storage();
// All shared memory of a block lies within so many bytes, from that of no fixed size on.
constexpr std::size_t shared_arena_bytes = std::size_t{1} << 20;
// Of the running thread.
bool is_on_stack(const void* pointer);
// Of which the OS thread has last asked for the address as a shared one (device_functions.h).
CPU_DEVICE_THREAD_LOCAL std::uint64_t last_shared_address;
// True on a fiber that runs a thread, false in host code.
bool in_kernel();

// The threads of a block run one after the other in a loop that the launch holds (thread_loop() in
// launch.h), where the compiler sees the kernel. A row of the block ends at this threadIdx.x; 0
// from where a thread of the block has waited: then the runtime has a say after every thread.
CPU_DEVICE_THREAD_LOCAL unsigned row_end;
// The running thread has ended, and its row or a thread that waited. Makes the next thread of the
// block the running one; false when all have been started.
bool next_thread();

namespace types {
struct LaunchConfig {
    const char* kernel;
    dim3 grid, block;
    std::size_t dynamic_shared;  // bytes
    CUstream_st* stream;
    Place place;
};
}  // namespace types
// Runs every thread of the grid, and returns when all have ended. `threads(closure)` runs the one
// that is to run, and goes on as long as next_thread() gives it another. A configuration that a GPU
// would refuse sets the last error instead.
void launch(const LaunchConfig& config, void (*threads)(const void*), const void* closure);
// In a kernel with __launch_bounds__(most): are there more threads in a block? Then a GPU refuses
// the launch.
bool exceeds_launch_bounds(std::size_t most);
namespace types {
// What a pointer points to, as for kind_of_element; 0 bytes where that is not known.
struct Pointee {
    std::size_t bytes = 0;
    char kind = 0;

    template <typename T>
    static constexpr Pointee of(const volatile T*) {
        if constexpr (std::is_arithmetic_v<T>) {
            return {sizeof(T), kind_of_element<T>};
        } else {
            return {};
        }
    }
};
}  // namespace types
// Before a launch: its argument of this number, from 1, is a pointer. Race mode looks at it.
void launched_with(const LaunchConfig& config, unsigned number, const void* argument,
                   Pointee pointee);
#ifdef CPU_DEVICE_RACE
// It is an object of a class, which may have pointers as its members.
void launched_with_object(unsigned number, const void* object, std::size_t bytes);
#endif

// Does cudaLaunchCooperativeKernel run a kernel? One at a time.
bool in_cooperative_launch();

[[noreturn]] void trap(Place place);
// Ends the program: a kernel has used something as CUDA forbids.
[[noreturn]] void misuse(const char* what, Place place);
#ifdef CPU_DEVICE_RACE
// The block is divided into tiles: race mode reports if the last one is not whole.
void check_tiles(unsigned tile_size, Place place);
#endif

}  // namespace cpu_device
