// What each warp function gives its lanes.
#include <cstring>

#include "scheduler.hpp"

namespace cpu_device {
namespace {

// The reductions: associative, so the order of the lanes does not matter. Widened to 64 bits,
// signed and unsigned numbers compare alike.
std::uint64_t combine(WarpOp op, std::uint64_t a, std::uint64_t b) {
    const bool b_is_less = static_cast<std::int64_t>(b) < static_cast<std::int64_t>(a);
    switch (op) {
        case WarpOp::reduce_add:
            return a + b;
        case WarpOp::reduce_min:
            return b_is_less ? b : a;
        case WarpOp::reduce_max:
            return b_is_less ? a : b;
        case WarpOp::reduce_and:
            return a & b;
        case WarpOp::reduce_or:
            return a | b;
        default:
            return a ^ b;
    }
}

// Gives each lane of `group` its result.
void compute_results(WarpOp op, unsigned group, Thread* lanes) {
    const auto for_each_lane = [group](auto&& function) {
        for (unsigned left = group; left != 0; left &= left - 1) {
            function(static_cast<unsigned>(__builtin_ctz(left)));
        }
    };
    const auto lanes_with = [&](auto&& condition) {
        std::uint64_t found = 0;
        for_each_lane([&](unsigned i) { found |= std::uint64_t{condition(lanes[i].value)} << i; });
        return found;
    };
    const std::uint64_t first = lanes[__builtin_ctz(group)].value;

    if (is_shuffle(op)) {
        for_each_lane([&](unsigned i) {
            const unsigned source = lanes[i].source;
            if ((group >> source & 1) != 0) {
                lanes[i].result = lanes[source].value;
            } else {
                std::memset(&lanes[i].result, fresh_memory, sizeof lanes[i].result);
            }
        });
        return;
    }
    if (op == WarpOp::match_any) {
        std::uint64_t values[32] = {};
        for_each_lane([&](unsigned i) { values[i] = lanes[i].value; });
        for_each_lane([&](unsigned i) {
            std::uint64_t same = 0;
            for (unsigned j = 0; j < 32; ++j) {  // all of them, without a branch: it is faster
                same |= std::uint64_t{values[j] == values[i]} << j;
            }
            lanes[i].result = same & group;
        });
        return;
    }
    std::uint64_t common = 0;  // the others give all lanes the same result
    if (is_vote(op)) {
        common = lanes_with([](std::uint64_t value) { return value != 0; });
    } else if (op == WarpOp::match_all) {
        common =
            lanes_with([&](std::uint64_t value) { return value == first; }) == group ? group : 0;
    } else if (op >= WarpOp::reduce_add) {
        bool is_first = true;
        for_each_lane([&](unsigned i) {
            common = is_first ? first : combine(op, common, lanes[i].value);
            is_first = false;
        });
    }
    for_each_lane([&](unsigned i) { lanes[i].result = common; });
}

}  // namespace

unsigned complete_warp_function(Warp& warp, unsigned mask, Thread* threads) {
    const unsigned group = mask & ~warp.ended;
    if (group == 0 || (warp.waiting & group) != group) {
        return 0;
    }
    const WarpOp op = threads[__builtin_ctz(group)].op;
    for (unsigned left = group; left != 0; left &= left - 1) {
        const Thread& lane = threads[__builtin_ctz(left)];
        if (lane.mask != mask || lane.op != op) {
            return 0;
        }
    }
    compute_results(op, group, threads);
    warp.waiting &= ~group;
    return group;
}

}  // namespace cpu_device
