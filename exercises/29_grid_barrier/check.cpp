// The check of 29_grid_barrier.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <utility>

void launch_add_neighbors(unsigned* d_x, unsigned* d_y, int n, int rounds, unsigned* d_arrived,
                          int block_size);

namespace exercises {

constexpr int rounds = 4;  // an even number: the result is in d_x

static void run(int n, int block_size) {
    refuse("volatile",
           {"volatile"});  // race mode takes it for an atomic access that orders nothing
    const std::vector<int> digits = random_numbers(n, 0, 9);
    std::vector<unsigned> x(digits.begin(), digits.end()), y(n);
    const DeviceArray<unsigned> d_x(x), d_y = output_array<unsigned>(n);
    const DeviceArray<unsigned> d_arrived(std::vector<unsigned>{0});
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < n; ++i) {
            y[i] = x[(i + n - 1) % n] + x[(i + 1) % n];
        }
        std::swap(x, y);
    }
    launch_add_neighbors(d_x.data(), d_y.data(), n, rounds, d_arrived.data(), block_size);
    expect_equal("d_x", d_x.to_host(), x);
}

// Relaxed atomics on the elements would hide that the barrier orders nothing. And where a barrier
// has two words, relaxed atomics on them are no race, but on a GPU another block may see their
// changes in another order.
//
// No more threads than race mode runs at the same time, even if they wait in a loop of their own.
const Exercise exercise = [] {
    Exercise one = {run, "right for all sizes (up to 1000) and blocks", {0, 1, 31, 33, 300, 1000}};
    one.count = [](const Counts& counts, int, int) {
        expect_at_most("words with atomic accesses", counts.atomic_words, 1);
    };
    one.counted = "no atomics but those on *d_arrived";
    one.waits = true;
    return one;
}();

}  // namespace exercises
