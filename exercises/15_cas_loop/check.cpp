// The check of 15_cas_loop.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <random>

void launch_multiply(const unsigned* d_x, int n, unsigned* d_word, unsigned* d_olds,
                     int block_size);

namespace exercises {

constexpr unsigned prime = 65521;

// Whether each of these steps of the word, from one value to another, comes after `start` and some
// of the others.
static bool follow(unsigned start, std::multimap<unsigned, unsigned> steps) {
    std::vector<unsigned> found = {start};
    while (!found.empty()) {
        const auto [first, last] = steps.equal_range(found.back());
        found.pop_back();
        std::transform(first, last, std::back_inserter(found),
                       [](const auto& step) { return step.second; });
        steps.erase(first, last);
    }
    return steps.empty();
}

static void run(int n, int block_size) {
    const auto start = static_cast<unsigned>(random_numbers(1, 1, prime - 1, 5)[0]);
    const std::vector<int> numbers = random_numbers(n, 1, prime - 1);
    std::vector<unsigned> x(numbers.begin(), numbers.end());
    if (n > 1 && in_turn(4, 2) == 0) {
        x[n / 3] = 0;  // in few cases, since it hides all factors that are lost
    }
    if (n > 1 && in_turn(2, 4) == 0) {  // special factors, which are seldom drawn
        x[n / 2] = 1;
        x[n - 1] = prime - 1;
    }
    unsigned expected = start;
    for (const unsigned value : x) {
        expected = expected * value % prime;
    }
    const Input<unsigned> d_x("d_x", x);
    const DeviceArray<unsigned> d_word(std::vector<unsigned>{start}),
        d_olds = output_array<unsigned>(n);
    call_answer(launch_multiply, d_x.data(), n, d_word.data(), d_olds.data(), block_size);
    const unsigned product = d_word.to_host()[0];
    if (product != expected) {
        throw Wrong{"value", "*d_word is " + text_of(product) + ", expected " + text_of(expected) +
                                 ": factors are lost, or are there twice."};
    }

    const std::vector<unsigned> olds = d_olds.to_host();
    if (n == 1) {
        expect_equal("d_olds[0]", olds[0], start);
    }
    // Each old value but the first is what another thread has left, so both lists are the same.
    std::vector<unsigned> found = olds, left = {start};
    std::multimap<unsigned, unsigned> steps;
    found.push_back(expected);
    for (int i = 0; i < n; ++i) {
        if (is_unwritten(olds[i])) {
            expect_equal("d_olds[" + std::to_string(i) + "]", olds[i], start);
        }
        left.push_back(olds[i] % prime * x[i] % prime);
        steps.insert({olds[i], left.back()});
    }
    std::sort(found.begin(), found.end());
    std::sort(left.begin(), left.end());
    // A thread that finds 0 leaves 0: by the lists alone any thread might have found it.
    if (found != left || !follow(start, steps)) {
        throw Wrong{"value",
                    "The word is right, but the values that the threads got back are not: no order "
                    "of the threads gives them."};
    }
}

// The thread that multiplies by the factor at this place, as in a run before: it keeps the old
// value.
static int thread_with_factor(int n, int place, int block_size) {
    const std::vector<int> numbers = random_numbers(n, 1, prime - 1, 7);
    const Input<unsigned> d_x("d_x", std::vector<unsigned>(numbers.begin(), numbers.end()));
    const DeviceArray<unsigned> d_word(std::vector<unsigned>{1}),
        d_olds = output_array<unsigned>(n);
    const Watched watched([&] {
        call_answer(launch_multiply, d_x.data(), n, d_word.data(), d_olds.data(), block_size);
    });
    const auto kept = watched.changes_at(d_olds.data() + place, sizeof(unsigned));
    return kept.empty() ? place : kept.back().thread;
}

// The rivals' factors are drawn as those of the threads are.
static void run_with_rivals(int n, int place, int block_size) {
    const int thread = thread_with_factor(n, place, block_size);
    const std::vector<int> numbers = random_numbers(n, 1, prime - 1);
    std::minstd_rand factors(
        static_cast<unsigned>(random_numbers(1, 1, std::numeric_limits<int>::max(), 3)[0]));
    const std::vector<unsigned> x(numbers.begin(), numbers.end());
    auto expected = static_cast<unsigned>(random_numbers(1, 1, prime - 1, 5)[0]);
    const Input<unsigned> d_x("d_x", x);
    const DeviceArray<unsigned> d_word(std::vector<unsigned>{expected}),
        d_olds = output_array<unsigned>(n);
    for (const unsigned value : x) {
        expected = expected * value % prime;
    }
    const int times = with_rivals(
        d_word.data(), thread,
        [&](std::uint32_t old) {
            const auto factor = static_cast<unsigned>(2 + factors() % (prime - 2));
            expected = expected * factor % prime;
            return old * factor % prime;
        },
        [&] {
            call_answer(launch_multiply, d_x.data(), n, d_word.data(), d_olds.data(), block_size);
        });
    if (times == 0) {
        throw Wrong{"no atomics", "Thread " + text_of(thread) +
                                      " makes no compare-and-swap on *d_word, by atomicCAS or "
                                      "compare_exchange."};
    }
    constexpr int at_least = 1000;  // of a million: else the swaps are made in vain
    if (times < at_least) {
        throw Wrong{"gives up", "Others were first at *d_word, and thread " + text_of(thread) +
                                    " tried " + text_of(times) + " times."};
    }
    if (d_word.to_host()[0] != expected) {
        throw Wrong{"gives up", "Others were first " + text_of(times) +
                                    " times, and then the thread's factor is missing."};
    }
}

// Of k threads that try at the same time one succeeds, so with many threads the loops are long.
const Exercise exercise = [] {
    Exercise one = {run, "right for all sizes and blocks", {0, 1, 31, 33, 300, 1000}};
    one.run_with_rivals = run_with_rivals;
    one.count = [](const Counts& counts, int, int) {  // another would be that of a lock
        expect_at_most("words with atomic accesses", counts.atomic_words, 1);
    };
    one.counted = "no atomic word but *d_word";
    return one;
}();

}  // namespace exercises
