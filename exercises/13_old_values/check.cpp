// The check of 13_old_values.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>

void launch_add(int* d_x, int* d_olds);
std::vector<int> answer();

namespace exercises {

constexpr int asked = 1;  // the thread of the question

// In every order in which the threads can come.
static std::set<int> possible_olds() {
    std::set<int> olds;
    std::vector<int> order = {0, 1, 2};
    do {
        int x = 0;
        for (const int t : order) {
            if (t == asked) {
                olds.insert(x);
            }
            x += t + 1;
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return olds;
}

static void run(int, int) {
    const std::set<int> possible = possible_olds();
#ifdef CPU_DEVICE_RACE
    DeviceArray<int> d_x(1);
    const DeviceArray<int> d_olds = output_array<int>(3);
    const std::set<int> found = results_of_all_orders(
        [&] {
            d_x.fill_bytes(0);
            call_answer(launch_add, d_x.data(), d_olds.data());
        },
        [&] { return d_olds.to_host()[asked]; });
    if (found != possible) {
        throw Wrong{"value", "The kernel does not do what the task says any more."};
    }
#endif
    expect_answer(call_answer(answer), possible);
}

const Exercise exercise = {run, "right in every order of the threads", {1}, {3}, 1, {}, "", {}};

}  // namespace exercises
