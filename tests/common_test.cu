// Tests of common/: the harness' own checks with planted wrong answers, and the pieces it stands
// on.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "common/block_reduce.cuh"
#include "common/device.cuh"
#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/shared_memory.cuh"
#include "common/timer.cuh"
#include "cpu_device/pattern.hpp"
#include "harness/check.hpp"
#include "harness/command_line.hpp"
#include "harness/files.hpp"
#include "harness/harness.cuh"
#include "harness/inputs.hpp"
#include "harness/json.hpp"
#include "harness/output_files.hpp"
#include "harness/plain_read.cuh"
#include "tests/device_test.cuh"

using namespace common;
using namespace harness;

namespace {

// --- the harness against planted wrong answers ---------------------------------------------------

__global__ void write_numbers(int* d_out, int n, int first) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        d_out[i] = first + i;
    }
}

// The numbers 0, 1, 2, ... are asked for.
class Numbers : public Problem {
  public:
    explicit Numbers(int count) : n(count), output(static_cast<std::size_t>(count)) {}

    void number_from(int first, int count) {
        write_numbers<<<blocks_to_cover(static_cast<std::size_t>(count), 64), 64>>>(output.data(),
                                                                                    count, first);
        CHECK_LAUNCH();
    }

    std::vector<Span> inputs() const override { return {{output.data(), output.bytes()}}; }
    void poison() override { harness::poison(output); }
    Verdict check(double) override {
        ++checks;
        std::vector<int> expected(static_cast<std::size_t>(n));
        std::iota(expected.begin(), expected.end(), 0);
        return check_equal(output.to_host(), expected, "number");
    }

    bool start_observing() override { return observed; }
    void observe() override { runs_observed.push_back(runs); }

    int n;
    DeviceArray<int> output;
    bool observed = false;
    std::vector<int> runs_observed;
    int runs = 0;
    int checks = 0;
};

const std::vector<Variant<Numbers>>& number_variants() {
    static const std::vector<Variant<Numbers>> variants{
        Variant<Numbers>{"right", "", Kind::right,
                         [](Numbers& p) {
                             ++p.runs;
                             p.number_from(0, p.n);
                         }}
            .with_block(96),
        {"off_by_one", "", Kind::right, [](Numbers& p) { p.number_from(1, p.n); }},
        {"empty", "", Kind::right, [](Numbers&) {}},
        {"last_missing", "", Kind::right, [](Numbers& p) { p.number_from(0, p.n - 1); }},
        // Right the first time, then nothing: what stands there is the last run's right answer.
        {"stale", "", Kind::right,
         [](Numbers& p) {
             if (p.runs++ == 0) {
                 p.number_from(0, p.n);
             }
         }},
        {"wrong_at_first", "", Kind::right,
         [](Numbers& p) { p.number_from(p.runs++ == 0 ? 1 : 0, p.n); }},
        {"announced", "", Kind::wrong_result, [](Numbers& p) { p.number_from(1, p.n); }},
        {"too_new", "", Kind::right, [](Numbers& p) { p.number_from(0, p.n); },
         [](const Numbers&) { return std::string("needs compute capability 99.0"); }},
    };
    return variants;
}

const Variant<Numbers>& number_variant(const std::string& name) {
    for (const Variant<Numbers>& variant : number_variants()) {
        if (variant.name == name) {
            return variant;
        }
    }
    throw std::logic_error("no variant " + name);
}

class Harness : public DeviceTest {
  protected:
    static Report run(const std::vector<std::string>& names, Numbers& problem,
                      const Options& options) {
        std::vector<Variant<Numbers>> variants;
        for (const std::string& name : names) {
            variants.push_back(number_variant(name));
        }
        return run_table(variants, problem, "numbers", "none", options);
    }
    static Report run(const std::string& name) {
        Numbers problem(1000);
        return run({name}, problem, Options{});
    }
};

TEST_F(Harness, RightAnswerHolds) {
    const Report report = run("right");
    EXPECT_TRUE(report.rows.at(0).verdict.holds());
    EXPECT_TRUE(all_hold(report));
    EXPECT_EQ(finish(report, Options{}), 0);
    EXPECT_EQ(harness::detail::cpu_ms(report), 0);  // it has no row of the CPU to compare with
}

TEST_F(Harness, WrongAnswersDoNot) {
    for (const char* name : {"off_by_one", "empty", "last_missing", "stale", "wrong_at_first"}) {
        const Report report = run(name);
        EXPECT_FALSE(report.rows.at(0).verdict.holds()) << name;
        EXPECT_FALSE(all_hold(report)) << name;
        EXPECT_EQ(finish(report, Options{}), 1) << name;
    }
}

// A right variant that ran before leaves the right answer in the output; a variant that writes
// nothing must not live on it.
TEST_F(Harness, AnotherVariantsAnswerDoesNotCount) {
    Numbers problem(1000);
    const Report report = run({"right", "empty"}, problem, Options{});
    EXPECT_TRUE(report.rows.at(0).verdict.holds());
    EXPECT_FALSE(report.rows.at(1).verdict.holds());
}

TEST_F(Harness, AnnouncedWrongLeavesTheStatusAlone) {
    const Report report = run("announced");
    EXPECT_FALSE(report.rows.at(0).verdict.holds());
    EXPECT_EQ(finish(report, Options{}), 0);
}

TEST_F(Harness, UnavailableVariantIsSkippedByName) {
    Numbers problem(10);
    const Report report = run({"too_new"}, problem, Options{});
    EXPECT_EQ(report.rows.at(0).skipped, "needs compute capability 99.0");
    EXPECT_TRUE(report.rows.at(0).samples_ms.empty());
    EXPECT_EQ(problem.checks, 0);
}

TEST_F(Harness, ChecksBeforeAndAfterTheTimedRepeats) {
    Numbers problem(10);
    Options options;
    options.repeats = 7;
    const Report report = run({"right"}, problem, options);
    EXPECT_EQ(problem.checks, 2);
    EXPECT_EQ(report.rows.at(0).samples_ms.size(), 7u);
}

// One run before the first check; one to warm up, and the repeats; as many more to observe; and one
// before the last check.
TEST_F(Harness, ObservesARunOfItsOwnForEachRepeat) {
    Numbers problem(10);
    problem.observed = true;
    Options options;
    options.repeats = 7;
    run({"right"}, problem, options);
    EXPECT_EQ(problem.runs_observed, (std::vector<int>{10, 11, 12, 13, 14, 15, 16}));
    EXPECT_EQ(problem.runs, 17);
}

TEST(Json, TextSaysWhatWasSet) {
    const std::string name = "a \"b\" \\ \n\t \x01 \xc3\x9c \xe2\x82\xac \xf0\x9f\x98\x80";
    const double infinity = std::numeric_limits<double>::infinity();
    Json json;
    json.set("none", Json()).set("yes", true).set("name", name).set("large", 1ull << 62);
    json.set("numbers", std::vector<double>{0.1, -1e-300, 5, infinity}).set("size", -3);
    json.set("nothing", Json::list()).set("inner", Json().set(name, std::vector<int>{1, 2}));
    const std::string name_text = R"("a \"b\" \\ \u000a\u0009 \u0001 )"
                                  "\xc3\x9c \xe2\x82\xac \xf0\x9f\x98\x80\"";
    EXPECT_EQ(json.text(), R"({
  "none": null,
  "yes": true,
  "name": )" + name_text + R"(,
  "large": 4611686018427387904,
  "numbers": [
    0.1,
    -1e-300,
    5,
    null
  ],
  "size": -3,
  "nothing": [],
  "inner": {
    )" + name_text + R"(: [
      1,
      2
    ]
  }
})");
    EXPECT_EQ(Json().set("a", 1).set("b", Json().add(2).add("c")).text(),
              "{\n  \"a\": 1,\n  \"b\": [\n    2,\n    \"c\"\n  ]\n}");
}

// A lone byte of a character, a character in more bytes than it needs, half of a pair of UTF-16, a
// number beyond the last character, and a character that is cut off.
TEST(Json, BytesThatAreNoTextAreReplaced) {
    for (const std::string bad : {"\x80", "\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf",
                                  "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", "\xe2\x82"}) {
        const std::string text = Json("a" + bad + "z").text();
        EXPECT_TRUE(cpu_device::Pattern("\"a(\xef\xbf\xbd)+z\"").is(text)) << text;
    }
}

TEST(FileError, SaysTheReason) {
    try {
        harness::detail::fail("f", "cannot be opened", EPERM);
    } catch (const FileError& error) {
        EXPECT_STREQ(error.what(), "f: cannot be opened: Operation not permitted");
    }
    try {
        harness::detail::fail("f", "is a directory");
    } catch (const FileError& error) {
        EXPECT_STREQ(error.what(), "f: is a directory");
    }
}

using TextList = std::vector<std::string>;

// The values of all members of this name, as JSON has them.
TextList values_in(const std::string& json, const std::string& name) {
    const cpu_device::Pattern member("\"" + name + "\": (\"[^\"]*\"|\\[([^]]|\n)*]|[^,\n]*)");
    TextList values;
    std::size_t at = 0;
    for (auto found = member.find(json, at, &at); !found.empty();
         found = member.find(json, at, &at)) {
        values.push_back(found[1]);
    }
    return values;
}

std::vector<double> numbers_of(const std::string& list) {
    std::istringstream text(list.substr(1));
    std::vector<double> numbers;
    for (double number; text >> number; text.ignore()) {
        numbers.push_back(number);
    }
    return numbers;
}

TEST_F(Harness, JsonHoldsTheTable) {
    Numbers problem(10);
    Options options;
    options.repeats = 5;
    options.json = testing::TempDir() + "harness_test.json";
    options.queued = true;
    const Report report = run({"right", "too_new", "announced"}, problem, options);
    ASSERT_EQ(finish(report, options), 0);
    std::ifstream file(options.json);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_EQ(values_in(text, "program"), TextList{"\"numbers\""});
    EXPECT_EQ(values_in(text, "emulated"), TextList{on_cpu_device ? "true" : "false"});
    EXPECT_EQ(values_in(text, "input_bytes"), TextList{"40"});
    EXPECT_EQ(values_in(text, "queued"), TextList{"true"});
    const TextList medians_ms = values_in(text, "median_ms"), spreads = values_in(text, "spread");
    const TextList samples_ms = values_in(text, "samples_ms");
    ASSERT_EQ(medians_ms.size(), 3u);
    ASSERT_EQ(spreads.size(), 3u);
    ASSERT_EQ(samples_ms.size(), 3u);
    for (std::size_t row = 0; row < 3; ++row) {
        const std::vector<double> samples = numbers_of(samples_ms[row]);
        EXPECT_EQ(samples.size(), row == 1 ? 0u : 5u);
        EXPECT_EQ(std::stod(medians_ms[row]), median(samples));
        EXPECT_EQ(std::stod(spreads[row]), spread(samples));
    }
    EXPECT_EQ(values_in(text, "block_size").at(0), "96");
    EXPECT_EQ(values_in(text, "skipped").at(1), "\"needs compute capability 99.0\"");
    EXPECT_EQ(values_in(text, "holds"), (TextList{"true", "false", "false"}));
    std::filesystem::remove(options.json);
}

// --- verdicts ------------------------------------------------------------------------------------

TEST(Check, EqualArrays) {
    EXPECT_TRUE(check_equal<int>({1, 2, 3}, {1, 2, 3}, "bin").holds());
    EXPECT_TRUE(check_equal<int>({}, {}, "bin").holds());
    EXPECT_FALSE(check_equal<int>({}, {1}, "bin").holds());
    EXPECT_FALSE(check_equal<int>({1, 2}, {1}, "bin").holds());
    const Verdict verdict = check_equal<int>({1, 5, 3}, {1, 2, 3}, "bin");
    EXPECT_FALSE(verdict.holds());
    EXPECT_EQ(verdict.detail, "bin 1 is 5, expected 2 (1 of 3 differ)");
}

TEST(Check, NanPassesOnlyAgainstNan) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(check_within(nan, 1, 1e9).holds());
    EXPECT_FALSE(check_within(nan, 1, infinity).holds());
    EXPECT_FALSE(check_within(nan, infinity, infinity).holds());
    EXPECT_FALSE(check_within(1, nan, infinity).holds());
    EXPECT_FALSE(check_within(infinity, nan, infinity).holds());
    EXPECT_TRUE(check_within(nan, nan, 0).holds());
}

TEST(Check, InfinityPassesOnlyAgainstTheSameOne) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(check_within(infinity, infinity, 0).holds());
    EXPECT_TRUE(check_within(-infinity, -infinity, 0).holds());
    EXPECT_FALSE(check_within(-infinity, infinity, infinity).holds());
    EXPECT_FALSE(check_within(infinity, 1, infinity).holds());
    EXPECT_FALSE(check_within(1, infinity, infinity).holds());
}

TEST(Check, ErrorMustLieWithinTheBound) {
    EXPECT_EQ(check_within(1.5, 1, 0.5).outcome, Outcome::ok);
    EXPECT_EQ(check_within(1.5, 1, 0.49).outcome, Outcome::wrong);
    EXPECT_EQ(check_within(2, 2, 0).outcome, Outcome::ok);
    EXPECT_EQ(check_within(std::nextafter(2.0, 3.0), 2, 0).outcome, Outcome::wrong);
    EXPECT_EQ(check_within(7, 2, std::numeric_limits<double>::infinity()).outcome,
              Outcome::no_bound);
}

TEST(Check, SumsThatMayOverflowHaveNoBound) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(check_sum<float>(infinity, 6e38L, 6e38, 1e30).outcome, Outcome::no_bound);
    EXPECT_EQ(check_sum<float>(infinity, 3e38L, 3e38, 1e30).outcome, Outcome::wrong);
    EXPECT_EQ(check_sum<double>(6e38, 6e38, 6e38, 0).outcome, Outcome::ok);
    constexpr float most = std::numeric_limits<float>::max();
    EXPECT_EQ(check_sum<float>(most, most, most, 0).outcome, Outcome::ok);
}

TEST(Check, RoundingBound) {
    EXPECT_EQ(rounding_bound<float>(0, 100), 0);
    EXPECT_NEAR(rounding_bound<float>(10, 1), 10 * std::ldexp(1.0, -24), 1e-12);
    EXPECT_TRUE(std::isinf(rounding_bound<float>(std::ldexp(1.0, 24), 1)));
    EXPECT_TRUE(std::isinf(rounding_bound<float>(std::ldexp(1.5, 24), 1)));
    EXPECT_FALSE(std::isinf(rounding_bound<double>(1e9, 1)));
}

// Of 2^-127 and 2^-127 both are taken for 0; of 1.5 * 2^-126 and -2^-126, the result is.
TEST(Check, SubnormalBound) {
    EXPECT_EQ(subnormal_bound<float>(1), std::ldexp(1.0, -125));
    EXPECT_EQ(subnormal_bound<float>(1000), 1000 * std::ldexp(1.0, -125));
    EXPECT_EQ(subnormal_bound<float>(0), 0);
}

TEST(Statistics, MedianAndSpread) {
    EXPECT_EQ(median({}), 0);
    EXPECT_EQ(median({3, 1, 2}), 2);
    EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
    EXPECT_EQ(spread({5, 5, 5, 5, 5, 500}), 0);  // one outlier does not count
    EXPECT_DOUBLE_EQ(spread({8, 1, 2, 3, 4, 5, 6, 7}), (6.0 - 3.0) / 2 / 4.5);
}

// --- the command line ----------------------------------------------------------------------------

std::unique_ptr<CommandLine> parsed(std::vector<std::string> arguments) {
    auto line = std::make_unique<CommandLine>("program", "description", "program --n 3", 128);
    line->add_n(100, "Elements");
    line->add_precision();
    line->add_seed();
    arguments.insert(arguments.begin(), "program");
    std::vector<char*> pointers;
    for (std::string& argument : arguments) {
        pointers.push_back(argument.data());
    }
    line->parse(static_cast<int>(pointers.size()), pointers.data());
    return line;
}

TEST(CommandLineTest, SizesTakeDecimalAndBinarySuffixes) {
    EXPECT_EQ(parsed({})->options.n, 100u);
    EXPECT_EQ(parsed({"--n", "100M"})->options.n, 100000000u);
    EXPECT_EQ(parsed({"--n", "100Mi"})->options.n, 104857600u);
    EXPECT_EQ(parsed({"--n", "2G"})->options.n, 2000000000u);
    EXPECT_EQ(parsed({"--n", "0"})->options.n, 0u);
}

TEST(CommandLineTest, QueuedIsAskedFor) {
    EXPECT_FALSE(parsed({})->options.queued);
    EXPECT_TRUE(parsed({"--queued"})->options.queued);
}

TEST(NumbersTest, SizesHaveOneSpelling) {
    EXPECT_EQ(size_number("0"), 0u);
    EXPECT_EQ(size_number("7K"), 7000u);
    EXPECT_EQ(size_number("7Ki"), 7168u);
    EXPECT_EQ(size_number("3Mi"), 3u << 20);
    EXPECT_EQ(size_number("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(size_number("17179869183Gi"), 17179869183u * (std::uint64_t{1} << 30));
    for (const char* text : {"",
                             "K",
                             "Ki",
                             "i",
                             "5i",
                             "5k",
                             "5KB",
                             "5KK",
                             "5Kii",
                             "010",
                             "00",
                             "-5",
                             "+5",
                             " 5",
                             "5 ",
                             "5 K",
                             "0x10",
                             "0b11",
                             "1_000",
                             "1e6",
                             "1.5M",
                             "-18446744073709551615",
                             "18446744073709551616",
                             "18446744073709552K",
                             "17179869184Gi",
                             "nan"}) {
        EXPECT_FALSE(size_number(text)) << text;
    }
}

TEST(NumbersTest, TooSmallIsZeroAndTooLargeIsAnError) {
    float value = 1;
    EXPECT_EQ(read_number("1e-50", value), Parsed::ok);
    EXPECT_EQ(value, 0);
    EXPECT_EQ(read_number("-1e-40", value), Parsed::ok);
    EXPECT_EQ(value, -1e-40F);
    EXPECT_EQ(read_number("1e50", value), Parsed::out_of_range);
    EXPECT_EQ(read_number("1e-50x", value), Parsed::no_number);
    double wide = 1;
    EXPECT_EQ(read_number("1e-400", wide), Parsed::ok);
    EXPECT_EQ(wide, 0);
    EXPECT_EQ(read_number("-1e400", wide), Parsed::out_of_range);
    unsigned whole = 1;
    EXPECT_EQ(read_number("4294967296", whole), Parsed::out_of_range);
    EXPECT_EQ(read_number("-1", whole), Parsed::no_number);
}

TEST(MessagesTest, WhatATerminalDoesNotShowIsWrittenOut) {
    EXPECT_EQ(in_quotes(std::string("1\0"
                                    "2",
                                    3)),
              "'1\\x002'");
    EXPECT_EQ(in_quotes("\x1b[2J\x7f\r\n\t"), "'\\x1B[2J\\x7F\\r\\n\\t'");
    EXPECT_EQ(visible("Gr\xc3\xb6\xc3\x9f"
                      "e \xe2\x82\xac \xf0\x9f\x98\x80"),
              "Gr\xc3\xb6\xc3\x9f"
              "e \xe2\x82\xac \xf0\x9f\x98\x80");
    EXPECT_EQ(visible("\xff \xc3 \xc2\x9b \xe2\x80\xae \xed\xa0\x80 \xc0\xaf"),
              "\\xFF \\xC3 \\xC2\\x9B \\xE2\\x80\\xAE \\xED\\xA0\\x80 \\xC0\\xAF");
    EXPECT_EQ(visible(std::string(1000, 'a'), 10), "aaaaaaaaaa...");
    EXPECT_LE(in_quotes(std::string(1000, '\1')).size(), 80u);
}

TEST(CommandLineDeathTest, AValueOutOfTheRangeIsNoDefault) {
    const auto print_help = [] {
        ::dup2(STDERR_FILENO, STDOUT_FILENO);
        int inside = 3, below = 0, above = 9;
        Arguments arguments("program", "Does something.", "program");
        arguments.add_number("--a", inside, "N", "first", 1, 8);
        arguments.add_number("--b", below, "N", "second", 1, 8);
        arguments.add_number("--c", above, "N", "third", 1, 8);
        const char* const words[] = {"program", "--help"};
        arguments.parse(2, words);
    };
    EXPECT_EXIT(print_help(), testing::ExitedWithCode(0),
                "first \\(default: 3\\)\n.*second\n.*third\n");
}

TEST(CommandLineDeathTest, WrongCommandLinesExitWith2) {
    const auto exits_with_2 = testing::ExitedWithCode(exit_wrong_command_line);
    EXPECT_EXIT(parsed({"--n", "-5"}), exits_with_2, "--n");
    EXPECT_EXIT(parsed({"--n", "ten"}), exits_with_2, "--n");
    EXPECT_EXIT(parsed({"--n", "99999999999999999999"}), exits_with_2, "--n");
    EXPECT_EXIT(parsed({"--block", "0"}), exits_with_2, "--block");
    EXPECT_EXIT(parsed({"--block", "1025"}), exits_with_2, "--block");
    EXPECT_EXIT(parsed({"--repeats", "0"}), exits_with_2, "--repeats");
    EXPECT_EXIT(parsed({"--precision", "half"}), exits_with_2, "--precision");
    EXPECT_EXIT(parsed({"--seed", "-1"}), exits_with_2, "--seed");
    EXPECT_EXIT(parsed({"--wrong"}), exits_with_2, "--wrong");
    EXPECT_EXIT(parsed({"--help"}), testing::ExitedWithCode(0), "");
    EXPECT_EXIT(select(number_variants(), *parsed({"--variant", "nonsense"})), exits_with_2,
                "there is no variant 'nonsense'; expected one of right, off_by_one");
}

TEST(CommandLineTest, WrongVariantsRunOnlyWhenAskedFor) {
    std::vector<std::string> names;
    for (const auto& variant : select(number_variants(), *parsed({}))) {
        names.push_back(variant.name);
    }
    EXPECT_EQ(names, (std::vector<std::string>{"right", "off_by_one", "empty", "last_missing",
                                               "stale", "wrong_at_first", "too_new"}));
    const auto asked = select(number_variants(), *parsed({"--variant", "announced"}));
    ASSERT_EQ(asked.size(), 1u);
    EXPECT_EQ(asked[0].name, "announced");
}

// --- files ---------------------------------------------------------------------------------------

class Files : public testing::Test {
  protected:
    // The child of a death test is a new process. It works in its parent's directory, where the
    // parent then looks.
    void SetUp() override {
        if (const char* const parents = std::getenv(variable)) {
            directory_ = parents;
            return;
        }
        directory_ = std::filesystem::path(testing::TempDir()) /
                     ("files_test_" + std::to_string(::getpid()));
        std::filesystem::create_directory(directory_);
        ::setenv(variable, directory_.c_str(), 1);
    }
    void TearDown() override {
        ::unsetenv(variable);
        std::filesystem::remove_all(directory_);
    }

    std::string path(const std::string& name) const { return directory_ / name; }
    std::string with_text(const std::string& text) const {
        std::ofstream(path("input.txt"), std::ios::binary) << text;
        return path("input.txt");
    }
    std::size_t count_files() const {
        const std::filesystem::directory_iterator first(directory_);
        return static_cast<std::size_t>(std::distance(first, {}));
    }
    static std::string text_of(const std::string& file) {
        const auto bytes = read_bytes(file);
        return {bytes.begin(), bytes.end()};
    }
    // The message of the error that reading this text as two columns gives.
    std::string error_of(const std::string& text) const {
        try {
            read_columns<double>(with_text(text), 2);
        } catch (const FileError& error) {
            return error.what();
        }
        return "no error";
    }

  private:
    static constexpr const char* variable = "FILES_TEST_DIRECTORY";
    std::filesystem::path directory_;
};

TEST_F(Files, ReadsColumns) {
    EXPECT_EQ(read_columns<double>(with_text("1 2\n\n  3.5\t-4e1 \r\n+5 6"), 2),
              (std::vector<double>{1, 2, 3.5, -40, 5, 6}));
    EXPECT_EQ(read_columns<unsigned>(with_text("4294967295\n0\n"), 1),
              (std::vector<unsigned>{4294967295u, 0u}));
    EXPECT_TRUE(read_columns<float>(with_text(""), 2).empty());
}

TEST_F(Files, BadTextIsRefusedByFileAndLine) {
    const std::string place = path("input.txt");
    EXPECT_EQ(error_of("1 2\n3\n"), place + ":2: 1 number; expected 2 numbers per line");
    EXPECT_EQ(error_of("1 2 3\n"), place + ":1: 3 numbers; expected 2 numbers per line");
    EXPECT_EQ(
        error_of("1 2\n\n3 four\n"),
        place + ":3: 'four' is not a number of the expected kind; expected 2 numbers per line");
    EXPECT_EQ(error_of("1 2x\n"),
              place + ":1: '2x' is not a number of the expected kind; expected 2 numbers per line");
    EXPECT_EQ(error_of("1 1e999\n"),
              place + ":1: '1e999' is out of range; expected 2 numbers per line");
    EXPECT_THROW(read_columns<unsigned>(with_text("-1\n"), 1), FileError);
    EXPECT_THROW(read_columns<unsigned>(with_text("4294967296\n"), 1), FileError);
    EXPECT_THROW(read_columns<double>(path("missing.txt"), 2), FileError);
    EXPECT_THROW(read_bytes(path("")), FileError);
}

TEST_F(Files, AFailedWriteLeavesTheOldFile) {
    write_file(path("out.txt"), [](std::ostream& out) { out << "old"; });
    EXPECT_EQ(text_of(path("out.txt")), "old");
    EXPECT_THROW(write_file(path("out.txt"),
                            [](std::ostream& out) {
                                out << "half of the n";
                                throw FileError("no more");
                            }),
                 FileError);
    EXPECT_EQ(text_of(path("out.txt")), "old");
    write_file(path("out.txt"), [](std::ostream& out) { out << "new"; });
    EXPECT_EQ(text_of(path("out.txt")), "new");
    EXPECT_THROW(write_file(path("missing/out.txt"), [](std::ostream&) {}), FileError);
    EXPECT_EQ(count_files(), 1u) << "a temporary file was left behind";
}

// Whatever ends the program while a file is written: the old one stays, and nothing else.
TEST_F(Files, AnEndWhileWritingLeavesTheOldFile) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto write_and = [&](const std::function<void()>& end) {
        harness::write_file(path("out.txt"), [&](std::ostream& out) {
            out << "half" << std::flush;
            end();
        });
    };
    harness::write_file(path("out.txt"), [](std::ostream& out) { out << "old"; });
    for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ}) {
        std::signal(signal, SIG_DFL);  // nohup, a shell's & or a parsed command line ignores it
        EXPECT_EXIT(write_and([&] { std::raise(signal); }), testing::KilledBySignal(signal), "");
        EXPECT_EQ(text_of(path("out.txt")), "old") << "signal " << signal;
        EXPECT_EQ(count_files(), 1u) << "signal " << signal;
    }
    EXPECT_EXIT(write_and([] { std::abort(); }), testing::KilledBySignal(SIGABRT), "");
    EXPECT_EXIT(write_and([] { std::exit(3); }), testing::ExitedWithCode(3), "");
    EXPECT_EXIT(write_and([] { std::quick_exit(4); }), testing::ExitedWithCode(4), "");
    // Memory is short where nothing catches that.
    const auto want_memory = [] { throw OutOfHostMemory(5); };
    EXPECT_EXIT(write_and([&]() noexcept { want_memory(); }), testing::ExitedWithCode(1),
                "error: not enough memory on the host: 5 bytes were wanted");
    EXPECT_EXIT(write_and([] { CHECK(cudaErrorInvalidValue); }), testing::ExitedWithCode(1), "");
    EXPECT_EQ(text_of(path("out.txt")), "old");
    EXPECT_EQ(count_files(), 1u);
}

// A program that ignores SIGHUP, as nohup has it do, is not ended by it.
TEST_F(Files, AnIgnoredSignalStaysIgnored) {
    const auto before = std::signal(SIGHUP, SIG_IGN);
    harness::write_file(path("out.txt"), [](std::ostream& out) {
        std::raise(SIGHUP);
        out << "new";
    });
    EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
    EXPECT_EQ(text_of(path("out.txt")), "new");
}

TEST_F(Files, AReplacedFileKeepsItsModeAndItsLink) {
    namespace fs = std::filesystem;
    const auto write_new = [](std::ostream& out) { out << "new"; };
    std::ofstream(path("out.txt")) << "old";
    fs::permissions(path("out.txt"), fs::perms(0640));
    fs::create_symlink("out.txt", path("link"));
    harness::write_file(path("link"), write_new);
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(text_of(path("out.txt")), "new");
    EXPECT_EQ(fs::status(path("out.txt")).permissions(), fs::perms(0640));

    std::ofstream(path("out.txt")) << "old";
    fs::create_hard_link(path("out.txt"), path("other"));
    harness::write_file(path("out.txt"), write_new);
    EXPECT_EQ(text_of(path("out.txt")), "new");
    EXPECT_EQ(text_of(path("other")), "old");

    fs::permissions(path("out.txt"), fs::perms(0444));
    EXPECT_THROW(harness::write_file(path("out.txt"), write_new), FileError);
    EXPECT_EQ(count_files(), 3u);
}

TEST_F(Files, TheSameFileByAnotherName) {
    namespace fs = std::filesystem;
    fs::create_directory(path("folder"));
    EXPECT_TRUE(same_file(path("new"), path("folder/../new")));
    EXPECT_FALSE(same_file(path("new"), path("folder/new")));
    std::ofstream(path("file")) << "text";
    fs::create_symlink("file", path("link"));
    fs::create_symlink("new", path("link_to_new"));
    fs::create_hard_link(path("file"), path("hard_link"));
    EXPECT_TRUE(same_file(path("file"), path("link")));
    EXPECT_TRUE(same_file(path("file"), path("hard_link")));
    EXPECT_TRUE(same_file(path("link_to_new"), path("new")));
    EXPECT_FALSE(same_file(path("file"), path("new")));
    EXPECT_FALSE(same_file("/dev/null", "/dev/null")) << "a device loses nothing";
}

// --- inputs --------------------------------------------------------------------------------------

TEST(Inputs, AreTheSameEverywhere) {
    Generator generator(1);
    const double first = uniform(generator);
    EXPECT_EQ(first, static_cast<double>(2469588189546311528u >> 11) * 0x1.0p-53);
    EXPECT_EQ(random_reals<double>(3, 7), random_reals<double>(3, 7));
    EXPECT_NE(random_reals<double>(3, 7), random_reals<double>(3, 8));
}

TEST(Inputs, LieInTheirRange) {
    std::vector<int> seen(7);
    for (const float value : random_integers<float>(1000, 3, 1)) {
        ASSERT_EQ(value, std::floor(value));
        ASSERT_LE(std::fabs(value), 3);
        ++seen[static_cast<std::size_t>(value + 3)];
    }
    for (const int count : seen) {
        EXPECT_GT(count, 80);  // 143 expected of each
    }
    for (const double value : random_reals<double>(1000, 1)) {
        ASSERT_GE(value, -1);
        ASSERT_LT(value, 1);
    }
}

// --- errors --------------------------------------------------------------------------------------

class ErrorDeathTest : public DeviceTest {};

TEST_F(ErrorDeathTest, CheckNamesThePlaceTheCallAndTheError) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    void* d_data = nullptr;
    EXPECT_EXIT(CHECK(cudaMalloc(&d_data, std::size_t{1} << 60)), testing::ExitedWithCode(1),
                "common_test.cu:[0-9]+: cudaMalloc.*cudaErrorMemoryAllocation: out of memory\n"
                "    1152921504606846976 bytes were wanted; [0-9]+ of the device's [0-9]+ bytes");
}

#ifndef __SANITIZE_ADDRESS__  // which ends the program itself
TEST(MemoryDeathTest, LackOfHostMemorySaysHowMuchWasWanted) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    const auto want_too_much = [] {
        const std::vector<char> much(std::size_t{1} << 50);
        return static_cast<int>(much[much.size() / 2]);
    };
    const std::string words = "error: not enough memory on the host.*1125899906842624 bytes";
    EXPECT_EXIT(std::exit(run_main(want_too_much)), testing::ExitedWithCode(1), words);
    EXPECT_EXIT([&]() noexcept { want_too_much(); }(), testing::ExitedWithCode(1), words);
}
#endif

void launch_a_block_of_2048() {
    write_numbers<<<1, 2048>>>(nullptr, 0, 0);
    CHECK_LAUNCH();
}

TEST_F(ErrorDeathTest, ALaunchThatIsRefusedIsReported) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    EXPECT_EXIT(launch_a_block_of_2048(), testing::ExitedWithCode(1),
                "common_test.cu:[0-9]+: kernel launch.*cudaError");
}

// --- device code ---------------------------------------------------------------------------------

class DeviceCode : public DeviceTest {};

TEST_F(DeviceCode, DeviceArrayCopiesAndMoves) {
    DeviceArray<int> first(std::vector<int>{1, 2, 3});
    const int* data = first.data();
    DeviceArray<int> second(std::move(first));
    EXPECT_EQ(second.data(), data);
    EXPECT_EQ(second.to_host(), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(DeviceArray<int>().to_host(), std::vector<int>{});
    second.fill_bytes(0);
    EXPECT_EQ(second.to_host(), (std::vector<int>{0, 0, 0}));
}

template <typename T>
__global__ void sum_twice(const T* d_x, T* d_sums) {
    const T first = block_sum(d_x[threadIdx.x]);
    const T second = block_sum(2 * d_x[threadIdx.x]);  // at once: the first must have finished
    if (threadIdx.x == 0) {
        d_sums[0] = first;
        d_sums[1] = second;
    }
}

TEST_F(DeviceCode, BlockSumAtEveryBlockSize) {
    const std::vector<int> h_x = random_integers<int>(1024, 1000, 1);
    const DeviceArray<int> d_x(h_x);
    DeviceArray<int> d_sums(2);
    for (int block_size = 1; block_size <= 1024; ++block_size) {
        harness::poison(d_sums);
        sum_twice<<<1, block_size>>>(d_x.data(), d_sums.data());
        CHECK_LAUNCH();
        const int expected = std::accumulate(h_x.begin(), h_x.begin() + block_size, 0);
        ASSERT_EQ(d_sums.to_host(), (std::vector<int>{expected, 2 * expected})) << block_size;
    }
}

// Two types in one file: what a plain `extern __shared__ T s[]` does not allow.
template <typename T>
__global__ void reverse(T* d_values) {
    T* s_values = dynamic_shared<T>();
    s_values[threadIdx.x] = d_values[threadIdx.x];
    __syncthreads();
    d_values[threadIdx.x] = s_values[blockDim.x - 1 - threadIdx.x];
}

template <typename T>
void expect_reversed() {
    const DeviceArray<T> d_values(std::vector<T>{1, 2, 3, 4, 5});
    reverse<<<1, 5, 5 * sizeof(T)>>>(d_values.data());
    CHECK_LAUNCH();
    EXPECT_EQ(d_values.to_host(), (std::vector<T>{5, 4, 3, 2, 1}));
}

TEST_F(DeviceCode, DynamicSharedMemoryOfTwoTypes) {
    expect_reversed<double>();
    expect_reversed<short>();
}

// The yardstick must read every 16-byte word of every array: a value planted anywhere must be
// noticed.
TEST_F(DeviceCode, PlainReadReadsEverything) {
    for (const std::vector<std::size_t>& sizes :
         {std::vector<std::size_t>{100000}, {1, 70001}, {70001, 100000}})
        for (std::size_t array = 0; array < sizes.size(); ++array) {
            for (const std::size_t place : {std::size_t{0}, sizes[array] / 2, sizes[array] - 1}) {
                std::vector<DeviceArray<uint4>> arrays;
                std::vector<ByteSpan> spans;
                for (std::size_t i = 0; i < sizes.size(); ++i) {
                    std::vector<uint4> h_words(sizes[i], uint4{0, 0, 0, 0});
                    h_words[i == array ? place : 0].z = i == array ? 0x9e3779b9u : 0;
                    arrays.emplace_back(h_words);
                    spans.push_back({arrays.back().data(), arrays.back().bytes()});
                }
                const DeviceArray<unsigned> d_sink(std::vector<unsigned>{0});
                plain_read(spans, d_sink.data());
                EXPECT_EQ(d_sink.to_host()[0], 0x9e3779b9u) << "array " << array << ", " << place;
            }
        }
    EXPECT_THROW(plain_read({}, nullptr), std::invalid_argument);
    EXPECT_THROW(plain_read(std::vector<ByteSpan>(3), nullptr), std::invalid_argument);
}

TEST_F(DeviceCode, BlocksToCover) {
    EXPECT_EQ(blocks_to_cover(0, 128), 1);
    EXPECT_EQ(blocks_to_cover(1, 128), 1);
    EXPECT_EQ(blocks_to_cover(128, 128), 1);
    EXPECT_EQ(blocks_to_cover(129, 128), 2);
    EXPECT_EQ(blocks_to_cover(std::size_t{1} << 35, 1024), 1 << 25);
    EXPECT_EQ(blocks_to_cover((std::size_t{1} << 31) - 1, 1), std::numeric_limits<int>::max());
    EXPECT_THROW(blocks_to_cover(std::size_t{1} << 31, 1), std::length_error);
    EXPECT_THROW(blocks_to_cover((std::size_t{1} << 32) + 5, 1), std::length_error);
    const int resident = device_attribute<cudaDevAttrMaxThreadsPerMultiProcessor>();
    EXPECT_EQ(blocks_to_fill_device(std::size_t{1} << 35, 128),
              multiprocessor_count() * (resident / 128));
    EXPECT_GE(blocks_to_fill_device(std::size_t{1} << 35, 1024), multiprocessor_count());
    EXPECT_EQ(blocks_to_fill_device(100, 32), 4);
}

TEST_F(DeviceCode, TimerMeasuresDeviceWork) {
    DeviceArray<int> d_numbers(1 << 20);
    GpuTimer timer;
    timer.start();
    write_numbers<<<(1 << 20) / 256, 256>>>(d_numbers.data(), 1 << 20, 0);
    CHECK_LAUNCH();
    EXPECT_GT(timer.stop_ms(), 0);
}

// Sleeps take as long as they should, or longer on a busy machine.
TEST(CpuTimes, AreInMillisecondsAndOfOneRunEach) {
    CpuTimer timer;
    timer.start();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const double ms = timer.stop_ms();
    EXPECT_GE(ms, 5);
    EXPECT_LT(ms, 500);
    // Timed from one start, the third of them would end after 30 ms at the earliest.
    int runs = 0;
    const std::vector<double> samples_ms = time_repeats_on_cpu(5, [&] {
        ++runs;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    });
    EXPECT_EQ(runs, 6) << "the first one warms up";
    EXPECT_GE(median(samples_ms), 10);
    EXPECT_LT(median(samples_ms), 30);
}

// Long work is called five times, short work more often: a cache may fill over a dozen calls.
TEST(CpuTimes, OfALessonAreTheShortestOfManyCallsOfShortWork) {
    int calls = 0;
    const double long_ms = common::best_cpu_ms([&] {
        ++calls;
        std::this_thread::sleep_for(std::chrono::milliseconds(calls == 3 ? 10 : 40));
    });
    if (!common::host_is_optimized) {
        EXPECT_EQ(calls, 1);
        EXPECT_TRUE(std::isnan(long_ms));
        return;
    }
    EXPECT_EQ(calls, 5);
    EXPECT_LT(long_ms, 40) << "the third call";
    CpuTimer timer;
    timer.start();
    calls = 0;
    common::best_cpu_ms([&] { ++calls; });
    EXPECT_GE(timer.stop_ms(), 20);
    EXPECT_GT(calls, 100);
}

// What the device is given to do before the start does not count: on a GPU 50 microseconds.
TEST_F(DeviceCode, QueuedTimerLeavesTheHeadStartOut) {
    DeviceArray<int> d_numbers(1);
    const std::vector<double> samples_ms = time_repeats(21, Start::queued, [&] {
        write_numbers<<<1, 1>>>(d_numbers.data(), 1, 0);
        CHECK_LAUNCH();
    });
    EXPECT_EQ(samples_ms.size(), 21u);
    EXPECT_GT(median(samples_ms), 0);
    if (!on_cpu_device) {
        EXPECT_LT(median(samples_ms), 0.02);
    }
}

}  // namespace
