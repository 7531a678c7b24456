// The check of 22_without_atomics.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

void launch_add_to_neighbors(const int* d_x, int n, int* d_y, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    // In some runs too large for an answer that is right for small numbers alone.
    const int most = in_turn(2, 9) == 0 ? 1'000'000'000 : 1000;
    const std::vector<int> x = random_numbers(n, -most, most);
    std::vector<int> expected(n, 0);
    for (int i = 0; i + 1 < n; ++i) {
        expected[i + 1] += x[i];
        expected[i] += x[i + 1];
    }
    const Input<int> d_x("d_x", x);
    const DeviceArray<int> d_y = output_array<int>(n);
    call_answer(launch_add_to_neighbors, d_x.data(), n, d_y.data(), block_size);
    expect_equal("d_y", d_y.to_host(), expected);
}

static void count(const Counts& counts, int, int) {
    expect_at_most("atomics", counts.atomics + counts.shared_atomics, 0);
}

static Exercise made() {
    Exercise exercise = {run};
    exercise.count = count;
    exercise.counted = "no atomics";
    return exercise;
}
const Exercise exercise = made();

}  // namespace exercises
