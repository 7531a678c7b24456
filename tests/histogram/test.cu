// Every variant of histogram against the CPU reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "histogram/content.hpp"
#include "histogram/letters.hpp"
#include "histogram/sweep.cuh"
#include "histogram/variants.cuh"
#include "tests/device_test.cuh"

using namespace common;
using namespace harness;

namespace {

using Bytes = std::vector<unsigned char>;

struct Input {
    std::string name;
    Bytes bytes;
};

// Kinds of input: spread and crowded, in any order and in the worst.
std::vector<Input> inputs(std::size_t n) {
    std::vector<Input> all;
    for (const std::uint64_t seed : {1, 2, 3}) {
        all.push_back({"random, seed " + std::to_string(seed), contended_bytes(n, 0, seed)});
        all.push_back({"text, seed " + std::to_string(seed), text_bytes(n, seed)});
    }
    all.push_back({"half contended", contended_bytes(n, 0.5, 4)});
    all.push_back({"all equal", equal_bytes(n)});
    all.push_back({"all 255", Bytes(n, 255)});
    all.push_back({"two values in turn", alternating_bytes(n)});
    Bytes sorted = contended_bytes(n, 0, 5);
    std::sort(sorted.begin(), sorted.end());
    all.push_back({"sorted", sorted});
    // Multiples of 32: with one word a bin, all in one bank of shared memory.
    Bytes one_bank = contended_bytes(n, 0, 6);
    for (unsigned char& value : one_bank) {
        value &= 0xe0;
    }
    all.push_back({"multiples of 32", one_bank});
    return all;
}

std::vector<Variant<HistogramProblem>> right_variants() {
    std::vector<Variant<HistogramProblem>> right;
    for (const auto& variant : histogram_variants()) {
        if (is_right(variant.kind)) {
            right.push_back(variant);
        }
    }
    return right;
}

// The variants of this project: CUB's histogram takes no grid.
std::vector<Variant<HistogramProblem>> own_variants() {
    std::vector<Variant<HistogramProblem>> own;
    for (const auto& variant : histogram_variants()) {
        if (variant.kind == Kind::right) {
            own.push_back(variant);
        }
    }
    return own;
}

// --- every right variant at every block size

class Histogram : public VariantTest<HistogramProblem> {
  protected:
    void expect_right(HistogramProblem& problem) {
        const Variant<HistogramProblem>& variant = GetParam().variant;
        ASSERT_EQ(why_skipped(variant, problem), "");
        const Verdict verdict = run_and_check(variant, problem, GetParam().block_size);
        EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
        count_combination();
    }
};

TEST_P(Histogram, EqualsReference) {
    const int block_size = GetParam().block_size;
    for (const std::size_t n : tested_lengths(block_size)) {
        for (const Input& input : inputs(n)) {
            SCOPED_TRACE(input.name + ", n = " + std::to_string(n));
            HistogramProblem problem(input.bytes);
            expect_right(problem);
        }
    }
}

// Any number of bins: fewer and more than a block has threads; and bytes that have no bin.
TEST_P(Histogram, TakesAnyNumberOfBins) {
    for (const int bins : {1, 2, 26, 31, 32, 33, 99, 100, 101, 127, 128, 129, 255, 256}) {
        for (const std::size_t n : {0, 33, 20011}) {
            SCOPED_TRACE(std::to_string(bins) + " bins, n = " + std::to_string(n));
            HistogramProblem problem(contended_bytes(n, 0, n), bins);
            expect_right(problem);
        }
    }
}

// Any alignment: the bytes begin 0 to 15 behind a 16-byte boundary and end anywhere.
TEST_P(Histogram, TakesAnyAlignment) {
    for (std::size_t shift = 0; shift < 16; ++shift) {
        for (const std::size_t n : {1, 2, 14, 15, 16, 17, 30, 31, 32, 47, 1009, 20011}) {
            SCOPED_TRACE("shift " + std::to_string(shift) + ", n = " + std::to_string(n));
            HistogramProblem problem(contended_bytes(n, 0, n), byte_values, "", shift);
            expect_right(problem);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Right, Histogram, testing::ValuesIn(right_cases(histogram_variants())),
                         case_name<HistogramProblem>);

// --- the wrong ones

using WrongHistogram = VariantTest<HistogramProblem>;

TEST_P(WrongHistogram, FailsTheCheck) {
    HistogramProblem problem(contended_bytes(1009, 0, 1));
    ASSERT_EQ(why_skipped(GetParam().variant, problem), "");
    const Verdict verdict = run_and_check(GetParam().variant, problem, GetParam().block_size);
    EXPECT_EQ(verdict.outcome, Outcome::wrong) << verdict.detail;
}
INSTANTIATE_TEST_SUITE_P(Wrong, WrongHistogram,
                         testing::ValuesIn(cases_of_kind(histogram_variants(), Kind::wrong_result,
                                                         128)),
                         case_name<HistogramProblem>);

class HistogramOnDevice : public DeviceTest {};

// Only the assumption of the book's kernel is wrong: in blocks of 256 it counts right.
TEST_F(HistogramOnDevice, Fixed256IsRightInBlocksOf256) {
    HistogramProblem problem(contended_bytes(1009, 0, 1));
    problem.poison();
    launch_fixed_256(problem.d_bytes(), problem.n(), byte_values, problem.d_bins(), 256, 3);
    EXPECT_TRUE(problem.check(0).holds());
}

// --- what the sources get wrong

// Totals have 64 bits, also where a block's counters have 32: counting goes on from totals near
// 2^32, 2^33 and 2^63.
TEST_F(HistogramOnDevice, TotalsGoBeyond32Bits) {
    HistogramProblem problem(contended_bytes(100003, 0.5, 1));
    for (const int shift : {31, 32, 33, 63}) {
        const BinCount start = (BinCount{1} << shift) - 5;
        std::vector<BinCount> expected = problem.reference();
        for (BinCount& count : expected) {
            count += start;
        }
        ASSERT_GT(expected[popular_value], BinCount{1} << shift);
        const auto expect_counted = [&](const char* name, auto launch) {
            const std::vector<BinCount> h_start(byte_values, start);
            CHECK(cudaMemcpy(problem.d_bins(), h_start.data(), sizeof(BinCount) * byte_values,
                             cudaMemcpyHostToDevice));
            launch();
            CHECK_LAUNCH();
            EXPECT_EQ(problem.result(), expected) << name << ", totals near 2^" << shift;
            count_combination();
        };
        const unsigned char* const d_bytes = problem.d_bytes();
        const std::size_t n = problem.n();
        BinCount* const d_bins = problem.d_bins();
        const std::size_t one_copy = byte_values * sizeof(unsigned);
        expect_counted("global",
                       [&] { histogram_global<<<7, 128>>>(d_bytes, n, byte_values, d_bins); });
        expect_counted("shared", [&] {
            histogram_shared<<<7, 128, one_copy>>>(d_bytes, n, byte_values, d_bins);
        });
        expect_counted("warp_aggregated", [&] {
            histogram_warp_aggregated<<<7, 128, one_copy>>>(d_bytes, n, byte_values, d_bins);
        });
        expect_counted("private_copies", [&] {
            histogram_private_copies<<<7, 128, 4 * one_copy>>>(d_bytes, n, byte_values, d_bins);
        });
        expect_counted("vectorized", [&] {
            histogram_vectorized<<<7, 128, 4 * one_copy>>>(d_bytes, n, byte_values, d_bins);
        });
        expect_counted("bank_per_lane", [&] {
            histogram_bank_per_lane<<<7, 128>>>(d_bytes, n, byte_values, d_bins);
        });
    }
}

// A long array in one piece. On a GPU longer than an int counts, and half of it one value. (The CPU
// device takes a shorter one for patience.)
TEST_F(HistogramOnDevice, CountsALongArray) {
    const std::size_t n =
        common::on_cpu_device ? (std::size_t{1} << 20) + 4097 : (std::size_t{1} << 31) + 4097;
    const std::size_t half = n / 2;
    std::vector<unsigned char> h_bytes(n, 200);
    std::fill_n(h_bytes.begin(), half, 7);
    HistogramProblem problem(std::move(h_bytes));
    ASSERT_EQ(problem.reference()[7], half);
    for (const auto& variant : right_variants()) {
        SCOPED_TRACE(variant.name);
        EXPECT_TRUE(run_and_check(variant, problem).holds());
        count_combination();
    }
}

// A block's counters have 32 bits. Where the grid asked for would give a block too many bytes, more
// blocks are launched.
TEST(BlocksForCounters, ShareStaysBelowTheLimit) {
    EXPECT_EQ(blocks_for_counters(0, 1), 1);
    EXPECT_EQ(blocks_for_counters(max_bytes_per_block, 1), 1);
    EXPECT_EQ(blocks_for_counters(max_bytes_per_block + 1, 1), 2);
    EXPECT_EQ(blocks_for_counters(std::size_t{1} << 36, 5), 32);
    EXPECT_EQ(blocks_for_counters(std::size_t{1} << 36, 1000), 1000);
    // The average share and one round of loads above it fit into 32 bits.
    EXPECT_LT(max_bytes_per_block + 1024 * 16 + 30, std::size_t{1} << 32);
}

// A block of any number of threads: one thread, and sizes that are no power of two.
TEST_F(HistogramOnDevice, TakesOddBlockSizes) {
    const Bytes bytes = contended_bytes(4099, 0.2, 1);
    for (const auto& variant : own_variants()) {
        for (const int block_size : {1, 2, 7, 31, 33, 63, 257, 1000, 1023}) {
            SCOPED_TRACE(variant.name + " with blocks of " + std::to_string(block_size));
            HistogramProblem problem(bytes);
            EXPECT_TRUE(run_and_check(variant, problem, block_size).holds());
            count_combination();
        }
    }
}

// Any number of blocks, also more than there are bytes.
TEST_F(HistogramOnDevice, TakesAnyGridSize) {
    for (const auto& variant : own_variants()) {
        for (const std::size_t n : {0, 1, 100, 20011}) {
            for (const int grid_size : {1, 2, 7, 100, 1000}) {
                SCOPED_TRACE(variant.name + ", " + std::to_string(grid_size) +
                             " blocks, n = " + std::to_string(n));
                HistogramProblem problem(contended_bytes(n, 0, 1));
                problem.grid_size = grid_size;
                EXPECT_TRUE(run_and_check(variant, problem, 64).holds());
                EXPECT_EQ(problem.launched, grid_size);
                count_combination();
            }
        }
    }
}

TEST_F(HistogramOnDevice, BinsOutsideOf1To256AreRefused) {
    EXPECT_THROW(HistogramProblem({}, 0), std::invalid_argument);
    EXPECT_THROW(HistogramProblem({}, 257), std::invalid_argument);
    EXPECT_THROW(HistogramProblem({}, -1), std::invalid_argument);
}

TEST(HistogramTable, NamesFilesThatAreThere) {
    expect_sources_exist("histogram", histogram_variants());
}

// The lecture's sentence, with the counts put right: it has E once and G once.
const std::string sentence = "Programming Massively Parallel Processors";
const std::array<BinCount, letters> sentence_letters = {4, 0, 1, 0, 3, 0, 2, 0, 2, 0, 0, 4, 3,
                                                        1, 3, 3, 0, 5, 5, 0, 0, 1, 0, 0, 1, 0};

TEST_F(HistogramOnDevice, CountsTheLecturesLetters) {
    for (const auto& variant : right_variants()) {
        SCOPED_TRACE(variant.name);
        HistogramProblem problem(Bytes(sentence.begin(), sentence.end()), bins_for_letters);
        ASSERT_TRUE(run_and_check(variant, problem).holds());
        EXPECT_EQ(letter_counts(problem.result()), sentence_letters);
    }
}

// The sweep runs each variant at each grid size, and finds a wrong one.
TEST_F(HistogramOnDevice, SweepShowsEachVariantAtEachGridSize) {
    HistogramProblem problem(contended_bytes(1009, 0, 1));
    const std::size_t sizes = swept_grid_sizes(multiprocessor_count()).size();
    const Sweep sweep = sweep_blocks(right_variants(), problem, {});
    EXPECT_TRUE(sweep.holds);
    EXPECT_EQ(problem.grid_size, 0) << "the sweep must leave the choice as it was";
    // {"block_size": 256, "grid_sizes": [1, 2], "ms": {"global": [0.1, 0.2]}}
    const std::string text = sweep.json.text();
    const auto count = [&text](char c) {
        return static_cast<std::size_t>(std::count(text.begin(), text.end(), c));
    };
    EXPECT_EQ(count('['), 1 + own_variants().size()) << text;
    EXPECT_EQ(count(','), count('[') * sizes) << text;  // between the elements and behind the lists
    for (const auto& variant : own_variants()) {
        EXPECT_NE(text.find('"' + variant.name + "\": ["), std::string::npos) << text;
    }
    const Variant<HistogramProblem> planted{"planted", "", Kind::right,
                                            [](HistogramProblem& p) { p.poison(); }};
    EXPECT_FALSE(sweep_blocks({planted}, problem, {}).holds);
    EXPECT_FALSE(sweep_blocks({planted, right_variants().front()}, problem, {}).holds)
        << "a right variant after it makes up for nothing";
}
TEST(SweptGridSizes, AreInOrderAndReachFromOneBlockToMany) {
    std::vector<int> of_one{1, 2, 4, 8, 16, 32};
    std::vector<int> of_many{1, 16, 33, 66, 132, 264, 528, 1056, 2112, 4224};
    if (!on_cpu_device) {
        for (std::vector<int>* sizes : {&of_one, &of_many}) {
            sizes->insert(sizes->end(), {7960, 15920, 31840});
        }
    }
    EXPECT_EQ(swept_grid_sizes(1), of_one);
    EXPECT_EQ(swept_grid_sizes(132), of_many);
}

// --- the reference and the inputs

TEST(HistogramCpu, CountsWhatIsThere) {
    EXPECT_EQ(histogram_cpu({}, 3), (std::vector<BinCount>{0, 0, 0}));
    EXPECT_EQ(histogram_cpu({2, 0, 2, 255, 3, 2}, 4), (std::vector<BinCount>{1, 0, 3, 1}));
    EXPECT_EQ(histogram_cpu({2, 0, 2, 255, 3, 2}, 3), (std::vector<BinCount>{1, 0, 3}))
        << "a byte without a bin is not counted";
    const std::vector<BinCount> all = histogram_cpu({0, 127, 128, 255, 255}, byte_values);
    EXPECT_EQ(all[127], 1u);
    EXPECT_EQ(all[128], 1u);
    EXPECT_EQ(all[255], 2u);
    EXPECT_EQ(std::accumulate(all.begin(), all.end(), BinCount{0}), 5u);
}

TEST(HistogramCpu, CountsTheLecturesLetters) {
    const Bytes bytes(sentence.begin(), sentence.end());
    EXPECT_EQ(letter_counts(histogram_cpu(bytes, bins_for_letters)), sentence_letters);
}

TEST(HistogramCpu, PrintsLettersAsBars) {
    std::ostringstream out;
    std::array<BinCount, letters> counts{};
    counts[0] = 1000;
    counts[1] = 500;
    counts[25] = 1;
    print_letters(out, counts);
    const std::string text = out.str();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + letters);
    EXPECT_NE(text.find("A         1000  66.62 %  " + std::string(50, '#') + "\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("B          500  33.31 %  " + std::string(25, '#') + "\n"),
              std::string::npos);
    EXPECT_NE(text.find("C            0   0.00 %\n"), std::string::npos);
    EXPECT_NE(text.find("Z            1   0.07 %  #\n"), std::string::npos);
    print_letters(out, {});  // no letters at all: no division by zero
    EXPECT_EQ(out.str().find("nan"), std::string::npos);
}

TEST(HistogramContent, ContentionGoesFromUniformToEqual) {
    constexpr std::size_t n = 256 * 1000;
    const std::vector<BinCount> uniform = histogram_cpu(contended_bytes(n, 0, 1), byte_values);
    for (const BinCount count : uniform) {
        EXPECT_NEAR(static_cast<double>(count), 1000, 200);  // six standard deviations
    }
    const std::vector<BinCount> half = histogram_cpu(contended_bytes(n, 0.5, 1), byte_values);
    EXPECT_NEAR(static_cast<double>(half[popular_value]), n / 2 + 500, 2000);
    EXPECT_EQ(contended_bytes(n, 1, 1), equal_bytes(n));
}

TEST(HistogramContent, FollowsItsSeed) {
    EXPECT_EQ(contended_bytes(1000, 0, 1), contended_bytes(1000, 0, 1));
    EXPECT_NE(contended_bytes(1000, 0, 1), contended_bytes(1000, 0, 2));
    EXPECT_EQ(text_bytes(1000, 1), text_bytes(1000, 1));
    EXPECT_NE(text_bytes(1000, 1), text_bytes(1000, 2));
    // A shorter one is the beginning of a longer one.
    const Bytes longer = text_bytes(1000, 1);
    EXPECT_EQ(text_bytes(333, 1), Bytes(longer.begin(), longer.begin() + 333));
}

TEST(HistogramContent, TextHasTheFrequenciesOfEnglish) {
    constexpr std::size_t n = 1000000;
    const std::vector<BinCount> counts = histogram_cpu(text_bytes(n, 1), byte_values);
    EXPECT_EQ(std::max_element(counts.begin(), counts.end()) - counts.begin(), ' ');
    const std::array<BinCount, letters> of_letter = letter_counts(counts);
    const auto total =
        static_cast<double>(std::accumulate(of_letter.begin(), of_letter.end(), BinCount{0}));
    for (int i = 0; i < letters; ++i) {
        const double percent = 100.0 * static_cast<double>(of_letter[i]) / total;
        EXPECT_NEAR(percent, english_letters[i] / 100.0, 0.25) << static_cast<char>('A' + i);
        EXPECT_GT(of_letter[i], 0u);
    }
    EXPECT_EQ(std::accumulate(counts.begin() + 128, counts.end(), BinCount{0}), 0u) << "not ASCII";
}

TEST(HistogramContent, AlternatingHasTwoValues) {
    EXPECT_EQ(alternating_bytes(5), (Bytes{'e', 't', 'e', 't', 'e'}));
}

}  // namespace
