#include "exercises/check.hpp"

#include <algorithm>

void launch_pick(const int* d_x, int n, int limit, int* d_out, unsigned* d_count, int block_size);

namespace exercises {

// Any order of the elements is right.
static void expect_picked(std::vector<int> got, std::vector<int> expected) {
    got.resize(expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (is_unwritten(got[i])) {
            expect_equal("d_out[" + std::to_string(i) + "]", got[i], expected[i]);
        }
    }
    std::sort(got.begin(), got.end());
    std::sort(expected.begin(), expected.end());
    expect_equal("After sorting, d_out", got, expected);
}

static void run(int n, int block_size) {
    const std::vector<int> x = random_numbers(n, 0, 100);
    for (const int limit : {20, -1}) {
        std::vector<int> expected;
        std::copy_if(x.begin(), x.end(), std::back_inserter(expected),
                     [=](int value) { return value > limit; });
        const DeviceArray<int> d_x(x), d_out = output_array<int>(n);
        const DeviceArray<unsigned> d_count(std::vector<unsigned>{0});
        launch_pick(d_x.data(), n, limit, d_out.data(), d_count.data(), block_size);
        expect_equal("*d_count", d_count.to_host()[0], static_cast<unsigned>(expected.size()));
        expect_picked(d_out.to_host(), expected);
    }
}

static Exercise made() {
    Exercise one = {run};
    one.max_launches = 2;  // a limit each
    return one;
}
const Exercise exercise = made();

}  // namespace exercises
