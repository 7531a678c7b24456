// The check of 12_lost_update.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <limits>

void launch_count_larger(const int* d_x, int n, int limit, unsigned* d_count, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    // No answer knows it in advance. The pages show what comes out of small arrays, with 20.
    const bool is_small = n < 500;  // so that nothing is counted, which none may be
    const bool is_full = n >= block_size && block_size == 1024;
    const int kind = is_full ? 0 : in_turn(4, is_small ? 5 : 4);
    int limit = is_small    ? 20
                : kind == 0 ? -1  // all are larger
                            : random_numbers(1, 10, 90, 2)[0];
    std::vector<int> x = random_numbers(n, 0, 100);
    if (kind > 1) {                          // any numbers, and any share of them is larger
        constexpr int most = 2'000'000'000;  // two may be too far apart for their difference
        limit = most / 100 * random_numbers(1, -80, 80, 2)[0];
        x = random_numbers(n, -most, most);
        const std::vector<int> distance = random_numbers(n, -1, 1, 3);
        for (int i = 0; i < n; i += 7) {  // as floats these would be equal to the limit
            x[i] = limit + distance[i];
        }
        if (n > 3) {
            x[n / 2] = std::numeric_limits<int>::min();
            x[n / 3] = std::numeric_limits<int>::max();
        }
    }
    if (is_small && kind == 1) {
        limit = std::numeric_limits<int>::max();
    }
    if (n == 1 && in_turn(2, 7) == 0) {  // the only one is counted
        limit = x[0] - 1;
    }
    const auto expected = static_cast<unsigned>(
        std::count_if(x.begin(), x.end(), [=](int value) { return value > limit; }));
    const Input<int> d_x("d_x", x);
    const DeviceArray<unsigned> d_count(std::vector<unsigned>{0});
    call_answer(launch_count_larger, d_x.data(), n, limit, d_count.data(), block_size);
    expect_equal("*d_count", d_count.to_host()[0], expected);
    expect_parts_of_blocks("d_x", d_x.data(), n * sizeof(int));
}

const Exercise exercise = [] {
    Exercise one = {run};
    one.orders_shared_reads = true;
    one.count = [](const Counts& counts, int n, int block_size) {
        expect_few_loads(counts, n, block_size);
        expect_atomics(counts, n, block_size);
    };
    one.counted = "at most four loads per element";
    return one;
}();

}  // namespace exercises
