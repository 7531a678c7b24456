// The check of 08_barrier_in_branch.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>

void launch_add_next(const int* d_x, int* d_y, int n, int block_size);

namespace exercises {

// A thread that takes its neighbor's element from global memory needs no barrier. Threads without
// an element may read one of another, in vain.
static void expect_own_elements(const int* d_x, int n, int block_size) {
#ifdef CPU_DEVICE_RACE
    const std::uint64_t words = cpu_device::race::words_of_several_threads_in(d_x, n * sizeof *d_x);
    const int idle = (n + block_size - 1) / block_size * block_size - n;
    if (words > static_cast<std::uint64_t>(std::max(1, idle))) {
        throw Wrong{"count", "Several threads read the same element of d_x in global memory: " +
                                 text_of(words) + " of " + text_of(n) + " elements."};
    }
#else
    static_cast<void>(d_x), static_cast<void>(n), static_cast<void>(block_size);
#endif
}

static void run(int n, int block_size) {
    // In some runs too large for an answer that is right for small numbers alone.
    const int most = in_turn(2, 9) == 0 ? 1'000'000'000 : 1000;
    const std::vector<int> x = random_numbers(n, -most, most);
    std::vector<int> expected = x;
    for (int i = 0; i + 1 < n; ++i) {
        if ((i + 1) % block_size != 0) {
            expected[i] += x[i + 1];
        }
    }
    const Input<int> d_x("d_x", x);
    const DeviceArray<int> d_y = output_array<int>(n);
    call_answer(launch_add_next, d_x.data(), d_y.data(), n, block_size);
    expect_equal("d_y", d_y.to_host(), expected);
    expect_own_elements(d_x.data(), n, block_size);
}

// The sums come out right without a barrier too, if each thread reads both elements itself.
static void count(const Counts& counts, int n, int block_size) {
    const int blocks = (n + block_size - 1) / block_size;
    expect_shared_memory(counts, n, block_size, n - blocks);
}

static Exercise make() {
    Exercise one = {run};
    one.orders_shared_reads = true;
    one.count = count;
    one.counted = "shared memory, and a barrier in each block";
    return one;
}
const Exercise exercise = make();

}  // namespace exercises
