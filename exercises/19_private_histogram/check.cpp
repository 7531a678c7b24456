// The check of 19_private_histogram.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

void launch_histogram(const int* d_x, int n, unsigned* d_bins, int block_size);

namespace exercises {

constexpr int bins = 64;

static void run(int n, int block_size) {
    std::vector<int> x = random_numbers(n, 0, bins - 1);
    if ((n >= block_size && block_size == 1024) ||
        in_turn(4, 2) == 0) {  // all equal: one bin takes the whole block
        x.assign(n, random_numbers(1, 0, bins - 1, 3)[0]);
    }
    std::vector<unsigned> expected(bins);
    for (const int value : x) {
        ++expected[value];
    }
    const Input<int> d_x("d_x", x);
    const DeviceArray<unsigned> d_bins(std::vector<unsigned>(bins, 0));
    call_answer(launch_histogram, d_x.data(), n, d_bins.data(), block_size);
    expect_equal("d_bins", d_bins.to_host(), expected);
    expect_parts_of_blocks("d_x", d_x.data(), n * sizeof(int));
}

static void count(const Counts& counts, int n, int block_size) {
    expect_at_most("atomics in global memory", counts.atomics,
                   bins * ((n + block_size - 1) / block_size));
    expect_few_loads(counts, n, block_size);
    expect_atomics(counts, n, block_size);
}

static Exercise made() {
    Exercise exercise = {run};
    exercise.block_sizes = {7, 32, 100, 1024};
    exercise.orders_shared_reads = true;
    exercise.count = count;
    exercise.counted = "at most 64 atomics in global memory per block";
    return exercise;
}
const Exercise exercise = made();

}  // namespace exercises
