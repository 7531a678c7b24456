// The check of 09_tree.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <limits>

void launch_sum_blocks(const int* d_x, int n, int* d_sums, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    // It counts the numbers in which a bit is 1: so the bits, one after another, give the sum.
    refuse("count", {"__syncthreads_count"});
    // As large as the sums allow: too large for floats, and for two of them in one word. In some
    // runs the first sums are 0.
    const int most = std::numeric_limits<int>::max() / std::max(std::min(n, block_size), 1);
    const bool is_positive = in_turn(2, 2) == 0;
    std::vector<int> x = random_numbers(n, is_positive ? most / 2 : -most, most);
    if (in_turn(3, 3) == 0) {
        std::fill(x.begin(), x.begin() + n / 2, 0);
    }
    std::vector<int> expected((n + block_size - 1) / block_size);
    for (int i = 0; i < n; ++i) {
        expected[i / block_size] += x[i];
    }
    const Input<int> d_x("d_x", x);
    const DeviceArray<int> d_sums = output_array<int>(expected.size());
    call_answer(launch_sum_blocks, d_x.data(), n, d_sums.data(), block_size);
    expect_equal("d_sums", d_sums.to_host(), expected);
}

static void count(const Counts& counts, int, int block_size) {
    int steps = 0;
    while (1 << steps < block_size) {
        ++steps;
    }
    expect_at_most("atomics", counts.atomics + counts.shared_atomics, 0);
    expect_at_most("words read and written by one thread", counts.most_work_of_thread, 5 * steps);
}

static Exercise make() {
    Exercise one = {run};
    one.sizes = {0, 1, 31, 33, 1000, 1024};  // the last block may be full
    one.block_sizes = {32, 64, 128, 256, 512, 1024};
    one.count = count;
    one.counted = "no atomics, few words for each thread";
    return one;
}
const Exercise exercise = make();

}  // namespace exercises
