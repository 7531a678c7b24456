// The check of 02_tail.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

void launch_twice(const int* d_x, int* d_y, int n, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    // In some runs too large for an answer that is right for small numbers alone.
    const int most = in_turn(2, 9) == 0 ? 1'000'000'000 : 1000;
    const std::vector<int> x = random_numbers(n, -most, most);
    std::vector<int> expected(n);
    for (int i = 0; i < n; ++i) {
        expected[i] = 2 * x[i];
    }
    const Input<int> d_x("d_x", x);
    const DeviceArray<int> d_y = output_array<int>(n);
    call_answer(launch_twice, d_x.data(), d_y.data(), n, block_size);
    expect_equal("d_y", d_y.to_host(), expected);
}

static Exercise make() {
    Exercise one = {run};
    one.sizes = {1000, 2009, 0, 1, 31, 33};  // first one that has full blocks and a tail
    return one;
}
const Exercise exercise = make();

}  // namespace exercises
