// Race mode and several devices: short sequences of launches, copies and waits on three devices,
// each either in order by CUDA's rules or not, and what the reports say.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#include <string>
#include <vector>

#include "cpu_device/pattern.hpp"
#include "cpu_device/race.h"
#include "support.cuh"

namespace {

using cpu_device::Pattern;

// Before the first call of CUDA's functions.
[[gnu::constructor]] void ask_for_three_devices() {
    setenv("CPU_DEVICES", "3", 1);
}

constexpr int n = 256;
constexpr int devices = 3;

constexpr const char* clean = nullptr;
constexpr const char* scope = "SCOPE TOO NARROW";
constexpr const char* streams = "RACE BETWEEN STREAMS";
constexpr const char* peer = "PEER ACCESS NOT ENABLED";
constexpr const char* host = "RACE WITH THE HOST";

void use(int device) {
    CHECK(cudaSetDevice(device));
}

// On each device a stream that waits for the default stream, one that does not, an event, and an
// array of zeros. All devices have access to each other's memory, and nothing is under way.
struct Devices {
    cudaStream_t stream[devices]{}, apart[devices]{};
    cudaEvent_t event[devices]{};
    int* d_x[devices]{};

    Devices() {
        for (int device = 0; device < devices; ++device) {
            use(device);
            CHECK(cudaStreamCreate(&stream[device]));
            CHECK(cudaStreamCreateWithFlags(&apart[device], cudaStreamNonBlocking));
            CHECK(cudaEventCreate(&event[device]));
            CHECK(cudaMalloc(&d_x[device], n * sizeof(int)));
            CHECK(cudaMemset(d_x[device], 0, n * sizeof(int)));
            CHECK(cudaDeviceSynchronize());
            for (int other = 0; other < devices; ++other) {
                if (other != device) {
                    CHECK(cudaDeviceEnablePeerAccess(other, 0));
                }
            }
        }
        use(0);
    }
    Devices(const Devices&) = delete;
    Devices& operator=(const Devices&) = delete;
    ~Devices() {
        for (int device = 0; device < devices; ++device) {
            use(device);
            for (int other = 0; other < devices; ++other) {
                static_cast<void>(cudaDeviceDisablePeerAccess(other));
            }
            static_cast<void>(cudaGetLastError());
            CHECK(cudaDeviceSynchronize());
            CHECK(cudaFree(d_x[device]));
            CHECK(cudaEventDestroy(event[device]));
            CHECK(cudaStreamDestroy(apart[device]));
            CHECK(cudaStreamDestroy(stream[device]));
        }
        use(0);
    }
};

// --- the kernels ------------------------------------------------------------------------------

__global__ void write(int* d_x) {
    d_x[threadIdx.x] = 1;
}
__global__ void copy(const int* d_from, int* d_to) {
    d_to[threadIdx.x] = d_from[threadIdx.x];
}
__global__ void count(int* d_x) {
    atomicAdd(d_x, 1);
}
__global__ void count_in_system(int* d_x) {
    atomicAdd_system(d_x, 1);
}
__global__ void count_in_block(int* d_x) {
    atomicAdd_block(d_x, 1);
}
__global__ void count_wide_in_system(int* d_x) {
    atomicAdd_system(reinterpret_cast<unsigned long long*>(d_x), 1ull);
}
template <cuda::thread_scope thread_scope>
__global__ void count_by_reference(int* d_x) {
    cuda::atomic_ref<int, thread_scope>(*d_x).fetch_add(1, cuda::memory_order_relaxed);
}
__device__ int d_total;
__global__ void add_to_variable() {
    if (threadIdx.x == 0) {
        ++d_total;
    }
}

enum class By { nothing, device_fence, system_fence };
__device__ void fence(By by) {
    if (by == By::device_fence) {
        __threadfence();
    } else if (by == By::system_fence) {
        __threadfence_system();
    }
}

// A message: one word, and a flag by atomics of system scope. The fences are the question.
template <By by>
__global__ void send(int* d_x) {
    d_x[0] = 42;
    fence(by);
    atomicExch_system(d_x + 1, 1);
}
template <By by>
__global__ void receive(int* d_x, int* d_result) {
    while (atomicAdd_system(d_x + 1, 0) == 0) {
        __nanosleep(32);
    }
    fence(by);
    d_result[0] = d_x[0];
}
__global__ void send_by_volatile(int* d_x) {
    d_x[0] = 42;
    __threadfence_system();
    *const_cast<volatile int*>(d_x + 1) = 1;
}
__global__ void receive_by_volatile(int* d_x, int* d_result) {
    while (*const_cast<volatile int*>(d_x + 1) == 0) {
        __nanosleep(32);
    }
    __threadfence_system();
    d_result[0] = d_x[0];
}
// The flag by release and acquire.
template <cuda::thread_scope thread_scope>
__global__ void release(int* d_x) {
    d_x[0] = 42;
    cuda::atomic_ref<int, thread_scope>(d_x[1]).store(1, cuda::memory_order_release);
}
template <cuda::thread_scope thread_scope>
__global__ void acquire(int* d_x, int* d_result) {
    const cuda::atomic_ref<int, thread_scope> flag(d_x[1]);
    while (flag.load(cuda::memory_order_acquire) == 0) {
        __nanosleep(32);
    }
    d_result[0] = d_x[0];
}
// Only the flag, of an array that was written before.
template <By by>
__global__ void raise(int* d_flag) {
    fence(by);
    atomicExch_system(d_flag, 1);
}
// An atomic in between, which orders nothing by itself.
template <bool by_update>
__global__ void touch(int* d_flag) {
    const cuda::atomic_ref<int, cuda::thread_scope_system> flag(*d_flag);
    if (by_update) {
        flag.fetch_add(1, cuda::memory_order_relaxed);
    } else {
        flag.store(1, cuda::memory_order_relaxed);
    }
}
// Waits for one flag, and raises the next one.
template <cuda::thread_scope thread_scope>
__global__ void pass_on(int* d_flag, int* d_next) {
    while (cuda::atomic_ref<int, cuda::thread_scope_system>(*d_flag).load(
               cuda::memory_order_acquire) == 0) {
        __nanosleep(32);
    }
    cuda::atomic_ref<int, thread_scope>(*d_next).store(1, cuda::memory_order_release);
}
__global__ void await_and_read(int* d_flag, const int* d_from, int* d_to) {
    while (cuda::atomic_ref<int, cuda::thread_scope_system>(*d_flag).load(
               cuda::memory_order_acquire) == 0) {
        __nanosleep(32);
    }
    d_to[0] = d_from[0];
}
// The same for whole blocks: one thread signals or waits, with a barrier before or after.
template <bool barrier>
__global__ void send_by_block(int* d_x) {
    d_x[threadIdx.x] = 42;
    if (barrier) {
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        __threadfence_system();
        atomicExch_system(d_x + 128, 1);
    }
}
__global__ void receive_by_block(int* d_x, int* d_result) {
    if (threadIdx.x == 0) {
        while (atomicAdd_system(d_x + 128, 0) == 0) {
            __nanosleep(32);
        }
        __threadfence_system();
    }
    __syncthreads();
    d_result[threadIdx.x] = d_x[63 - threadIdx.x];
}
enum class Ticket { system, device };
// Each device leaves its part; the last one to come adds up all parts and sets the ticket back.
template <By by, Ticket ticket>
__global__ void add_up(int* d_x, int part) {
    d_x[1 + part] = part;
    fence(by);
    const int before = ticket == Ticket::system ? atomicAdd_system(d_x, 1) : atomicAdd(d_x, 1);
    if (before == devices - 1) {
        fence(by);
        d_x[10] = d_x[1] + d_x[2] + d_x[3];
        d_x[0] = 0;
    }
}
// Only the last one touches a word, which it knows by the ticket alone.
__global__ void reset_by_the_last(int* d_ticket) {
    if (atomicAdd_system(d_ticket, 1) == devices - 1) {
        *d_ticket = 0;
    }
}
__global__ void reset_by_all(int* d_ticket) {
    *d_ticket = 0;
    atomicAdd_system(d_ticket, 1);
}

template <By sender, By receiver>
void message(Devices& s) {
    use(0);
    send<sender><<<1, 1>>>(s.d_x[0]);
    use(1);
    receive<receiver><<<1, 1>>>(s.d_x[0], s.d_x[1]);
}
template <cuda::thread_scope sender, cuda::thread_scope receiver>
void message_by_order(Devices& s) {
    use(0);
    release<sender><<<1, 1>>>(s.d_x[0]);
    use(1);
    acquire<receiver><<<1, 1>>>(s.d_x[0], s.d_x[1]);
}
// The same kernel on device 0 and on device 1, with one array.
void twice(void (*kernel)(int*), int* d_x) {
    for (const int device : {0, 1}) {
        use(device);
        kernel<<<1, 32>>>(d_x);
    }
}
template <By by, Ticket ticket>
void sum(Devices& s) {
    for (int device = 0; device < devices; ++device) {
        use(device);
        add_up<by, ticket><<<1, 1>>>(s.d_x[0], device);
    }
}
void write_on_0(Devices& s, cudaStream_t stream = nullptr) {
    use(0);
    write<<<1, 64, 0, stream>>>(s.d_x[0]);
}
void read_on_1(Devices& s, cudaStream_t stream = nullptr) {
    use(1);
    copy<<<1, 64, 0, stream>>>(s.d_x[0], s.d_x[1]);
}

constexpr cuda::thread_scope of_system = cuda::thread_scope_system;
constexpr cuda::thread_scope of_device = cuda::thread_scope_device;

struct Sequence {
    const char* name;
    const char* kind;  // of all its reports; null: there shall be none
    void (*run)(Devices&);
};

std::vector<Sequence> all_sequences() {
    return {
        // Counters.
        {"both_count", scope, [](Devices& s) { twice(count, s.d_x[0]); }},
        {"both_count_in_system", clean, [](Devices& s) { twice(count_in_system, s.d_x[0]); }},
        {"both_count_in_a_block", scope, [](Devices& s) { twice(count_in_block, s.d_x[0]); }},
        {"one_counts_in_system", scope,
         [](Devices& s) {
             count_in_system<<<1, 32>>>(s.d_x[0]);
             use(1);
             count<<<1, 32>>>(s.d_x[0]);
         }},
        {"both_count_by_references_of_the_device", scope,
         [](Devices& s) { twice(count_by_reference<of_device>, s.d_x[0]); }},
        {"both_count_by_references_of_the_system", clean,
         [](Devices& s) { twice(count_by_reference<of_system>, s.d_x[0]); }},
        {"each_counts_in_its_own_memory", clean,
         [](Devices& s) {
             count<<<1, 32>>>(s.d_x[0]);
             use(1);
             count<<<1, 32>>>(s.d_x[1]);
         }},
        {"counts_of_two_sizes", streams,
         [](Devices& s) {
             count_in_system<<<1, 1>>>(s.d_x[0]);
             use(1);
             count_wide_in_system<<<1, 1>>>(s.d_x[0]);
         }},
        {"a_count_and_a_plain_read", streams,
         [](Devices& s) {
             count_in_system<<<1, 1>>>(s.d_x[0]);
             read_on_1(s);
         }},
        {"both_count_in_managed_memory", scope,
         [](Devices&) {
             int* x = nullptr;
             CHECK(cudaMallocManaged(&x, sizeof(int)));
             *x = 0;
             twice(count, x);
             CHECK(cudaFree(x));
         }},
        {"both_count_in_pinned_memory_of_the_system", clean,
         [](Devices&) {
             int* x = nullptr;
             CHECK(cudaMallocHost(&x, sizeof(int)));
             *x = 0;
             twice(count_in_system, x);
             CHECK(cudaFreeHost(x));
         }},
        {"two_streams_of_one_device_count", clean,
         [](Devices& s) {
             use(1);
             count<<<1, 32, 0, s.stream[1]>>>(s.d_x[1]);
             count<<<1, 32, 0, s.apart[1]>>>(s.d_x[1]);
         }},
        {"each_device_has_its_variables", clean,
         [](Devices&) {
             add_to_variable<<<1, 32>>>();
             use(1);
             add_to_variable<<<1, 32>>>();
         }},

        // Messages.
        {"system_fences", clean, message<By::system_fence, By::system_fence>},
        {"a_device_fence_before_the_flag", scope, message<By::device_fence, By::system_fence>},
        {"a_device_fence_after_the_flag", scope, message<By::system_fence, By::device_fence>},
        {"device_fences", scope, message<By::device_fence, By::device_fence>},
        {"no_fences", streams, message<By::nothing, By::nothing>},
        {"no_fence_before_the_flag", streams, message<By::nothing, By::system_fence>},
        {"no_fence_after_the_flag", streams, message<By::system_fence, By::nothing>},
        {"release_and_acquire_of_the_system", clean, message_by_order<of_system, of_system>},
        {"a_release_of_the_device", scope, message_by_order<of_device, of_system>},
        {"an_acquire_of_the_device", scope, message_by_order<of_system, of_device>},
        {"a_volatile_flag", clean,
         [](Devices& s) {
             send_by_volatile<<<1, 1>>>(s.d_x[0]);
             use(1);
             receive_by_volatile<<<1, 1>>>(s.d_x[0], s.d_x[1]);
         }},
        {"a_message_of_a_block", clean,
         [](Devices& s) {
             send_by_block<true><<<1, 64>>>(s.d_x[0]);
             use(1);
             receive_by_block<<<1, 64>>>(s.d_x[0], s.d_x[1]);
         }},
        {"a_message_of_a_block_without_a_barrier", streams,
         [](Devices& s) {
             send_by_block<false><<<1, 64>>>(s.d_x[0]);
             use(1);
             receive_by_block<<<1, 64>>>(s.d_x[0], s.d_x[1]);
         }},
        {"work_before_in_the_same_stream", clean,
         [](Devices& s) {
             write_on_0(s);
             raise<By::system_fence><<<1, 1>>>(s.d_x[0] + 100);
             use(1);
             await_and_read<<<1, 1>>>(s.d_x[0] + 100, s.d_x[0], s.d_x[1]);
         }},
        {"work_before_a_device_fence", scope,
         [](Devices& s) {
             write_on_0(s);
             raise<By::device_fence><<<1, 1>>>(s.d_x[0] + 100);
             use(1);
             await_and_read<<<1, 1>>>(s.d_x[0] + 100, s.d_x[0], s.d_x[1]);
         }},
        {"work_before_in_another_stream", streams,
         [](Devices& s) {
             write_on_0(s, s.apart[0]);
             raise<By::system_fence><<<1, 1>>>(s.d_x[0] + 100);
             use(1);
             await_and_read<<<1, 1>>>(s.d_x[0] + 100, s.d_x[0], s.d_x[1]);
         }},
        {"an_update_in_between", clean,
         [](Devices& s) {
             send<By::system_fence><<<1, 1>>>(s.d_x[0]);
             use(1);
             touch<true><<<1, 1>>>(s.d_x[0] + 1);
             use(2);
             receive<By::system_fence><<<1, 1>>>(s.d_x[0], s.d_x[2]);
         }},
        {"a_store_in_between", streams,
         [](Devices& s) {
             send<By::system_fence><<<1, 1>>>(s.d_x[0]);
             use(1);
             touch<false><<<1, 1>>>(s.d_x[0] + 1);
             use(2);
             receive<By::system_fence><<<1, 1>>>(s.d_x[0], s.d_x[2]);
         }},
        {"a_set_in_between", streams,
         [](Devices& s) {
             send<By::system_fence><<<1, 1, 0, s.apart[0]>>>(s.d_x[0]);
             CHECK(cudaEventRecord(s.event[0], s.apart[0]));
             use(1);
             CHECK(cudaStreamWaitEvent(s.apart[1], s.event[0], 0));
             CHECK(cudaMemsetAsync(s.d_x[0] + 1, 1, sizeof(int), s.apart[1]));
             use(2);
             receive<By::system_fence><<<1, 1>>>(s.d_x[0], s.d_x[2]);
         }},
        {"from_device_to_device", clean,
         [](Devices& s) {
             release<of_system><<<1, 1>>>(s.d_x[0]);
             use(1);
             pass_on<of_system><<<1, 1>>>(s.d_x[0] + 1, s.d_x[0] + 2);
             use(2);
             await_and_read<<<1, 1>>>(s.d_x[0] + 2, s.d_x[0], s.d_x[2]);
         }},
        {"from_device_to_device_with_a_narrow_step", scope,
         [](Devices& s) {
             release<of_system><<<1, 1>>>(s.d_x[0]);
             use(1);
             pass_on<of_device><<<1, 1>>>(s.d_x[0] + 1, s.d_x[0] + 2);
             use(2);
             await_and_read<<<1, 1>>>(s.d_x[0] + 2, s.d_x[0], s.d_x[2]);
         }},
        {"the_last_device_adds_up", clean, sum<By::system_fence, Ticket::system>},
        {"the_last_device_adds_up_after_device_fences", scope,
         sum<By::device_fence, Ticket::system>},
        {"the_last_device_adds_up_by_a_ticket_of_the_device", scope,
         sum<By::system_fence, Ticket::device>},
        {"the_last_device_adds_up_without_fences", streams, sum<By::nothing, Ticket::system>},
        {"the_last_sets_the_ticket_back", clean,
         [](Devices& s) {
             for (int device = 0; device < devices; ++device) {
                 use(device);
                 reset_by_the_last<<<1, 1>>>(s.d_x[0]);
             }
         }},
        {"each_sets_the_ticket_back", streams,
         [](Devices& s) {
             reset_by_all<<<1, 1>>>(s.d_x[0]);
             use(1);
             reset_by_all<<<1, 1>>>(s.d_x[0]);
         }},

        // What orders two devices' streams, and what does not.
        {"the_default_streams", streams,
         [](Devices& s) {
             write_on_0(s);
             read_on_1(s);
         }},
        {"a_read_first", streams,
         [](Devices& s) {
             read_on_1(s);
             write_on_0(s);
         }},
        {"both_read", clean,
         [](Devices& s) {
             use(0);
             copy<<<1, 64>>>(s.d_x[2], s.d_x[0]);
             use(1);
             copy<<<1, 64>>>(s.d_x[2], s.d_x[1]);
         }},
        {"neighbors", clean,
         [](Devices& s) {
             write_on_0(s);
             use(1);
             write<<<1, 64>>>(s.d_x[0] + 64);
         }},
        {"the_default_stream_of_another_device_between", streams,
         [](Devices& s) {
             write_on_0(s, s.stream[0]);
             use(1);
             count<<<1, 1>>>(s.d_x[1] + 200);  // waits for the streams of device 1
             read_on_1(s, s.stream[1]);
         }},
        {"the_default_stream_of_device_1", clean,
         [](Devices& s) {
             use(1);
             write<<<1, 64, 0, s.stream[1]>>>(s.d_x[0]);
             copy<<<1, 64>>>(s.d_x[0], s.d_x[1]);
             write<<<1, 64, 0, s.stream[1]>>>(s.d_x[1]);
         }},
        {"a_stream_apart_on_device_1", streams,
         [](Devices& s) {
             use(1);
             write<<<1, 64, 0, s.apart[1]>>>(s.d_x[0]);
             copy<<<1, 64>>>(s.d_x[0], s.d_x[1]);
         }},
        {"an_event_between", clean,
         [](Devices& s) {
             write_on_0(s);
             CHECK(cudaEventRecord(s.event[0]));
             use(1);
             CHECK(cudaStreamWaitEvent(nullptr, s.event[0], 0));
             read_on_1(s);
         }},
        {"an_event_recorded_too_early", streams,
         [](Devices& s) {
             CHECK(cudaEventRecord(s.event[0]));
             write_on_0(s);
             use(1);
             CHECK(cudaStreamWaitEvent(nullptr, s.event[0], 0));
             read_on_1(s);
         }},
        {"an_event_without_a_wait", streams,
         [](Devices& s) {
             write_on_0(s);
             CHECK(cudaEventRecord(s.event[0]));
             read_on_1(s);
         }},
        {"the_host_waits_for_the_device", clean,
         [](Devices& s) {
             write_on_0(s);
             CHECK(cudaDeviceSynchronize());
             read_on_1(s);
         }},
        {"the_host_waits_for_another_device", streams,
         [](Devices& s) {
             write_on_0(s);
             use(1);
             CHECK(cudaDeviceSynchronize());
             read_on_1(s);
         }},
        {"the_host_waits_for_a_stream_of_another_device", clean,
         [](Devices& s) {
             write_on_0(s, s.stream[0]);
             use(1);
             CHECK(cudaStreamSynchronize(s.stream[0]));
             read_on_1(s);
         }},
        {"the_host_reads_after_another_device", host,
         [](Devices&) {
             int* x = nullptr;
             CHECK(cudaMallocManaged(&x, 64 * sizeof(int)));
             write<<<1, 64>>>(x);
             use(1);
             CHECK(cudaDeviceSynchronize());
             if (x[5] == 7) {
                 std::printf("never\n");
             }
             CHECK(cudaFree(x));
         }},
        {"the_host_reads_after_all_devices", clean,
         [](Devices&) {
             int* x = nullptr;
             CHECK(cudaMallocManaged(&x, 64 * sizeof(int)));
             write<<<1, 64>>>(x);
             CHECK(cudaDeviceSynchronize());
             use(1);
             CHECK(cudaDeviceSynchronize());
             if (x[5] == 7) {
                 std::printf("never\n");
             }
             CHECK(cudaFree(x));
         }},

        // Copies.
        {"a_copy_between_devices_in_between", clean,
         [](Devices& s) {
             write_on_0(s);
             CHECK(cudaMemcpyPeer(s.d_x[1], 1, s.d_x[0], 0, 64 * sizeof(int)));
             use(1);
             copy<<<1, 64>>>(s.d_x[1], s.d_x[1] + 64);
         }},
        {"a_copy_between_devices_after_a_stream_apart", clean,
         [](Devices& s) {
             write_on_0(s, s.apart[0]);
             use(2);
             CHECK(cudaMemcpyPeer(s.d_x[1], 1, s.d_x[0], 0, 64 * sizeof(int)));
             use(1);
             copy<<<1, 64, 0, s.apart[1]>>>(s.d_x[1], s.d_x[1] + 64);
         }},
        {"a_copy_by_cudaMemcpy_in_between", clean,
         [](Devices& s) {
             write_on_0(s);
             CHECK(cudaMemcpy(s.d_x[1], s.d_x[0], 64 * sizeof(int), cudaMemcpyDefault));
             use(1);
             copy<<<1, 64>>>(s.d_x[1], s.d_x[1] + 64);
         }},
        {"an_asynchronous_copy_in_its_stream", streams,
         [](Devices& s) {
             CHECK(cudaMemcpyPeerAsync(s.d_x[1], 1, s.d_x[0], 0, 64 * sizeof(int), s.stream[0]));
             use(1);
             copy<<<1, 64>>>(s.d_x[1], s.d_x[1] + 64);
         }},
        {"an_asynchronous_copy_and_an_event", clean,
         [](Devices& s) {
             CHECK(cudaMemcpyPeerAsync(s.d_x[1], 1, s.d_x[0], 0, 64 * sizeof(int), s.stream[0]));
             CHECK(cudaEventRecord(s.event[0], s.stream[0]));
             use(1);
             CHECK(cudaStreamWaitEvent(s.stream[1], s.event[0], 0));
             copy<<<1, 64, 0, s.stream[1]>>>(s.d_x[1], s.d_x[1] + 64);
         }},
        {"a_set_of_another_device", streams,
         [](Devices& s) {
             CHECK(cudaMemset(s.d_x[0], 0, 64 * sizeof(int)));
             read_on_1(s);
         }},

        // Access.
        {"a_peer_that_is_not_enabled", peer,
         [](Devices& s) {
             use(1);
             CHECK(cudaDeviceDisablePeerAccess(0));
             read_on_1(s);
         }},
        {"the_other_direction_is_not_enabled", clean,
         [](Devices& s) {
             CHECK(cudaDeviceDisablePeerAccess(1));
             read_on_1(s);
         }},
    };
}

class RaceDevices : public testing::TestWithParam<Sequence> {
  protected:
    RaceDevices() {
        cpu_device::race::be_quiet(true);
        cpu_device::race::forget();
    }
    ~RaceDevices() override {  // the test is over: its reports are no reason to end with 66
        cpu_device::race::forget();
        cpu_device::race::be_quiet(false);
    }
    static std::string of(void (*run)(Devices&)) {
        cpu_device::race::forget();
        Devices setup;
        run(setup);
        return cpu_device::race::reports_text();
    }
    static bool has(const std::string& text, const std::string& words) {
        return text.find(words) != std::string::npos;
    }
};

TEST_P(RaceDevices, AreJudgedRight) {
    cpu_device::race::set_seed(4);  // on one device, its loads would read old values
    const std::string text = of(GetParam().run);
    const Pattern head("^([A-Z][A-Z -]+) in ");
    std::size_t heads = 0, at = 0;
    for (auto found = head.find(text, at, &at); !found.empty(); found = head.find(text, at, &at)) {
        EXPECT_EQ(found[1], GetParam().kind == clean ? "nothing" : GetParam().kind) << text;
        ++heads;
    }
    EXPECT_EQ(heads > 0, GetParam().kind != clean) << text;
    EXPECT_EQ(heads, cpu_device::race::reports()) << text;
}

INSTANTIATE_TEST_SUITE_P(Sequences, RaceDevices, testing::ValuesIn(all_sequences()),
                         [](const auto& test) { return test.param.name; });

using RaceDevicesReport = RaceDevices;

TEST_F(RaceDevicesReport, NamesTheDevicesAndSystemScope) {
    const std::string text = of([](Devices& s) { twice(count, s.d_x[0]); });
    EXPECT_TRUE(has(text, "The first is in the default stream of device 0, launched at ")) << text;
    EXPECT_TRUE(has(text, "the second in the default stream of device 1.")) << text;
    EXPECT_TRUE(has(text, "neither is of system scope")) << text;
    EXPECT_TRUE(has(text, "atomicAdd_system")) << text;
    EXPECT_TRUE(has(text, "cuda::thread_scope_system")) << text;
    EXPECT_EQ(cpu_device::race::reports(), 1u) << text;
    const std::string second = of([](Devices& s) {
        count_in_system<<<1, 1>>>(s.d_x[0]);
        use(1);
        count<<<1, 1, 0, s.stream[1]>>>(s.d_x[0]);
    });
    EXPECT_TRUE(has(second, "the second is not of system scope")) << second;
    const std::string first = of([](Devices& s) {
        count<<<1, 1>>>(s.d_x[0]);
        use(1);
        count_in_system<<<1, 1, 0, s.stream[1]>>>(s.d_x[0]);
    });
    EXPECT_TRUE(has(first, "the first is not of system scope")) << first;
    EXPECT_TRUE(Pattern("the second in stream [0-9]+ of device 1 \\(made at ").is_in(second))
        << second;
}

TEST_F(RaceDevicesReport, NamesTheFenceOfTheSystem) {
    const std::string text = of(message<By::device_fence, By::system_fence>);
    EXPECT_EQ(cpu_device::race::reports(), 1u) << text;
    EXPECT_TRUE(has(text, "__threadfence_system() in place of\n  __threadfence()")) << text;
}

TEST_F(RaceDevicesReport, SaysThatDefaultStreamsDoNotWait) {
    const std::string text = of([](Devices& s) {
        write_on_0(s);
        read_on_1(s);
    });
    EXPECT_TRUE(has(text, "Kernels of two devices wait for each other in no stream")) << text;
    EXPECT_FALSE(has(text, "cudaStreamNonBlocking")) << text;
}

TEST_F(RaceDevicesReport, SaysHowAccessIsGiven) {
    const std::string text = of([](Devices& s) {
        use(1);
        CHECK(cudaDeviceDisablePeerAccess(0));
        read_on_1(s);
    });
    EXPECT_EQ(cpu_device::race::reports(), 1u) << text;
    EXPECT_TRUE(has(text, ", on device 1, reads memory of device 0\n")) << text;
    EXPECT_TRUE(has(text, "cudaDeviceEnablePeerAccess(0, 0)")) << text;
}

// Both are told: the flag, and what it no longer orders.
TEST_F(RaceDevicesReport, KnowsThatASetEndsWhatAFlagHasLeft) {
    const std::string text = of([](Devices& s) {
        send<By::system_fence><<<1, 1, 0, s.apart[0]>>>(s.d_x[0]);
        CHECK(cudaEventRecord(s.event[0], s.apart[0]));
        use(1);
        CHECK(cudaStreamWaitEvent(s.apart[1], s.event[0], 0));
        CHECK(cudaMemsetAsync(s.d_x[0] + 1, 1, sizeof(int), s.apart[1]));
        use(2);
        receive<By::system_fence><<<1, 1>>>(s.d_x[0], s.d_x[2]);
    });
    EXPECT_TRUE(has(text, ": cudaMemsetAsync writes a word")) << text;
    EXPECT_TRUE(has(text, " of send<")) << text;
}

TEST(RaceDevicesSequences, AreAboutHalfRacy) {
    const std::vector<Sequence> all = all_sequences();
    const auto racy =
        std::count_if(all.begin(), all.end(), [](const Sequence& one) { return one.kind; });
    std::printf("[devices] %zu sequences, %td of them wrong\n", all.size(), racy);
    EXPECT_GE(all.size(), 30u);
    EXPECT_GE(racy, 15);
    EXPECT_GE(static_cast<std::ptrdiff_t>(all.size()) - racy, 15);
}

}  // namespace
