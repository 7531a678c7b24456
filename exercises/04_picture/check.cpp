// The check of 04_picture.cu; check.hpp says what it is made of.
#include <algorithm>

#include "exercises/check.hpp"

void launch_brighten(const unsigned char* d_in, unsigned char* d_out, int width, int height,
                     int block_size);

namespace exercises {

constexpr int largest = 100;

static void run(int n, int block_size) {
    int width = n, height = n / 2 + 1;
    if (n == largest || (n > 0 && n % 2 == 0 && in_turn(2, 2) == 0)) {
        std::swap(width, height);
    } else if (n > 1 && n < largest / 2 && n != 32 && in_turn(2, 4) == 0) {
        const int pixels = width * height;  // or a few more, of another shape
        const bool is_narrow = in_turn(2, 7) == 0;
        width = random_numbers(1, is_narrow ? 1 : n / 3 + 1, is_narrow ? n / 3 + 1 : 2 * n, 5)[0];
        height = (pixels + width - 1) / width;
        if (in_turn(2, 6) == 0) {
            std::swap(width, height);
        }
    }
    const std::vector<int> numbers = random_numbers(width * height, 0, 255);
    const std::vector<unsigned char> in(numbers.begin(), numbers.end());
    std::vector<unsigned char> expected(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
        expected[i] = static_cast<unsigned char>(std::min(in[i] + 40, 255));
    }
    const Input<unsigned char> d_in("d_in", in);
    const DeviceArray<unsigned char> d_out = output_array<unsigned char>(in.size());
    const Writers writers(d_out, in.size(), [&] {
        call_answer(launch_brighten, d_in.data(), d_out.data(), width, height, block_size);
    });
    expect_equal(
        "a picture of " + std::to_string(width) + " x " + std::to_string(height) + " pixels: d_out",
        d_out.to_host(), expected);
    const auto pixel = [&](std::size_t i) { return Place{i % width, i / width}; };
    writers.expect(pixel, [&](std::size_t i) {
        const Place at = pixel(i);
        return "The pixel in row " + text_of(at.y) + " and column " + text_of(at.x);
    });
}

static Exercise make() {
    Exercise one = {run};
    one.what = "right for all pictures and blocks";
    one.sizes = {0, 1, 31, 32, 33, 64, 65, largest};
    one.elements = [](int n) { return n * (n / 2 + 1); };
    one.block_sizes = {32, 64, 256, 640, 1024};
    one.race_cases = {{33, 32}, {33, 256}};
    one.seeds = 10;
    return one;
}
const Exercise exercise = make();

}  // namespace exercises
