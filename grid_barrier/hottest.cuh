// The hottest cell of a plate: a temperature and a cell that must fit together. No atomic function
// changes both, so a critical section does.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <vector>

struct Hottest {
    float temperature;
    std::size_t cell;
};

// Of no cells at all. Any number is hotter than -infinity, or as hot with a lower number.
constexpr Hottest hottest_of_none{-INFINITY, ~std::size_t{0}};

// The hotter one; of two that are equally hot, the one with the lower number. So the order of the
// comparisons does not matter. What is no number is never hotter.
__host__ __device__ inline Hottest hotter(Hottest a, Hottest b) {
    const bool b_wins =
        b.temperature > a.temperature || (b.temperature == a.temperature && b.cell < a.cell);
    return b_wins ? b : a;
}

// The hottest of the cells that fall to this thread when the grid strides over the plate.
__device__ inline Hottest hottest_of_thread(const float* d_plate, std::size_t n) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    Hottest best = hottest_of_none;
    for (std::size_t cell = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; cell < n;
         cell += stride) {
        best = hotter(best, Hottest{d_plate[cell], cell});
    }
    return best;
}

// On one core of the CPU.
inline Hottest hottest_cpu(const std::vector<float>& plate) {
    Hottest best = hottest_of_none;
    for (std::size_t cell = 0; cell < plate.size(); ++cell) {
        best = hotter(best, Hottest{plate[cell], cell});
    }
    return best;
}
