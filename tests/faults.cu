// Faults planted one by one, to see which tool finds which: compute-sanitizer's tools on a GPU,
// race mode without one. faults.txt beside this says what is expected of each; faults_test.sh
// checks it.
//
//     faults NAME       runs that one; ends with 0 if no tool stops it
//     faults --list     the names, a line each
#include <cstdio>
#include <cstring>

#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/stream.cuh"

using namespace common;

namespace {

constexpr int threads = 64;

// No fault: a tool that finds something here finds something everywhere.
__global__ void nothing(int* d_x) {
    __shared__ int s_x[threads];
    s_x[threadIdx.x] = static_cast<int>(threadIdx.x);
    __syncthreads();
    atomicAdd(&d_x[0], s_x[threads - 1 - threadIdx.x]);
}

// d_x has room for `threads` numbers.
__global__ void global_out_of_bounds(int* d_x) {
    d_x[threadIdx.x + 1] = 1;
}

__global__ void shared_out_of_bounds(int* d_x) {
    __shared__ int s_x[threads];
    s_x[threadIdx.x + 1] = 1;
    __syncthreads();
    d_x[threadIdx.x] = s_x[threadIdx.x];
}

// The host has freed d_x before.
__global__ void use_after_free(int* d_x) {
    d_x[threadIdx.x] = 1;
}

// An int has 32 bits.
__global__ void shift(int* d_x) {
    d_x[threadIdx.x] = 1 << threadIdx.x;
}

__global__ void misaligned(int* d_x) {
    if (threadIdx.x == 0) {
        *reinterpret_cast<int*>(reinterpret_cast<char*>(d_x) + 1) = 1;
    }
}

// d_x is fresh memory here.
__global__ void unwritten_global(int* d_x) {
    d_x[threadIdx.x] += 1;
}

__global__ void unwritten_shared(int* d_x) {
    __shared__ int s_x[threads];
    d_x[threadIdx.x] = s_x[threadIdx.x];
}

// A thread reads what a thread of another warp writes.
__global__ void no_syncthreads(int* d_x) {
    __shared__ int s_x[threads];
    s_x[threadIdx.x] = 1;
    d_x[threadIdx.x] = s_x[threads - 1 - threadIdx.x];
}

// A lane reads what another lane of its warp writes: a warp need not run in step.
__global__ void no_syncwarp(int* d_x) {
    __shared__ int s_x[threads];
    s_x[threadIdx.x] = 1;
    d_x[threadIdx.x] = s_x[threadIdx.x ^ 1];
}

__global__ void global_race(int* d_x) {
    d_x[0] = d_x[0] + 1;
}

// Message passing from block 0 to block 1, by a flag that orders nothing.
__global__ void no_fence(int* d_x) {
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            d_x[0] = 1;
            atomicExch(&d_x[1], 1);
        } else {
            while (atomicAdd(&d_x[1], 0) == 0) {
                __nanosleep(32);
            }
            d_x[2] = d_x[0];
        }
    }
}

// One step for the threads of a block only, and the blocks share the word.
__global__ void narrow_scope(int* d_x) {
    atomicAdd_block(&d_x[0], 1);
}

// Half of the threads wait at one barrier, the others at the next.
__global__ void divergent_barrier(int* d_x) {
    if (threadIdx.x % 2 == 0) {
        __syncthreads();
    }
    d_x[threadIdx.x] = 1;
    __syncthreads();
}

// The calling lane is not in the mask of its __syncwarp.
__global__ void wrong_mask(int* d_x) {
    if (threadIdx.x < 32) {
        __syncwarp(threadIdx.x < 16 ? 0x0000ffffu : 0x0fff0000u);
    }
    d_x[threadIdx.x] = 1;
}

// No fault in a launch. There are two of it, in two streams.
__global__ void two_streams(int* d_x) {
    d_x[threadIdx.x] += 1;
}

struct Fault {
    const char* name;
    void (*kernel)(int*);
    int blocks;
};

constexpr Fault faults[] = {
    {"nothing", nothing, 2},
    {"global_out_of_bounds", global_out_of_bounds, 1},
    {"shared_out_of_bounds", shared_out_of_bounds, 1},
    {"use_after_free", use_after_free, 1},
    {"shift", shift, 1},
    {"misaligned", misaligned, 1},
    {"unwritten_global", unwritten_global, 1},
    {"unwritten_shared", unwritten_shared, 1},
    {"no_syncthreads", no_syncthreads, 1},
    {"no_syncwarp", no_syncwarp, 1},
    {"global_race", global_race, 2},
    {"no_fence", no_fence, 2},
    {"narrow_scope", narrow_scope, 2},
    {"divergent_barrier", divergent_barrier, 1},
    {"wrong_mask", wrong_mask, 1},
    {"two_streams", two_streams, 1},
};

void run(const Fault& fault) {
    DeviceArray<int> d_x(threads);
    if (fault.kernel != unwritten_global) {
        d_x.fill_bytes(0);
    }
    int* const d_first = d_x.data();
    if (fault.kernel == use_after_free) {
        d_x = DeviceArray<int>();
    }
    if (fault.kernel == two_streams) {
        const Stream first, second;
        fault.kernel<<<fault.blocks, threads, 0, first.get()>>>(d_first);
        fault.kernel<<<fault.blocks, threads, 0, second.get()>>>(d_first);
        CHECK_LAUNCH();
    } else {
        fault.kernel<<<fault.blocks, threads>>>(d_first);
        CHECK_LAUNCH();
    }
    CHECK(cudaDeviceSynchronize());
}

}  // namespace

int main(int argc, char** argv) {
    for (const Fault& fault : faults) {
        if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
            std::printf("%s\n", fault.name);
        } else if (argc == 2 && std::strcmp(argv[1], fault.name) == 0) {
            run(fault);
            return 0;
        }
    }
    if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
        return 0;
    }
    std::fprintf(stderr, "expected --list or the name of a fault\n");
    return 2;
}
