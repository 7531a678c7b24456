#include "exercises/check.hpp"

void launch_add_next(const int* d_x, int* d_y, int n, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    const std::vector<int> x = random_numbers(n, -1000, 1000);
    std::vector<int> expected = x;
    for (int i = 0; i + 1 < n; ++i) {
        if ((i + 1) % block_size != 0) {
            expected[i] += x[i + 1];
        }
    }
    const DeviceArray<int> d_x(x), d_y = output_array<int>(n);
    launch_add_next(d_x.data(), d_y.data(), n, block_size);
    expect_equal("d_y", d_y.to_host(), expected);
}

const Exercise exercise = {run};

}  // namespace exercises
