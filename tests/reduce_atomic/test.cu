// Every variant of reduce_atomic against the CPU reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "harness/inputs.hpp"
#include "reduce_atomic/variants.cuh"
#include "tests/device_test.cuh"
#include "tests/hard_sums.hpp"

using namespace common;
using namespace harness;

namespace {

template <typename T>
struct Input {
    std::string name;
    std::vector<T> x;
    bool exact;  // whole numbers with a small sum: every order of additions gives the same result
};

// Kinds of input. Constants alone would not do: a kernel that adds the wrong neighbor passes them.
template <typename T>
std::vector<Input<T>> inputs(std::size_t n) {
    std::vector<Input<T>> all;
    for (const std::uint64_t seed : {1, 2, 3}) {
        all.push_back(
            {"integers, seed " + std::to_string(seed), random_integers<T>(n, 9, seed), true});
        all.push_back({"random, seed " + std::to_string(seed), random_reals<T>(n, seed), false});
    }
    all.push_back({"all 1.23", std::vector<T>(n, static_cast<T>(1.23)), false});

    std::vector<T> sorted = random_reals<T>(n, 4);
    std::sort(sorted.begin(), sorted.end());
    all.push_back({"sorted", sorted, false});

    // Magnitudes over six decades, the large ones cancelling each other.
    std::vector<T> skewed = random_reals<T>(n, 5);
    for (std::size_t i = 0; i < n; ++i) {
        skewed[i] *= static_cast<T>(std::pow(10.0, static_cast<double>(i % 7)));
    }
    all.push_back({"skewed", skewed, false});

    constexpr T infinity = std::numeric_limits<T>::infinity();
    if (n > 0) {
        std::vector<T> special = random_reals<T>(n, 6);
        special[n / 2] = std::numeric_limits<T>::quiet_NaN();
        all.push_back({"a NaN", special, false});
        special[n / 2] = infinity;
        all.push_back({"+infinity", special, false});
        special[n / 2] = -infinity;
        all.push_back({"-infinity", special, false});
        special[0] = infinity;
        all.push_back({"both infinities", special, false});
    }
    return all;
}

// Runs the variant on every input at every length and judges it by the reference, and by equality
// where the arithmetic is exact.
template <typename T, typename Count>
void check_variant(const VariantCase<SumProblem<T>>& test_case, Count count) {
    for (const std::size_t n : tested_lengths(test_case.block_size)) {
        for (const Input<T>& input : inputs<T>(n)) {
            SCOPED_TRACE(input.name + ", n = " + std::to_string(n));
            SumProblem<T> problem(input.x);
            const Verdict verdict = run_and_check(test_case.variant, problem, test_case.block_size);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
            if (input.exact && !(test_case.variant.kind == Kind::library)) {
                EXPECT_EQ(problem.result(), static_cast<T>(problem.reference()));
            }
            count();
        }
    }
}

// A wrong variant must fail the check that the right ones pass.
template <typename T>
void expect_wrong(const VariantCase<SumProblem<T>>& test_case) {
    SumProblem<T> problem(random_integers<T>(1009, 9, 1));
    ASSERT_NE(problem.reference(), 0) << "with a sum of 0 the variant could not be wrong";
    const Verdict verdict = run_and_check(test_case.variant, problem, test_case.block_size);
    EXPECT_EQ(verdict.outcome, Outcome::wrong) << verdict.detail;
}

using SumFloat = VariantTest<SumProblem<float>>;
using SumDouble = VariantTest<SumProblem<double>>;
class WrongSum : public VariantTest<SumProblem<float>> {};

TEST_P(SumFloat, EqualsReference) {
    check_variant<float>(GetParam(), [this] { count_combination(); });
}
INSTANTIATE_TEST_SUITE_P(Float, SumFloat, testing::ValuesIn(right_cases(sum_variants<float>())),
                         case_name<SumProblem<float>>);

TEST_P(SumDouble, EqualsReference) {
    check_variant<double>(GetParam(), [this] { count_combination(); });
}
INSTANTIATE_TEST_SUITE_P(Double, SumDouble, testing::ValuesIn(right_cases(sum_variants<double>())),
                         case_name<SumProblem<double>>);

TEST_P(WrongSum, FailsTheCheck) {
    expect_wrong<float>(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Wrong, WrongSum,
                         testing::ValuesIn(cases_of_kind(sum_variants<float>(), Kind::wrong_result,
                                                         128)),
                         case_name<SumProblem<float>>);

class ReduceAtomic : public DeviceTest {};

template <typename T>
double sum_of_magnitudes(const std::vector<T>& x) {
    double sum = 0;
    for (const T term : x) {
        sum += std::fabs(static_cast<double>(term));
    }
    return sum;
}

// 100 seeds (30 in the quick suite), each with another number of terms and of threads per
// block.
template <typename T, typename Count>
void check_hard_terms(Count count) {
    const std::uint64_t seeds = std::getenv("THOROUGH") != nullptr ? 100 : 30;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        Generator generator(seed);
        const std::size_t n = 500 + uniform_below(generator, 2500);
        const int block_size = static_cast<int>(1 + uniform_below(generator, 300));
        for (const Terms<T>& terms : hard_terms<T>(n, seed)) {
            SumProblem<T> problem(terms.x);
            for (const auto& variant : sum_variants<T>()) {
                if (!is_right(variant.kind)) {
                    continue;
                }
                SCOPED_TRACE(format("%s, %s, seed %d, n = %zu, blocks of %d", variant.name.c_str(),
                                    terms.name.c_str(), static_cast<int>(seed), n, block_size));
                const Verdict verdict = run_and_check(variant, problem, block_size);
                EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
                if (terms.random_signs) {
                    const double likely =
                        likely_error<T>(variant.bound(problem), sum_of_magnitudes(terms.x));
                    EXPECT_NEAR(problem.result(), static_cast<double>(problem.reference()), likely);
                    EXPECT_GT(std::fabs(problem.reference()), likely) << "a sum of 0 would pass";
                }
                count();
            }
        }
    }
}

TEST_F(ReduceAtomic, BoundHoldsOnHardFloats) {
    check_hard_terms<float>([this] { count_combination(); });
}

TEST_F(ReduceAtomic, BoundHoldsOnHardDoubles) {
    check_hard_terms<double>([this] { count_combination(); });
}

// The other side: a bound that is wider than the arithmetic asks for.
template <typename T, typename Count>
void check_bounds_are_narrow(Count count) {
    for (const auto& variant : sum_variants<T>()) {
        if (variant.kind != Kind::right) {  // a library promises no bound
            continue;
        }
        const double share = largest_error_share<T>([&](const std::vector<T>& x) {
            SumProblem<T> problem(x);
            run_and_check(variant, problem, 32);
            const long double error = std::fabs(problem.result() - problem.reference());
            return static_cast<double>(error) / variant.bound(problem);
        });
        EXPECT_GT(share, 1 / most_above) << variant.name;
        count();
    }
}

TEST_F(ReduceAtomic, BoundIsNarrow) {
    check_bounds_are_narrow<float>([this] { count_combination(); });
    check_bounds_are_narrow<double>([this] { count_combination(); });
}

// Where the bound itself lets a sum of 0 pass, likely_error() does not.
TEST_F(ReduceAtomic, ASumOfZeroIsNoticed) {
    const std::vector<float> x = random_reals<float>(100003, 1);
    SumProblem<float> problem(x);
    CHECK(cudaMemset(problem.d_sum(), 0, sizeof(float)));
    const double bound = problem.bound(static_cast<double>(x.size()));
    ASSERT_TRUE(problem.check(bound).holds());
    const double likely = likely_error<float>(bound, sum_of_magnitudes(x));
    EXPECT_FALSE(problem.check(likely).holds());
    for (const auto& variant : sum_variants<float>()) {
        if (is_right(variant.kind)) {
            SCOPED_TRACE(variant.name);
            run_and_check(variant, problem);
            const Verdict verdict = problem.check(likely);
            EXPECT_TRUE(verdict.holds()) << verdict.detail;
            count_combination();
        }
    }
}

// Any alignment: the array begins 1, 2, 3 elements behind a 16-byte boundary.
TEST_F(ReduceAtomic, TakesAnyAlignment) {
    for (const auto& variant : sum_variants<float>()) {
        for (const std::size_t shift : {1, 2, 3}) {
            for (const std::size_t n : {0, 1, 2, 3, 4, 5, 8, 127, 1009, 20011}) {
                if (!is_right(variant.kind)) {
                    continue;
                }
                SCOPED_TRACE(variant.name + ", shift " + std::to_string(shift) +
                             ", n = " + std::to_string(n));
                SumProblem<float> problem(random_integers<float>(n, 9, n), "", shift);
                const Verdict verdict = run_and_check(variant, problem, 128);
                EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
                count_combination();
            }
        }
    }
}

// The two variants that promise it give the same bits on every run, on numbers whose sum depends on
// the order.
TEST_F(ReduceAtomic, SameResultEveryRunWherePromised) {
    for (const auto& variant : sum_variants<float>()) {
        if (!variant.same_bits) {
            continue;
        }
        SCOPED_TRACE(variant.name);
        SumProblem<float> problem(random_reals<float>(100003, 7));
        harness::prepare(variant, problem);
        problem.start_observing();
        const int runs = std::getenv("THOROUGH") != nullptr ? 1000 : 100;
        for (int run = 0; run < runs; ++run) {
            problem.poison();
            variant.run(problem);
            problem.observe();
        }
        EXPECT_EQ(problem.different_results(), 1u);
        count_combination();
    }
}

const harness::Variant<SumProblem<double>>& fixed_point() {
    static const auto table = sum_variants<double>();
    return *std::find_if(table.begin(), table.end(),
                         [](const auto& variant) { return variant.name == "fixed_point"; });
}

// Runs fixed_point and returns its sum.
double fixed_point_sum(const std::vector<double>& x, int block_size) {
    SumProblem<double> problem(x);
    EXPECT_EQ(run_and_check(fixed_point(), problem, block_size).outcome, Outcome::ok);
    return problem.result();
}

// Fixed point gives the same bits also when the numbers come in another order and the grid has
// another shape.
TEST_F(ReduceAtomic, FixedPointIgnoresOrder) {
    std::vector<double> x = random_reals<double>(50021, 8);
    const double forward = fixed_point_sum(x, 128);
    std::reverse(x.begin(), x.end());
    EXPECT_EQ(fixed_point_sum(x, 1024), forward);
}

// The largest terms that the type holds neither overflow the integers nor lose the sum.
TEST_F(ReduceAtomic, FixedPointHoldsTheWholeRange) {
    for (const double magnitude : {1e-280, 1e-30, 1.0, 1e30, 1e305}) {
        SCOPED_TRACE(magnitude);
        EXPECT_NEAR(fixed_point_sum(std::vector<double>(1000, magnitude), 128) / magnitude, 1000,
                    1e-9);
    }
}

// Where n times the largest term overflows but the sum does not.
TEST_F(ReduceAtomic, FixedPointOfTermsNearOverflow) {
    EXPECT_NEAR(fixed_point_sum({1e308, -0.7e308}, 128) / 0.3e308, 1, 1e-15);
}

// Each launcher's file is in the chapter's folder, under the name that the table gives.
TEST(ReduceAtomicTable, NamesFilesThatAreThere) {
    expect_sources_exist("reduce_atomic", sum_variants<float>());
}

// The sum on the CPU, on sums that are known.
TEST(ReduceAtomicCpu, KnownSums) {
    EXPECT_EQ(sum_cpu<float>(nullptr, 0), 0);
    std::vector<double> first_numbers(1000);
    for (std::size_t i = 0; i < first_numbers.size(); ++i) {
        first_numbers[i] = static_cast<double>(i + 1);
    }
    EXPECT_EQ(sum_cpu(first_numbers.data(), first_numbers.size()), 500500);
}

// The reference of the check, where plain addition loses terms.
TEST_F(ReduceAtomic, ReferenceKeepsSmallTerms) {
    EXPECT_EQ(SumProblem<double>({1e100, 1, -1e100}).reference(), 1);
    EXPECT_TRUE(std::isnan(SumProblem<float>({INFINITY, -INFINITY}).reference()));
    EXPECT_TRUE(std::isinf(SumProblem<float>({INFINITY, 1}).reference()));
}

}  // namespace
