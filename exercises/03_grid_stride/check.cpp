// The check of 03_grid_stride.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

void launch_add_one(const int* d_x, int* d_y, int n, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    // In some runs too large for an answer that is right for small numbers alone.
    const int most = in_turn(2, 9) == 0 ? 1'000'000'000 : 1000;
    const std::vector<int> x = random_numbers(n, -most, most);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) {
        expected[i] = x[i] + 1;
    }
    const Input<int> d_x("d_x", x);
    const DeviceArray<int> d_y = output_array<int>(n);
    call_answer(launch_add_one, d_x.data(), d_y.data(), n, block_size);
    expect_equal("d_y", d_y.to_host(), expected);
}

static void count(const Counts& counts, int n, int block_size) {
    expect_at_most("blocks", counts.blocks, 8);
    expect_at_most("threads", counts.threads, 8ull * block_size);
    expect_at_most("atomics", counts.atomics + counts.shared_atomics, 0);  // counted as no sectors
    expect_at_most("sectors", counts.sectors, n);  // the two arrays have n / 4 sectors
}

static Exercise make() {
    Exercise one = {run};
    one.sizes = {0, 1, 31, 33, 1000, 2009};
    one.block_sizes = {32, 100, 128, 1024};
    one.count = count;
    one.counted = "at most 8 blocks, and few sectors";
    one.race_cases = {{33, 32}, {600, 32}};
    return one;
}
const Exercise exercise = make();

}  // namespace exercises
