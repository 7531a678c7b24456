// Every variant of several_gpus against the CPU reference, on one GPU and on two. On the CPU device
// there are two.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "harness/inputs.hpp"
#include "several_gpus/flags.cuh"
#include "several_gpus/variants.cuh"
#include "tests/device_test.cuh"
#include "tests/several_gpus/two_devices.cuh"

using namespace common;
using namespace harness;

namespace {

template <typename Item>
struct Input {
    std::string name;
    std::vector<Item> x;
};

std::vector<Input<float>> inputs(std::size_t n, float) {
    std::vector<Input<float>> all{{"random", random_reals<float>(n, n)},
                                  {"whole numbers", random_integers<float>(n, 9, n)}};
    if (n > 0) {
        all.push_back({"an infinity in the last part", random_items<float>(n, 1)});
        all.back().x[n - 1] = std::numeric_limits<float>::infinity();
    }
    return all;
}
std::vector<Input<unsigned char>> inputs(std::size_t n, unsigned char) {
    return {{"random", random_items<unsigned char>(n, n)},
            {"equal", std::vector<unsigned char>(n, 255)}};
}

// On so many GPUs; skipped where there are fewer, or where they cannot do what the variant needs.
template <typename Task, int gpus>
class PartsTest : public VariantTest<PartsProblem<Task>> {
  protected:
    using Item = typename Task::Item;

    void SetUp() override {
        VariantTest<PartsProblem<Task>>::SetUp();
        if (this->IsSkipped() || this->HasFatalFailure()) {
            return;
        }
        if (device_count() < gpus) {
            GTEST_SKIP() << "needs " << gpus << " GPUs";
        }
        const std::string reason =
            why_skipped(this->GetParam().variant, PartsProblem<Task>(std::size_t{1}, gpus));
        if (!reason.empty()) {
            GTEST_SKIP() << reason;
        }
    }
    void check() {
        const auto& test_case = this->GetParam();
        for (const std::size_t n : tested_lengths(test_case.block_size)) {
            for (const Input<Item>& input : inputs(n, Item())) {
                SCOPED_TRACE(input.name + ", n = " + std::to_string(n));
                PartsProblem<Task> problem(input.x, gpus);
                const Verdict verdict =
                    run_and_check(test_case.variant, problem, test_case.block_size);
                EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
                expect_exact(problem.result(), input);
                this->count_combination();
            }
        }
    }

  private:
    // Not by the problem's own reference.
    static void expect_exact(const std::vector<double>& sum, const Input<float>& input) {
        if (input.name == "whole numbers") {
            EXPECT_EQ(sum[0], std::accumulate(input.x.begin(), input.x.end(), 0.0));
        }
    }
    static void expect_exact(const std::vector<unsigned long long>& counts,
                             const Input<unsigned char>& input) {
        for (std::size_t value = 0; value < counts.size(); value += 15) {
            const auto byte = static_cast<unsigned char>(value);
            EXPECT_EQ(counts[value], static_cast<unsigned long long>(
                                         std::count(input.x.begin(), input.x.end(), byte)));
        }
    }
};

// Three sizes of blocks, the smallest, the largest, and one that is no multiple of a warp: what
// depends on the size is block_sum, which has tests of its own.
template <typename Task>
std::vector<VariantCase<PartsProblem<Task>>> cases() {
    std::vector<VariantCase<PartsProblem<Task>>> some;
    for (const auto& one : right_cases(parts_variants<Task>())) {
        if (one.block_size == 32 || one.block_size == 100 || one.block_size == 1024) {
            some.push_back(one);
        }
    }
    return some;
}

using SumOnOneGpu = PartsTest<Sum, 1>;
TEST_P(SumOnOneGpu, EqualsReference) {
    check();
}
INSTANTIATE_TEST_SUITE_P(Sum, SumOnOneGpu, testing::ValuesIn(cases<Sum>()),
                         case_name<PartsProblem<Sum>>);
using SumOnTwoGpus = PartsTest<Sum, 2>;
TEST_P(SumOnTwoGpus, EqualsReference) {
    check();
}
INSTANTIATE_TEST_SUITE_P(Sum, SumOnTwoGpus, testing::ValuesIn(cases<Sum>()),
                         case_name<PartsProblem<Sum>>);
using HistogramOnOneGpu = PartsTest<Histogram, 1>;
TEST_P(HistogramOnOneGpu, EqualsReference) {
    check();
}
INSTANTIATE_TEST_SUITE_P(Histogram, HistogramOnOneGpu, testing::ValuesIn(cases<Histogram>()),
                         case_name<PartsProblem<Histogram>>);
using HistogramOnTwoGpus = PartsTest<Histogram, 2>;
TEST_P(HistogramOnTwoGpus, EqualsReference) {
    check();
}
INSTANTIATE_TEST_SUITE_P(Histogram, HistogramOnTwoGpus, testing::ValuesIn(cases<Histogram>()),
                         case_name<PartsProblem<Histogram>>);

class SeveralGpus : public DeviceTest {};

// Items that the GPUs make up are those that the host makes up.
TEST_F(SeveralGpus, MakeUpTheItemsOfTheHost) {
    const std::size_t n = 70001;
    std::vector<float> h_x(n);
    std::vector<unsigned char> h_bytes(n);
    for (std::size_t i = 0; i < n; ++i) {
        h_x[i] = static_cast<float>(made_up_item(i));
        h_bytes[i] = static_cast<unsigned char>(made_up_item(i));
    }
    for (int gpus = 1; gpus <= device_count() && gpus <= 2; ++gpus) {
        const auto check = [&](auto table, auto& made_up, const auto& reference) {
            for (const auto& variant : table) {
                if (variant.name == "host_joins") {
                    const Verdict verdict = run_and_check(variant, made_up);
                    EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
                    EXPECT_EQ(made_up.result(), reference);
                    count_combination();
                }
            }
        };
        PartsProblem<Sum> sum(n, gpus);
        check(parts_variants<Sum>(), sum, std::vector<double>{sum_cpu(h_x.data(), n)});
        PartsProblem<Histogram> histogram(n, gpus);
        check(parts_variants<Histogram>(), histogram, histogram_cpu(h_bytes.data(), n));
    }
}

#if !defined(__SANITIZE_ADDRESS__)  // which ends the program at the null pointer
// A kernel that fails does not answer. The program then ends with its error, and does not hang.
class SeveralGpusDeathTest : public DeviceTest {};
TEST_F(SeveralGpusDeathTest, MailboxOfAKernelThatFailsEnds) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto talk = [](int gpus) {
        alarm(120);  // seconds, in case it hangs
        PartsProblem<Sum> problem(std::size_t{1000}, gpus);
        const float* const last = problem.parts().back().d_x;
        talk_to_each(problem.parts(), problem.slots(), problem.h_result(),
                     [&](const Part<Sum>& part, Slot<Sum>* slots) {
                         serve<Sum><<<1, 32>>>(slots, part.d_x == last ? nullptr : part.d_x);
                     });  // without CHECK_LAUNCH: on a GPU the launch itself does not fail
    };
    for (int gpus = 1; gpus <= device_count() && gpus <= 2; ++gpus) {
        EXPECT_EXIT(talk(gpus), testing::ExitedWithCode(1),
                    "the kernel of the mailbox\n    failed with cudaErrorIllegalAddress");
    }
}
#endif

TEST_F(SeveralGpus, RowsNameTheirFiles) {
    expect_sources_exist("several_gpus", parts_variants<Sum>());
}

}  // namespace
