// The check of 18_last_block.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

void launch_sum_all(const int* d_x, int n, int* d_sums, unsigned* d_count, int* d_sum,
                    int block_size);

namespace exercises {

// The order must come from fences. Sums that are stored and read as volatile, or by atomics, make
// no report, but they may still be seen later than the count.
static void refuse_volatile() {
    refuse("volatile", {"volatile"});
}

static void run(int n, int block_size) {
    // In some runs as large as their sum allows: too large for floats.
    const int most = in_turn(2, 9) == 0 ? std::numeric_limits<int>::max() / std::max(n, 1) : 1000;
    std::vector<int> x = random_numbers(n, -most / 10, most);
    if (in_turn(2, 2) == 0) {  // the sums of the blocks are negative
        std::transform(x.begin(), x.end(), x.begin(), std::negate<int>());
    }
    if (in_turn(3, 3) == 0) {  // the first sums are 0
        std::fill(x.begin(), x.begin() + n / 2, 0);
    }
    const int blocks = std::max(1, (n + block_size - 1) / block_size);
    const Input<int> d_x("d_x", x);
    const DeviceArray<int> d_sums = output_array<int>(blocks), d_sum = output_array<int>(1);
    const DeviceArray<unsigned> d_count(std::vector<unsigned>{0});
    const Watched watched([&] {
        call_answer(launch_sum_all, d_x.data(), n, d_sums.data(), d_count.data(), d_sum.data(),
                    block_size);
    });
    expect_equal("*d_sum", d_sum.to_host()[0], std::accumulate(x.begin(), x.end(), 0));
    expect_parts_of_blocks("d_x", d_x.data(), n * sizeof(int));
    refuse_volatile();
    if (blocks > 1) {  // one alone may have a count that begins anew, so that it never changes
        expect_by_last_block(watched, d_count.data(), d_sum.data());
    }
}

static void count(const Counts& counts, int n, int block_size) {
    expect_at_most("atomics in global memory", counts.atomics, (n + block_size - 1) / block_size);
    expect_few_loads(counts, n, block_size);
    expect_atomics(counts, n, block_size);
    // Each atomic is a block that counts itself, and the last one reads what the others have
    // stored.
    expect_news_of_others(counts, counts.atomics > 0 ? counts.atomics - 1 : 0);
}

static Exercise made() {
    Exercise exercise = {run};
    exercise.sizes = {0, 1, 31, 33, 1000, 1500};  // 47 blocks of 32 threads
    exercise.count = count;
    exercise.counted = "at most one atomic in global memory per block";
    exercise.race_cases = {{33, 32}, {200, 64}, {320, 32}};
    return exercise;
}
const Exercise exercise = made();

}  // namespace exercises
