// The check of 20_returned_value.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <limits>

void launch_pick(const int* d_x, int n, int limit, int* d_out, unsigned* d_count, int block_size);

namespace exercises {

// Under a lock the count needs no atomic. The count that an atomic leaves is never 0.
static void refuse_stores_of_two_blocks(const Watched& watched, const unsigned* d_count) {
    std::set<unsigned> blocks;
    for (const Watched::Change& change : watched.changes_at(d_count, sizeof *d_count)) {
        if (change.value == 0) {
            blocks.insert(change.block);
        }
    }
    if (blocks.size() > 1) {
        throw Wrong{"no atomics",
                    text_of(blocks.size()) + " blocks store to *d_count, and not by an atomic."};
    }
}

static void run(int n, int block_size) {
    std::vector<int> x = random_numbers(n, 0, 100);
    int usual = random_numbers(1, 15, 85, 2)[0], below_all = -1;
    if (in_turn(2, 9) == 0) {                // any numbers, and the same shares of them
        constexpr int most = 2'000'000'000;  // two may be too far apart for their difference
        usual = most / 50 * (usual - 50);
        below_all = std::numeric_limits<int>::min();  // or, in some, above all
        x = random_numbers(n, -most, most);
        const std::vector<int> distance = random_numbers(n, -1, 1, 3);
        for (int i = 0; i < n; i += 7) {  // as floats these would be equal to the limit
            x[i] = usual + distance[i];
        }
        if (n > 3) {
            x[n / 2] = std::numeric_limits<int>::min();
            x[n / 3] = std::numeric_limits<int>::max();
        }
    }
    const bool is_above = n < 500 && in_turn(2, 4) == 0;
    for (const int limit : {usual, is_above ? std::numeric_limits<int>::max() : below_all}) {
        std::vector<int> expected;
        std::copy_if(x.begin(), x.end(), std::back_inserter(expected),
                     [=](int value) { return value > limit; });
        const Input<int> d_x("d_x", x);
        const DeviceArray<int> d_out = output_array<int>(n);
        const DeviceArray<unsigned> d_count(std::vector<unsigned>{0});
        const Watched watched([&] {
            call_answer(launch_pick, d_x.data(), n, limit, d_out.data(), d_count.data(),
                        block_size);
        });
        expect_equal("*d_count", d_count.to_host()[0], static_cast<unsigned>(expected.size()));
        refuse_stores_of_two_blocks(watched, d_count.data());
        expect_parts_of_blocks("d_x", d_x.data(), n * sizeof(int));
        expect_in_any_order("d_out", d_out.to_host(), expected);
    }
}

// A block could count all elements before its own, and need no atomic.
static void count(const Counts& counts, int n, int block_size) {
    expect_few_loads(counts, n, block_size);
    expect_atomics(counts, n, block_size);
}

static Exercise made() {
    Exercise one = {run};
    one.max_launches = 2;  // a limit each
    one.count = count;
    one.counted = "at most four loads per element";
    return one;
}
const Exercise exercise = made();

}  // namespace exercises
