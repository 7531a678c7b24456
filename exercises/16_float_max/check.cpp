// The check of 16_float_max.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

void launch_maximum(const float* d_x, int n, float* d_max, int block_size);

namespace exercises {

constexpr int lowest_number = -8'000'000, highest_number = 80'000;

static void run(int n, int block_size) {
    constexpr float lowest = -std::numeric_limits<float>::infinity();
    constexpr float least = std::numeric_limits<float>::lowest();  // of all that are finite
    struct Numbers {
        const char* what;
        int low, high;
    };
    // In some runs the numbers are between -1 and 1, or neighbors: floats of which each has few
    // others between it and `nearest`, which may be small (in half of them
    // subnormal) or huge, or the least of all.
    enum Spread { sevenths, below_1, neighbors, spreads };
    const int spread = in_turn(spreads, 2);
    constexpr int least_normal = 0x00800000;  // as bits
    const int nearest = in_turn(2, 5) == 0 ? random_numbers(1, 1, least_normal - 100, 5)[0]
                                           : random_numbers(1, least_normal, 0x7f7fff00, 3)[0];
    const auto value_of = [=](int number) {
        if (spread == below_1) {
            return static_cast<float>(number) / (1 - lowest_number);
        }
        if (spread == neighbors && number != 0) {
            const int bits = nearest + std::abs(number) % 100;
            float value = 0;
            std::memcpy(&value, &bits, sizeof value);
            return number < 0 ? -value : value;
        }
        return static_cast<float>(number) / 7;
    };
    for (const Numbers& numbers :
         {Numbers{"positive numbers", 1, -lowest_number},
          Numbers{"negative numbers", lowest_number, -1},
          Numbers{"positive and negative numbers", lowest_number, highest_number},
          Numbers{"numbers around 0", -20, 20}, Numbers{"numbers up to 0", -20, 0},
          Numbers{"-FLT_MAX", 0, 6}, Numbers{"nothing else", 3, 3}}) {
        std::vector<float> x;
        for (const int number : random_numbers(n, numbers.low, numbers.high)) {
            // No -0: some answers that are right for all other numbers take it for less than 0.
            x.push_back(std::abs(number) % 7 == 3 ? lowest
                        : numbers.low == 0        ? least
                                                  : value_of(number));
        }
        if (n > 1 && numbers.high > 100 && in_turn(6, 4) == 0) {
            x[n / 3] = -lowest;  // in few cases, since it hides all others
        }
        const float expected = x.empty() ? lowest : *std::max_element(x.begin(), x.end());
        const Input<float> d_x("d_x", x);
        const DeviceArray<float> d_max(std::vector<float>{lowest});
        call_answer(launch_maximum, d_x.data(), n, d_max.data(), block_size);
        expect_equal(std::string("*d_max of ") + numbers.what + " and -INFINITY",
                     d_max.to_host()[0], expected);
        expect_parts_of_blocks("d_x", d_x.data(), n * sizeof(float));
    }
}

// Positive and negative numbers as in `run`, of which one is the largest. `which`: others are drawn
// for another one.
struct OneIsLargest {
    int largest_of_others;
    float largest;
    std::vector<float> x;

    OneIsLargest(int n, int place, int which) {
        const int most = random_numbers(1, highest_number / 8, -lowest_number, 4 + which)[0];
        largest_of_others = most / 2;
        for (const int number : random_numbers(n, lowest_number, largest_of_others, 5 + which)) {
            x.push_back(static_cast<float>(number) / 7);
        }
        const int own = random_numbers(1, largest_of_others + 1, most, 6 + which)[0];
        largest = static_cast<float>(own) / 7;
        x[place] = largest;
    }
};

static DeviceArray<float> least_number() {
    return DeviceArray<float>(std::vector<float>{-std::numeric_limits<float>::infinity()});
}

// The thread that brings the number at this place to the word, as in a run before.
static int thread_with_place(int n, int place, int block_size) {
    const OneIsLargest numbers(n, place, 10);
    const Input<float> d_x("d_x", numbers.x);
    const DeviceArray<float> d_max = least_number();
    std::uint32_t bits = 0;
    std::memcpy(&bits, &numbers.largest, sizeof bits);
    return thread_that_leaves(
        bits, d_max.data(),
        [&] { call_answer(launch_maximum, d_x.data(), n, d_max.data(), block_size); }, place);
}

// Each number of the rivals is larger than the one before, by little, so that there are many.
static void run_with_rivals(int n, int place, int block_size) {
    const int thread = thread_with_place(n, place, block_size);
    const OneIsLargest numbers(n, place, 0);
    const Input<float> d_x("d_x", numbers.x);
    const DeviceArray<float> d_max = least_number();
    const std::vector<int> steps = random_numbers(1009, 1, 13, 3);
    std::size_t made = 0;
    int other = lowest_number;
    const int times = with_rivals(
        d_max.data(), thread,
        [&](std::uint32_t old) {
            other = std::min(other + steps[made++ % steps.size()], numbers.largest_of_others);
            float now = 0;
            std::memcpy(&now, &old, sizeof now);
            now = std::max(now, static_cast<float>(other) / 7);
            std::memcpy(&old, &now, sizeof now);
            return old;
        },
        [&] { call_answer(launch_maximum, d_x.data(), n, d_max.data(), block_size); });
    if (d_max.to_host()[0] != numbers.largest) {
        throw Wrong{"gives up", "Others were first " + text_of(times) +
                                    " times, and then the thread's number, which is the largest, "
                                    "is missing."};
    }
}

static Exercise made() {
    Exercise one = {run};
    one.run_with_rivals = run_with_rivals;
    one.max_launches = 7;  // an input each
    one.count = expect_atomics;
    one.counted = "the blocks share the word by atomics";
    return one;
}
const Exercise exercise = made();

}  // namespace exercises
