// The check of 21_atomic_per_warp.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <limits>

void launch_pick(const int* d_x, int n, int limit, int* d_out, unsigned* d_count, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    refuse("coalesced_threads", {"coalesced_threads"});
    std::vector<int> x = random_numbers(n, 0, 100);
    const int share = 1 + in_turn(4, 2);
    int limit = share == 1   ? random_numbers(1, 90, 96, 3)[0]  // most warps pick nothing, or few
                : share == 2 ? -1                               // all pick
                             : random_numbers(1, 15, 35, 3)[0];
    if (in_turn(2, 9) == 0) {                // any numbers, and the same shares of them
        constexpr int most = 2'000'000'000;  // two may be too far apart for their difference
        limit = most / 50 * (limit - 50);
        x = random_numbers(n, -most, most);
        const std::vector<int> distance = random_numbers(n, -1, 1, 4);
        for (int i = 0; i < n; i += 7) {  // as floats these would be equal to the limit
            x[i] = limit + distance[i];
        }
        if (n > 3) {
            x[n / 2] = std::numeric_limits<int>::min();
            x[n / 3] = std::numeric_limits<int>::max();
        }
    }
    if (n < 500 && in_turn(4, 5) == 0) {  // none picks, and nothing is counted
        limit = std::numeric_limits<int>::max();
    }
    std::vector<int> expected;
    std::copy_if(x.begin(), x.end(), std::back_inserter(expected),
                 [=](int value) { return value > limit; });
    const Input<int> d_x("d_x", x);
    const DeviceArray<int> d_out = output_array<int>(n);
    const DeviceArray<unsigned> d_count(std::vector<unsigned>{0});
    call_answer(launch_pick, d_x.data(), n, limit, d_out.data(), d_count.data(), block_size);
    expect_equal("*d_count", d_count.to_host()[0], static_cast<unsigned>(expected.size()));
    expect_parts_of_blocks("d_x", d_x.data(), n * sizeof(int));
    expect_in_any_order("d_out", d_out.to_host(), expected);
}

static void count(const Counts& counts, int n, int block_size) {
    const int blocks = (n + block_size - 1) / block_size;
    const int warps = (block_size + 31) / 32;
    expect_at_most("atomics in global memory", counts.atomics, blocks * warps);
    // A block could count all elements before its own, and need no atomic.
    expect_few_loads(counts, n, block_size);
    expect_atomics(counts, n, block_size);
}

static Exercise made() {
    Exercise exercise = {run};
    exercise.count = count;
    exercise.counted = "at most one atomic in global memory per warp";
    return exercise;
}
const Exercise exercise = made();

}  // namespace exercises
