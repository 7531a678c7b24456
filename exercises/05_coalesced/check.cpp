// The check of 05_coalesced.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

void launch_twice(const int* d_in, int* d_out, int rows, int columns, int block_size);

namespace exercises {

constexpr int rows = 40;

static void run(int n, int block_size) {
    // In some runs too large for an answer that is right for small numbers alone.
    const int most = in_turn(2, 9) == 0 ? 1'000'000'000 : 1000;
    const std::vector<int> in = random_numbers(rows * n, -most, most);
    std::vector<int> expected(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        expected[i] = 2 * in[i];
    }
    const Input<int> d_in("d_in", in);
    const DeviceArray<int> d_out = output_array<int>(in.size());
    call_answer(launch_twice, d_in.data(), d_out.data(), rows, n, block_size);
    expect_equal("d_out", d_out.to_host(), expected);
}

static void count(const Counts& counts, int n, int) {
    expect_at_most("atomics", counts.atomics + counts.shared_atomics, 0);  // counted as no sectors
    // A lane that copies 16 bytes of a row of its own uses half of each sector.
    expect_at_most("sectors", counts.sectors, rows * n / 2 - 1);
}

static Exercise make() {
    Exercise one = {run};
    one.what = "right for 40 rows and n columns, and all blocks";
    one.sizes = {0, 1, 31, 33, 64, 500};
    one.elements = [](int n) { return rows * n; };
    one.needs_many_threads = false;  // one for each row would do
    one.block_sizes = {32, 100, 256, 1024};
    one.count = count;
    one.counted = "fewer than rows * columns / 2 sectors";
    one.race_cases = {{33, 32}};
    one.seeds = 10;
    return one;
}
const Exercise exercise = make();

}  // namespace exercises
