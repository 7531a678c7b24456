// The check of 07_reverse.cu; check.hpp says what it is made of.
#include <algorithm>

#include "exercises/check.hpp"

void launch_reverse_parts(int* d_x, int n, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    // In some runs too large for an answer that is right for small numbers alone.
    const int most = in_turn(2, 9) == 0 ? 2'000'000'000 : 1000;
    const std::vector<int> x = random_numbers(n, -most, most);
    std::vector<int> expected = x;
    for (int first = 0; first < n; first += block_size) {
        std::reverse(expected.begin() + first, expected.begin() + std::min(first + block_size, n));
    }
    const DeviceArray<int> d_x(x);
    call_answer(launch_reverse_parts, d_x.data(), n, block_size);
    expect_equal("d_x", d_x.to_host(), expected);
}

// Half of the threads of a block could swap two elements each, without shared memory and a barrier.
static Exercise make() {
    Exercise one = {run};
    one.orders_shared_reads = true;
    one.count = [](const Counts& counts, int n, int block_size) {
        expect_shared_memory(counts, n, block_size, n / 2);
    };
    one.counted = "shared memory, and a barrier for each part";
    return one;
}
const Exercise exercise = make();

}  // namespace exercises
