// Every variant of scan against the CPU reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "cpu_device/pattern.hpp"
#include "harness/inputs.hpp"
#include "scan/flags.cuh"
#include "scan/variants.cuh"
#include "tests/device_test.cuh"
#include "tests/hard_sums.hpp"

using namespace common;
using namespace harness;

namespace {

template <typename T>
struct Input {
    std::string name;
    std::vector<T> x;
    bool exact;  // whole numbers with small sums: every order of additions gives the same result
};

template <typename T>
std::vector<T> small_integers(std::size_t n, std::uint64_t seed) {
    Generator generator(seed);
    std::vector<T> x(n);
    for (T& term : x) {
        term = static_cast<T>(uniform_below(generator, 100));
    }
    return x;
}

std::vector<Input<unsigned>> inputs(std::size_t n, unsigned) {
    return {{"small", small_integers<unsigned>(n, n), true},
            {"any words", random_terms<unsigned>(n, n), true},
            {"all ones", std::vector<unsigned>(n, 1), true}};
}

std::vector<Input<float>> inputs(std::size_t n, float) {
    std::vector<Input<float>> all{{"whole numbers", small_integers<float>(n, n), true},
                                  {"random", random_reals<float>(n, n), false},
                                  {"all 1.23", std::vector<float>(n, 1.23f), false}};
    constexpr float infinity = std::numeric_limits<float>::infinity();
    if (n > 0) {
        std::vector<float> special = random_reals<float>(n, 6);
        special[n / 2] = infinity;
        all.push_back({"an infinity", special, false});
        special[n - 1] = -infinity;
        all.push_back({"both infinities", special, false});
        special[n / 3] = std::numeric_limits<float>::quiet_NaN();
        all.push_back({"a NaN", special, false});
    }
    return all;
}

template <typename T, typename Count>
void check_variant(const VariantCase<ScanProblem<T>>& test_case, Count count) {
    for (const std::size_t n : tested_lengths(test_case.block_size)) {
        for (const Input<T>& input : inputs(n, T())) {
            SCOPED_TRACE(input.name + ", n = " + std::to_string(n));
            ScanProblem<T> problem(input.x);
            const Verdict verdict = run_and_check(test_case.variant, problem, test_case.block_size);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
            if (input.exact) {
                const Verdict exact = problem.check(0);
                EXPECT_EQ(exact.outcome, Outcome::ok) << exact.detail;
            }
            count();
        }
    }
}

using ScanFloat = VariantTest<ScanProblem<float>>;
using ScanUnsigned = VariantTest<ScanProblem<unsigned>>;

TEST_P(ScanFloat, EqualsReference) {
    check_variant<float>(GetParam(), [this] { count_combination(); });
}
INSTANTIATE_TEST_SUITE_P(Float, ScanFloat, testing::ValuesIn(right_cases(scan_variants<float>())),
                         case_name<ScanProblem<float>>);

TEST_P(ScanUnsigned, EqualsReference) {
    check_variant<unsigned>(GetParam(), [this] { count_combination(); });
}
INSTANTIATE_TEST_SUITE_P(Unsigned, ScanUnsigned,
                         testing::ValuesIn(right_cases(scan_variants<unsigned>())),
                         case_name<ScanProblem<unsigned>>);

class Scan : public DeviceTest {};

// Any alignment: the arrays begin 1, 2, 3 elements behind a 16-byte boundary. And lengths around
// those of tiles, and of the 32 tiles that a warp looks back at.
TEST_F(Scan, TakesAnyAlignmentAndLength) {
    constexpr std::size_t tile = 32 * items_per_thread;  // of the lesson's, in blocks of 32
    for (const auto& variant : scan_variants<unsigned>()) {
        if (!is_right(variant.kind)) {
            continue;
        }
        const std::size_t size = variant.block_is_fixed ? fast_scan_tile : tile;
        for (const std::size_t shift : {0, 1, 2, 3}) {
            for (const std::size_t n : {size - 1, size, size + 1, 2 * size, 31 * size + 5,
                                        32 * size, 33 * size, 66 * size - 3}) {
                if (shift > 0 && n > 4 * size) {
                    continue;
                }
                SCOPED_TRACE(variant.name + ", shift " + std::to_string(shift) +
                             ", n = " + std::to_string(n));
                ScanProblem<unsigned> problem(random_terms<unsigned>(n, n), "", shift);
                const Verdict verdict = run_and_check(variant, problem, 32);
                EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
                count_combination();
            }
        }
    }
}

// The numbers that a picture of the notes shows, in the order in which they are drawn.
std::vector<unsigned> numbers_of_picture(const std::string& name) {
    const std::string here = __FILE__;
    std::ifstream file(here.substr(0, here.rfind("tests/scan")) + "scan/pictures/" + name);
    const std::string svg{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const cpu_device::Pattern number(">(\\+ )?([0-9]+)</text>");
    std::vector<unsigned> numbers;
    std::size_t at = 0;
    for (auto found = number.find(svg, at, &at); !found.empty();
         found = number.find(svg, at, &at)) {
        numbers.push_back(static_cast<unsigned>(std::stoul(found[2])));
    }
    return numbers;
}

// Of each of four tiles tiles.svg shows four numbers, the tile's scan, the sum before it, and the
// prefix sums. In look_back.svg tiles 0 to 2 say these prefix sums, and tile 3 its own sum.
TEST_F(Scan, PicturesShowItsSums) {
    const std::vector<unsigned> shown = numbers_of_picture("tiles.svg");
    ASSERT_EQ(shown.size(), 4u * 13);
    std::vector<unsigned> x, prefixes;
    for (auto tile = shown.begin(); tile != shown.end(); tile += 13) {
        x.insert(x.end(), tile, tile + 4);
        prefixes.insert(prefixes.end(), tile + 9, tile + 13);
        ScanProblem<unsigned> alone(std::vector<unsigned>(tile, tile + 4));
        run_and_check(scan_variants<unsigned>().front(), alone, 32);
        EXPECT_EQ(alone.result(), std::vector<unsigned>(tile + 4, tile + 8));
    }
    ScanProblem<unsigned> problem(x);
    run_and_check(scan_variants<unsigned>().front(), problem, 32);
    EXPECT_EQ(problem.result(), prefixes);

    const std::vector<unsigned> said = numbers_of_picture("look_back.svg");
    ASSERT_EQ(said.size(), 6u);
    for (const std::size_t tile : {0, 1, 2}) {
        EXPECT_EQ(said[tile], prefixes[4 * tile + 3]);
        EXPECT_EQ(shown[13 * (tile + 1) + 8], prefixes[4 * tile + 3]);  // before the next tile
    }
    EXPECT_EQ(said[3], prefixes[15] - prefixes[11]);
}

// What a variant leaves behind must not disturb its next run.
TEST_F(Scan, RunsAgain) {
    const auto check = [this](const auto& variants, auto make) {
        for (const auto& variant : variants) {
            if (!is_right(variant.kind)) {
                continue;
            }
            SCOPED_TRACE(variant.name);
            auto problem = make();
            prepare(variant, problem, 64);
            problem.poison();
            for (int run = 0; run < 20; ++run) {
                variant.run(problem);
            }
            const double bound = variant.bound == nullptr ? 0 : variant.bound(problem);
            const Verdict verdict = problem.check(bound);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
            count_combination();
        }
    };
    check(scan_variants<unsigned>(),
          [] { return ScanProblem<unsigned>(random_terms<unsigned>(20011, 1)); });
    check(scan_variants<float>(), [] { return ScanProblem<float>(random_terms<float>(20011, 1)); });
}

// The variants that promise it give the same bits on every run, on numbers whose sums depend on the
// order of the additions.
TEST_F(Scan, SameResultEveryRunWherePromised) {
    for (const auto& variant : scan_variants<float>()) {
        if (!variant.same_bits) {
            continue;
        }
        SCOPED_TRACE(variant.name);
        ScanProblem<float> problem(random_reals<float>(100003, 7));
        run_and_check(variant, problem, 64);
        const std::vector<float> first = problem.result();
        for (int run = 0; run < 10; ++run) {
            problem.poison();
            variant.run(problem);
            EXPECT_EQ(problem.result(), first);
        }
        count_combination();
    }
}

// The check looks at every sum, and the bound of an early one is as narrow as its terms are few.
TEST_F(Scan, TheCheckSeesAnySumThatIsWrong) {
    const auto& variants = scan_variants<float>();
    const auto& variant = variants[0];
    std::vector<float> x(5000, 1.5f);
    x.back() = 1e6f;
    ScanProblem<float> problem(x);
    ASSERT_TRUE(run_and_check(variant, problem).holds());
    const double bound = variant.bound(problem);
    std::vector<float> right = problem.result();
    for (const std::size_t place : {std::size_t{0}, std::size_t{1000}, right.size() - 1}) {
        std::vector<float> wrong = right;
        wrong[place] *= 1.001f;
        CHECK(cudaMemcpy(problem.d_y(), wrong.data(), wrong.size() * sizeof(float),
                         cudaMemcpyHostToDevice));
        EXPECT_FALSE(problem.check(bound).holds()) << place;
        count_combination();
    }
    for (const float value : {NAN, INFINITY}) {
        std::vector<float> wrong = right;
        wrong[7] = value;
        CHECK(cudaMemcpy(problem.d_y(), wrong.data(), wrong.size() * sizeof(float),
                         cudaMemcpyHostToDevice));
        EXPECT_FALSE(problem.check(bound).holds()) << value;
    }
}

TEST(ScanTable, NamesFilesThatAreThere) {
    expect_sources_exist("scan", scan_variants<float>());
}

// The prefix sums on the CPU, on sums that are known.
TEST(ScanCpu, KnownSums) {
    scan_cpu<unsigned>(nullptr, 0, nullptr);
    std::vector<unsigned> sums(5);
    scan_cpu(std::vector<unsigned>{3, 1, 0, 0xffffffffu, 2}.data(), 5, sums.data());
    EXPECT_EQ(sums, (std::vector<unsigned>{3, 4, 4, 3, 5}));
    // In float, 2^24 + 1 would be 2^24.
    std::vector<float> floats(3);
    scan_cpu(std::vector<float>{16777216, 1, 1}.data(), 3, floats.data());
    EXPECT_EQ(floats[2], 16777218.0f);
    EXPECT_EQ(digits_in_turn<unsigned>(12),
              (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1}));
}

}  // namespace
