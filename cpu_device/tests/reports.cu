// One kernel, or one piece of host code, for each kind of report and each piece of advice that
// tests/faults.cu does not get. tests/reports_test.sh compares what race mode says with the text
// that people have read and found right. Usage: PROGRAM CASE, or PROGRAM --list.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda/atomic>
#include <cuda/barrier>

#include "cpu_device/race.h"

namespace cg = cooperative_groups;

namespace {

__global__ void different_values(int* d_x) {
    d_x[0] = static_cast<int>(blockIdx.x);
}
__global__ void same_value(int* d_x) {
    d_x[0] = 7;
}
__global__ void without_block(int* d_x) {
    d_x[threadIdx.x] = static_cast<int>(blockIdx.x);
}
__global__ void updates_without_block(int* d_x) {
    d_x[threadIdx.x] += 1;
}
__global__ void plain_write(int* d_x) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        d_x[0] = 0;
    }
    atomicAdd(d_x, 1);
}
__global__ void plain_read(int* d_x) {
    atomicAdd(d_x, 1);
    d_x[8 + blockIdx.x * blockDim.x + threadIdx.x] = d_x[0];
}
__global__ void different_bytes(int* d_x) {
    if (threadIdx.x == 0) {
        atomicAdd(d_x, 1);
    } else {
        atomicAdd(reinterpret_cast<unsigned long long*>(d_x), 1ull);
    }
}
struct Flags {
    unsigned char one : 1, two : 1;
};
__global__ void bit_field(Flags* d_x) {
    if (threadIdx.x == 0) {
        d_x->one = 1;
    } else {
        d_x->two = 1;
    }
}
// The thread that signals is not the one that has written.
__global__ void barrier_and_signal(int* d_x) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 1) {
            d_x[0] = 1;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            atomicExch(d_x + 1, 1);
        }
    } else {
        if (threadIdx.x == 0) {
            while (atomicAdd(d_x + 1, 0) == 0) {
            }
        }
        __syncthreads();
        if (threadIdx.x == 2) {
            d_x[2] = d_x[0];
        }
    }
}
__global__ void no_barrier_before_signal(int* d_x) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 1) {
            d_x[0] = 1;
        }
        if (threadIdx.x == 0) {
            __threadfence();
            atomicExch(d_x + 1, 1);
        }
    } else if (threadIdx.x == 0) {
        while (atomicAdd(d_x + 1, 0) == 0) {
        }
        __threadfence();
        d_x[2] = d_x[0];
    }
}
__global__ void narrow_fence(int* d_x) {
    if (blockIdx.x == 0) {
        d_x[0] = 1;
        __threadfence_block();
        atomicExch(d_x + 1, 1);
    } else {
        while (atomicAdd(d_x + 1, 0) == 0) {
        }
        __threadfence();
        d_x[2] = d_x[0];
    }
}
__global__ void in_one_warp(int* d_x) {
    d_x[0] = static_cast<int>(threadIdx.x);
}
__global__ void in_front(int* d_x) {
    d_x[-1] = 1;
}
__global__ void beyond_dynamic(int* d_x) {
    extern __shared__ int s_x[];
    s_x[2] = d_x[0];
}
__global__ void nowhere(int* d_x) {
    *reinterpret_cast<int*>(reinterpret_cast<char*>(d_x) + (1ll << 40)) = 1;
}
__device__ int* d_stolen;
__global__ void foreign_shared(int* d_x) {
    __shared__ int s_x[1];
    if (blockIdx.x == 0) {
        d_stolen = s_x;
        __threadfence();
        atomicExch(d_x, 1);
    } else {
        while (atomicAdd(d_x, 0) == 0) {
        }
        __threadfence();
        *d_stolen = 1;
    }
}
__global__ void read_only_load(int* d_x) {
    if (threadIdx.x == 0) {
        d_x[0] = 1;
    }
    __syncthreads();
    d_x[1 + threadIdx.x] = __ldg(d_x);
}
__global__ void unset_variable(int* d_x) {
    int value;
    if (d_x[0] == 1) {
        value = 1;
    }
    d_x[1] = value;
}
__global__ void never_ends(int* d_x) {
    while (atomicAdd(d_x, 0) == 0) {
    }
}
// One more thread is expected than there are.
__global__ void barrier_expects_more(int* d_x) {
    __shared__ cuda::barrier<cuda::thread_scope_block> s_barrier;
    if (threadIdx.x == 0) {
        init(&s_barrier, blockDim.x + 1);
    }
    __syncthreads();
    s_barrier.arrive_and_wait();
    d_x[threadIdx.x] = 1;
}
__global__ void floats(float* d_x) {
    d_x[0] += 1.5f;
}
__global__ void doubles(double* d_x) {
    d_x[0] += 1.5;
}
__global__ void bytes(char* d_x) {
    d_x[0] = static_cast<char>(threadIdx.x);
}
__global__ void volatile_steps(int* d_x) {
    volatile int* const d_count = d_x;
    const int old = *d_count;
    *d_count = old + 1;
}
__global__ void volatile_message(int* d_x) {
    volatile int* const d_message = d_x + 1;
    if (blockIdx.x == 0) {
        *d_message = 42;
        atomicExch(d_x, 1);
    } else {
        while (atomicAdd(d_x, 0) == 0) {
        }
        __threadfence();
        d_x[2] = *d_message;
    }
}
// The lanes count on being in step.
__global__ void volatile_in_shared(int* d_x) {
    __shared__ volatile int s_x[2];
    s_x[threadIdx.x] = 1;
    d_x[threadIdx.x] = s_x[1 - threadIdx.x];
}
__global__ void local_of_another(int* d_x) {
    __shared__ const int* s_place;
    const int mine = static_cast<int>(threadIdx.x) + 42;
    if (threadIdx.x == 0) {
        s_place = &mine;
    }
    __syncthreads();
    d_x[threadIdx.x] = *s_place;
    __syncthreads();
}
__global__ void copy_without_wait(int* d_x) {
    __shared__ int s_x[2];
    cg::memcpy_async(cg::this_thread_block(), s_x, d_x, sizeof s_x);
}
// The mask has lanes 0 and 1.
__global__ void lane_outside_of_mask(int* d_x) {
    if (threadIdx.x < 2) {
        d_x[threadIdx.x] = __shfl_sync(3u, 7, 2);
    }
}
__global__ void hint_for_shared(int* d_x) {
    __shared__ int s_x;
    s_x = 1;
    d_x[0] = __ldcg(&s_x);
}
__global__ void atomic_on_local(int* d_x) {
    int mine = 0;
    atomicAdd(&mine, 1);
    d_x[0] = mine;
}
__global__ void hint_for_local(int* d_x) {
    const int mine = 1;
    d_x[0] = __ldg(&mine);
}
// An int has neither number.
__global__ void float_out_of_range(int* d_x) {
    const float below = static_cast<float>(d_x[0]) - 4294967296.0f;
    d_x[1] = static_cast<int>(below);
}
__global__ void double_out_of_range(int* d_x) {
    const double above = d_x[0] + 2147483648.0;
    d_x[1] = static_cast<int>(above);
}
__global__ void partial_tile(int* d_x) {
    const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    d_x[threadIdx.x] = static_cast<int>(tile.thread_rank());
}
__device__ int depth(int* d_x, int calls) {
    int numbers[1024];
    numbers[calls % 1024] = d_x[0];
    return d_x[0] == calls ? 0 : depth(d_x, calls + 1) + numbers[calls % 1024];
}
__global__ void recursion(int* d_x) {
    d_x[1] = depth(d_x, 1);
}
// It steps over 0.
__global__ void counts_in_vain(int* d_x) {
    unsigned i = 1;
    while (i != 0) {
        i += 2;
    }
    d_x[0] = static_cast<int>(i);
}
__global__ void waits_for_a_counter(int* d_x) {
    __shared__ int s_count;
    if (threadIdx.x == 0) {
        s_count = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&s_count, 1);
    } else {
        while (atomicAdd(&s_count, 0) == 0) {
        }
        d_x[0] = 1;
    }
}
__global__ void nothing(int*) {}

template <typename T>
void launch(void (*kernel)(T*), int blocks, int threads, std::size_t dynamic_shared = 0) {
    T* d_x = nullptr;
    cudaMalloc(&d_x, 256 * sizeof(T));
    cudaMemset(d_x, 0, 256 * sizeof(T));
    kernel<<<blocks, threads, dynamic_shared>>>(d_x);
    cudaDeviceSynchronize();
    cudaFree(d_x);
}

void old_message() {
    cpu_device::race::show_old_loads(1, true);
    launch(volatile_message, 2, 1);
}
int* allocated() {
    int* d_x = nullptr;
    cudaMalloc(&d_x, 4 * sizeof(int));
    return d_x;
}
void host_reads() {
    std::printf("%d\n", *allocated());
}
void frees_twice() {
    int* const d_x = allocated();
    cudaFree(d_x);
    cudaFree(d_x);
}
void never_frees() {
    setenv("RACE_LEAKS", "1", 1);
    static_cast<void>(allocated());
}
void host_writes() {
    *allocated() = 1;
}
void copies_nothing() {
    int h_x[4];
    cudaMemcpy(h_x, allocated(), sizeof h_x, cudaMemcpyDeviceToHost);
}
void memset_beside_a_stream() {
    int* const d_x = allocated();
    cudaMemset(d_x, 0, 4);
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    same_value<<<1, 1, 0, stream>>>(d_x);
    cudaMemset(d_x, 0, 4);
    cudaDeviceSynchronize();
}
void atomics_in_two_streams() {
    int* const d_x = allocated();
    cudaMemset(d_x, 0, 4 * sizeof(int));
    cudaDeviceSynchronize();
    for (int k = 0; k < 2; ++k) {
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        different_bytes<<<1, 2, 0, stream>>>(d_x);
    }
    cudaDeviceSynchronize();
}
void unordered_read() {
    cpu_device::race::look_at_shared_reads(true);
    launch(waits_for_a_counter, 1, 2);
}
void endless_loop() {
    setenv("CPU_DEVICE_DEADLOCK_SECONDS", "0.2", 1);
    launch(counts_in_vain, 1, 1);
}
void null_pointer() {
    same_value<<<1, 1>>>(nullptr);
    cudaDeviceSynchronize();
}
void host_pointer() {
    int h_x[1];
    nothing<<<1, 1>>>(h_x);
    cudaDeviceSynchronize();
}
void host_reads_too_early() {
    int* total = nullptr;
    cudaMallocManaged(&total, sizeof(int));
    same_value<<<1, 1>>>(total);
    std::printf("%d\n", *total);
    cudaDeviceSynchronize();
}
void peer_without_access() {
    setenv("CPU_DEVICES", "2", 1);
    cudaSetDevice(1);
    int* const d_x = allocated();
    cudaSetDevice(0);
    same_value<<<1, 1>>>(d_x);
    cudaDeviceSynchronize();
}

struct Case {
    const char* name;
    void (*run)();
};
#define LAUNCH(kernel, ...)                          \
    {                                                \
#kernel, [] { launch(kernel, __VA_ARGS__); } \
    }
#define HOST(function) \
    { #function, function }
const Case cases[] = {
    LAUNCH(nothing, 1, 1),
    LAUNCH(different_values, 2, 1),
    LAUNCH(same_value, 2, 1),
    LAUNCH(without_block, 2, 2),
    LAUNCH(updates_without_block, 2, 2),
    LAUNCH(plain_write, 2, 1),
    LAUNCH(plain_read, 2, 1),
    LAUNCH(different_bytes, 1, 2),
    LAUNCH(bit_field, 1, 2),
    LAUNCH(barrier_and_signal, 2, 3),
    LAUNCH(no_barrier_before_signal, 2, 2),
    LAUNCH(narrow_fence, 2, 1),
    LAUNCH(in_one_warp, 1, 2),
    LAUNCH(in_front, 1, 1),
    LAUNCH(beyond_dynamic, 1, 1, 8),
    LAUNCH(nowhere, 1, 1),
    LAUNCH(foreign_shared, 2, 1),
    LAUNCH(read_only_load, 1, 2),
    LAUNCH(unset_variable, 1, 1),
    LAUNCH(never_ends, 1, 1),
    LAUNCH(barrier_expects_more, 1, 64),
    LAUNCH(floats, 2, 1),
    LAUNCH(doubles, 2, 1),
    LAUNCH(bytes, 1, 2),
    LAUNCH(volatile_steps, 2, 1),
    LAUNCH(volatile_in_shared, 1, 2),
    LAUNCH(local_of_another, 1, 2),
    LAUNCH(copy_without_wait, 1, 2),
    LAUNCH(lane_outside_of_mask, 1, 32),
    LAUNCH(hint_for_shared, 1, 1),
    LAUNCH(hint_for_local, 1, 1),
    LAUNCH(atomic_on_local, 1, 1),
    LAUNCH(float_out_of_range, 1, 1),
    LAUNCH(double_out_of_range, 1, 1),
    LAUNCH(partial_tile, 1, 6),
    LAUNCH(recursion, 1, 1),
    HOST(old_message),
    HOST(host_reads),
    HOST(frees_twice),
    HOST(never_frees),
    HOST(host_writes),
    HOST(copies_nothing),
    HOST(memset_beside_a_stream),
    HOST(atomics_in_two_streams),
    HOST(unordered_read),
    HOST(endless_loop),
    HOST(null_pointer),
    HOST(host_pointer),
    HOST(host_reads_too_early),
    HOST(peer_without_access),
};

}  // namespace

int main(int argc, char** argv) {
    for (const Case& one : cases) {
        if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
            std::printf("%s\n", one.name);
        } else if (argc == 2 && std::strcmp(argv[1], one.name) == 0) {
            one.run();
            return 0;
        }
    }
    return argc == 2 && std::strcmp(argv[1], "--list") == 0 ? 0 : 2;
}
