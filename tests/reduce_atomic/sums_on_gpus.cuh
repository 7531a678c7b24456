// The sums that are the same everywhere, over the parts of an array on several GPUs: for the tests,
// and for the probe of scripts/mutate. On the CPU device there are four devices.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include "common/device_array.cuh"
#include "harness/inputs.hpp"
#include "reduce_atomic/fast/several_gpus.cuh"
#include "reduce_atomic/problem.cuh"

[[maybe_unused]] static const bool devices_are_asked_for = setenv("CPU_DEVICES", "4", 1) == 0;

// The sum of x, cut at drawn places into a part for each of `gpus` GPUs, by fixed_point or exact.
// What the launches leave in their words must not disturb the next ones: so it is computed twice.
template <typename T>
std::array<T, 2> sums_on_gpus(const std::string& name, const std::vector<T>& x, int gpus,
                              int block_size, harness::Generator& generator) {
    const bool is_exact = name == "exact";
    const std::size_t words = is_exact ? Format<T>::bins : 1;
    std::vector<std::size_t> cuts{0, x.size()};
    for (int gpu = 1; gpu < gpus; ++gpu) {
        cuts.push_back(harness::uniform_below(generator, x.size() + 1));
    }
    std::sort(cuts.begin(), cuts.end());
    struct Memory {
        common::DeviceArray<T> x;
        common::DeviceArray<unsigned long long> words;
        common::DeviceArray<unsigned> special, ticket;
    };
    std::vector<Memory> memory;
    std::vector<SumPart<T>> parts;
    for (int gpu = 0; gpu < gpus; ++gpu) {
        CHECK(cudaSetDevice(gpu));
        const std::vector<T> h_x(x.begin() + static_cast<std::ptrdiff_t>(cuts[gpu]),
                                 x.begin() + static_cast<std::ptrdiff_t>(cuts[gpu + 1]));
        memory.push_back(
            {common::DeviceArray<T>(h_x),
             common::DeviceArray<unsigned long long>(std::vector<unsigned long long>(words)),
             common::DeviceArray<unsigned>(std::vector<unsigned>{0}),
             common::DeviceArray<unsigned>(std::vector<unsigned>{0})});
        const Memory& own = memory.back();
        parts.push_back(
            {own.x.data(), h_x.size(), own.words.data(), own.special.data(), own.ticket.data()});
    }
    CHECK(cudaSetDevice(0));
    const common::DeviceArray<unsigned long long> all_words(gpus * words);
    const common::DeviceArray<unsigned> all_special(gpus);
    const JoinedWords joined{all_words.data(), all_special.data()};
    const common::DeviceArray<T> sum(std::vector<T>{-1});
    std::array<T, 2> sums{};
    for (T& result : sums) {
        if (is_exact) {
            launch_exact_on_gpus(parts, joined, sum.data(), block_size);
        } else {
            const double scale = fixed_point_scale<T>(x.size(), SumProblem<T>(x).max_magnitude());
            launch_fixed_point_on_gpus(parts, scale, joined, sum.data(), block_size);
        }
        result = sum.to_host()[0];
    }
    return sums;
}
