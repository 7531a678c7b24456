// The sums that are the same everywhere, of an array that lies on several GPUs. Each GPU leaves its
// integers as they are, GPU 0 adds them up, and only then the sum is rounded. So its bits do not
// depend on the number of GPUs, nor on where one part ends and the next one begins.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "common/error.cuh"
#include "reduce_atomic/fast/exact.cuh"
#include "reduce_atomic/fast/fixed_point.cuh"

// What GPU number g, counted from 0, has: part g of the vector. All of it lies in the GPU's memory.
template <typename T>
struct SumPart {
    const T* d_x = nullptr;
    std::size_t n = 0;
    unsigned long long* d_words = nullptr;  // one for fixed_point, Format<T>::bins for exact
    unsigned* d_special = nullptr;          // one word, and so is d_ticket; all are 0 before
    unsigned* d_ticket = nullptr;
};

// Where GPU 0 joins the parts: as many words as the parts have together.
struct JoinedWords {
    unsigned long long* d_words = nullptr;
    unsigned* d_special = nullptr;
};

// Calls add(part) with each GPU as the current one, brings `words` words of each part to GPU 0, and
// sets the parts' words back to 0. Returns when all GPUs have done so, with GPU 0 as the current
// one.
template <typename T, typename Add>
void collect_parts(const std::vector<SumPart<T>>& parts, std::size_t words,
                   const JoinedWords& joined, Add add) {
    const std::size_t bytes = words * sizeof(unsigned long long);
    for (std::size_t gpu = 0; gpu < parts.size(); ++gpu) {  // all GPUs get their work
        const SumPart<T>& part = parts[gpu];
        const int device = static_cast<int>(gpu);
        CHECK(cudaSetDevice(device));
        add(part);
        CHECK(cudaMemcpyPeerAsync(joined.d_words + gpu * words, 0, part.d_words, device, bytes));
        CHECK(cudaMemcpyPeerAsync(joined.d_special + gpu, 0, part.d_special, device,
                                  sizeof(unsigned)));
        CHECK(cudaMemsetAsync(part.d_words, 0, bytes));
        CHECK(cudaMemsetAsync(part.d_special, 0, sizeof(unsigned)));
    }
    for (std::size_t gpu = parts.size(); gpu-- > 0;) {
        CHECK(cudaSetDevice(static_cast<int>(gpu)));
        CHECK(cudaDeviceSynchronize());
    }
}

// d_sum: in GPU 0's memory.
template <typename T>
void launch_exact_on_gpus(const std::vector<SumPart<T>>& parts, const JoinedWords& joined, T* d_sum,
                          int block_size) {
    collect_parts(parts, Format<T>::bins, joined, [block_size](const SumPart<T>& part) {
        T* const keep_the_bins = nullptr;
        launch_exact(part.d_x, part.n, part.d_words, part.d_special, part.d_ticket, keep_the_bins,
                     block_size);
    });
    join_exact<<<1, 96>>>(joined.d_words, joined.d_special, static_cast<int>(parts.size()), d_sum);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());  // before a next call, whose copies come from other GPUs
}

// `scale`: fixed_point_scale() of all terms together.
template <typename T>
void launch_fixed_point_on_gpus(const std::vector<SumPart<T>>& parts, double scale,
                                const JoinedWords& joined, T* d_sum, int block_size) {
    collect_parts(parts, 1, joined, [scale, block_size](const SumPart<T>& part) {
        T* const keep_the_word = nullptr;
        launch_fixed_point(part.d_x, part.n, scale, part.d_words, part.d_special, part.d_ticket,
                           keep_the_word, block_size);
    });
    join_fixed_point<<<1, 1>>>(joined.d_words, joined.d_special, static_cast<int>(parts.size()),
                               scale, d_sum);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
}
