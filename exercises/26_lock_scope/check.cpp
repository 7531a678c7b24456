// The check of 26_lock_scope.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <limits>

void launch_append_positive(const int* d_x, int n, int* d_lock, int* d_list, int* d_size,
                            int block_size);

namespace exercises {

static void run(int n, int block_size) {
    refuse("volatile",
           {"volatile"});  // race mode takes it for an atomic access that orders nothing
    // In some runs too large for an answer that is right for small numbers alone.
    const int most = in_turn(2, 9) == 0 ? 1'000'000'000 : 1000;
    std::vector<int> x = random_numbers(n, -most, most);
    const std::vector<int> zero = {0};
    if (n > 1) {
        x[n / 2] = 0;
        x[n / 3] = most > 1000 ? std::numeric_limits<int>::min() : -1;
    }
    if (n > 3 && most > 1000) {
        x[n / 4] = std::numeric_limits<int>::max();
    }
    std::vector<int> expected;
    std::copy_if(x.begin(), x.end(), std::back_inserter(expected), [](int v) { return v > 0; });
    const Input<int> d_x("d_x", x);
    const DeviceArray<int> d_lock(zero), d_list = output_array<int>(n), d_size(zero);
    const int takers = static_cast<int>(expected.size());
    const Watched watched = run_with_lock(d_lock.data(), takers, block_size, [&] {
        call_answer(launch_append_positive, d_x.data(), n, d_lock.data(), d_list.data(),
                    d_size.data(), block_size);
    });
    refuse_atomics_on("count", "*d_size: the lock protects it", d_size.data(), sizeof(int));
    expect_equal("*d_size", d_size.to_host()[0], takers);
    std::vector<int> list = d_list.to_host();
    list.resize(expected.size());
    std::sort(list.begin(), list.end());
    std::sort(expected.begin(), expected.end());
    expect_equal("The list, sorted: element ", list, expected);
    expect_from_several_blocks(watched, "*d_size", d_size.data(), d_lock.data(), n, block_size);
}

const Exercise exercise = with_one_lock(run);

}  // namespace exercises
