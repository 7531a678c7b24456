// The check of 25_lock_fences.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

void launch_add_all(const int* d_x, int n, int* d_lock, int* d_sum, int* d_squares, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    refuse("volatile",
           {"volatile"});  // race mode takes it for an atomic access that orders nothing
    // In some runs as large as the sum of the squares allows.
    const int most =
        in_turn(2, 9) == 0
            ? static_cast<int>(std::sqrt(std::numeric_limits<int>::max() / std::max(n, 1)))
            : 100;
    const std::vector<int> x = random_numbers(n, -most, most);
    int sum = 0, squares = 0;
    for (const int value : x) {
        sum += value;
        squares += value * value;
    }
    const std::vector<int> zero = {0};
    const Input<int> d_x("d_x", x);
    const DeviceArray<int> d_lock(zero), d_sum(zero), d_squares(zero);
    const Watched watched = run_with_lock(d_lock.data(), n, block_size, [&] {
        call_answer(launch_add_all, d_x.data(), n, d_lock.data(), d_sum.data(), d_squares.data(),
                    block_size);
    });
    expect_equal("*d_sum", d_sum.to_host()[0], sum);
    expect_equal("*d_squares", d_squares.to_host()[0], squares);
    expect_from_several_blocks(watched, "*d_sum", d_sum.data(), d_lock.data(), n, block_size);
}

const Exercise exercise = with_one_lock(run);

}  // namespace exercises
