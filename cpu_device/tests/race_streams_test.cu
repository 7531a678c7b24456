// Race mode and streams: short sequences of launches, copies and waits, each either in order by
// CUDA's rules or not, and what the reports say. Race mode does all work in the order of the calls,
// so none of these gives a wrong value there.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "cpu_device/pattern.hpp"
#include "cpu_device/race.h"
#include "support.cuh"

namespace {

using cpu_device::Pattern;

constexpr int n = 256;

// The streams and the memory that a sequence works with: nothing of it is under way at first.
struct Streams {
    cudaStream_t first{}, second{}, third{};
    cudaStream_t apart{};  // does not wait for the default stream
    cudaEvent_t event{}, other_event{};
    int* d_x = nullptr;
    int* d_y = nullptr;

    Streams() {
        CHECK(cudaStreamCreate(&first));
        CHECK(cudaStreamCreate(&second));
        CHECK(cudaStreamCreateWithFlags(&third, cudaStreamDefault));
        CHECK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
        CHECK(cudaEventCreate(&event));
        CHECK(cudaEventCreate(&other_event));
        CHECK(cudaMalloc(&d_x, n * sizeof(int)));
        CHECK(cudaMalloc(&d_y, n * sizeof(int)));
        CHECK(cudaMemset(d_x, 0, n * sizeof(int)));
        CHECK(cudaMemset(d_y, 0, n * sizeof(int)));
        CHECK(cudaDeviceSynchronize());
    }
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;
    ~Streams() {
        CHECK(cudaFree(d_y));
        CHECK(cudaFree(d_x));
        CHECK(cudaEventDestroy(other_event));
        CHECK(cudaEventDestroy(event));
        for (const cudaStream_t stream : {apart, third, second, first}) {
            if (stream != nullptr) {
                CHECK(cudaStreamDestroy(stream));
            }
        }
    }
};

__device__ int d_total;

__global__ void write_from(int* d_x, int begin) {
    d_x[begin + threadIdx.x] = static_cast<int>(threadIdx.x);
}
constexpr int many = 1100 * 1024;  // words: more than are kept
__global__ void write_many(int* d_x) {
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < many;
         i += gridDim.x * blockDim.x) {
        d_x[i] = 1;
    }
}
__global__ void write_bytes(unsigned char* d_bytes, int begin) {
    d_bytes[begin + 2 * threadIdx.x] = 1;
}
__global__ void race_in_launch(int* d_x) {
    *d_x = 1;
}
__global__ void write_double(double* d_x) {
    *d_x = 1.5;
}
__global__ void copy_by_kernel(const int* d_from, int* d_to) {
    d_to[threadIdx.x] = d_from[threadIdx.x];
}
__global__ void count(int* d_x) {
    atomicAdd(d_x, 1);
}
__global__ void count_wide(int* d_x) {
    atomicAdd(reinterpret_cast<unsigned long long*>(d_x), 1ull);
}
__global__ void count_both(int* d_x) {
    atomicAdd(d_x, 1);
    atomicAdd(reinterpret_cast<unsigned long long*>(d_x), 1ull);
}
__global__ void count_and_read(int* d_x, int* d_y) {
    atomicAdd(d_x, 1);
    d_y[0] = d_x[0];
}
__global__ void count_in_block(int* d_x) {
    atomicAdd_block(d_x, 1);
}
__global__ void count_in_block_and_in_all(int* d_x) {
    atomicAdd_block(d_x, 1);
    atomicAdd(d_x, 1);
}
__global__ void count_in_variable() {
    if (threadIdx.x == 0) {
        ++d_total;
    }
}
__global__ void use_shared_memory(int* d_x) {
    __shared__ int s_x[64];
    s_x[threadIdx.x] = 1;
    __syncthreads();
    atomicAdd(d_x, s_x[63 - threadIdx.x]);
}
// Writes a word, and then reads it: the write must not be forgotten over the read.
__global__ void write_and_read(int* d_x, int* d_y) {
    d_x[threadIdx.x] = 1;
    d_y[threadIdx.x] = d_x[threadIdx.x];
}
// Each thread but one reads; the last word of all is written.
__global__ void write_last(int* d_x) {
    if (threadIdx.x + 1 == blockDim.x) {
        d_x[0] = d_x[threadIdx.x];
    }
}

void write(Streams& s, cudaStream_t stream) {
    write_from<<<1, 64, 0, stream>>>(s.d_x, 0);
}
void read(Streams& s, cudaStream_t stream) {
    copy_by_kernel<<<1, 64, 0, stream>>>(s.d_x, s.d_y);
}
void record(cudaEvent_t event, cudaStream_t stream) {
    CHECK(cudaEventRecord(event, stream));
}
void wait(cudaStream_t stream, cudaEvent_t event) {
    CHECK(cudaStreamWaitEvent(stream, event));
}

struct Sequence {
    const char* name;
    unsigned races;  // as many pairs of places are reported; 0: all is in order
    void (*run)(Streams&);
};

std::vector<Sequence> all_sequences() {
    return {
        {"one_stream", 0,
         [](Streams& s) {
             write(s, s.first);
             read(s, s.first);
         }},
        {"two_streams", 1,
         [](Streams& s) {
             write(s, s.first);
             read(s, s.second);
         }},
        {"a_read_first", 1,
         [](Streams& s) {
             read(s, s.first);
             write(s, s.second);
         }},
        {"a_write_that_is_read_again", 1,
         [](Streams& s) {
             write_and_read<<<1, 64, 0, s.first>>>(s.d_x, s.d_x + 64);
             copy_by_kernel<<<1, 64, 0, s.second>>>(s.d_x, s.d_y);
         }},
        {"a_threads_stream_and_another", 1,
         [](Streams& s) {
             write(s, cudaStreamPerThread);
             read(s, s.first);
         }},
        {"a_threads_stream_twice", 0,
         [](Streams& s) {
             write(s, cudaStreamPerThread);
             read(s, cudaStreamPerThread);
         }},
        {"a_threads_stream_and_the_default_one", 0,
         [](Streams& s) {
             write(s, cudaStreamPerThread);
             read(s, cudaStreamLegacy);
             write(s, cudaStreamPerThread);
         }},
        {"the_streams_of_two_threads", 1,
         [](Streams& s) {
             std::thread([&s] { write(s, cudaStreamPerThread); }).join();
             read(s, cudaStreamPerThread);
         }},
        {"two_words_at_two_lines", 2,
         [](Streams& s) {
             write_and_read<<<1, 1, 0, s.first>>>(s.d_x, s.d_y);
             write_and_read<<<1, 1, 0, s.second>>>(s.d_x, s.d_y);
         }},
        {"a_single_word_of_many", 1,
         [](Streams& s) {
             copy_by_kernel<<<1, 64, 0, s.first>>>(s.d_x, s.d_y);
             write_last<<<1, 64, 0, s.second>>>(s.d_x);
         }},
        {"both_read", 0,
         [](Streams& s) {
             copy_by_kernel<<<1, 64, 0, s.first>>>(s.d_x, s.d_y);
             copy_by_kernel<<<1, 64, 0, s.second>>>(s.d_x, s.d_y + 64);
         }},
        {"neighbors", 0,
         [](Streams& s) {
             write_from<<<1, 64, 0, s.first>>>(s.d_x, 0);
             write_from<<<1, 64, 0, s.second>>>(s.d_x, 64);
         }},
        {"neighbors_that_overlap", 1,
         [](Streams& s) {
             write_from<<<1, 64, 0, s.first>>>(s.d_x, 0);
             write_from<<<1, 64, 0, s.second>>>(s.d_x, 63);
         }},
        {"bytes_in_turn", 0,
         [](Streams& s) {
             auto* const d_bytes = reinterpret_cast<unsigned char*>(s.d_x);
             write_bytes<<<1, 64, 0, s.first>>>(d_bytes, 0);
             write_bytes<<<1, 64, 0, s.second>>>(d_bytes, 1);
         }},
        {"the_same_bytes", 1,
         [](Streams& s) {
             auto* const d_bytes = reinterpret_cast<unsigned char*>(s.d_x);
             write_bytes<<<1, 64, 0, s.first>>>(d_bytes, 0);
             write_bytes<<<1, 64, 0, s.second>>>(d_bytes, 2);
         }},
        {"one_byte_of_several", 1,
         [](Streams& s) {
             auto* const d_bytes = reinterpret_cast<unsigned char*>(s.d_x);
             write_bytes<<<1, 2, 0, s.first>>>(d_bytes, 0);  // bytes 0 and 2
             write_bytes<<<1, 1, 0, s.second>>>(d_bytes, 2);
         }},
        {"both_atomic", 0,
         [](Streams& s) {
             count<<<2, 64, 0, s.first>>>(s.d_x);
             count<<<2, 64, 0, s.second>>>(s.d_x);
         }},
        {"atomic_for_a_block_and_for_all", 1,
         [](Streams& s) {
             count_in_block_and_in_all<<<1, 1, 0, s.first>>>(s.d_x);
             count<<<1, 1, 0, s.second>>>(s.d_x);
         }},
        {"atomic_for_a_block_only", 1,
         [](Streams& s) {
             count_in_block<<<1, 64, 0, s.first>>>(s.d_x);
             count_in_block<<<1, 64, 0, s.second>>>(s.d_x);
         }},
        {"atomics_of_two_sizes", 1,
         [](Streams& s) {
             count<<<1, 64, 0, s.first>>>(s.d_x);
             count_wide<<<1, 64, 0, s.second>>>(s.d_x);
         }},
        {"atomics_of_both_sizes_and_small_ones", 1,
         [](Streams& s) {
             count_both<<<1, 1, 0, s.first>>>(s.d_x);
             count<<<1, 64, 0, s.second>>>(s.d_x);
         }},
        {"atomics_of_both_sizes_and_large_ones", 1,
         [](Streams& s) {
             count_both<<<1, 1, 0, s.first>>>(s.d_x);
             count_wide<<<1, 64, 0, s.second>>>(s.d_x);
         }},
        {"an_atomic_and_a_plain_read", 1,
         [](Streams& s) {
             count_and_read<<<1, 1, 0, s.first>>>(s.d_x, s.d_y);
             count<<<1, 64, 0, s.second>>>(s.d_x);
         }},
        {"one_of_them_atomic", 1,
         [](Streams& s) {
             count<<<1, 64, 0, s.first>>>(s.d_x);
             read(s, s.second);
         }},
        {"shared_memory", 0,
         [](Streams& s) {
             use_shared_memory<<<2, 64, 0, s.first>>>(s.d_x);
             use_shared_memory<<<2, 64, 0, s.second>>>(s.d_x);
         }},
        {"a_device_variable", 1,
         [](Streams& s) {
             count_in_variable<<<1, 64, 0, s.first>>>();
             count_in_variable<<<1, 64, 0, s.second>>>();
         }},
        {"long_ago", 1,
         [](Streams& s) {
             write(s, s.first);
             for (int i = 0; i < 20; ++i) {
                 write_from<<<1, 64, 0, s.second>>>(s.d_x, 64);
             }
             read(s, s.second);
         }},

        {"before_work_on_a_million_words", 0,  // that is forgotten over it: see README.md
         [](Streams& s) {
             int* d_z = nullptr;
             CHECK(cudaMalloc(&d_z, many * sizeof(int)));
             write(s, s.first);
             write_many<<<8, 128, 0, s.third>>>(d_z);
             read(s, s.second);
             CHECK(cudaFree(d_z));
         }},
        {"after_work_on_a_million_words", 1,
         [](Streams& s) {
             int* d_z = nullptr;
             CHECK(cudaMalloc(&d_z, many * sizeof(int)));
             write_many<<<8, 128, 0, s.third>>>(d_z);
             write(s, s.first);
             read(s, s.second);
             CHECK(cudaFree(d_z));
         }},
        {"with_work_on_a_million_words", 1,
         [](Streams& s) {
             int* d_z = nullptr;
             CHECK(cudaMalloc(&d_z, many * sizeof(int)));
             write_many<<<8, 128, 0, s.first>>>(d_z);
             write_from<<<1, 1, 0, s.second>>>(d_z, 0);
             CHECK(cudaFree(d_z));
         }},

        // Events.
        {"an_event_between", 0,
         [](Streams& s) {
             write(s, s.first);
             record(s.event, s.first);
             wait(s.second, s.event);
             read(s, s.second);
         }},
        {"an_event_recorded_too_early", 1,
         [](Streams& s) {
             record(s.event, s.first);
             write(s, s.first);
             wait(s.second, s.event);
             read(s, s.second);
         }},
        {"an_event_awaited_too_late", 1,
         [](Streams& s) {
             write(s, s.first);
             record(s.event, s.first);
             read(s, s.second);
             wait(s.second, s.event);
         }},
        {"an_event_without_a_wait", 1,
         [](Streams& s) {
             write(s, s.first);
             record(s.event, s.first);
             read(s, s.second);
         }},
        {"an_event_never_recorded", 1,
         [](Streams& s) {
             write(s, s.first);
             wait(s.second, s.event);
             read(s, s.second);
         }},
        {"an_event_of_a_third_stream", 1,
         [](Streams& s) {
             write(s, s.first);
             record(s.event, s.third);
             wait(s.second, s.event);
             read(s, s.second);
         }},
        {"an_event_recorded_again", 1,
         [](Streams& s) {
             write(s, s.first);
             record(s.event, s.first);
             record(s.event, s.third);  // the event stands for this one now
             wait(s.second, s.event);
             read(s, s.second);
         }},
        {"through_a_third_stream", 0,
         [](Streams& s) {
             write(s, s.first);
             record(s.event, s.first);
             wait(s.third, s.event);
             record(s.other_event, s.third);
             wait(s.second, s.other_event);
             read(s, s.second);
         }},
        {"an_event_in_the_place_of_another", 1,
         [](Streams& s) {
             write(s, s.first);
             record(s.event, s.first);
             const cudaEvent_t old = s.event;
             CHECK(cudaEventDestroy(s.event));
             std::vector<cudaEvent_t> others;
             CHECK(cudaEventCreate(&s.event));
             while (s.event != old && others.size() < 1000) {  // till one has its address
                 others.push_back(s.event);
                 CHECK(cudaEventCreate(&s.event));
             }
             EXPECT_EQ(s.event, old);
             wait(s.second, s.event);
             read(s, s.second);
             for (const cudaEvent_t other : others) {
                 CHECK(cudaEventDestroy(other));
             }
         }},
        {"an_event_of_the_default_stream", 0,
         [](Streams& s) {
             write(s, s.first);
             record(s.event, nullptr);
             wait(s.apart, s.event);
             read(s, s.apart);
         }},

        // The default stream, which waits for the others and they for it.
        {"then_the_default_stream", 0,
         [](Streams& s) {
             write(s, s.first);
             read(s, nullptr);
         }},
        {"the_default_stream_first", 0,
         [](Streams& s) {
             write(s, nullptr);
             read(s, s.first);
         }},
        {"the_default_stream_between", 0,
         [](Streams& s) {
             write(s, s.first);
             count<<<1, 1>>>(s.d_y + 128);
             read(s, s.second);
         }},
        {"an_event_awaited_by_the_default_stream", 0,
         [](Streams& s) {
             write(s, s.first);
             record(s.event, s.apart);
             wait(nullptr, s.event);
             read(s, s.second);
         }},
        {"then_the_default_stream_not_waited_for", 1,
         [](Streams& s) {
             write(s, s.apart);
             read(s, nullptr);
         }},
        {"the_default_stream_first_not_waited_for", 1,
         [](Streams& s) {
             write(s, nullptr);
             read(s, s.apart);
         }},
        {"the_default_stream_between_not_waited_for", 1,
         [](Streams& s) {
             write(s, s.first);
             count<<<1, 1>>>(s.d_y + 128);
             read(s, s.apart);
         }},

        // The host.
        {"the_host_waits_for_the_stream", 0,
         [](Streams& s) {
             write(s, s.first);
             CHECK(cudaStreamSynchronize(s.first));
             read(s, s.second);
         }},
        {"the_host_waits_for_the_later_one_of_two", 0,
         [](Streams& s) {
             write_from<<<1, 64, 0, s.apart>>>(s.d_x, 64);
             write(s, s.first);
             CHECK(cudaStreamSynchronize(s.first));
             read(s, s.second);
         }},
        {"the_host_waits_for_another_stream", 1,
         [](Streams& s) {
             write(s, s.first);
             CHECK(cudaStreamSynchronize(s.third));
             read(s, s.second);
         }},
        {"the_host_waits_for_the_default_stream", 0,
         [](Streams& s) {
             write(s, s.first);
             CHECK(cudaStreamSynchronize(nullptr));
             read(s, s.second);
         }},
        {"the_host_waits_for_a_default_stream_apart", 1,
         [](Streams& s) {
             write(s, s.apart);
             CHECK(cudaStreamSynchronize(nullptr));
             read(s, s.second);
         }},
        {"the_host_asks_the_stream", 0,
         [](Streams& s) {
             write(s, s.first);
             while (cudaStreamQuery(s.first) == cudaErrorNotReady) {
             }
             read(s, s.second);
         }},
        {"the_host_waits_for_a_stream_without_work", 1,
         [](Streams& s) {
             write(s, nullptr);
             CHECK(cudaStreamSynchronize(s.first));  // which would wait with its next work only
             read(s, s.apart);
         }},
        {"the_host_asks_an_event", 0,
         [](Streams& s) {
             write(s, s.first);
             record(s.event, s.first);
             while (cudaEventQuery(s.event) == cudaErrorNotReady) {
             }
             read(s, s.second);
         }},
        {"the_host_waits_for_an_event", 0,
         [](Streams& s) {
             write(s, s.first);
             record(s.event, s.first);
             CHECK(cudaEventSynchronize(s.event));
             read(s, s.second);
         }},
        {"the_host_waits_for_an_early_event", 1,
         [](Streams& s) {
             record(s.event, s.first);
             write(s, s.first);
             CHECK(cudaEventSynchronize(s.event));
             read(s, s.second);
         }},
        {"the_host_waits_for_all", 0,
         [](Streams& s) {
             write(s, s.apart);
             CHECK(cudaDeviceSynchronize());
             read(s, s.second);
         }},
        {"a_free_waits_for_all", 0,
         [](Streams& s) {
             int* d_z = nullptr;
             CHECK(cudaMalloc(&d_z, 4));
             write(s, s.apart);
             CHECK(cudaFree(d_z));
             read(s, s.second);
         }},
        {"an_allocation_waits_for_nothing", 1,
         [](Streams& s) {
             int* d_z = nullptr;
             write(s, s.apart);
             CHECK(cudaMalloc(&d_z, 4));
             read(s, s.second);
             CHECK(cudaFree(d_z));
         }},
        {"a_stream_that_is_destroyed", 1,
         [](Streams& s) {
             write(s, s.first);
             CHECK(cudaStreamDestroy(s.first));  // which waits for nothing
             CHECK(cudaStreamCreate(&s.first));
             read(s, s.first);
         }},
        {"a_stream_destroyed_then_the_default_stream", 0,
         [](Streams& s) {
             write(s, s.first);
             CHECK(cudaStreamDestroy(s.first));
             s.first = nullptr;
             read(s, nullptr);
         }},
        {"a_stream_apart_destroyed_then_the_default_stream", 1,
         [](Streams& s) {
             write(s, s.apart);
             CHECK(cudaStreamDestroy(s.apart));
             s.apart = nullptr;
             read(s, nullptr);
         }},
        {"an_event_that_a_destroyed_stream_has_awaited", 0,
         [](Streams& s) {
             write(s, s.apart);
             record(s.event, s.apart);
             wait(s.first, s.event);
             CHECK(cudaStreamDestroy(s.first));
             CHECK(cudaStreamCreateWithFlags(&s.first, cudaStreamNonBlocking));
             read(s, nullptr);
         }},
        {"a_stream_that_knows_nothing_of_the_one_before", 1,
         [](Streams& s) {
             write(s, s.apart);
             record(s.event, s.apart);
             wait(s.first, s.event);
             CHECK(cudaStreamDestroy(s.first));
             CHECK(cudaStreamCreate(&s.first));
             read(s, s.first);
         }},
        {"a_stream_in_the_place_of_another", 0,
         [](Streams& s) {
             write(s, s.first);
             CHECK(cudaStreamDestroy(s.first));
             CHECK(cudaStreamCreateWithFlags(&s.first, cudaStreamNonBlocking));
             read(s, nullptr);
         }},

        // Copies and sets.
        {"a_set_in_another_stream", 1,
         [](Streams& s) {
             CHECK(cudaMemsetAsync(s.d_x, 0, 64 * sizeof(int), s.first));
             read(s, s.second);
         }},
        {"a_set_in_the_same_stream", 0,
         [](Streams& s) {
             CHECK(cudaMemsetAsync(s.d_x, 0, 64 * sizeof(int), s.first));
             read(s, s.first);
         }},
        {"a_set_after_the_kernel", 1,
         [](Streams& s) {
             read(s, s.first);
             CHECK(cudaMemsetAsync(s.d_x, 0, 64 * sizeof(int), s.second));
         }},
        {"a_set_around_a_word", 1,
         [](Streams& s) {
             write_from<<<1, 1, 0, s.first>>>(s.d_x, 10);
             CHECK(cudaMemsetAsync(s.d_x, 0, 64 * sizeof(int), s.second));
         }},
        {"a_set_around_a_later_word", 1,
         [](Streams& s) {
             CHECK(cudaMemsetAsync(s.d_x, 0, 64 * sizeof(int), s.first));
             write_from<<<1, 1, 0, s.second>>>(s.d_x, 10);
         }},
        {"a_set_beside_the_kernel", 0,
         [](Streams& s) {
             write(s, s.first);
             CHECK(cudaMemsetAsync(s.d_x + 64, 0, 64 * sizeof(int), s.second));
         }},
        {"a_set_of_other_bytes", 0,
         [](Streams& s) {
             auto* const d_bytes = reinterpret_cast<unsigned char*>(s.d_x);
             write_bytes<<<1, 2, 0, s.first>>>(d_bytes, 1);  // bytes 1 and 3
             write_bytes<<<1, 1, 0, s.first>>>(d_bytes, 13);
             CHECK(cudaMemsetAsync(d_bytes, 0, 1, s.second));
             CHECK(cudaMemsetAsync(d_bytes + 2, 0, 1, s.second));
             CHECK(cudaMemsetAsync(d_bytes + 4, 0, 9, s.second));
         }},
        {"a_set_up_to_the_byte", 1,
         [](Streams& s) {
             auto* const d_bytes = reinterpret_cast<unsigned char*>(s.d_x);
             write_bytes<<<1, 1, 0, s.first>>>(d_bytes, 9);
             CHECK(cudaMemsetAsync(d_bytes + 3, 0, 7, s.second));
         }},
        {"a_set_from_the_byte_on", 1,
         [](Streams& s) {
             auto* const d_bytes = reinterpret_cast<unsigned char*>(s.d_x);
             write_bytes<<<1, 1, 0, s.first>>>(d_bytes, 3);
             CHECK(cudaMemsetAsync(d_bytes + 3, 0, 7, s.second));
         }},
        {"two_sets", 1,
         [](Streams& s) {
             CHECK(cudaMemsetAsync(s.d_x, 0, 100 * sizeof(int), s.first));
             CHECK(cudaMemsetAsync(s.d_x + 99, 1, 100 * sizeof(int), s.second));
         }},
        {"a_set_by_the_default_stream_not_waited_for", 1,
         [](Streams& s) {
             CHECK(cudaMemset(s.d_x, 0, 64 * sizeof(int)));  // the host goes on at once
             read(s, s.apart);
         }},
        {"a_copy_from_the_host", 0,
         [](Streams& s) {
             const std::vector<int> h_x(64);
             CHECK(cudaMemcpy(s.d_x, h_x.data(), 64 * sizeof(int), cudaMemcpyHostToDevice));
             read(s, s.first);
         }},
        {"a_copy_from_the_host_not_waited_for", 1,
         [](Streams& s) {
             const std::vector<int> h_x(64);  // pageable: the copy may be on its way still
             CHECK(cudaMemcpy(s.d_x, h_x.data(), 64 * sizeof(int), cudaMemcpyHostToDevice));
             read(s, s.apart);
         }},
        {"a_copy_from_the_host_waits_for_work_before", 0,
         [](Streams& s) {
             const int h_x = 0;
             write(s, s.first);
             CHECK(cudaMemcpy(s.d_y + 100, &h_x, sizeof h_x, cudaMemcpyHostToDevice));
             read(s, s.apart);
         }},
        {"a_copy_from_pinned_memory", 0,
         [](Streams& s) {
             int* h_x = nullptr;
             CHECK(cudaMallocHost(&h_x, 64 * sizeof(int)));
             CHECK(cudaMemcpy(s.d_x, h_x, 64 * sizeof(int), cudaMemcpyHostToDevice));
             read(s, s.apart);
             CHECK(cudaFreeHost(h_x));
         }},
        {"a_copy_to_the_host", 0,
         [](Streams& s) {
             int h_x = 0;
             write(s, s.first);
             CHECK(cudaMemcpy(&h_x, s.d_x + 100, sizeof h_x, cudaMemcpyDeviceToHost));
             read(s, s.apart);
         }},
        {"a_copy_on_the_device", 1,
         [](Streams& s) {
             CHECK(cudaMemcpy(s.d_x, s.d_y + 64, 64 * sizeof(int), cudaMemcpyDeviceToDevice));
             read(s, s.apart);
         }},
        {"a_copy_on_the_device_by_default", 1,
         [](Streams& s) {
             CHECK(cudaMemcpy(s.d_x, s.d_y + 64, 64 * sizeof(int), cudaMemcpyDefault));
             read(s, s.apart);
         }},
        {"a_copy_of_nothing", 1,
         [](Streams& s) {
             int h_x = 0;
             write(s, s.first);
             CHECK(cudaMemcpy(&h_x, s.d_x, 0, cudaMemcpyDeviceToHost));
             read(s, s.apart);
         }},
        {"a_copy_that_fails", 1,
         [](Streams& s) {
             int h_x = 0;
             write(s, s.first);
             EXPECT_EQ(cudaMemcpy(&h_x, nullptr, sizeof h_x, cudaMemcpyDeviceToHost),
                       cudaErrorInvalidValue);
             static_cast<void>(cudaGetLastError());
             read(s, s.apart);
         }},
        {"an_asynchronous_copy_from_the_host", 1,
         [](Streams& s) {
             const int h_x = 0;
             write(s, s.first);
             CHECK(cudaMemcpyAsync(s.d_y + 100, &h_x, sizeof h_x, cudaMemcpyHostToDevice, s.first));
             read(s, s.second);
         }},
        {"an_asynchronous_copy_to_the_host", 1,
         [](Streams& s) {
             int h_x = 0;
             write(s, s.first);
             CHECK(cudaMemcpyAsync(&h_x, s.d_y + 100, sizeof h_x, cudaMemcpyDeviceToHost, s.first));
             read(s, s.second);
         }},
        {"copies_with_one_static_array_of_the_host", 0,
         [](Streams& s) {
             static int h_x[64];
             CHECK(cudaMemcpyAsync(s.d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice, s.first));
             CHECK(cudaMemcpyAsync(h_x, s.d_y, sizeof h_x, cudaMemcpyDeviceToHost, s.second));
             CHECK(cudaMemcpyAsync(h_x, s.d_y, sizeof h_x, cudaMemcpyDeviceToHost, s.third));
         }},
        {"a_set_of_pinned_memory", 0,
         [](Streams& s) {
             int* h_x = nullptr;
             CHECK(cudaMallocHost(&h_x, 64 * sizeof(int)));
             CHECK(cudaMemset(h_x, 0, 64 * sizeof(int)));  // which the host waits for
             copy_by_kernel<<<1, 64, 0, s.apart>>>(h_x, s.d_y);
             CHECK(cudaFreeHost(h_x));
         }},
        {"a_copy_reads", 1,
         [](Streams& s) {
             CHECK(cudaMemcpyAsync(s.d_x, s.d_y, 64 * sizeof(int), cudaMemcpyDeviceToDevice,
                                   s.first));
             write_from<<<1, 64, 0, s.second>>>(s.d_y, 0);
         }},
        {"two_copies_read", 0,
         [](Streams& s) {
             CHECK(cudaMemcpyAsync(s.d_x, s.d_y, 64 * sizeof(int), cudaMemcpyDeviceToDevice,
                                   s.first));
             CHECK(cudaMemcpyAsync(s.d_x + 64, s.d_y, 64 * sizeof(int), cudaMemcpyDeviceToDevice,
                                   s.second));
         }},
        {"a_copy_to_the_host_too_early", 1,
         [](Streams& s) {
             std::vector<int> h_x(64);
             write(s, s.first);
             CHECK(cudaMemcpyAsync(h_x.data(), s.d_x, 64 * sizeof(int), cudaMemcpyDeviceToHost,
                                   s.second));
             CHECK(cudaStreamSynchronize(s.second));
         }},
        {"a_variable_set_by_the_host", 1,
         [](Streams& s) {
             const int zero = 0;
             count_in_variable<<<1, 64, 0, s.apart>>>();
             CHECK(cudaMemcpyToSymbol(d_total, &zero, sizeof zero));
         }},
        {"a_variable_set_by_the_host_first", 1,
         [](Streams& s) {
             const int zero = 0;  // pageable
             CHECK(cudaMemcpyToSymbol(d_total, &zero, sizeof zero));
             count_in_variable<<<1, 64, 0, s.apart>>>();
         }},
        {"a_variable_set_on_the_device", 1,
         [](Streams& s) {
             CHECK(cudaMemcpyToSymbol(d_total, s.d_y, sizeof(int), 0, cudaMemcpyDeviceToDevice));
             count_in_variable<<<1, 64, 0, s.apart>>>();
         }},
        {"a_variable_read_by_the_host", 1,
         [](Streams& s) {
             int total = 0;
             count_in_variable<<<1, 64, 0, s.apart>>>();
             CHECK(cudaMemcpyFromSymbol(&total, d_total, sizeof total));
         }},
        {"a_variable_read_on_the_device", 1,
         [](Streams& s) {
             write(s, s.first);
             CHECK(cudaMemcpyFromSymbol(s.d_y + 100, d_total, sizeof(int), 0,
                                        cudaMemcpyDeviceToDevice));
             read(s, s.apart);  // the host has not waited
         }},
        {"a_variable_read_by_the_host_first", 0,
         [](Streams& s) {
             int total = 0;
             CHECK(cudaMemcpyFromSymbol(&total, d_total, sizeof total));
             count_in_variable<<<1, 64, 0, s.apart>>>();
         }},
        {"memory_freed_by_another_stream", 2,
         [](Streams& s) {
             int* d_z = nullptr;
             CHECK(cudaMallocAsync(&d_z, 64 * sizeof(int), s.first));
             write_from<<<1, 64, 0, s.first>>>(d_z, 0);
             CHECK(cudaFreeAsync(d_z, s.second));
         }},
        {"memory_allocated_by_another_stream", 2,
         [](Streams& s) {
             int* d_z = nullptr;
             CHECK(cudaMallocAsync(&d_z, 64 * sizeof(int), s.first));
             write_from<<<1, 64, 0, s.second>>>(d_z, 0);
             CHECK(cudaFreeAsync(d_z, s.second));
         }},
        {"memory_of_one_stream", 0,
         [](Streams& s) {
             int* d_z = nullptr;
             CHECK(cudaMallocAsync(&d_z, 64 * sizeof(int), s.first));
             write_from<<<1, 64, 0, s.first>>>(d_z, 0);
             CHECK(cudaFreeAsync(d_z, s.first));
         }},
    };
}

class RaceStreams : public testing::TestWithParam<Sequence> {
  protected:
    RaceStreams() {
        cpu_device::race::be_quiet(true);
        cpu_device::race::forget();
    }
    ~RaceStreams() override {  // the test is over: its reports are no reason to end with 66
        cpu_device::race::forget();
        cpu_device::race::be_quiet(false);
    }
    static std::string of(void (*run)(Streams&)) {
        cpu_device::race::forget();
        Streams setup;
        run(setup);
        return cpu_device::race::reports_text();
    }
    static bool has(const std::string& text, const std::string& words) {
        return text.find(words) != std::string::npos;
    }
};

TEST_P(RaceStreams, AreJudgedRight) {
    const std::string text = of(GetParam().run);
    EXPECT_EQ(cpu_device::race::reports(), GetParam().races) << text;
    if (GetParam().races > 0) {
        EXPECT_EQ(text.find("\nRACE BETWEEN STREAMS in "), 0u) << text;
        EXPECT_TRUE(has(text, "race_streams_test.cu:")) << text;
    } else {
        EXPECT_EQ(text, "");
    }
}

INSTANTIATE_TEST_SUITE_P(Sequences, RaceStreams, testing::ValuesIn(all_sequences()),
                         [](const auto& test) { return test.param.name; });

using RaceStreamsReport = RaceStreams;

TEST_F(RaceStreamsReport, NamesBothLaunchesTheirStreamsAndTheWord) {
    const std::string text = of([](Streams& s) {
        write(s, s.first);
        write_from<<<1, 64, 0, s.second>>>(s.d_x, 63);
    });
    EXPECT_EQ(cpu_device::race::reports(), 1u) << text;
    const Pattern expected(
        "\nRACE BETWEEN STREAMS in kernel write_from, launched at .*race_streams_test.cu:[0-9]+\n"
        "  .*race_streams_test.cu:([0-9]+): block 0, thread 63 of write_from writes a word of "
        "global memory\n"
        "  .*race_streams_test.cu:\\1: block 0, thread 0 of write_from writes the same word\n"
        "  The word is \\[63\\] of the 256 elements of 4 bytes allocated at .*:[0-9]+\\.\n"
        "  The first is in (stream [0-9]+) \\(made at .*race_streams_test.cu:[0-9]+\\), launched "
        "at "
        ".*race_streams_test.cu:[0-9]+;\n"
        "  the second in (stream [0-9]+) \\(made at .*race_streams_test.cu:[0-9]+\\)\\.\n(.*\n)*");
    const std::vector<std::string> match = expected.match(text);
    ASSERT_FALSE(match.empty()) << text;
    EXPECT_NE(match[2], match[3]);
    EXPECT_FALSE(has(text, "atomic")) << text;
    EXPECT_FALSE(has(text, "cudaStreamNonBlocking")) << text;
}

TEST_F(RaceStreamsReport, NamesAFunctionAndItsCaller) {
    const std::string text = of([](Streams& s) {
        CHECK(cudaMemset(s.d_x, 0, 64 * sizeof(int)));
        read(s, s.apart);
    });
    EXPECT_TRUE(Pattern("  .*race_streams_test.cu:[0-9]+: cudaMemset "
                        "writes a word of global memory\n")
                    .is_in(text))
        << text;
    EXPECT_TRUE(has(text, "The first is in the default stream;\n  the second in stream ")) << text;
    EXPECT_TRUE(Pattern("the second in (stream [0-9]+) (.*\n)*  \\(Made with "
                        "cudaStreamNonBlocking, \\1 and the default stream do not wait for each "
                        "other\\.\\)\n")
                    .is_in(text))
        << text;
    EXPECT_TRUE(has(text, "cudaMemsetAsync takes a stream")) << text;
    const std::string freed = of([](Streams& s) {
        int* d_z = nullptr;
        CHECK(cudaMallocAsync(&d_z, 64 * sizeof(int), s.first));
        write_from<<<1, 64, 0, s.first>>>(d_z, 0);
        CHECK(cudaFreeAsync(d_z, s.second));
    });
    EXPECT_EQ(freed.find("\nRACE BETWEEN STREAMS in cudaFreeAsync, called at "), 0u) << freed;
    EXPECT_TRUE(has(freed, ": cudaFreeAsync frees the same word\n")) << freed;
    EXPECT_TRUE(has(freed, "cudaMallocAsync allocates")) << freed;
}

TEST_F(RaceStreamsReport, NamesTheByteAndTheDouble) {
    const std::string byte = of([](Streams& s) {
        auto* const d_bytes = reinterpret_cast<unsigned char*>(s.d_x);
        write_bytes<<<1, 1, 0, s.first>>>(d_bytes, 7);
        write_bytes<<<1, 1, 0, s.second>>>(d_bytes, 7);
    });
    EXPECT_TRUE(has(byte, "The word is [7] of the 1024 elements of 1 byte ")) << byte;
    const std::string one_of_many = of([](Streams& s) {
        CHECK(cudaMemsetAsync(s.d_x, 0, 64 * sizeof(int), s.first));
        write_bytes<<<1, 1, 0, s.second>>>(reinterpret_cast<unsigned char*>(s.d_x), 7);
    });
    EXPECT_TRUE(has(one_of_many, "The word is [7] of the 1024 elements of 1 byte ")) << one_of_many;
    const std::string wide = of([](Streams& s) {
        write_double<<<1, 1, 0, s.first>>>(reinterpret_cast<double*>(s.d_x) + 5);
        write_from<<<1, 1, 0, s.second>>>(s.d_x, 11);
    });
    EXPECT_TRUE(has(wide, "The word is [5] of the 128 elements of 8 bytes ")) << wide;
}

TEST_F(RaceStreamsReport, TellsOfStreamsApartOnlyWhereThatMatters) {
    const std::string text = of([](Streams& s) {
        write(s, s.apart);
        read(s, s.first);
    });
    EXPECT_EQ(text.find("\nRACE BETWEEN STREAMS"), 0u) << text;
    EXPECT_FALSE(has(text, "cudaStreamNonBlocking")) << text;
}

TEST_F(RaceStreamsReport, IsMadeBesideOneOfARaceInALaunch) {
    const std::string text = of([](Streams& s) {
        race_in_launch<<<2, 1, 0, s.first>>>(s.d_x);
        race_in_launch<<<1, 1, 0, s.second>>>(s.d_x);
    });
    EXPECT_TRUE(has(text, "\nDATA RACE in ")) << text;
    EXPECT_TRUE(has(text, "\nRACE BETWEEN STREAMS in ")) << text;
}

TEST_F(RaceStreamsReport, KnowsWhatAtomicsLack) {
    const std::string text = of([](Streams& s) {
        count_in_block<<<1, 1, 0, s.first>>>(s.d_x);
        count_in_block<<<1, 1, 0, s.second>>>(s.d_x);
    });
    EXPECT_TRUE(has(text, "an atomic of block scope is one step for\n  its own block only"))
        << text;
}

TEST(RaceStreamsSequences, AreAboutHalfRacy) {
    const std::vector<Sequence> all = all_sequences();
    const auto racy =
        std::count_if(all.begin(), all.end(), [](const Sequence& one) { return one.races > 0; });
    std::printf("[streams] %zu sequences, %td of them racy\n", all.size(), racy);
    EXPECT_GE(all.size(), 60u);
    EXPECT_GE(racy, 25);
    EXPECT_GE(static_cast<std::ptrdiff_t>(all.size()) - racy, 25);
}

}  // namespace
