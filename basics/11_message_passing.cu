// Message passing: one block writes data and then sets a flag; another block waits for the flag and
// then reads the data. The first kernel is wrong. It runs only if the argument is "relaxed".
// Notes: basics/11_message_passing.md. With the toolkit alone, in this folder:
//
//     nvcc -O3 -arch=native 11_message_passing.cu -o message_passing
#include <cstdio>
#include <cstring>
#include <cuda/atomic>
#include <vector>

#include "../common/device.cuh"  // and CHECK of common/error.cuh

constexpr int block_size = 64;

using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;  // atomic access to a plain int

// Wrong: nothing orders the data and the flag.
__global__ void pass_relaxed(int number, int* d_data, int* d_flag, int* d_received) {
    if (blockIdx.x == 0) {
        *d_data = number;  // race: relaxed
        Flag(*d_flag).store(1, cuda::memory_order_relaxed);
    } else {
        while (Flag(*d_flag).load(cuda::memory_order_relaxed) == 0) {
        }
        *d_received = *d_data;  // race: relaxed
    }
}

// Release and acquire. Block 0 sends a number, block 1 receives it.
__global__ void pass_released(int number, int* d_data, int* d_flag, int* d_received) {
    if (blockIdx.x == 0) {
        *d_data = number;
        Flag(*d_flag).store(1, cuda::memory_order_release);  // the number is before the flag
    } else {
        while (Flag(*d_flag).load(cuda::memory_order_acquire) == 0) {
        }
        *d_received = *d_data;  // after the flag
    }
}

// The same with two fences, and with atomic functions, which are relaxed.
__global__ void pass_fenced(int number, int* d_data, int* d_flag, int* d_received) {
    if (blockIdx.x == 0) {
        *d_data = number;
        __threadfence();  // the sender's fence
        atomicExch(d_flag, 1);
    } else {
        while (atomicAdd(d_flag, 0) == 0) {  // adds nothing: it only reads
        }
        __threadfence();  // the receiver's fence
        *d_received = *d_data;
    }
}

// Every thread of block 0 sends a number; thread 0 of each block sets the flag or reads it.
__global__ void pass_by_block(int number, int* d_data, int* d_flag, int* d_received) {
    const int tid = threadIdx.x;
    if (blockIdx.x == 0) {
        d_data[tid] = number + tid;
        __syncthreads();  // all numbers are written before thread 0 sets the flag
        if (tid == 0) {
            Flag(*d_flag).store(1, cuda::memory_order_release);
        }
    } else {
        if (tid == 0) {
            while (Flag(*d_flag).load(cuda::memory_order_acquire) == 0) {
            }
        }
        __syncthreads();  // all threads wait for thread 0
        d_received[tid] = d_data[tid];
    }
}

int main(int argc, char** argv) {
    struct Way {
        const char* name;
        void (*kernel)(int, int*, int*, int*);
        int threads;  // per block; as many numbers are sent
    };
    std::vector<Way> ways = {{"release, acquire", pass_released, 1},
                             {"two fences", pass_fenced, 1},
                             {"a block to a block", pass_by_block, block_size}};
    if (argc == 2 && std::strcmp(argv[1], "relaxed") == 0) {
        ways = {{"relaxed", pass_relaxed, 1}};
    } else if (argc != 1) {
        std::fprintf(stderr, "expected no argument, or the word: relaxed\n");
        return 2;
    }
    const int messages = common::on_cpu_device ? 20 : 10000;
    const std::size_t bytes = block_size * sizeof(int);
    int *d_data, *d_flag, *d_received;
    CHECK(cudaMalloc(&d_data, bytes));
    CHECK(cudaMalloc(&d_flag, sizeof(int)));
    CHECK(cudaMalloc(&d_received, bytes));
    int wrong = 0;
    for (const Way& way : ways) {
        const auto pass = way.kernel;
        int wrong_here = 0;
        for (int message = 1; message <= messages; ++message) {
            std::vector<int> received(way.threads);
            CHECK(cudaMemset(d_data, 0, bytes));        // what a receiver must not read
            CHECK(cudaMemset(d_flag, 0, sizeof(int)));  // no message yet
            CHECK(cudaMemset(d_received, 0, bytes));    // nothing received
            pass<<<2, way.threads>>>(1000 * message, d_data, d_flag, d_received);
            CHECK_LAUNCH();
            CHECK(cudaMemcpy(received.data(), d_received, way.threads * sizeof(int),
                             cudaMemcpyDeviceToHost));
            for (int i = 0; i < way.threads; ++i) {
                wrong_here += received[i] != 1000 * message + i;
            }
        }
        std::printf("%-19s %d messages, %d numbers wrong\n", way.name, messages, wrong_here);
        wrong += wrong_here;
    }
    for (int* d_memory : {d_data, d_flag, d_received}) {
        CHECK(cudaFree(d_memory));
    }
    std::printf(wrong == 0 ? "ok\n" : "WRONG\n");
    return wrong == 0 ? 0 : 1;
}
