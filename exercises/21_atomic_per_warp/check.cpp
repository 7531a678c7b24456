#include "exercises/check.hpp"

#include <algorithm>

void launch_pick(const int* d_x, int n, int limit, int* d_out, unsigned* d_count, int block_size);

namespace exercises {

// Any order of the elements is right.
static void expect_picked(std::vector<int> got, std::vector<int> expected) {
    got.resize(expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (is_unwritten(got[i])) {
            expect_equal("d_out[" + std::to_string(i) + "]", got[i], expected[i]);
        }
    }
    std::sort(got.begin(), got.end());
    std::sort(expected.begin(), expected.end());
    expect_equal("After sorting, d_out", got, expected);
}

static void run(int n, int block_size) {
    refuse("__activemask",
           {"__activemask"});  // right only as long as the warp happens to stay together
    const std::vector<int> x = random_numbers(n, 0, 100);
    const int limit = n == 1009 ? 98 : 20;  // many warps with nothing to pick, and few
    std::vector<int> expected;
    std::copy_if(x.begin(), x.end(), std::back_inserter(expected),
                 [=](int value) { return value > limit; });
    const DeviceArray<int> d_x(x), d_out = output_array<int>(n);
    const DeviceArray<unsigned> d_count(std::vector<unsigned>{0});
    launch_pick(d_x.data(), n, limit, d_out.data(), d_count.data(), block_size);
    expect_equal("*d_count", d_count.to_host()[0], static_cast<unsigned>(expected.size()));
    expect_picked(d_out.to_host(), expected);
}

static void count(const Counts& counts, int n, int block_size) {
    const int blocks = (n + block_size - 1) / block_size;
    const int warps = (block_size + 31) / 32;
    expect_at_most("atomics in global memory", counts.atomics, blocks * warps);
}

static Exercise made() {
    Exercise exercise = {run};
    exercise.count = count;
    exercise.counted = "at most one atomic in global memory per warp";
    return exercise;
}
const Exercise exercise = made();

}  // namespace exercises
