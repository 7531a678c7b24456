// inclusive_scan and exclusive_scan: what the operation makes of the values of the ranks up to the
// caller's own, or before it.
#pragma once

#include <cooperative_groups/reduce.h>

namespace cooperative_groups {

namespace details {

template <typename Group>
constexpr bool has_several_warps = false;
template <unsigned size, typename Parent>
constexpr bool has_several_warps<thread_block_tile<size, Parent>> = (size > 32);

using Warp = thread_block_tile<32, thread_block>;

}  // namespace details

template <typename Group, typename T, typename Operation>
T inclusive_scan(const Group& group, T value, Operation operation, cpu_device::Place place = {}) {
    if constexpr (details::has_several_warps<Group>) {
        const T own = inclusive_scan(details::Warp(), value, operation, place);
        T before = own;
        return group.of_warps_before(own, operation, &before, place) ? operation(before, own) : own;
    } else {
        for (unsigned distance = 1; distance < group.size(); distance *= 2) {
            const T before = group.shfl_up(value, distance, place);
            if (group.thread_rank() >= distance) {
                value = operation(before, value);
            }
        }
        return value;
    }
}
template <typename Group, typename T>
T inclusive_scan(const Group& group, T value, cpu_device::Place place = {}) {
    return inclusive_scan(group, value, plus<T>(), place);
}

// The first thread gets 0; of an operation that is not a sum, nothing that is of use.
template <typename Group, typename T, typename Operation>
T exclusive_scan(const Group& group, T value, Operation operation, cpu_device::Place place = {}) {
    if constexpr (details::has_several_warps<Group>) {
        const details::Warp warp;
        const T inclusive = inclusive_scan(warp, value, operation, place);
        const T own = warp.shfl_up(inclusive, 1, place);
        T before = T();
        const bool is_first_warp = !group.of_warps_before(inclusive, operation, &before, place);
        return warp.thread_rank() == 0 ? (is_first_warp ? T() : before)
                                       : (is_first_warp ? own : operation(before, own));
    } else {
        const T inclusive = inclusive_scan(group, value, operation, place);
        const T before = group.shfl_up(inclusive, 1, place);
        return group.thread_rank() == 0 ? T() : before;
    }
}
template <typename Group, typename T>
T exclusive_scan(const Group& group, T value, cpu_device::Place place = {}) {
    return exclusive_scan(group, value, plus<T>(), place);
}

}  // namespace cooperative_groups
