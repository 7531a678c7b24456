// Race mode and the host: pairs of short programs that differ in what lets the host, a stream or a
// function of the host wait. The right one must be silent and the wrong one must be reported, with
// every seed. What waits for what is as the page "API synchronization behavior" of CUDA's
// documentation has it.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "cpu_device/race.h"
#include "support.cuh"

namespace {

constexpr int n = 64;
constexpr std::size_t bytes = n * sizeof(int);

// What a program works with. The host may use all of it but `d_x` and `d_y`.
struct Host {
    cudaStream_t stream{}, other{}, apart{};  // the last does not wait for the default stream
    cudaEvent_t event{};
    int *d_x{}, *d_y{};
    int *managed{}, *pinned{}, *mapped{};

    Host() {
        CHECK(cudaStreamCreate(&stream));
        CHECK(cudaStreamCreate(&other));
        CHECK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
        CHECK(cudaEventCreate(&event));
        CHECK(cudaMalloc(&d_x, bytes));
        CHECK(cudaMalloc(&d_y, bytes));
        CHECK(cudaMemset(d_x, 0, bytes));
        CHECK(cudaMemset(d_y, 0, bytes));
        CHECK(cudaMallocManaged(&managed, 2 * bytes));
        CHECK(cudaMallocHost(&pinned, 2 * bytes));
        CHECK(cudaHostAlloc(&mapped, bytes, cudaHostAllocMapped));
        CHECK(cudaDeviceSynchronize());
    }
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;
    ~Host() {
        CHECK(cudaFreeHost(mapped));
        CHECK(cudaFreeHost(pinned));
        for (int* const memory : {managed, d_y, d_x}) {
            CHECK(cudaFree(memory));
        }
        CHECK(cudaEventDestroy(event));
        for (const cudaStream_t one : {apart, other, stream}) {
            CHECK(cudaStreamDestroy(one));
        }
    }
};

__managed__ int total;
__managed__ int table[n];

__global__ void write_all(int* x) {
    x[threadIdx.x] = static_cast<int>(threadIdx.x);
}
__global__ void read_all(const int* x, int* y) {
    y[threadIdx.x] = x[threadIdx.x];
}
__global__ void write_even(int* x) {
    x[2 * threadIdx.x] = 1;
}
__global__ void count(int* x) {
    atomicAdd(x, 1);
}
__global__ void add_to_total() {
    atomicAdd(&total, 1);
}
__global__ void read_table(int* y) {
    y[threadIdx.x] = table[threadIdx.x];
}
__global__ void write_bytes(unsigned char* x) {
    x[2 * threadIdx.x] = 1;
}
struct Scale {
    const int* factor;
    __device__ int operator()(int x) const { return *factor * x; }
};
__global__ void apply(Scale scale, int* y) {
    y[threadIdx.x] = scale(static_cast<int>(threadIdx.x));
}

volatile int sink;
void look(const int* x) {
    sink = *x;
}

void fill(void* memory) {
    static_cast<int*>(memory)[3] = 7;
}
void look_at(void* memory) {
    look(static_cast<int*>(memory) + 3);
}
void look_after(cudaStream_t, cudaError_t, void* memory) {
    look_at(memory);
}

void wait_by_query(cudaStream_t stream) {
    while (cudaStreamQuery(stream) == cudaErrorNotReady) {
    }
}

constexpr const char* with_host = "RACE WITH THE HOST";
constexpr const char* streams = "RACE BETWEEN STREAMS";

struct Pair {
    const char* name;
    const char* kind;  // of the report of the wrong one
    void (*right)(Host&);
    void (*wrong)(Host&);
};

std::vector<Pair> all_pairs() {
    return {
        // The host and a kernel.
        {"managed_read", with_host,
         [](Host& h) {
             write_all<<<1, n>>>(h.managed);
             CHECK(cudaDeviceSynchronize());
             look(h.managed + 5);
         },
         [](Host& h) {
             write_all<<<1, n>>>(h.managed);
             look(h.managed + 5);
         }},
        {"managed_write", with_host,
         [](Host& h) {
             read_all<<<1, n>>>(h.managed, h.d_x);
             CHECK(cudaDeviceSynchronize());
             h.managed[5] = 1;
         },
         [](Host& h) {
             read_all<<<1, n>>>(h.managed, h.d_x);
             h.managed[5] = 1;
         }},
        {"managed_both_read", with_host,
         [](Host& h) {
             read_all<<<1, n>>>(h.managed, h.d_x);
             look(h.managed + 5);
         },
         [](Host& h) {
             read_all<<<1, n>>>(h.managed, h.d_x);
             h.managed[n - 1] = 1;
         }},
        {"written_before_the_launch", with_host,
         [](Host& h) {
             h.managed[5] = 1;
             read_all<<<1, n>>>(h.managed, h.d_x);
         },
         [](Host& h) {
             read_all<<<1, n>>>(h.managed, h.d_x);
             h.managed[5] = 1;
         }},
        {"another_word", with_host,
         [](Host& h) {
             write_all<<<1, n>>>(h.managed);
             h.managed[n] = 1;
         },
         [](Host& h) {
             write_all<<<1, n>>>(h.managed);
             h.managed[n - 1] = 1;
         }},
        {"another_byte", with_host,
         [](Host& h) {
             auto* const x = reinterpret_cast<unsigned char*>(h.managed);
             write_bytes<<<1, n>>>(x);
             x[9] = 1;
         },
         [](Host& h) {
             auto* const x = reinterpret_cast<unsigned char*>(h.managed);
             write_bytes<<<1, n>>>(x);
             x[8] = 1;
         }},
        {"a_managed_variable", with_host,
         [](Host&) {
             total = 0;
             add_to_total<<<1, n>>>();
             CHECK(cudaDeviceSynchronize());
             look(&total);
         },
         [](Host&) {
             add_to_total<<<1, n>>>();
             total = 0;
             CHECK(cudaDeviceSynchronize());
         }},
        {"a_managed_array", with_host,
         [](Host& h) {
             read_table<<<1, n>>>(h.d_x);
             CHECK(cudaDeviceSynchronize());
             table[3] = 1;
         },
         [](Host& h) {
             read_table<<<1, n>>>(h.d_x);
             table[3] = 1;
             CHECK(cudaDeviceSynchronize());
         }},
        {"pinned_read", with_host,
         [](Host& h) {
             write_all<<<1, n>>>(h.pinned);
             CHECK(cudaDeviceSynchronize());
             look(h.pinned);
         },
         [](Host& h) {
             write_all<<<1, n>>>(h.pinned);
             look(h.pinned);
         }},
        {"pinned_write", with_host,
         [](Host& h) {
             read_all<<<1, n>>>(h.pinned, h.d_x);
             CHECK(cudaDeviceSynchronize());
             h.pinned[1] = 1;
         },
         [](Host& h) {
             read_all<<<1, n>>>(h.pinned, h.d_x);
             h.pinned[1] = 1;
         }},
        {"mapped_read", with_host,
         [](Host& h) {
             int* d_mapped = nullptr;
             CHECK(cudaHostGetDevicePointer(&d_mapped, h.mapped, 0));
             write_all<<<1, n>>>(d_mapped);
             CHECK(cudaStreamSynchronize(nullptr));
             look(h.mapped + 7);
         },
         [](Host& h) {
             int* d_mapped = nullptr;
             CHECK(cudaHostGetDevicePointer(&d_mapped, h.mapped, 0));
             write_all<<<1, n>>>(d_mapped);
             look(h.mapped + 7);
         }},
        {"an_atomic_of_the_kernel", with_host,
         [](Host& h) {
             h.managed[0] = 0;
             count<<<2, n>>>(h.managed);
             CHECK(cudaDeviceSynchronize());
             look(h.managed);
         },
         [](Host& h) {
             h.managed[0] = 0;
             count<<<2, n>>>(h.managed);
             look(h.managed);
         }},
        {"a_functor_with_a_pointer", with_host,
         [](Host& h) {
             h.managed[0] = 2;
             apply<<<1, n>>>(Scale{h.managed}, h.d_x);
             CHECK(cudaDeviceSynchronize());
             h.managed[0] = 3;
         },
         [](Host& h) {
             h.managed[0] = 2;
             apply<<<1, n>>>(Scale{h.managed}, h.d_x);
             h.managed[0] = 3;
         }},
        {"memset_by_the_host", with_host,
         [](Host& h) {
             write_all<<<1, n>>>(h.managed);
             CHECK(cudaDeviceSynchronize());
             std::memset(h.managed, 0, bytes);
         },
         [](Host& h) {
             write_all<<<1, n>>>(h.managed);
             std::memset(h.managed, 0, bytes);
         }},
        {"memcpy_by_the_host", with_host,
         [](Host& h) {
             int copy[n];
             write_all<<<1, n>>>(h.managed);
             CHECK(cudaDeviceSynchronize());
             std::memcpy(copy, h.managed, bytes);
         },
         [](Host& h) {
             int copy[n];
             write_all<<<1, n>>>(h.managed);
             std::memcpy(copy, h.managed, bytes);
         }},
        {"a_second_launch", with_host,
         [](Host& h) {
             write_all<<<1, n>>>(h.managed);
             write_all<<<1, n>>>(h.managed);
             CHECK(cudaDeviceSynchronize());
             look(h.managed);
         },
         [](Host& h) {
             write_all<<<1, n>>>(h.managed);
             CHECK(cudaDeviceSynchronize());
             write_all<<<1, n>>>(h.managed);
             look(h.managed);
         }},
        {"one_of_two_arrays", with_host,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             write_all<<<1, n, 0, h.other>>>(h.pinned);
             CHECK(cudaStreamSynchronize(h.stream));
             look(h.managed);
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             write_all<<<1, n, 0, h.other>>>(h.pinned);
             CHECK(cudaStreamSynchronize(h.stream));
             look(h.pinned);
         }},

        // What the host waits for.
        {"the_stream", with_host,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaStreamSynchronize(h.stream));
             look(h.managed);
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaStreamSynchronize(h.other));
             look(h.managed);
         }},
        {"the_default_stream", with_host,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaStreamSynchronize(nullptr));
             look(h.managed);
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.apart>>>(h.managed);
             CHECK(cudaStreamSynchronize(nullptr));
             look(h.managed);
         }},
        {"the_stream_of_another_thread", with_host,
         [](Host& h) {
             write_all<<<1, n, 0, cudaStreamPerThread>>>(h.managed);
             CHECK(cudaStreamSynchronize(cudaStreamPerThread));
             look(h.managed);
         },
         [](Host& h) {
             std::thread([&h] { write_all<<<1, n, 0, cudaStreamPerThread>>>(h.managed); }).join();
             CHECK(cudaStreamSynchronize(cudaStreamPerThread));
             look(h.managed);
         }},
        {"an_event", with_host,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaEventRecord(h.event, h.stream));
             CHECK(cudaEventSynchronize(h.event));
             look(h.managed);
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaEventRecord(h.event, h.stream));
             look(h.managed);
         }},
        {"an_event_recorded_before", with_host,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaEventRecord(h.event, h.stream));
             CHECK(cudaEventSynchronize(h.event));
             look(h.managed);
         },
         [](Host& h) {
             CHECK(cudaEventRecord(h.event, h.stream));
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaEventSynchronize(h.event));
             look(h.managed);
         }},
        {"an_event_recorded_again", with_host,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaEventRecord(h.event, h.stream));
             write_even<<<1, n / 2, 0, h.stream>>>(h.pinned);
             CHECK(cudaEventSynchronize(h.event));
             look(h.managed);
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaEventRecord(h.event, h.stream));
             CHECK(cudaEventRecord(h.event, h.other));
             CHECK(cudaEventSynchronize(h.event));
             look(h.managed);
         }},
        {"a_stream_that_waits_for_the_event", with_host,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaEventRecord(h.event, h.stream));
             CHECK(cudaStreamWaitEvent(h.other, h.event));
             count<<<1, 1, 0, h.other>>>(h.d_x);
             CHECK(cudaStreamSynchronize(h.other));
             look(h.managed);
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaEventRecord(h.event, h.stream));
             CHECK(cudaStreamWaitEvent(h.other, h.event));
             count<<<1, 1, 0, h.other>>>(h.d_x);
             look(h.managed);
         }},
        {"a_query_in_a_loop", with_host,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             wait_by_query(h.stream);
             look(h.managed);
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             static_cast<void>(cudaStreamQuery(h.stream));
             look(h.managed);
         }},
        {"a_query_whose_answer_counts", with_host,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             if (cudaStreamQuery(h.stream) == cudaSuccess) {
                 look(h.managed);
             }
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             if (cudaStreamQuery(h.stream) == cudaErrorNotReady) {
                 look(h.managed);
             }
         }},
        {"work_in_the_loop_of_queries", with_host,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             while (cudaStreamQuery(h.stream) == cudaErrorNotReady) {
                 h.pinned[0] = 1;
             }
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             do {
                 look(h.managed);
             } while (cudaStreamQuery(h.stream) == cudaErrorNotReady);
         }},
        {"a_query_of_another_stream", with_host,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             wait_by_query(h.stream);
             look(h.managed);
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             wait_by_query(h.other);
             look(h.managed);
         }},
        {"an_event_asked_in_a_loop", with_host,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaEventRecord(h.event, h.stream));
             while (cudaEventQuery(h.event) == cudaErrorNotReady) {
             }
             look(h.managed);
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaEventRecord(h.event, h.stream));
             static_cast<void>(cudaEventQuery(h.event));
             look(h.managed);
         }},
        {"a_query_before_another_streams_work", streams,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.d_x);
             wait_by_query(h.stream);
             read_all<<<1, n, 0, h.other>>>(h.d_x, h.d_y);
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.d_x);
             static_cast<void>(cudaStreamQuery(h.stream));
             read_all<<<1, n, 0, h.other>>>(h.d_x, h.d_y);
         }},

        // Implicit synchronization.
        {"memory_is_freed", streams,
         [](Host& h) {
             int* d_z = nullptr;
             CHECK(cudaMalloc(&d_z, bytes));
             write_all<<<1, n, 0, h.stream>>>(h.d_x);
             CHECK(cudaFree(d_z));
             read_all<<<1, n, 0, h.other>>>(h.d_x, h.d_y);
         },
         [](Host& h) {
             int* d_z = nullptr;
             write_all<<<1, n, 0, h.stream>>>(h.d_x);
             CHECK(cudaMalloc(&d_z, bytes));
             read_all<<<1, n, 0, h.other>>>(h.d_x, h.d_y);
             CHECK(cudaFree(d_z));
         }},
        {"memory_of_the_host_is_freed", with_host,
         [](Host& h) {
             int* z = nullptr;
             CHECK(cudaMallocHost(&z, bytes));
             write_all<<<1, n, 0, h.apart>>>(h.managed);
             CHECK(cudaFreeHost(z));
             look(h.managed);
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.apart>>>(h.managed);
             CHECK(cudaFreeHost(nullptr));
             look(h.managed);
         }},
        {"memory_is_freed_in_a_stream", with_host,
         [](Host& h) {
             int* d_z = nullptr;
             CHECK(cudaMallocAsync(&d_z, bytes, h.stream));
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaFreeAsync(d_z, h.stream));
             CHECK(cudaStreamSynchronize(h.stream));
             look(h.managed);
         },
         [](Host& h) {
             int* d_z = nullptr;
             CHECK(cudaMallocAsync(&d_z, bytes, h.stream));
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaFreeAsync(d_z, h.stream));
             look(h.managed);
         }},
        {"memory_of_a_pool_is_freed", with_host,
         [](Host& h) {
             int* d_z = nullptr;
             CHECK(cudaMalloc(&d_z, bytes));
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaFree(d_z));
             look(h.managed);
         },
         [](Host& h) {
             int* d_z = nullptr;
             CHECK(cudaMallocAsync(&d_z, bytes, h.stream));
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaFree(d_z));  // which waits for nothing, says CUDA
             look(h.managed);
         }},
        {"an_event_is_destroyed", with_host,
         [](Host& h) {
             cudaEvent_t event = nullptr;
             CHECK(cudaEventCreate(&event));
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaEventRecord(event, h.stream));
             CHECK(cudaEventSynchronize(event));
             CHECK(cudaEventDestroy(event));
             look(h.managed);
         },
         [](Host& h) {
             cudaEvent_t event = nullptr;
             CHECK(cudaEventCreate(&event));
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaEventRecord(event, h.stream));
             CHECK(cudaEventDestroy(event));
             look(h.managed);
         }},
        {"a_stream_is_destroyed", with_host,
         [](Host& h) {
             cudaStream_t brief = nullptr;
             CHECK(cudaStreamCreate(&brief));
             write_all<<<1, n, 0, brief>>>(h.managed);
             CHECK(cudaStreamSynchronize(brief));
             CHECK(cudaStreamDestroy(brief));
             look(h.managed);
         },
         [](Host& h) {
             cudaStream_t brief = nullptr;
             CHECK(cudaStreamCreate(&brief));
             write_all<<<1, n, 0, brief>>>(h.managed);
             CHECK(cudaStreamDestroy(brief));
             look(h.managed);
             CHECK(cudaDeviceSynchronize());
         }},

        // Sets.
        {"a_set_of_managed_memory", with_host,
         [](Host& h) {
             CHECK(cudaMemset(h.managed, 0, bytes));
             CHECK(cudaDeviceSynchronize());
             look(h.managed);
         },
         [](Host& h) {
             CHECK(cudaMemset(h.managed, 0, bytes));
             look(h.managed);
         }},
        {"a_set_of_pinned_memory", with_host,
         [](Host& h) {
             CHECK(cudaMemset(h.pinned, 0, bytes));
             look(h.pinned);
         },
         [](Host& h) {
             CHECK(cudaMemsetAsync(h.pinned, 0, bytes));
             look(h.pinned);
         }},
        {"a_set_before_a_launch", with_host,
         [](Host& h) {
             CHECK(cudaMemset(h.managed, 0, bytes));
             count<<<1, n>>>(h.managed);
             CHECK(cudaDeviceSynchronize());
             look(h.managed);
         },
         [](Host& h) {
             CHECK(cudaMemset(h.managed, 0, bytes));
             h.managed[0] = 5;
             count<<<1, n>>>(h.managed);
         }},
        {"a_set_in_a_stream", with_host,
         [](Host& h) {
             CHECK(cudaMemsetAsync(h.managed, 0, bytes, h.apart));
             CHECK(cudaStreamSynchronize(h.apart));
             h.managed[1] = 1;
         },
         [](Host& h) {
             CHECK(cudaMemsetAsync(h.managed, 0, bytes, h.apart));
             CHECK(cudaStreamSynchronize(nullptr));
             h.managed[1] = 1;
         }},
        {"a_set_and_a_stream_apart", streams,
         [](Host& h) {
             CHECK(cudaMemset(h.d_x, 0, bytes));
             read_all<<<1, n, 0, h.stream>>>(h.d_x, h.d_y);
         },
         [](Host& h) {
             CHECK(cudaMemset(h.d_x, 0, bytes));
             read_all<<<1, n, 0, h.apart>>>(h.d_x, h.d_y);
         }},

        // Copies.
        {"the_source_of_an_asynchronous_copy", with_host,
         [](Host& h) {
             CHECK(cudaMemcpyAsync(h.d_x, h.pinned, bytes, cudaMemcpyHostToDevice, h.stream));
             CHECK(cudaStreamSynchronize(h.stream));
             h.pinned[2] = 1;
         },
         [](Host& h) {
             CHECK(cudaMemcpyAsync(h.d_x, h.pinned, bytes, cudaMemcpyHostToDevice, h.stream));
             h.pinned[2] = 1;
         }},
        {"the_source_is_read", with_host,
         [](Host& h) {
             CHECK(cudaMemcpyAsync(h.d_x, h.pinned, bytes, cudaMemcpyHostToDevice, h.stream));
             look(h.pinned);
         },
         [](Host& h) {
             CHECK(cudaMemcpyAsync(h.pinned, h.d_x, bytes, cudaMemcpyDeviceToHost, h.stream));
             look(h.pinned);
         }},
        {"the_target_of_an_asynchronous_copy", with_host,
         [](Host& h) {
             CHECK(cudaMemcpyAsync(h.pinned, h.d_x, bytes, cudaMemcpyDeviceToHost, h.stream));
             CHECK(cudaStreamSynchronize(h.stream));
             look(h.pinned);
         },
         [](Host& h) {
             CHECK(cudaMemcpyAsync(h.pinned, h.d_x, bytes, cudaMemcpyDeviceToHost, h.stream));
             CHECK(cudaStreamSynchronize(h.other));
             look(h.pinned);
         }},
        {"a_copy_that_waits", with_host,
         [](Host& h) {
             CHECK(cudaMemcpy(h.pinned, h.d_x, bytes, cudaMemcpyDeviceToHost));
             look(h.pinned);
         },
         [](Host& h) {
             CHECK(cudaMemcpyAsync(h.pinned, h.d_x, bytes, cudaMemcpyDeviceToHost));
             look(h.pinned);
         }},
        {"a_copy_waits_for_the_kernel_before_it", with_host,
         [](Host& h) {
             int copy = 0;
             write_all<<<1, n>>>(h.managed);
             CHECK(cudaMemcpy(&copy, h.d_x, sizeof copy, cudaMemcpyDeviceToHost));
             look(h.managed);
         },
         [](Host& h) {
             int copy = 0;
             write_all<<<1, n, 0, h.apart>>>(h.managed);
             CHECK(cudaMemcpy(&copy, h.d_x, sizeof copy, cudaMemcpyDeviceToHost));
             look(h.managed);
         }},
        {"a_copy_from_the_host_waits_for_the_kernel", with_host,
         [](Host& h) {
             const int value = 1;
             write_all<<<1, n>>>(h.managed);
             CHECK(cudaMemcpy(h.d_x, &value, sizeof value, cudaMemcpyHostToDevice));
             look(h.managed);
         },
         [](Host& h) {
             const int value = 1;
             write_all<<<1, n>>>(h.managed);
             CHECK(cudaMemcpyAsync(h.d_x, &value, sizeof value, cudaMemcpyHostToDevice));
             look(h.managed);
         }},
        {"a_copy_on_the_device", with_host,
         [](Host& h) {
             int copy = 0;
             write_all<<<1, n>>>(h.managed);
             CHECK(cudaMemcpy(h.d_x, h.d_y, bytes, cudaMemcpyDeviceToDevice));
             CHECK(cudaMemcpy(&copy, h.d_x, sizeof copy, cudaMemcpyDeviceToHost));
             look(h.managed);
         },
         [](Host& h) {
             write_all<<<1, n>>>(h.managed);
             CHECK(cudaMemcpy(h.d_x, h.d_y, bytes, cudaMemcpyDeviceToDevice));
             look(h.managed);
         }},
        {"a_copy_within_the_host", with_host,
         [](Host& h) {
             CHECK(cudaMemcpyAsync(h.pinned, h.mapped, bytes, cudaMemcpyHostToHost, h.stream));
             look(h.pinned);
         },
         [](Host& h) {
             CHECK(cudaMemcpyAsync(h.pinned, h.managed, bytes, cudaMemcpyDefault, h.stream));
             look(h.pinned);
         }},
        {"a_double_buffer_of_the_host", with_host,
         [](Host& h) {
             for (int step = 0; step < 4; ++step) {
                 int* const half = h.pinned + step % 2 * n;
                 CHECK(cudaStreamSynchronize(step % 2 == 0 ? h.stream : h.other));
                 half[0] = step;
                 CHECK(cudaMemcpyAsync(step % 2 == 0 ? h.d_x : h.d_y, half, bytes,
                                       cudaMemcpyHostToDevice, step % 2 == 0 ? h.stream : h.other));
             }
         },
         [](Host& h) {
             for (int step = 0; step < 4; ++step) {
                 int* const half = h.pinned + step % 2 * n;
                 half[0] = step;
                 CHECK(cudaMemcpyAsync(step % 2 == 0 ? h.d_x : h.d_y, half, bytes,
                                       cudaMemcpyHostToDevice, step % 2 == 0 ? h.stream : h.other));
             }
         }},
        {"rows_of_a_copy", with_host,
         [](Host& h) {
             CHECK(cudaMemcpy2DAsync(h.pinned, 32, h.d_x, 16, 16, 4, cudaMemcpyDeviceToHost,
                                     h.stream));
             look(h.pinned + 4);  // between two rows
         },
         [](Host& h) {
             CHECK(cudaMemcpy2DAsync(h.pinned, 32, h.d_x, 16, 16, 4, cudaMemcpyDeviceToHost,
                                     h.stream));
             look(h.pinned + 8);
         }},
        {"a_variable_copied", with_host,
         [](Host& h) {
             CHECK(cudaMemcpyFromSymbolAsync(h.pinned, table, bytes, 0, cudaMemcpyDeviceToHost,
                                             h.stream));
             CHECK(cudaStreamSynchronize(h.stream));
             look(h.pinned);
         },
         [](Host& h) {
             CHECK(cudaMemcpyFromSymbolAsync(h.pinned, table, bytes, 0, cudaMemcpyDeviceToHost,
                                             h.stream));
             look(h.pinned);
             CHECK(cudaDeviceSynchronize());
         }},

        // Functions of the host that a stream calls.
        {"a_function_writes", with_host,
         [](Host& h) {
             CHECK(cudaLaunchHostFunc(h.stream, fill, h.managed));
             CHECK(cudaStreamSynchronize(h.stream));
             look(h.managed + 3);
         },
         [](Host& h) {
             CHECK(cudaLaunchHostFunc(h.stream, fill, h.managed));
             look(h.managed + 3);
         }},
        {"a_function_before_a_kernel", streams,
         [](Host& h) {
             CHECK(cudaLaunchHostFunc(h.stream, fill, h.managed));
             read_all<<<1, n, 0, h.stream>>>(h.managed, h.d_x);
         },
         [](Host& h) {
             CHECK(cudaLaunchHostFunc(h.stream, fill, h.managed));
             read_all<<<1, n, 0, h.other>>>(h.managed, h.d_x);
         }},
        {"a_function_after_a_kernel", streams,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaLaunchHostFunc(h.stream, look_at, h.managed));
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaLaunchHostFunc(h.other, look_at, h.managed));
         }},
        {"a_function_after_a_copy", streams,
         [](Host& h) {
             CHECK(cudaMemcpyAsync(h.pinned, h.d_x, bytes, cudaMemcpyDeviceToHost, h.stream));
             CHECK(cudaLaunchHostFunc(h.stream, look_at, h.pinned));
         },
         [](Host& h) {
             CHECK(cudaMemcpyAsync(h.pinned, h.d_x, bytes, cudaMemcpyDeviceToHost, h.stream));
             CHECK(cudaLaunchHostFunc(h.apart, look_at, h.pinned));
         }},
        {"a_function_after_an_event", streams,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaEventRecord(h.event, h.stream));
             CHECK(cudaStreamWaitEvent(h.apart, h.event));
             CHECK(cudaLaunchHostFunc(h.apart, look_at, h.managed));
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaEventRecord(h.event, h.stream));
             CHECK(cudaLaunchHostFunc(h.apart, look_at, h.managed));
             CHECK(cudaStreamWaitEvent(h.apart, h.event));
         }},
        {"two_functions", streams,
         [](Host& h) {
             CHECK(cudaLaunchHostFunc(h.stream, fill, h.managed));
             CHECK(cudaLaunchHostFunc(h.stream, look_at, h.managed));
         },
         [](Host& h) {
             CHECK(cudaLaunchHostFunc(h.stream, fill, h.managed));
             CHECK(cudaLaunchHostFunc(h.other, look_at, h.managed));
         }},
        {"a_callback", streams,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaStreamAddCallback(h.stream, look_after, h.managed, 0));
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             CHECK(cudaStreamAddCallback(h.other, look_after, h.managed, 0));
         }},
        {"a_callback_and_the_host", with_host,
         [](Host& h) {
             CHECK(cudaStreamAddCallback(h.stream, look_after, h.managed, 0));
             wait_by_query(h.stream);
             h.managed[3] = 1;
         },
         [](Host& h) {
             CHECK(cudaStreamAddCallback(h.stream, look_after, h.managed, 0));
             h.managed[3] = 1;
         }},

        // Streams that wait for the default stream, and such that do not.
        {"a_stream_apart", streams,
         [](Host& h) {
             write_all<<<1, n>>>(h.d_x);
             read_all<<<1, n, 0, h.stream>>>(h.d_x, h.d_y);
         },
         [](Host& h) {
             write_all<<<1, n>>>(h.d_x);
             read_all<<<1, n, 0, h.apart>>>(h.d_x, h.d_y);
         }},
        {"a_stream_apart_and_the_host", with_host,
         [](Host& h) {
             write_all<<<1, n, 0, h.stream>>>(h.managed);
             count<<<1, 1>>>(h.d_x);
             CHECK(cudaStreamSynchronize(cudaStreamLegacy));
             look(h.managed);
         },
         [](Host& h) {
             write_all<<<1, n, 0, h.apart>>>(h.managed);
             count<<<1, 1>>>(h.d_x);
             CHECK(cudaStreamSynchronize(cudaStreamLegacy));
             look(h.managed);
         }},
    };
}

int number_of_seeds() {
    return std::getenv("THOROUGH") != nullptr ? 20 : 2;
}

class RaceHost : public testing::TestWithParam<Pair> {
  protected:
    RaceHost() { cpu_device::race::be_quiet(true); }
    ~RaceHost() override {  // the test is over: its reports are no reason to end with 66
        cpu_device::race::forget();
        cpu_device::race::be_quiet(false);
    }
    static std::string of(void (*run)(Host&)) {
        cpu_device::race::forget();
        Host setup;
        run(setup);
        return cpu_device::race::reports_text();
    }
};

TEST_P(RaceHost, TheRightOneIsSilentAndTheWrongOneIsReported) {
    for (int seed = 1; seed <= number_of_seeds(); ++seed) {
        cpu_device::race::set_seed(static_cast<unsigned>(seed));
        EXPECT_EQ(of(GetParam().right), "") << "seed " << seed;
        const std::string text = of(GetParam().wrong);
        EXPECT_EQ(cpu_device::race::reports(), 1u) << "seed " << seed << text;
        EXPECT_EQ(text.find("\n" + std::string(GetParam().kind) + " in "), 0u) << text;
        const std::size_t first = text.find("race_host_test.cu:");
        EXPECT_NE(text.find("race_host_test.cu:", first + 1), std::string::npos) << text;
    }
}

INSTANTIATE_TEST_SUITE_P(Pairs, RaceHost, testing::ValuesIn(all_pairs()),
                         [](const auto& test) { return test.param.name; });

TEST(RaceHostPairs, AreMany) {
    std::printf("[host] %zu pairs, %d seeds each\n", all_pairs().size(), number_of_seeds());
    EXPECT_GE(all_pairs().size(), 60u);
}

using RaceHostReport = RaceHost;

TEST_F(RaceHostReport, NamesBothLinesTheStreamAndWhatWouldWait) {
    const std::string text = of([](Host& h) {
        write_all<<<1, n, 0, h.stream>>>(h.managed);
        h.managed[5] = 1;
    });
    for (const char* const words :
         {"RACE WITH THE HOST in kernel write_all, launched at ",
          ": block 0, thread 5 of write_all writes a word of memory that the host shares\n",
          ": the host writes the same word\n", "      | h.managed[5] = 1;\n",
          "The word is [5] of the 128 elements of 4 bytes allocated at ",
          "The first is in stream 1 (made at ", "cudaStreamSynchronize for this stream"}) {
        EXPECT_NE(text.find(words), std::string::npos) << words << text;
    }
}

}  // namespace
