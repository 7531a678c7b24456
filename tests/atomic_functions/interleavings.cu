// Prints every order in which two threads can add 1 to a word, and what it leads to: by a plain
// read and write, by a CAS loop, and under a mutex. For three threads, the results and how often
// they come. scripts/race --enumerate builds and runs it, in race mode; the notes of
// atomic_functions explain it.
#include "tests/atomic_functions/interleavings.cuh"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "atomic_functions/problem.cuh"

namespace {

std::string olds_text(const std::vector<int>& olds) {
    std::string text;
    for (const int old : olds) {
        text += harness::format("%7d", old);
    }
    return text;
}

void print_olds_head(std::size_t threads) {
    for (std::size_t thread = 0; thread < threads; ++thread) {
        std::printf("  old %zu", thread);
    }
    std::printf("     x");
}

void print_orders(const std::vector<StepOrder>& all) {
    const char* const head = "steps, in their order";
    int width = static_cast<int>(std::string(head).size());
    for (const StepOrder& one : all) {
        width = std::max(width, static_cast<int>(one.steps.size()));
    }
    std::printf("  %-*s", width, head);
    print_olds_head(all[0].outcome.olds.size());
    std::printf("\n");
    for (const StepOrder& one : all) {
        std::printf("  %-*s%s%6d\n", width, one.steps.c_str(), olds_text(one.outcome.olds).c_str(),
                    one.outcome.x);
    }
}

// How often each number is left in the word.
void print_final_values(const std::vector<StepOrder>& all) {
    std::map<int, std::size_t> times_of;
    for (const StepOrder& one : all) {
        ++times_of[one.outcome.x];
    }
    for (const auto& [x, count] : times_of) {
        std::printf("  x = %d: %s of %zu\n", x, count_in_words(count).c_str(), all.size());
    }
}

// The outcomes that one might expect of two threads, and how many orders lead there.
void print_outcomes(const std::vector<StepOrder>& all) {
    const std::map<WordOutcome, std::size_t> counts = outcomes(all);
    const std::vector<WordOutcome> expected{{{0, 1}, 2}, {{1, 0}, 2}, {{0, 0}, 1}, {{0, 0}, 2}};
    std::printf("\n");
    print_olds_head(2);
    std::printf("   how often\n");
    for (const WordOutcome& outcome : expected) {
        const auto found = counts.find(outcome);
        const std::string how_often =
            found == counts.end() ? "never" : count_in_words(found->second);
        std::printf("%s%6d   %s\n", olds_text(outcome.olds).c_str(), outcome.x, how_often.c_str());
    }
    if (counts.count(expected.back()) == 0) {
        std::printf("  A thread that reads 0 writes 1. Only a thread that reads 1 writes 2.\n");
    }
}

void show(const char* name, Counting variant) {
    const std::vector<StepOrder> two = interleavings(variant, 2, name + std::string(", 2 threads"));
    std::printf("\n%s, 2 threads: %zu orders\n", name, two.size());
    print_orders(two);
    print_final_values(two);
    if (std::string(name) == "lost_update") {
        print_outcomes(two);
    }
    const std::vector<StepOrder> three =
        interleavings(variant, 3, name + std::string(", 3 threads"));
    std::printf("\n%s, 3 threads: %zu orders\n", name, three.size());
    print_final_values(three);
}

}  // namespace

int main() {
    cpu_device::race::be_quiet(true);  // that lost_update races is known
    std::printf(
        "Each thread adds 1 to x, which is 0 at first, and keeps the old value.\n"
        "  0Rx  thread 0 reads x        0Wx  thread 0 writes x       m: the mutex\n"
        "  0Ux  thread 0 updates x: it reads and writes in one step\n"
        "A compare-and-swap that fails only reads. A thread that finds the mutex taken tries "
        "again\n"
        "when the mutex has been written.\n");
    show("lost_update", lost_update);
    show("cas_loop_add", cas_loop_add);
    show("mutex_add", mutex_add);
    cpu_device::race::forget();
    return EXIT_SUCCESS;
}
