// The check of 29_grid_barrier.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <limits>
#include <utility>

void launch_add_neighbors(unsigned* d_x, unsigned* d_y, int n, int rounds, unsigned* d_arrived,
                          int block_size);

namespace exercises {

// After each barrier a block reads an element at least that another block has changed in the round
// before. All rounds could be one, in which each thread reads all elements that it needs.
static void expect_news_in_each_round(std::size_t blocks, int rounds) {
#ifdef CPU_DEVICE_RACE
    const std::uint64_t news = cpu_device::race::news_of_other_blocks();
    const std::uint64_t least = static_cast<unsigned>(rounds - 1) * blocks;
    if (blocks > 1 && news < least) {
        throw Wrong{"no barrier",
                    text_of(blocks) + " blocks have " + text_of(rounds - 1) +
                        " barriers. After each of them a block reads an element that another "
                        "block has changed. That is " +
                        text_of(least) + " times in all, and it happens " + text_of(news) +
                        " times."};
    }
#else
    static_cast<void>(blocks), static_cast<void>(rounds);
#endif
}

static void run(int n, int block_size) {
    refuse("volatile",
           {"volatile"});  // race mode takes it for an atomic access that orders nothing
    // An even number: the result is in d_x. In some runs of few elements there are many.
    const int rounds = n <= 300 && in_turn(4, 5) == 0 ? 2 * random_numbers(1, 4, 10, 6)[0]
                                                      : 2 * (1 + in_turn(3, 2));
    // In some runs as large as 2^rounds of them allow, which each element becomes the sum of.
    const int most =
        in_turn(2, 9) == 0 ? static_cast<int>(std::numeric_limits<unsigned>::max() >> rounds) : 9;
    const std::vector<int> numbers = random_numbers(n, 0, most);
    std::vector<unsigned> x(numbers.begin(), numbers.end()), y(n);
    const DeviceArray<unsigned> d_x(x), d_y = output_array<unsigned>(n);
    const DeviceArray<unsigned> d_arrived(std::vector<unsigned>{0});
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < n; ++i) {
            y[i] = x[(i + n - 1) % n] + x[(i + 1) % n];
        }
        std::swap(x, y);
    }
    const Watched watched([&] {
        call_answer(launch_add_neighbors, d_x.data(), d_y.data(), n, rounds, d_arrived.data(),
                    block_size);
    });
    expect_equal("d_x", d_x.to_host(), x);
    std::map<unsigned, int> arrivals;  // of the blocks that write elements
    for (const DeviceArray<unsigned>* const array : {&d_x, &d_y}) {
        for (const Watched::Change& change :
             watched.changes_at(array->data(), n * sizeof(unsigned))) {
            arrivals[change.block] = 0;
        }
    }
    const std::size_t working = arrivals.size();  // others may come to the barrier, too
    for (const Watched::Change& change : watched.changes_at(d_arrived.data(), sizeof(unsigned))) {
        ++arrivals[change.block];
    }
    for (const auto& [block, times] : arrivals) {
        if (arrivals.size() > 1 && times < rounds - 1) {
            throw Wrong{"no barrier", text_of(rounds) + " rounds have " + text_of(rounds - 1) +
                                          " barriers between them, and block " + text_of(block) +
                                          " has changed *d_arrived " + text_of(times) + " times."};
        }
    }
    expect_news_in_each_round(working, rounds);
}

// Relaxed atomics on the elements would hide that the barrier orders nothing. And where a barrier
// has two words, relaxed atomics on them are no race, but on a GPU another block may see their
// changes in another order.
//
// No more threads than race mode runs at the same time, even if they wait in a loop of their own.
const Exercise exercise = [] {
    Exercise one = {run, "right for all sizes (up to 1000) and blocks", {0, 1, 31, 33, 300, 1000}};
    one.count = [](const Counts& counts, int, int) {
        expect_at_most("words with atomic accesses", counts.atomic_words, 1);
    };
    one.counted = "no atomics but those on *d_arrived";
    one.waits = true;
    one.most_blocks = 32;
    return one;
}();

}  // namespace exercises
