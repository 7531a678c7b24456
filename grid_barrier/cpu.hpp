// Heat on a plate on one core of the CPU: what the GPU is compared with.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "plate.cuh"

// The plate after so many steps.
[[gnu::noinline]] inline std::vector<float> heat_cpu(std::vector<float> now, std::size_t columns,
                                                     int steps) {
    std::vector<float> next(now.size());
    for (int step = 1; step <= steps; ++step) {
        for (std::size_t cell = 0; cell < now.size(); ++cell) {
            next[cell] = next_temperature(now.data(), cell, now.size(), columns);
        }
        std::swap(now, next);
    }
    return now;
}

// Cells per row of a plate of n cells that is about as wide as high.
inline std::size_t columns_of(std::size_t n) {
    const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n))));
    return columns > 0 ? columns : 1;
}

// A cold plate with a hot first row.
inline std::vector<float> start_plate(std::size_t n) {
    std::vector<float> plate(n, 0.0f);
    for (std::size_t cell = 0; cell < n && cell < columns_of(n); ++cell) {
        plate[cell] = 100.0f;
    }
    return plate;
}
