// The host's part of the mailbox: it asks for all pieces of a part, and adds up the answers.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cuda/atomic>
#include <system_error>
#include <thread>

#include "../common/error.cuh"
#include "parts.cuh"
#include "slot.cuh"

// Writes request number k of a part with n items, and then its flag. The last one is `stop`.
template <typename Task>
__host__ __device__ void ask(Slot<Task>& slot, int k, std::size_t n) {
    const std::size_t size = (n / pieces_per_part + 16) / 16 * 16;  // pieces begin at 16 bytes
    slot.first = size * k < n ? size * k : n;
    slot.n = n - slot.first < size ? n - slot.first : size;
    cuda::atomic_ref<unsigned, cuda::thread_scope_system> asked(slot.asked);
    asked.store(k < pieces_per_part ? piece : stop, cuda::memory_order_release);
}

// The error of a kernel in the GPU's default stream that has failed, or cudaSuccess.
inline cudaError_t error_of_kernel(int gpu) {
    cudaError_t error = cudaSetDevice(gpu);
    if (error == cudaSuccess) {
        error = cudaStreamQuery(nullptr);
    }
    return error == cudaErrorNotReady ? cudaSuccess : error;  // not ready: the kernel runs
}

// Adds the answer to the result, once it is there. Returns the error of a kernel that has failed:
// it does not answer.
template <typename Task>
cudaError_t hear(Slot<Task>& slot, int gpu, typename Task::Word* h_result) {
    constexpr int turns_per_query = 10000;  // some milliseconds: most answers need none
    cuda::atomic_ref<unsigned, cuda::thread_scope_system> answered(slot.answered);
    for (int turn = 1; answered.load(cuda::memory_order_acquire) == 0; ++turn) {
        std::this_thread::yield();
        if (turn == turns_per_query) {
            if (const cudaError_t error = error_of_kernel(gpu); error != cudaSuccess) {
                return error;
            }
            turn = 0;
        }
    }
    for (int word = 0; word < Task::words; ++word) {
        h_result[word] += slot.answer[word];
    }
    return cudaSuccess;
}

// A request, its answer, the next request, and at last, or after an error, `stop`.
template <typename Task>
cudaError_t ask_for_all(Slot<Task>* slots, std::size_t n, int gpu, typename Task::Word* h_result) {
    cudaError_t error = cudaSuccess;
    int k = 0;
    for (; k < pieces_per_part && error == cudaSuccess; ++k) {
        ask(slots[k], k, n);
        error = hear(slots[k], gpu, h_result);
    }
    ask(slots[k], pieces_per_part, n);
    return error;
}

// Does the system start another thread for this program?
inline bool can_start_a_thread() {
    try {
        std::thread([] {}).join();
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

#ifdef CPU_DEVICE_RACE
// Race mode runs one launch after the other, and does not check a host that talks to a kernel. So
// kernels of the next device play the host: one asks, and a later one hears.
template <typename Task>
__global__ void ask_on_device(Slot<Task>* slots, std::size_t n) {
    for (int k = 0; k < slots_per_gpu; ++k) {
        ask(slots[k], k, n);
    }
}
template <typename Task>
__global__ void hear_on_device(Slot<Task>* slots, typename Task::Word* h_result) {
    for (int k = 0; k < pieces_per_part; ++k) {
        await(slots[k].answered);
        for (int word = 0; word < Task::words; ++word) {
            h_result[word] += slots[k].answer[word];
        }
    }
}
#endif

// Calls launch(part, its slots), which starts the kernel that serves, for one GPU after the other,
// and talks to it. The host's part is a second thread: on a GPU a launch returns at once, and on
// the CPU device when its kernel has ended.
template <typename Task, typename Launch>
void talk_to_each(const Parts<Task>& parts, Slot<Task>* slots, typename Task::Word* h_result,
                  Launch launch) {
    const int gpus = static_cast<int>(parts.size());
    std::fill(h_result, h_result + Task::words, 0);
    std::fill(slots, slots + std::size_t(gpus) * slots_per_gpu, Slot<Task>{});
    for (int gpu = 0; gpu < gpus; ++gpu, slots += slots_per_gpu) {
        const Part<Task>& part = parts[gpu];
#ifdef CPU_DEVICE_RACE
        const int host = (gpu + 1) % gpus;
        CHECK(cudaSetDevice(host));
        ask_on_device<Task><<<1, 1>>>(slots, part.n);
        CHECK(cudaSetDevice(gpu));
        launch(part, slots);
        CHECK(cudaSetDevice(host));
        hear_on_device<Task><<<1, 1>>>(slots, h_result);
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
#else
        cudaError_t error = cudaSuccess;
        std::thread host([&] { error = ask_for_all(slots, part.n, gpu, h_result); });
        CHECK(cudaSetDevice(gpu));
        launch(part, slots);
        host.join();
        common::exit_on_cuda_error(error,
                                   "cudaSetDevice, cudaStreamQuery, or the kernel of the mailbox",
                                   __FILE__, __LINE__);
#endif
        CHECK(cudaSetDevice(gpu));
        CHECK(cudaDeviceSynchronize());  // the kernel has seen `stop`: the slots are free again
    }
    CHECK(cudaSetDevice(0));
}
