// The parts of an input that lies on several GPUs, and the access of GPUs to each other's memory.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "../common/device.cuh"
#include "../common/error.cuh"

// What GPU number g, counted from 0, has: part g of the vector.
template <typename Task>
struct Part {
    const typename Task::Item* d_x = nullptr;  // the part of the input, in the GPU's own memory
    std::size_t n = 0;                         // its items
    typename Task::Word* d_words = nullptr;    // Task::words of them, in the GPU's own memory
    typename Task::Word* h_words = nullptr;    // as many in pinned memory of the host
    cudaEvent_t done{};                        // the GPU's own event
};

template <typename Task>
using Parts = std::vector<Part<Task>>;

// As many blocks of this kernel as the current GPU holds at a time, or as many as give each thread
// 16 bytes of the part. Each thread then takes what is left in steps of the grid.
template <typename Task, typename Kernel>
int blocks_for(Kernel* kernel, const Part<Task>& part, int block_size) {
    int held = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, kernel, block_size, 0));
    const std::size_t most = std::size_t(held) * common::multiprocessor_count();
    const std::size_t vectors = part.n * sizeof(typename Task::Item) / 16 + 1;
    const std::size_t blocks = (vectors + block_size - 1) / block_size;
    return static_cast<int>(blocks < most ? blocks : most);
}

// On the CPU device the program gets two devices, unless CPU_DEVICES says how many. To be called
// before any function of CUDA.
inline void take_two_cpu_devices() {
    if (common::on_cpu_device) {
        setenv("CPU_DEVICES", "2", 0);
    }
}

// Waits for all GPUs, and adds up what each has left in h_words. h_result: Task::words.
template <typename Task>
void join_on_host(const Parts<Task>& parts, typename Task::Word* h_result) {
    for (int word = 0; word < Task::words; ++word) {
        h_result[word] = 0;
    }
    for (std::size_t gpu = 0; gpu < parts.size(); ++gpu) {
        CHECK(cudaSetDevice(static_cast<int>(gpu)));
        CHECK(cudaDeviceSynchronize());
        for (int word = 0; word < Task::words; ++word) {
            h_result[word] += parts[gpu].h_words[word];
        }
    }
    CHECK(cudaSetDevice(0));
}

// Kernels of GPUs 1, 2, ... may use GPU 0's memory from now on, or no longer. Whether they might
// before does not matter.
inline void set_access_to_gpu_0(int gpus, bool enabled) {
    for (int gpu = 1; gpu < gpus; ++gpu) {
        CHECK(cudaSetDevice(gpu));
        const cudaError_t error =
            enabled ? cudaDeviceEnablePeerAccess(0, 0) : cudaDeviceDisablePeerAccess(0);
        if (error == cudaErrorPeerAccessAlreadyEnabled || error == cudaErrorPeerAccessNotEnabled) {
            static_cast<void>(cudaGetLastError());  // it was so before
            continue;
        }
        common::exit_on_cuda_error(
            error, enabled ? "cudaDeviceEnablePeerAccess(0, 0)" : "cudaDeviceDisablePeerAccess(0)",
            __FILE__, __LINE__);
    }
    CHECK(cudaSetDevice(0));
}

// Why atomics of the other GPUs cannot work in GPU 0's memory, or empty.
inline std::string why_no_peer_atomics(int gpus) {
    for (int gpu = 1; gpu < gpus; ++gpu) {
        int access = 0;
        int atomics = 0;
        CHECK(cudaDeviceCanAccessPeer(&access, gpu, 0));
        CHECK(cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, gpu, 0));
        if (access == 0 || atomics == 0) {
            return std::string(access == 0 ? "no access" : "no native atomics") + " from GPU " +
                   std::to_string(gpu) + " to the memory of GPU 0";
        }
    }
    return "";
}
