// The check of 11_warp_sum.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>

void launch_sum_warps(const int* d_x, int n, int* d_sums, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    refuse("coalesced_threads", {"coalesced_threads"});
    // In some runs too large for sums in floats, or in words of 2 bytes.
    const int most = in_turn(2, 9) == 0 ? 60'000'000 : 1000;
    std::vector<int> x = random_numbers(n, -most, most);
    if (in_turn(3, 3) == 0) {  // and in some the first sums are 0
        std::fill(x.begin(), x.begin() + n / 2, 0);
    }
    std::vector<int> expected((n + 31) / 32);
    for (int i = 0; i < n; ++i) {
        expected[i / 32] += x[i];
    }
    const Input<int> d_x("d_x", x);
    const DeviceArray<int> d_sums = output_array<int>(expected.size());
    call_answer(launch_sum_warps, d_x.data(), n, d_sums.data(), block_size);
    expect_equal("d_sums", d_sums.to_host(), expected);
}

static void count(const Counts& counts, int, int) {
    expect_at_most("accesses to shared memory",
                   counts.shared_loads + counts.shared_stores + counts.shared_atomics, 0);
    expect_at_most("barriers of a block", counts.barriers, 0);
    expect_at_most("atomics", counts.atomics, 0);
    expect_at_most("words read and written by one thread", counts.most_work_of_thread, 2);
}

static Exercise make() {
    Exercise one = {run};
    one.sizes = {0, 1, 31, 33, 1000, 1024};  // the last block may be full
    one.block_sizes = {32, 96, 1024};
    one.count = count;
    one.counted = "no shared memory, no barriers, no atomics";
    return one;
}
const Exercise exercise = make();

}  // namespace exercises
