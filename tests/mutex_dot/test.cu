// Every variant of mutex_dot against the CPU reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/inputs.hpp"
#include "mutex_dot/variants.cuh"
#include "tests/device_test.cuh"
#include "tests/hard_sums.hpp"

using namespace common;
using namespace harness;

namespace {

template <typename T>
struct Input {
    std::string name;
    std::vector<T> a;
    std::vector<T> b;
    bool exact;  // whole numbers with a small sum: every order of additions gives the same result
};

template <typename T>
std::vector<T> scaled(std::vector<T> values, double factor) {
    for (T& value : values) {
        value *= static_cast<T>(factor);
    }
    return values;
}

// Kinds of input. Constants alone would not do: a tree that adds the wrong neighbor passes them.
template <typename T>
std::vector<Input<T>> inputs(std::size_t n) {
    std::vector<Input<T>> all;
    for (const std::uint64_t seed : {1, 2, 3}) {
        const std::string text = ", seed " + std::to_string(seed);
        all.push_back({"integers" + text, random_integers<T>(n, 9, seed),
                       random_integers<T>(n, 3, seed + 100), true});
        all.push_back(
            {"random" + text, random_reals<T>(n, seed), random_reals<T>(n, seed + 100), false});
        if (n > (std::getenv("THOROUGH") != nullptr ? 50000 : 10000)) {
            return all;  // one seed of the long ones: the kernel's edges lie at the short ones
        }
    }
    all.push_back({"1 and 1/n", std::vector<T>(n, 1),
                   std::vector<T>(n, static_cast<T>(1.0 / static_cast<double>(n + 1))), false});

    std::vector<T> sorted = random_reals<T>(n, 4);
    std::sort(sorted.begin(), sorted.end());
    all.push_back({"sorted", sorted, random_reals<T>(n, 104), false});

    // Magnitudes over six decades, the large products cancelling each other.
    std::vector<T> skewed = random_reals<T>(n, 5);
    for (std::size_t i = 0; i < n; ++i) {
        skewed[i] *= static_cast<T>(std::pow(10.0, static_cast<double>(i % 7)));
    }
    all.push_back({"skewed", skewed, random_reals<T>(n, 105), false});

    // Products below the type's smallest number: lost, but by no more than the bound says.
    const double tiny = std::sqrt(static_cast<double>(std::numeric_limits<T>::denorm_min()));
    all.push_back({"tiny", scaled(random_reals<T>(n, 6), tiny),
                   scaled(random_reals<T>(n, 106), tiny), false});

    // The vectors are orthogonal: the whole result is rounding error, and the bound still holds.
    std::vector<T> left = random_reals<T>(n, 7);
    std::vector<T> right = random_reals<T>(n, 107);
    for (std::size_t i = 0; i + 1 < n; i += 2) {
        left[i + 1] = right[i];
        right[i + 1] = -left[i];
    }
    all.push_back({"orthogonal", left, right, false});

    constexpr T infinity = std::numeric_limits<T>::infinity();
    if (n > 0) {
        std::vector<T> a = random_reals<T>(n, 8);
        std::vector<T> b(n, 1);
        a[n / 2] = std::numeric_limits<T>::quiet_NaN();
        all.push_back({"a NaN", a, b, false});
        a[n / 2] = infinity;
        all.push_back({"+infinity", a, b, false});
        b[n / 2] = -1;
        all.push_back({"-infinity", a, b, false});
        b[n / 2] = 0;
        all.push_back({"infinity times 0", a, b, false});
        b[n / 2] = 1;
        a[0] = -infinity;
        all.push_back({"both infinities", a, b, false});
    }
    return all;
}

// Runs the variant on every input at every length and judges it by the reference, and by equality
// where the arithmetic is exact.
template <typename T, typename Count>
void check_variant(const VariantCase<DotProblem<T>>& test_case, Count count) {
    for (const std::size_t n : tested_lengths(test_case.block_size)) {
        for (const Input<T>& input : inputs<T>(n)) {
            SCOPED_TRACE(input.name + ", n = " + std::to_string(n));
            DotProblem<T> problem(input.a, input.b);
            const Verdict verdict = run_and_check(test_case.variant, problem, test_case.block_size);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
            if (input.exact && test_case.variant.kind != Kind::library) {
                EXPECT_EQ(problem.result(), static_cast<T>(problem.reference()));
            }
            count();
        }
    }
}

// Why the variant cannot run on this device, or empty.
template <typename T>
std::string skip_reason_here(const Variant<DotProblem<T>>& variant) {
    return why_skipped(variant, DotProblem<T>({}, {}));
}

// Skips, by name, what the device cannot run: 128-bit exchange before compute capability 9.0.
template <typename T>
class DotTest : public VariantTest<DotProblem<T>> {
  protected:
    void SetUp() override {
        VariantTest<DotProblem<T>>::SetUp();
        if (!this->IsSkipped() && !this->HasFatalFailure()) {
            const std::string why = skip_reason_here(this->GetParam().variant);
            if (!why.empty()) {
                GTEST_SKIP() << why;
            }
        }
    }
};
using DotFloat = DotTest<float>;
using DotDouble = DotTest<double>;
class WrongDot : public DotTest<float> {};

TEST_P(DotFloat, EqualsReference) {
    check_variant<float>(GetParam(), [this] { count_combination(); });
}
INSTANTIATE_TEST_SUITE_P(Float, DotFloat, testing::ValuesIn(right_cases(dot_variants<float>())),
                         case_name<DotProblem<float>>);

TEST_P(DotDouble, EqualsReference) {
    check_variant<double>(GetParam(), [this] { count_combination(); });
}
INSTANTIATE_TEST_SUITE_P(Double, DotDouble, testing::ValuesIn(right_cases(dot_variants<double>())),
                         case_name<DotProblem<double>>);

// A vector that is 1 where a thread's number in its block lies above the block's half, and else 0.
std::vector<float> upper_half(std::size_t n, int block_size) {
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto thread = static_cast<int>(i % static_cast<std::size_t>(block_size));
        values[i] = thread > block_size / 2 ? 1.0f : 0.0f;
    }
    return values;
}

// A wrong variant must fail the check that the right ones pass: on random numbers, and on numbers
// that tid + 1 never reaches, whatever the order in which the threads run.
TEST_P(WrongDot, FailsTheCheck) {
    const int block_size = GetParam().block_size;
    DotProblem<float> random(random_reals<float>(1009, 1), random_reals<float>(1009, 2));
    Verdict verdict = run_and_check(GetParam().variant, random, block_size);
    EXPECT_EQ(verdict.outcome, Outcome::wrong) << verdict.detail;

    DotProblem<float> planted(upper_half(1009, block_size), std::vector<float>(1009, 1.0f));
    ASSERT_GT(planted.reference(), 0);
    verdict = run_and_check(GetParam().variant, planted, block_size);
    EXPECT_EQ(verdict.outcome, Outcome::wrong) << verdict.detail;
    EXPECT_EQ(planted.result(), 0);
}
INSTANTIATE_TEST_SUITE_P(Wrong, WrongDot,
                         testing::ValuesIn(cases_of_kind(dot_variants<float>(), Kind::wrong_result,
                                                         128)),
                         case_name<DotProblem<float>>);

class MutexDot : public DeviceTest {
  protected:
    // Calls `body` for every right variant of type T that can run here.
    template <typename T, typename Body>
    void for_each_right(Body body) {
        for (const auto& variant : dot_variants<T>()) {
            if (is_right(variant.kind) && skip_reason_here(variant).empty()) {
                SCOPED_TRACE(variant.name);
                body(variant);
            }
        }
    }
};

// 100 seeds (30 in the quick suite), each with another number of products and of threads per
// block.
template <typename T, typename ForEachRight>
void check_hard_terms(ForEachRight for_each_right) {
    const std::uint64_t seeds = std::getenv("THOROUGH") != nullptr ? 100 : 30;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        Generator generator(seed);
        const std::size_t n = 500 + uniform_below(generator, 2500);
        const int block_size = static_cast<int>(1 + uniform_below(generator, 300));
        for (const Terms<T>& terms : hard_terms<T>(n, seed)) {
            // In turn the terms as they are, and a second vector that is no constant.
            const std::vector<T> factors =
                seed % 2 == 0 ? std::vector<T>(n, 1) : random_reals<T>(n, seed + 1000);
            DotProblem<T> problem(terms.x, factors);
            const double magnitudes = dot_reference(terms.x, factors).magnitudes;
            for_each_right([&](const auto& variant) {
                SCOPED_TRACE(format("%s, seed %d, n = %zu, blocks of %d", terms.name.c_str(),
                                    static_cast<int>(seed), n, block_size));
                const Verdict verdict = run_and_check(variant, problem, block_size);
                EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
                if (terms.random_signs) {
                    const double likely = likely_error<T>(variant.bound(problem), magnitudes);
                    EXPECT_NEAR(problem.result(), static_cast<double>(problem.reference()), likely);
                    EXPECT_GT(std::fabs(problem.reference()), likely) << "a result of 0 would pass";
                }
            });
        }
    }
}

TEST_F(MutexDot, BoundHoldsOnHardFloats) {
    check_hard_terms<float>([this](auto body) {
        for_each_right<float>([&](const auto& variant) {
            body(variant);
            count_combination();
        });
    });
}

TEST_F(MutexDot, BoundHoldsOnHardDoubles) {
    check_hard_terms<double>([this](auto body) {
        for_each_right<double>([&](const auto& variant) {
            body(variant);
            count_combination();
        });
    });
}

// The other side: a bound that is wider than the arithmetic asks for.
template <typename T>
void check_bound_is_narrow(const Variant<DotProblem<T>>& variant) {
    if (variant.kind == Kind::library) {  // which promises no bound
        return;
    }
    const double share = largest_error_share<T>([&](const std::vector<T>& x) {
        DotProblem<T> problem(x, std::vector<T>(x.size(), 1));
        run_and_check(variant, problem, 32);
        const long double error = std::fabs(problem.result() - problem.reference());
        return static_cast<double>(error) / variant.bound(problem);
    });
    EXPECT_GT(share, 1 / most_above) << variant.name;
}

TEST_F(MutexDot, BoundIsNarrow) {
    const auto check = [this](const auto& variant, auto type) {
        check_bound_is_narrow<decltype(type)>(variant);
        count_combination();
    };
    for_each_right<float>([&](const auto& variant) { check(variant, 0.0f); });
    for_each_right<double>([&](const auto& variant) { check(variant, 0.0); });
}

// Any alignment, the two vectors' own each: they begin 0 to 3 elements behind a 16-byte boundary,
// alike or not.
template <typename T>
void check_alignments(const Variant<DotProblem<T>>& variant) {
    for (std::size_t shift_a = 0; shift_a < static_cast<std::size_t>(elements_per_vector<T>);
         ++shift_a) {
        for (std::size_t shift_b = 0; shift_b < static_cast<std::size_t>(elements_per_vector<T>);
             ++shift_b) {
            for (const std::size_t n : {0, 1, 2, 3, 4, 5, 8, 127, 1009, 20011}) {
                SCOPED_TRACE("shifts " + std::to_string(shift_a) + " and " +
                             std::to_string(shift_b) + ", n = " + std::to_string(n));
                const std::vector<T> a = random_integers<T>(n, 9, n);
                const std::vector<T> b = random_integers<T>(n, 3, n + 1);
                DotProblem<T> problem(a, b, "", shift_a, shift_b);
                const Verdict verdict = run_and_check(variant, problem, 128);
                EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
                if (variant.kind != Kind::library) {
                    EXPECT_EQ(problem.result(), static_cast<T>(problem.reference()));
                }
            }
        }
    }
}

TEST_F(MutexDot, TakesAnyAlignmentOfFloats) {
    for_each_right<float>([this](const auto& variant) {
        check_alignments(variant);
        count_combination();
    });
}

TEST_F(MutexDot, TakesAnyAlignmentOfDoubles) {
    for_each_right<double>([this](const auto& variant) {
        check_alignments(variant);
        count_combination();
    });
}

// Without --block each variant takes block and grid of its own.
TEST_F(MutexDot, RunsWithItsOwnBlockSize) {
    const std::size_t n = 1000003;
    const std::vector<float> a = random_integers<float>(n, 2, 1);
    const std::vector<float> b = random_integers<float>(n, 2, 2);
    DotProblem<float> problem(a, b);
    for_each_right<float>([&](const auto& variant) {
        const Verdict verdict = run_and_check(variant, problem);
        EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
        EXPECT_EQ(problem.result(), static_cast<float>(problem.reference()));
        count_combination();
    });
}

// The tutorial allocates its mutex and never sets it: what the memory held before decides whether
// the first lock() returns. Here every run sets the locks; this one begins with all of them taken.
TEST_F(MutexDot, SetsItsLocksBeforeEachRun) {
    const std::vector<float> a = random_integers<float>(5003, 9, 1);
    const std::vector<float> b = random_integers<float>(5003, 9, 2);
    DotProblem<float> problem(a, b);
    for_each_right<float>([&](const auto& variant) {
        prepare(variant, problem, 32);
        const std::vector<int> h_taken{1};
        const std::vector<TicketLock> h_late{TicketLock{7, 3}};  // four in line who never come
        for (int run = 0; run < 3; ++run) {
            problem.poison();
            CHECK(
                cudaMemcpy(problem.d_mutex(), h_taken.data(), sizeof(int), cudaMemcpyHostToDevice));
            CHECK(cudaMemcpy(problem.d_ticket_lock(), h_late.data(), sizeof(TicketLock),
                             cudaMemcpyHostToDevice));
            variant.run(problem);
            CHECK(cudaDeviceSynchronize());
            const Verdict verdict = problem.check(variant.bound(problem));
            EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
        }
        count_combination();
    });
}

// The variants that promise it, since they add the partial sums in the order of the blocks give the
// same bits on every run, on numbers whose sum depends on the order.
TEST_F(MutexDot, SameResultEveryRunWherePromised) {
    const bool thorough = std::getenv("THOROUGH") != nullptr;
    const std::size_t n = !on_cpu_device ? 100003 : thorough ? 20011 : 4099;
    const std::vector<float> a = random_reals<float>(n, 7);
    const std::vector<float> b = random_reals<float>(n, 8);
    DotProblem<float> problem(a, b);
    for_each_right<float>([&](const auto& variant) {
        if (!variant.same_bits) {
            return;
        }
        prepare(variant, problem, 128);
        problem.start_observing();
        for (int run = 0; run < (thorough ? 1000 : 200); ++run) {
            problem.poison();
            variant.run(problem);
            problem.observe();
        }
        EXPECT_EQ(problem.different_results(), 1u);
        count_combination();
    });
}

TEST_F(MutexDot, RefusesVectorsOfDifferentLength) {
    const std::vector<float> three(3, 1.0f);
    const std::vector<float> four(4, 1.0f);
    EXPECT_THROW(DotProblem<float>(three, four), std::invalid_argument);
}

TEST(MutexDotTable, NamesFilesThatAreThere) {
    expect_sources_exist("mutex_dot", dot_variants<float>());
}

template <typename T>
long double reference(const std::vector<T>& a, const std::vector<T>& b) {
    return dot_reference(a, b).dot;
}

// The reference itself, on dot products that are known; and the sum on the CPU.
TEST(MutexDotCpu, KnownDotProducts) {
    EXPECT_EQ(reference(std::vector<float>{}, std::vector<float>{}), 0);
    EXPECT_EQ(reference(std::vector<double>{1, 2, 3}, std::vector<double>{4, 5, 6}), 32);
    EXPECT_EQ(reference(std::vector<double>{0x1p300, 1, -0x1p300},
                        std::vector<double>{0x1p300, 1, 0x1p300}),
              1);
    std::vector<double> first_numbers(1000);
    for (std::size_t i = 0; i < first_numbers.size(); ++i) {
        first_numbers[i] = static_cast<double>(i + 1);
    }
    EXPECT_EQ(reference(first_numbers, first_numbers), 333833500);
    EXPECT_EQ(dot_cpu(first_numbers.data(), first_numbers.data(), first_numbers.size()), 333833500);
}

// (1 + u)(1 - u) - 1 = -u^2 is lost in a product rounded to double; the reference keeps it.
TEST(MutexDotCpu, KeepsWhatAProductRoundsAway) {
    const double u = 0x1p-52;
    EXPECT_EQ(reference(std::vector<double>{1 + u, 1}, std::vector<double>{1 - u, -1}), -0x1p-104L);
}

TEST(MutexDotCpu, NotFinite) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isnan(reference(std::vector<double>{nan}, std::vector<double>{1})));
    EXPECT_TRUE(std::isnan(reference(std::vector<double>{infinity}, std::vector<double>{0})));
    EXPECT_TRUE(
        std::isnan(reference(std::vector<double>{infinity, infinity}, std::vector<double>{1, -1})));
    EXPECT_EQ(reference(std::vector<double>{infinity, 1}, std::vector<double>{-1, 1}), -infinity);
    EXPECT_EQ(
        dot_reference(std::vector<double>{infinity, 2}, std::vector<double>{1, -3}).magnitudes, 6);
}

}  // namespace
