// Every variant of atomic_functions: the histories that they leave must be serial.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "atomic_functions/atomic_functions_variants.cuh"
#include "common/files.hpp"
#include "common/inputs.hpp"
#include "tests/device_test.cuh"

namespace {

using WordCase = VariantCase<WordProblem>;

// What the threads bring along, in one test.
std::vector<Operands> tested_operands() {
    std::vector<Operands> all{{Draw::ones, 1, {}}, {Draw::given, 1, {-3, 0, 7.5, 1e9}}};
    for (const std::uint64_t seed : {1, 2}) {
        all.push_back({Draw::small, seed, {}});
        all.push_back({Draw::random, seed, {}});
        all.push_back({Draw::edges, seed, {}});
    }
    return all;
}

std::string text_of(const Operands& operands) {
    constexpr const char* names[] = {"ones", "small", "random", "edges", "given"};
    return std::string(names[static_cast<int>(operands.draw)]) + ", seed " +
           std::to_string(operands.seed);
}

bool counts_by_ones(const std::string& variant) {
    static const std::set<std::string> names{"atomic_add",          "atomic_ref_add",
                                             "mutex_add",           "cas_loop_add",
                                             "warp_aggregated_add", "block_aggregated_add"};
    return names.count(variant) > 0;
}

// Where threads wait for a lock, or try again until nobody was faster, the time grows with the
// square of their number.
std::size_t longest(const std::string& variant) {
    const bool retries = variant == "mutex_add" || variant.find("cas") != std::string::npos;
    return retries ? 4099 : 100003;
}

template <typename Count>
void check_variant(const WordCase& test_case, Count count) {
    const std::string& name = test_case.variant.name;
    for (const std::size_t n : tested_lengths(test_case.block_size)) {
        if (n > longest(name)) {
            continue;
        }
        for (const Operands& operands : tested_operands()) {
            if (operands.draw != Draw::ones && counts_by_ones(name)) {
                continue;
            }
            SCOPED_TRACE(text_of(operands) + ", n = " + std::to_string(n));
            WordProblem problem(n, test_case.block_size, operands);
            const Verdict verdict = run_and_check(test_case.variant, problem);
            EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
            if (counts_by_ones(name)) {
                // Said once more without the checker: n at the end, and on the way each number
                // once.
                EXPECT_EQ(problem.counter().h_words()[0], static_cast<int>(n));
                std::vector<int> olds = problem.counter().h_olds();
                std::sort(olds.begin(), olds.end());
                for (std::size_t i = 0; i < n; ++i) {
                    ASSERT_EQ(olds[i], static_cast<int>(i));
                }
            }
            count();
        }
    }
}

class Tour : public VariantTest<WordProblem> {};
TEST_P(Tour, IsSerial) {
    check_variant(GetParam(), [this] { count_combination(); });
}
INSTANTIATE_TEST_SUITE_P(Variants, Tour, testing::ValuesIn(right_cases(tour_variants())),
                         case_name<WordProblem>);

// --- every function on every type at every scope

std::vector<WordCase> function_cases() {
    std::vector<WordCase> cases;
    for (const FunctionRow& row : function_rows()) {
        cases.push_back({row.variant, 0});
    }
    return cases;
}
std::string function_case_name(const testing::TestParamInfo<WordCase>& info) {
    return info.param.variant.name;
}

class AllFunctions : public VariantTest<WordProblem> {};
TEST_P(AllFunctions, IsSerial) {
    const WordVariant& variant = GetParam().variant;
    const std::string reason = why_unavailable(variant, WordProblem(1, 1, {}));
    if (!reason.empty()) {
        GTEST_SKIP() << variant.name << " " << reason;
    }
    for (const int block_size : tested_block_sizes()) {
        for (const std::size_t n : tested_lengths(block_size)) {
            for (const Operands& operands : tested_operands()) {
                if (n > 4099 || (n > 1024 && operands.seed > 1)) {
                    continue;
                }
                SCOPED_TRACE(text_of(operands) + ", n = " + std::to_string(n) + ", blocks of " +
                             std::to_string(block_size));
                WordProblem problem(n, block_size, operands);
                const Verdict verdict = run_and_check(variant, problem);
                EXPECT_EQ(verdict.outcome, Outcome::ok) << verdict.detail;
                count_combination();
            }
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Functions, AllFunctions, testing::ValuesIn(function_cases()),
                         function_case_name);

// The check of each function's row notices a kernel that does nothing: poisoned words are no
// history. (With no thread there is nothing to notice but the word itself.)
TEST_P(AllFunctions, NoticesThatNothingRan) {
    const WordVariant& variant = GetParam().variant;
    if (!why_unavailable(variant, WordProblem(1, 1, {})).empty()) {
        GTEST_SKIP() << variant.name << " needs compute capability 9.0";
    }
    for (const std::size_t n : {0, 1, 160}) {
        WordProblem problem(n, 16, {Draw::random, 1, {}});
        variant.run(problem);
        problem.poison();
        EXPECT_FALSE(problem.check().holds()) << "n = " << n;
    }
}

class WrongWord : public VariantTest<WordProblem> {};
TEST_P(WrongWord, FailsTheCheck) {
    for (const std::size_t n : {160, 1009}) {
        for (const std::uint64_t seed : {1, 2, 3}) {
            WordProblem problem(n, GetParam().block_size, {Draw::ones, seed, {}});
            const Verdict verdict = run_and_check(GetParam().variant, problem);
            EXPECT_EQ(verdict.outcome, Outcome::wrong) << verdict.detail;
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Wrong, WrongWord,
                         testing::ValuesIn(cases_of_kind(tour_variants(), Kind::wrong_result, 16)),
                         case_name<WordProblem>);

// --- what one thread after another sees, on values chosen by hand

class AtomicFunctions : public DeviceTest {};

// Thread after thread (a launch each) applies Function to one word; `expected` is what stands
// there after each.
template <typename Function, typename T>
void expect_chain(T first, const std::vector<T>& values, const std::vector<T>& compares,
                  const std::vector<T>& expected) {
    DeviceArray<T> word(std::vector<T>{first});
    DeviceArray<T> d_values(values);
    DeviceArray<T> d_compares(compares);
    DeviceArray<T> olds(values.size());
    T before = first;
    for (std::size_t i = 0; i < values.size(); ++i) {
        apply_function<Function, Scope::device>
            <<<1, 1>>>(word.data(), d_values.data() + i, d_compares.data() + i, 1, olds.data() + i);
        CHECK_LAUNCH();
        EXPECT_EQ(as_bits(olds.to_host()[i]), as_bits(before)) << "old value of step " << i;
        EXPECT_EQ(as_bits(word.to_host()[0]), as_bits(expected[i])) << "after step " << i;
        EXPECT_EQ(as_bits(Function::next(before, values[i], compares[i])), as_bits(expected[i]))
            << "the reference's step " << i;
        before = expected[i];
    }
}
template <typename Function, typename T>
void expect_chain(T first, const std::vector<T>& values, const std::vector<T>& expected) {
    expect_chain<Function>(first, values, std::vector<T>(values.size()), expected);
}

// The chapter has Inc go back to 0 where old > value; it does so at old == value already.
TEST_F(AtomicFunctions, IncGoesBackToZeroAtTheValueItself) {
    expect_chain<AtomicInc, unsigned>(5, {5, 5, 5, 0, 0}, {0, 1, 2, 0, 0});
    expect_chain<AtomicInc, unsigned>(0xfffffffe, {0xffffffff, 0xffffffff, 0xffffffff},
                                      {0xffffffff, 0, 1});
    expect_chain<AtomicInc, unsigned>(9, {3}, {0});
    // The function that follows the chapter does otherwise: else the test would show nothing.
    WordProblem problem(160, 16, {});
    run_on_small_operands<IncOffByOne, unsigned>(problem);
    EXPECT_FALSE(problem.check().holds());
}

TEST_F(AtomicFunctions, DecGoesToTheValueBelowZeroAndFromAbove) {
    expect_chain<AtomicDec, unsigned>(1, {5, 5, 5}, {0, 5, 4});
    expect_chain<AtomicDec, unsigned>(9, {3, 3}, {3, 2});
    expect_chain<AtomicDec, unsigned>(3, {3}, {2});
    expect_chain<AtomicDec, unsigned>(0, {0, 0}, {0, 0});
}

TEST_F(AtomicFunctions, IntegersWrapAround) {
    constexpr int most = std::numeric_limits<int>::max();
    constexpr int least = std::numeric_limits<int>::min();
    expect_chain<AtomicAdd, int>(most, {1, -1}, {least, most});
    expect_chain<AtomicSub, int>(least, {1}, {most});
    expect_chain<AtomicSub, int>(0, {least}, {least});
    expect_chain<AtomicSub, unsigned>(0, {1}, {0xffffffff});
    expect_chain<AtomicAdd, unsigned long long>(~0ull, {2}, {1});
}

TEST_F(AtomicFunctions, MinAndMaxKnowTheSign) {
    expect_chain<AtomicMin, int>(0, {1, -1, -2, -1}, {0, -1, -2, -2});
    expect_chain<AtomicMin, unsigned>(5, {0xffffffff, 4}, {5, 4});
    expect_chain<AtomicMax, long long>(-1, {-2, 1ll << 40, 0}, {-1, 1ll << 40, 1ll << 40});
    expect_chain<AtomicMax, unsigned long long>(1, {~0ull}, {~0ull});
}

// CAS writes where the word holds what was compared, and returns the old value either way.
TEST_F(AtomicFunctions, CasComparesFirst) {
    expect_chain<AtomicCas, int>(0, {7, 8, 9}, {0, 0, 7}, {7, 7, 9});
    expect_chain<AtomicCas, unsigned short>(65535, {1, 2}, {0, 65535}, {65535, 2});
    // Only one of many threads that ask for the same gets it.
    WordProblem problem(1000, 128, {Draw::ones, 1, {}});
    run_function<AtomicCas, int, Scope::device>(problem);
    auto& history = problem.history<AtomicCas, int>(false, {});
    const std::vector<int> olds = history.h_olds();
    EXPECT_EQ(std::count(olds.begin(), olds.end(), 0), 1);
    EXPECT_EQ(history.h_words()[0], 1);
}

// Neighbours in the same 32 bits stay what they are.
TEST_F(AtomicFunctions, SixteenBitsLeaveTheNeighbourAlone) {
    DeviceArray<unsigned short> words(std::vector<unsigned short>{11, 22, 33, 44});
    DeviceArray<unsigned short> values(std::vector<unsigned short>{99});
    DeviceArray<unsigned short> compares(std::vector<unsigned short>{33});
    DeviceArray<unsigned short> olds(1);
    apply_function<AtomicCas, Scope::device>
        <<<1, 1>>>(words.data() + 2, values.data(), compares.data(), 1, olds.data());
    CHECK_LAUNCH();
    EXPECT_EQ(words.to_host(), (std::vector<unsigned short>{11, 22, 99, 44}));

    DeviceArray<__half> halves(std::vector<__half>{__half(1.0f), __half(2.0f), __half(3.0f)});
    DeviceArray<__half> half_values(std::vector<__half>{__half(0.5f)});
    DeviceArray<__half> half_olds(1);
    apply_function<AtomicAdd, Scope::device>
        <<<1, 1>>>(halves.data() + 1, half_values.data(), half_values.data(), 1, half_olds.data());
    CHECK_LAUNCH();
    const std::vector<__half> h_halves = halves.to_host();
    EXPECT_EQ(static_cast<float>(h_halves[0]), 1.0f);
    EXPECT_EQ(static_cast<float>(h_halves[1]), 2.5f);
    EXPECT_EQ(static_cast<float>(h_halves[2]), 3.0f);
}

TEST_F(AtomicFunctions, FloatsKeepTheirBits) {
    float odd_nan = 0;  // exchanging is no arithmetic: the NaN's own bits arrive
    const std::uint32_t odd_bits = 0xffc12345;
    std::memcpy(&odd_nan, &odd_bits, sizeof odd_nan);
    expect_chain<AtomicExch, float>(1, {-0.0f, odd_nan, 0.0f}, {-0.0f, odd_nan, 0.0f});
    expect_chain<AtomicAdd, float>(-0.0f, {-0.0f, 0.0f, -0.0f}, {-0.0f, 0.0f, 0.0f});
    expect_chain<AtomicAdd, float>(16777216.0f, {1, 2}, {16777216.0f, 16777218.0f});
    expect_chain<AtomicAdd, double>(-0.0, {-0.0, 0.1, 0.2}, {-0.0, 0.1, 0.1 + 0.2});
    expect_chain<AtomicAdd, float>(INFINITY, {1, -FLT_MAX}, {INFINITY, INFINITY});
    expect_chain<AtomicAdd, float>(FLT_MAX, {FLT_MAX}, {INFINITY});
    expect_chain<AtomicAdd, __half>(__half(2048.0f), {__half(1.0f), __half(3.0f)},
                                    {__half(2048.0f), __half(2052.0f)});
}

// --- your own from CAS

TEST_F(AtomicFunctions, DoubleAddByCasEndsOnNanAndKeepsSignedZero) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    expect_chain<DoubleAddByCas, double>(-0.0, {-0.0, 0.0, 1.5}, {-0.0, 0.0, 1.5});
    WordProblem problem(1000, 128, {Draw::given, 1, {1, 2, 3}});
    run_function<DoubleAddByCas, double, Scope::device>(problem);
    EXPECT_EQ((problem.history<DoubleAddByCas, double>(false, {Draw::given, 1, {1}}).h_words()[0]),
              333 * 6 + 1);

    DeviceArray<double> word(std::vector<double>{nan});
    DeviceArray<double> value(std::vector<double>{1});
    DeviceArray<double> old(1);
    apply_function<DoubleAddByCas, Scope::device>
        <<<1, 1>>>(word.data(), value.data(), value.data(), 1, old.data());
    CHECK_LAUNCH();
    EXPECT_TRUE(std::isnan(word.to_host()[0]));
    EXPECT_TRUE(std::isnan(old.to_host()[0]));
}

TEST_F(AtomicFunctions, FloatMinAndMaxByCasPassOverNan) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    expect_chain<FloatMinByCas, float>(1, {2, nan, -1, -0.5f, -INFINITY},
                                       {1, 1, -1, -1, -INFINITY});
    expect_chain<FloatMinByCas, float>(nan, {nan, 3, nan}, {nan, 3, 3});
    expect_chain<FloatMinByCas, float>(0.0f, {-0.0f}, {0.0f});
    expect_chain<FloatMaxByCas, float>(-2, {-3, nan, -1, 0.5f, INFINITY},
                                       {-2, -2, -1, 0.5f, INFINITY});
    expect_chain<FloatMaxByCas, float>(nan, {-3}, {-3});
}

TEST_F(AtomicFunctions, FloatMinAndMaxByBitsOrderAllFloats) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float minus_nan = std::copysign(nan, -1.0f);
    expect_chain<FloatMinByBits, float>(1, {2, nan, 0.0f, -0.0f, 0.0f, -1, -0.5f, -INFINITY},
                                        {1, 1, 0.0f, -0.0f, -0.0f, -1, -1, -INFINITY});
    expect_chain<FloatMinByBits, float>(-INFINITY, {minus_nan, 1}, {minus_nan, minus_nan});
    expect_chain<FloatMaxByBits, float>(-2, {-3, minus_nan, -0.0f, 0.0f, -0.0f, 1, 0.5f, nan},
                                        {-2, -2, -0.0f, 0.0f, 0.0f, 1, 1, nan});
}

// The lanes of one warp come in their order, so that each must find what the reference leaves
// behind the one before it.
TEST_F(AtomicFunctions, WarpAggregatedMaxOrdersAllFloats) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float minus_nan = std::copysign(nan, -1.0f);
    const std::vector<float> rising{minus_nan, -INFINITY, -3, -3.5f, -2,   -0.0f,
                                    0.0f,      -0.0f,     -1, 1,     0.5f, nan,
                                    2,         INFINITY,  -4, nan,   0,    -INFINITY};
    for (const float first : {minus_nan, -INFINITY, -3.0f, -0.0f, 0.0f, 0.75f, INFINITY, nan}) {
        for (const std::size_t n : {std::size_t{1}, std::size_t{7}, rising.size()}) {
            for (const int block_size : {18, 31, 32}) {
                DeviceArray<float> word(std::vector<float>{first});
                DeviceArray<float> values(rising);
                DeviceArray<float> olds(n);
                max_warp_aggregated<<<1, block_size>>>(word.data(), values.data(), n, olds.data());
                CHECK_LAUNCH();
                const std::vector<float> h_olds = olds.to_host();
                float expected = first;
                for (std::size_t i = 0; i < n; ++i) {
                    EXPECT_EQ(as_bits(h_olds[i]), as_bits(expected)) << first << ", lane " << i;
                    expected = TotalMax::next(expected, rising[i], 0);
                }
                EXPECT_EQ(as_bits(word.to_host()[0]), as_bits(expected)) << first << ", n " << n;
            }
        }
    }
}

// Blocks of less than a warp, and a last warp of one lane.
TEST_F(AtomicFunctions, AggregatesInSmallBlocks) {
    for (const int block_size : {1, 16, 33}) {
        for (const WordVariant& variant : tour_variants()) {
            if (variant.name.find("_aggregated_") == std::string::npos) {
                continue;
            }
            for (const std::size_t n : {0, 1, 160}) {
                WordProblem problem(n, block_size, {Draw::random, 1, {}});
                const Verdict verdict = run_and_check(variant, problem);
                EXPECT_TRUE(verdict.holds()) << variant.name << ", n = " << n << ", blocks of "
                                             << block_size << ": " << verdict.detail;
            }
        }
    }
}

TEST_F(AtomicFunctions, SaturatingAddStaysAtTheTop) {
    expect_chain<SaturatingAddByCas, unsigned>(0xfffffff0, {0xf, 0, 1, 0xffffffff},
                                               {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff});
    expect_chain<SaturatingAddByCas, unsigned>(0, {0xffffffff}, {0xffffffff});
}

// --- scopes

// At block scope each block has a word of its own, which no other block touches.
TEST_F(AtomicFunctions, BlockScopeHasAWordForEachBlock) {
    WordProblem problem(1000, 96, {});
    run_function<AtomicAdd, int, Scope::block>(problem);
    const std::vector<int> words = problem.history<AtomicAdd, int>(true, {}).h_words();
    ASSERT_EQ(words.size(), 11u);
    for (std::size_t w = 0; w < 10; ++w) {
        EXPECT_EQ(words[w], 96);
    }
    EXPECT_EQ(words[10], 40);
}

// --- the rest of the program

TEST_F(AtomicFunctions, ByHandCountsAllThreads) {
    EXPECT_EQ(count_by_hand(160, 16), 160);
    EXPECT_EQ(count_by_hand(0, 16), 0);
    EXPECT_EQ(count_by_hand(1009, 100), 1009);
}

TEST_F(AtomicFunctions, WritesAThreadALine) {
    WordProblem problem(3, 16, {Draw::given, 1, {5, -2, 4}});
    run_function<AtomicMin, int, Scope::device>(problem);
    std::ostringstream out;
    problem.write(out);
    std::istringstream in(out.str());
    std::string line;
    std::getline(in, line);
    EXPECT_EQ(line.substr(0, 1), "#");
    for (int i = 0; i < 3; ++i) {
        int thread = -1;
        int old = 99;
        in >> thread >> old;
        EXPECT_EQ(thread, i);
        EXPECT_TRUE(old == 0 || old == -2) << old;
    }
    EXPECT_NE(out.str().find("# at the end: -2\n"), std::string::npos) << out.str();
}

// --- what the toolkit declares: the table has a row for each function, type and scope, no more

#define DECLARES(trait, call)                                                           \
    template <typename T, typename = void>                                              \
    struct trait : std::false_type {};                                                  \
    template <typename T>                                                               \
    struct trait<T, std::void_t<decltype(call(std::declval<T*>(), std::declval<T>()))>> \
        : std::true_type {};
#define DECLARES_AT_ALL_SCOPES(Function, call) \
    DECLARES(Device##Function, call)           \
    DECLARES(Block##Function, call##_block)    \
    DECLARES(System##Function, call##_system)
DECLARES_AT_ALL_SCOPES(Add, atomicAdd)
DECLARES_AT_ALL_SCOPES(Sub, atomicSub)
DECLARES_AT_ALL_SCOPES(Exch, atomicExch)
DECLARES_AT_ALL_SCOPES(Min, atomicMin)
DECLARES_AT_ALL_SCOPES(Max, atomicMax)
DECLARES_AT_ALL_SCOPES(Inc, atomicInc)
DECLARES_AT_ALL_SCOPES(Dec, atomicDec)
DECLARES_AT_ALL_SCOPES(And, atomicAnd)
DECLARES_AT_ALL_SCOPES(Or, atomicOr)
DECLARES_AT_ALL_SCOPES(Xor, atomicXor)
#undef DECLARES
#define DECLARES(trait, call)                                                                     \
    template <typename T, typename = void>                                                        \
    struct trait : std::false_type {};                                                            \
    template <typename T>                                                                         \
    struct trait<                                                                                 \
        T, std::void_t<decltype(call(std::declval<T*>(), std::declval<T>(), std::declval<T>()))>> \
        : std::true_type {};
DECLARES_AT_ALL_SCOPES(CAS, atomicCAS)
#undef DECLARES
#undef DECLARES_AT_ALL_SCOPES

using Declared = std::set<std::string>;  // "Add int 0": function, type, scope

template <template <typename, typename> class Trait, typename... Ts>
void note(Declared& declared, const std::string& function, Scope scope) {
    const auto note_one = [&](bool is_declared, const std::string& type) {
        if (is_declared) {
            declared.insert(function + " " + type + " " + std::to_string(static_cast<int>(scope)));
        }
    };
    (note_one(Trait<Ts, void>::value, type_name<Ts>()), ...);
}

#define NOTE(Function)                                                     \
    note<Device##Function, ALL_TYPES>(declared, #Function, Scope::device); \
    note<Block##Function, ALL_TYPES>(declared, #Function, Scope::block);   \
    note<System##Function, ALL_TYPES>(declared, #Function, Scope::system)
#define ALL_TYPES                                                                        \
    int, unsigned, long long, unsigned long long, float, double, unsigned short, __half, \
        __nv_bfloat16, __half2, __nv_bfloat162, float2, float4, ulonglong2

TEST(AtomicFunctionsTable, HasARowForEachDeclaration) {
    Declared declared;
    NOTE(Add);
    NOTE(Sub);
    NOTE(Exch);
    NOTE(Min);
    NOTE(Max);
    NOTE(Inc);
    NOTE(Dec);
    NOTE(CAS);
    NOTE(And);
    NOTE(Or);
    NOTE(Xor);
    Declared rows;
    for (const FunctionRow& row : function_rows()) {
        const bool is_new = rows.insert(row.function + " " + row.type + " " +
                                        std::to_string(static_cast<int>(row.scope)))
                                .second;
        EXPECT_TRUE(is_new) << row.variant.name << " stands there twice";
    }
    for (const std::string& name : declared) {
        EXPECT_EQ(rows.count(name), 1u) << name << " is declared, and has no row";
    }
    for (const std::string& name : rows) {
        EXPECT_EQ(declared.count(name), 1u) << name << " has a row, and is not declared";
    }
    EXPECT_EQ(rows.size(), 131u);
}
#undef ALL_TYPES
#undef NOTE

TEST(AtomicFunctionsTable, NamesAreDifferent) {
    std::set<std::string> names;
    for (const WordVariant& variant : word_variants()) {
        EXPECT_TRUE(names.insert(variant.name).second) << variant.name;
    }
    EXPECT_EQ(names.count("add_int"), 1u);
    EXPECT_EQ(names.count("cas_ulonglong2_system"), 1u);
    EXPECT_EQ(names.count("sub_longlong"), 0u);
    EXPECT_EQ(names.count("exch_double"), 0u);
}

// --- the checker: histories that cannot have happened are refused

Step step(std::uint64_t before, std::uint64_t after) {
    return {Bits{before, 0}, Bits{after, 0}};
}
SerialOrder order_of(std::uint64_t first, const std::vector<Step>& steps, std::uint64_t last) {
    return serial_order(Bits{first, 0}, steps, Bits{last, 0});
}

TEST(SerialOrder, AcceptsWhatCanHaveHappened) {
    EXPECT_TRUE(order_of(5, {}, 5).exists);
    EXPECT_TRUE(order_of(0, {step(0, 1)}, 1).exists);
    EXPECT_TRUE(order_of(0, {step(2, 3), step(0, 1), step(1, 2)}, 3).exists);
    // A thread that changed nothing, and a value that comes back.
    EXPECT_TRUE(order_of(0, {step(1, 1), step(0, 1)}, 1).exists);
    EXPECT_TRUE(order_of(0, {step(0, 1), step(1, 0), step(0, 1), step(1, 0)}, 0).exists);
}

TEST(SerialOrder, RefusesWhatCannot) {
    // The lost update: both found 0, and one addition is gone. The same with 2 at the end, as in
    // the lecture's table, cannot happen at all; the final value alone would not show it.
    EXPECT_FALSE(order_of(0, {step(0, 1), step(0, 1)}, 1).exists);
    EXPECT_FALSE(order_of(0, {step(0, 1), step(0, 1)}, 2).exists);
    // Right old values, wrong end; nothing happened, and yet the word changed.
    EXPECT_FALSE(order_of(0, {step(0, 1), step(1, 2)}, 1).exists);
    EXPECT_FALSE(order_of(0, {}, 1).exists);
    // A value that never stood there. A ring of its own, which no walk from the start reaches.
    EXPECT_FALSE(order_of(0, {step(0, 1), step(7, 8)}, 1).exists);
    const SerialOrder apart = order_of(0, {step(0, 1), step(7, 8), step(8, 7)}, 1);
    EXPECT_FALSE(apart.exists);
    EXPECT_EQ(apart.found, apart.stood);
    EXPECT_FALSE(order_of(0, {step(5, 5)}, 0).exists);
}

TEST(SerialOrder, NamesTheValueThatFails) {
    const SerialOrder order = order_of(0, {step(0, 1), step(0, 1), step(0, 1)}, 1);
    EXPECT_FALSE(order.exists);
    EXPECT_EQ(order.value, (Bits{0, 0}));
    EXPECT_EQ(order.found, 3u);
    EXPECT_EQ(order.stood, 1u);
}

TEST(SerialOrder, LooksAtAllSixteenBytes) {
    EXPECT_TRUE(serial_order({1, 1}, {{{1, 1}, {1, 2}}}, {1, 2}).exists);
    EXPECT_FALSE(serial_order({1, 1}, {{{1, 3}, {1, 2}}}, {1, 2}).exists);
}

// Against brute force: all orders of up to six steps, on many small histories, serial and not.
TEST(SerialOrder, AgreesWithTryingAllOrders) {
    Generator generator(1);
    std::size_t serial = 0;
    constexpr std::size_t histories = 4000;
    for (std::size_t h = 0; h < histories; ++h) {
        const std::uint64_t values = 2 + uniform_below(generator, 3);
        std::vector<Step> steps(uniform_below(generator, 7));
        for (Step& s : steps) {
            s = step(uniform_below(generator, values), uniform_below(generator, values));
        }
        const std::uint64_t first = uniform_below(generator, values);
        const std::uint64_t last = uniform_below(generator, values);
        std::vector<std::size_t> order(steps.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            order[i] = i;
        }
        bool expected = false;
        do {
            Bits word{first, 0};
            bool fits = true;
            for (const std::size_t i : order) {
                fits = fits && steps[i].before == word;
                word = steps[i].after;
            }
            expected = expected || (fits && word == Bits{last, 0});
        } while (!expected && std::next_permutation(order.begin(), order.end()));
        EXPECT_EQ(order_of(first, steps, last).exists, expected) << "history " << h;
        serial += expected ? 1 : 0;
    }
    EXPECT_GT(serial, histories / 50);  // else the comparison would say little
    EXPECT_LT(serial, histories / 2);
}

// --- the two threads of the lecture

TEST(LostUpdate, HasSixInterleavings) {
    const std::vector<Interleaving> all = lost_update_interleavings();
    ASSERT_EQ(all.size(), 6u);
    std::set<std::string> orders;
    std::size_t lost = 0;
    for (const Interleaving& run : all) {
        EXPECT_TRUE(orders.insert(run.steps).second) << run.steps;
        lost += run.x == 1 ? 1 : 0;
        const bool both_read_0 = run.old == std::array<int, 2>{0, 0};
        // The rows of the lecture's table in which both read 0 and x = 2 cannot happen.
        EXPECT_EQ(run.x, both_read_0 ? 1 : 2) << run.steps;
        EXPECT_EQ(
            order_of(0, {step(run.old[0], run.old[0] + 1), step(run.old[1], run.old[1] + 1)}, run.x)
                .exists,
            !both_read_0);
    }
    EXPECT_EQ(lost, 4u);
    EXPECT_EQ(orders.count("r1 r2 w1 w2"), 1u);
    EXPECT_EQ(orders.count("r2 w2 r1 w1"), 1u);
}

// The table in the notes has those six rows.
TEST(LostUpdate, StandsInTheNotes) {
    const std::vector<unsigned char> bytes =
        read_bytes(PROJECT_SOURCE_DIR_STRING "/atomic_functions/README.md");
    const std::string notes(bytes.begin(), bytes.end());
    for (const Interleaving& run : lost_update_interleavings()) {
        const std::string row =
            format("| %s | %d | %d | %d |\n", run.steps.c_str(), run.old[0], run.old[1], run.x);
        EXPECT_NE(notes.find(row), std::string::npos) << row;
    }
}

}  // namespace
