// The check of 10_bank_conflicts.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

void launch_transpose(const int* d_in, int* d_out, int rows, int columns, int block_size);

namespace exercises {

static int rows_of(int n) {
    return n / 2 + 1;
}

constexpr int largest = 100;

static void run(int n, int block_size) {
    int rows = rows_of(n), columns = n;
    if (n == largest || (n % 2 == 0 && n > 0 && in_turn(2, 2) == 0)) {
        std::swap(rows, columns);
    } else if (n > 1 && n < largest / 2 && n != 32 && in_turn(2, 4) == 0) {
        const int elements = rows * columns;  // or a few more, of another shape
        const bool is_tall = in_turn(2, 7) == 0;
        columns = random_numbers(1, is_tall ? 1 : n / 3 + 1, is_tall ? n / 3 + 1 : 2 * n, 5)[0];
        rows = (elements + columns - 1) / columns;
    }
    // In some runs too large for floats.
    const int most = in_turn(2, 6) == 0 ? 2'000'000'000 : 1'000'000;
    const std::vector<int> in = random_numbers(rows * columns, -most, most);
    std::vector<int> expected(in.size());
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            expected[column * rows + row] = in[row * columns + column];
        }
    }
    const Input<int> d_in("d_in", in);
    const DeviceArray<int> d_out = output_array<int>(in.size());
    call_answer(launch_transpose, d_in.data(), d_out.data(), rows, columns, block_size);
    expect_equal("a matrix of " + text_of(rows) + " x " + text_of(columns) + " elements: d_out",
                 d_out.to_host(), expected);
}

static void count(const Counts& counts, int n, int) {
    expect_at_most("atomics", counts.atomics + counts.shared_atomics, 0);  // counted as no sectors
    expect_at_most("sectors", counts.sectors, rows_of(n) * n / 2);
    // Few more sectors are needed without the tile. Some elements may stay with their thread.
    if (2 * counts.shared_words_of_others < static_cast<std::uint64_t>(rows_of(n) * n)) {
        throw Wrong{"count", "Of " + text_of(rows_of(n) * n) + " elements, " +
                                 text_of(counts.shared_words_of_others) +
                                 " are read from shared memory by another thread than the one "
                                 "that stored them there."};
    }
    if (counts.bank_conflicts > 0) {
        throw Wrong{"banks", "The warps need " + std::to_string(counts.bank_conflicts) +
                                 " turns more than without bank conflicts."};
    }
    // Lanes that read by a line of their own have no conflict, but their warp reads once for each
    // line. A tile of 32 x 32 needs 32 requests to store it, and 32 to load it.
    const int tiles = (n + 31) / 32 * ((rows_of(n) + 31) / 32);
    expect_at_most("requests of warps to shared memory", counts.shared_requests,
                   tiles * (64 + 64 / 16));
}

static Exercise make() {
    Exercise one = {run};
    one.what = "right for all matrices and blocks";
    one.sizes = {0, 1, 31, 32, 33, largest};
    one.elements = [](int n) { return n * rows_of(n); };
    one.block_sizes = {32, 96, 256, 1024};
    one.count = count;
    one.counted = "no bank conflicts, few sectors";
    one.race_cases = {{33, 32}, {64, 128}};
    one.seeds = 5;
    return one;
}
const Exercise exercise = make();

}  // namespace exercises
