// The check of 16_float_max.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <limits>

void launch_maximum(const float* d_x, int n, float* d_max, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    constexpr float lowest = -std::numeric_limits<float>::infinity();
    constexpr float least = std::numeric_limits<float>::lowest();  // of all that are finite
    struct Input {
        const char* what;
        int low, high;
    };
    for (const Input& input :
         {Input{"positive numbers", 1, 100000}, Input{"negative numbers", -100000, -1},
          Input{"positive and negative numbers", -1000, 10}, Input{"numbers around 0", -20, 20},
          Input{"-FLT_MAX", 0, 0}}) {
        std::vector<float> x;
        for (const int number : random_numbers(n, input.low, input.high)) {
            // No -0: some answers that are right for all other numbers take it for less than 0.
            x.push_back(number % 7 == 3  ? lowest
                        : input.low == 0 ? least
                                         : static_cast<float>(number) / 8);
        }
        const float expected = x.empty() ? lowest : *std::max_element(x.begin(), x.end());
        const DeviceArray<float> d_x(x), d_max(std::vector<float>{lowest});
        launch_maximum(d_x.data(), n, d_max.data(), block_size);
        expect_equal(std::string("*d_max of ") + input.what + " and -INFINITY", d_max.to_host()[0],
                     expected);
        expect_parts_of_blocks("d_x", d_x.data(), n * sizeof(float));
    }
}

static void run_with_rivals(int n, int thread, int block_size) {
    constexpr float largest = 7.5f;
    std::vector<float> x(n, -5e6f);
    x[thread] = largest;
    const DeviceArray<float> d_x(x),
        d_max(std::vector<float>{-std::numeric_limits<float>::infinity()});
    float other = -4e6f;  // the rivals' numbers: each is larger than the one before
    const int times = with_rivals(
        d_max.data(), thread,
        [&](std::uint32_t old) {
            float now = 0;
            std::memcpy(&now, &old, sizeof now);
            other += 1;
            now = std::max(now, other);
            std::memcpy(&old, &now, sizeof now);
            return old;
        },
        [&] { launch_maximum(d_x.data(), n, d_max.data(), block_size); });
    if (d_max.to_host()[0] != largest) {
        throw Wrong{"gives up", "Others were first " + text_of(times) +
                                    " times, and then the thread's number, which is the largest, "
                                    "is missing."};
    }
}

static Exercise made() {
    Exercise one = {run};
    one.run_with_rivals = run_with_rivals;
    one.max_launches = 5;  // an input each
    one.count = expect_atomics;
    one.counted = "the blocks share the word by atomics";
    return one;
}
const Exercise exercise = made();

}  // namespace exercises
