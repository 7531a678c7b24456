// The check of 17_fewer_atomics.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

void launch_sum(const int* d_x, int n, int* d_sum, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    // In some runs as large as their sum allows: too large for floats.
    const int most = in_turn(2, 9) == 0 ? std::numeric_limits<int>::max() / std::max(n, 1) : 1000;
    std::vector<int> x = random_numbers(n, -most / 10, most);
    if (in_turn(2, 2) == 0) {  // the sums of the blocks are negative
        std::transform(x.begin(), x.end(), x.begin(), std::negate<int>());
    }
    const Input<int> d_x("d_x", x);
    const DeviceArray<int> d_sum(std::vector<int>{0});
    call_answer(launch_sum, d_x.data(), n, d_sum.data(), block_size);
    expect_equal("*d_sum", d_sum.to_host()[0], std::accumulate(x.begin(), x.end(), 0));
    expect_parts_of_blocks("d_x", d_x.data(), n * sizeof(int));
}

static void count(const Counts& counts, int n, int block_size) {
    expect_at_most("atomics in global memory", counts.atomics, (n + block_size - 1) / block_size);
    expect_few_loads(counts, n, block_size);
    expect_atomics(counts, n, block_size);
}

static Exercise made() {
    Exercise exercise = {run};
    exercise.orders_shared_reads = true;
    exercise.count = count;
    exercise.counted = "at most one atomic in global memory per block";
    return exercise;
}
const Exercise exercise = made();

}  // namespace exercises
