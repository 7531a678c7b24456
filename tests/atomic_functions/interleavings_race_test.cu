// The enumeration of race mode against a model that knows the three algorithms and nothing of CUDA.
#include "tests/atomic_functions/interleavings.cuh"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

// Threads of the model: all of them try their next step in turn, by recursion over copies.
struct Model {
    enum class Way { plain, cas, mutex };
    struct Thread {
        int at = 0;       // its next step
        int assumed = 0;  // what it read
        int old = -1;     // its result
        bool waits = false;
    };

    Way way;
    std::vector<Thread> threads;
    int x = 0;
    bool taken = false;

    static constexpr int done = 99;

    // False if the thread cannot go on now.
    bool step(std::size_t number) {
        Thread& t = threads[number];
        if (t.at == done || t.waits) {
            return false;
        }
        const auto ends_with = [&t](int old) {
            t.old = old;
            t.at = done;
        };
        if (way == Way::plain) {
            if (t.at == 0) {
                t.assumed = x;
                t.at = 1;
            } else {
                x = t.assumed + 1;
                ends_with(t.assumed);
            }
        } else if (way == Way::cas) {
            if (t.at == 1 && x == t.assumed) {
                x = t.assumed + 1;
                ends_with(t.assumed);
            } else {  // the first read, or a compare-and-swap that fails
                t.assumed = x;
                t.at = 1;
            }
        } else if (t.at == 0) {
            t.waits = taken;
            t.at = taken ? 0 : 1;
            taken = true;
        } else if (t.at == 1) {
            t.assumed = x;
            t.at = 2;
        } else if (t.at == 2) {
            x = t.assumed + 1;
            t.at = 3;
        } else {
            taken = false;
            for (Thread& other : threads) {
                other.waits = false;
            }
            ends_with(t.assumed);
        }
        return true;
    }

    void count(std::map<WordOutcome, std::size_t>& counts) const {
        bool over = true;
        for (std::size_t number = 0; number < threads.size(); ++number) {
            Model next = *this;
            if (next.step(number)) {
                over = false;
                next.count(counts);
            }
        }
        if (over) {
            WordOutcome outcome{{}, x};
            for (const Thread& t : threads) {
                outcome.olds.push_back(t.old);
            }
            ++counts[outcome];
        }
    }
};

std::map<WordOutcome, std::size_t> outcomes_of_model(Model::Way way, std::size_t threads) {
    std::map<WordOutcome, std::size_t> counts;
    Model{way, std::vector<Model::Thread>(threads)}.count(counts);
    return counts;
}

class Interleavings : public testing::Test {
  protected:
    void SetUp() override { cpu_device::race::be_quiet(true); }
    void TearDown() override {
        cpu_device::race::forget();
        cpu_device::race::be_quiet(false);
    }

    // The outcomes are as often as in the model, and none is repeated.
    static std::vector<StepOrder> check(Counting variant, Model::Way way, std::size_t threads) {
        const std::vector<StepOrder> all = interleavings(variant, threads);
        const std::map<WordOutcome, std::size_t> counts = outcomes(all);
        const std::map<WordOutcome, std::size_t> expected = outcomes_of_model(way, threads);
        EXPECT_EQ(counts.size(), expected.size());
        for (const auto& [outcome, count] : expected) {
            const auto found = counts.find(outcome);
            EXPECT_EQ(found == counts.end() ? 0 : found->second, count) << "x = " << outcome.x;
        }
        std::set<std::string> orders;
        for (const StepOrder& one : all) {
            EXPECT_TRUE(orders.insert(one.steps).second) << one.steps << " comes twice";
        }
        return all;
    }
};

std::size_t factorial(std::size_t n) {
    return n == 0 ? 1 : n * factorial(n - 1);
}

// Read, add and write are three steps, and 3 + 3 steps interleave in 20 ways. But no other thread
// sees the addition. Of read and write there are 4! / (2! * 2!) = 6.
TEST_F(Interleavings, OfTheLostUpdateAreSix) {
    const std::vector<StepOrder> all = check(lost_update, Model::Way::plain, 2);
    EXPECT_EQ(all.size(), factorial(4) / (factorial(2) * factorial(2)));
    ASSERT_EQ(all.size(), 6u);
    const std::map<WordOutcome, std::size_t> expected{
        {{{0, 0}, 1}, 4}, {{{0, 1}, 2}, 1}, {{{1, 0}, 2}, 1}};
    EXPECT_EQ(outcomes(all), expected);
    EXPECT_EQ(all[0].steps, "0Rx 0Wx 1Rx 1Wx");
    EXPECT_EQ(all[1].steps, "0Rx 1Rx 0Wx 1Wx");
}

TEST_F(Interleavings, OfTheLostUpdateAmongThreeThreads) {
    const std::vector<StepOrder> all = check(lost_update, Model::Way::plain, 3);
    EXPECT_EQ(all.size(), factorial(6) / (2 * 2 * 2));
    std::map<int, std::size_t> times_of;
    for (const StepOrder& one : all) {
        ++times_of[one.outcome.x];
    }
    EXPECT_EQ(times_of.size(), 3u);
    EXPECT_EQ(times_of[3], factorial(3))
        << "nothing is lost only if the threads come one after the other";
}

TEST_F(Interleavings, OfTheCasLoopAllCountToTheNumberOfThreads) {
    for (const std::size_t threads : {1, 2, 3}) {
        for (const StepOrder& one : check(cas_loop_add, Model::Way::cas, threads)) {
            EXPECT_EQ(one.outcome.x, static_cast<int>(threads)) << one.steps;
        }
    }
}

TEST_F(Interleavings, UnderTheMutexAllCountToTheNumberOfThreads) {
    for (const std::size_t threads : {1, 2, 3}) {
        for (const StepOrder& one : check(mutex_add, Model::Way::mutex, threads)) {
            EXPECT_EQ(one.outcome.x, static_cast<int>(threads)) << one.steps;
        }
    }
}

// One atomic step a thread: as many orders as the threads can come in.
TEST_F(Interleavings, OfAtomicAddAreTheOrdersOfTheThreads) {
    for (const std::size_t threads : {1, 2, 3, 4}) {
        const std::vector<StepOrder> all = interleavings(atomic_add, threads);
        EXPECT_EQ(all.size(), factorial(threads));
    }
}

}  // namespace
