// reduce(group, value, operation): what the operation makes of all values of the group.
#pragma once

#include <cooperative_groups.h>

namespace cooperative_groups {

template <typename T>
struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <typename T>
struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T>
struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename T>
struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <typename T>
struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};
template <typename T>
struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};

// Rank after rank; every thread of the group gets the result. Orders no memory, as on a GPU.
template <typename Group, typename T, typename Operation>
T reduce(const Group& group, T value, Operation operation, cpu_device::Place place = {}) {
    T result = group.shfl(value, 0, place);
    for (unsigned rank = 1; rank < group.size(); ++rank) {
        result = operation(result, group.shfl(value, rank, place));
    }
    return result;
}

// A tile halves the distance step by step.
template <unsigned size, typename Parent, typename T, typename Operation>
T reduce(const thread_block_tile<size, Parent>& tile, T value, Operation operation,
         cpu_device::Place place = {}) {
    if constexpr (size > 32) {
        value = reduce(thread_block_tile<32, thread_block>(), value, operation, place);
        return tile.of_warps(value, operation, place);
    } else {
        for (unsigned distance = size / 2; distance > 0; distance /= 2) {
            value = operation(value, tile.shfl_xor(value, distance, place));
        }
        return value;
    }
}

}  // namespace cooperative_groups
