// The check of 16_float_max.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <limits>

void launch_maximum(const float* d_x, int n, float* d_max, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    constexpr float lowest = -std::numeric_limits<float>::infinity();
    struct Input {
        const char* what;
        int low, high;
    };
    for (const Input& input :
         {Input{"positive numbers", 1, 100000}, Input{"negative numbers", -100000, -1},
          Input{"positive and negative numbers", -1000, 10}, Input{"numbers around 0", -20, 20}}) {
        std::vector<float> x;
        for (const int number : random_numbers(n, input.low, input.high)) {
            // No -0: some answers that are right for all other numbers take it for less than 0.
            x.push_back(number % 7 == 3 ? lowest : static_cast<float>(number) / 8);
        }
        const float expected = x.empty() ? lowest : *std::max_element(x.begin(), x.end());
        const DeviceArray<float> d_x(x), d_max(std::vector<float>{lowest});
        launch_maximum(d_x.data(), n, d_max.data(), block_size);
        expect_equal(std::string("*d_max of ") + input.what + " and -INFINITY", d_max.to_host()[0],
                     expected);
    }
}

static Exercise made() {
    Exercise one = {run};
    one.max_launches = 4;  // an input each
    return one;
}
const Exercise exercise = made();

}  // namespace exercises
