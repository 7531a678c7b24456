// NCCL, NVIDIA's library for what several GPUs do together: each GPU works on its part alone, and
// an all-reduce adds up the results, so that every GPU has the sum.
//
// Built where CMake finds NCCL (WITH_NCCL).
#pragma once

#include <cuda_runtime.h>
#include <nccl.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <type_traits>
#include <vector>

#include "common/error.cuh"
#include "several_gpus/2_host_joins.cuh"
#include "several_gpus/parts.cuh"

#define CHECK_NCCL(call)                                                                   \
    do {                                                                                   \
        const ncclResult_t nccl_error = (call);                                            \
        if (nccl_error != ncclSuccess) {                                                   \
            std::fprintf(stderr, "%s:%d: %s\n    failed: %s\n", __FILE__, __LINE__, #call, \
                         ncclGetErrorString(nccl_error));                                  \
            std::exit(EXIT_FAILURE);                                                       \
        }                                                                                  \
    } while (false)

// A communicator for each of the GPUs 0 ... gpus - 1. They are made once, and live as long as the
// program.
inline const std::vector<ncclComm_t>& nccl_communicators(int gpus) {
    static std::map<int, std::vector<ncclComm_t>> all;
    std::vector<ncclComm_t>& communicators = all[gpus];
    if (communicators.empty()) {
        communicators.resize(gpus);
        CHECK_NCCL(ncclCommInitAll(communicators.data(), gpus, nullptr));
        CHECK(cudaSetDevice(0));
    }
    return communicators;
}

// h_result: Task::words, which are there when GPU 0's default stream has done its work.
template <typename Task>
void launch_nccl(const Parts<Task>& parts, const std::vector<ncclComm_t>& communicators,
                 typename Task::Word* h_result, int block_size) {
    using Word = typename Task::Word;
    constexpr ncclDataType_t type = std::is_same<Word, double>::value ? ncclDouble : ncclUint64;
    for (std::size_t gpu = 0; gpu < parts.size(); ++gpu) {
        const Part<Task>& part = parts[gpu];
        CHECK(cudaSetDevice(static_cast<int>(gpu)));
        CHECK(cudaMemsetAsync(part.d_words, 0, Task::words * sizeof(Word)));
        add_to_own_words<Task>
            <<<blocks_for(add_to_own_words<Task>, part, block_size), block_size>>>(part.d_x, part.n,
                                                                                   part.d_words);
        CHECK_LAUNCH();
    }
    CHECK_NCCL(ncclGroupStart());  // one call for all GPUs: each waits for the others
    for (std::size_t gpu = 0; gpu < parts.size(); ++gpu) {
        CHECK_NCCL(ncclAllReduce(parts[gpu].d_words, parts[gpu].d_words, Task::words, type, ncclSum,
                                 communicators[gpu], nullptr));
    }
    CHECK_NCCL(ncclGroupEnd());
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemcpyAsync(h_result, parts[0].d_words, Task::words * sizeof(Word),
                          cudaMemcpyDeviceToHost));
}
