// The sums whose bits do not depend on the order of the terms, nor on the grid, nor on the number
// of GPUs; and the exact sum against a long accumulator. On the CPU device there are four devices.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "harness/inputs.hpp"
#include "reduce_atomic/variants.cuh"
#include "tests/device_test.cuh"
#include "tests/hard_sums.hpp"
#include "tests/reduce_atomic/long_accumulator.hpp"
#include "tests/reduce_atomic/sums_on_gpus.cuh"

using namespace common;
using namespace harness;

namespace {

template <typename T>
void shuffle(std::vector<T>& x, Generator& generator) {
    for (std::size_t i = x.size(); i > 1; --i) {
        std::swap(x[i - 1], x[uniform_below(generator, i)]);
    }
}

// Numbers of every exponent, and both signs.
template <typename T>
std::vector<T> all_magnitudes(std::size_t n, std::uint64_t seed) {
    using Limits = std::numeric_limits<T>;
    std::vector<T> x = random_reals<T>(n, seed);
    Generator generator(seed);
    const int lowest = Limits::min_exponent - Limits::digits;
    const auto exponents = static_cast<std::uint64_t>(Limits::max_exponent - 20 - lowest);
    for (T& term : x) {
        term = std::ldexp(term, lowest + static_cast<int>(uniform_below(generator, exponents)));
    }
    return x;
}

// Inputs that a sum may get wrong: hard_terms(), and more.
template <typename T>
std::vector<Terms<T>> adversarial_terms(std::size_t n, std::uint64_t seed) {
    using Limits = std::numeric_limits<T>;
    std::vector<Terms<T>> all = hard_terms<T>(n, seed);
    all.push_back({"all magnitudes", all_magnitudes<T>(n, seed), false});
    // The largest numbers cancel, and the smallest one is left.
    std::vector<T> x = all_magnitudes<T>(n, seed);
    for (std::size_t i = 0; i + 1 < n; i += 2) {
        x[i + 1] = -x[i];
    }
    x[n / 2] = Limits::max() / 4;
    x[n / 3] = -Limits::max() / 4;
    x[n / 5] = Limits::denorm_min();
    all.push_back({"huge and tiny", x, false});
    // Halfway between two numbers, and a little more or less: 1 + epsilon / 2 is a tie.
    for (const int extra : {-1, 0, 1}) {
        for (const T base : {T(1), 1 + Limits::epsilon()}) {
            x.assign(n, 0);
            x[0] = base;
            x[n - 1] = Limits::epsilon() / 2;
            x[n / 2] = static_cast<T>(extra) * Limits::denorm_min();
            all.push_back({"a tie " + std::to_string(extra), x, false});
        }
    }
    x.assign(n, Limits::denorm_min());
    all.push_back({"smallest", x, false});
    x.assign(n, -Limits::max() / static_cast<T>(2 * n));
    all.push_back({"largest", x, false});
    return all;
}

template <typename T>
const harness::Variant<SumProblem<T>>& variant_named(const std::string& name) {
    static const auto table = sum_variants<T>();
    return *std::find_if(table.begin(), table.end(),
                         [&](const auto& variant) { return variant.name == name; });
}

template <typename T>
T sum_by(const std::string& name, const std::vector<T>& x, int block_size, std::size_t shift = 0) {
    SumProblem<T> problem(x, "", shift);
    run_and_check(variant_named<T>(name), problem, block_size);
    return problem.result();
}

int gpus_at_most_four() {
    return std::min(device_count(), 4);
}

bool is_thorough() {
    return std::getenv("THOROUGH") != nullptr;
}

template <typename T>
bool same_bits(T a, T b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <typename T>
bool same_bits(const std::array<T, 2>& both, T b) {
    return same_bits(both[0], b) && same_bits(both[1], b);
}

class SameBits : public DeviceTest {
  protected:
    // Of each input, the exact sum of some orders, with some sizes of blocks.
    template <typename T>
    void check_exact(std::size_t n, std::uint64_t seed) {
        Generator generator(seed);
        for (const Terms<T>& terms : adversarial_terms<T>(n, seed)) {
            SCOPED_TRACE(
                format("%s, n = %zu, seed %d", terms.name.c_str(), n, static_cast<int>(seed)));
            LongAccumulator reference;
            for (const T term : terms.x) {
                reference.add(term);
            }
            std::vector<T> x = terms.x;
            const T sum = sum_by<T>("exact", x, 256);
            EXPECT_TRUE(reference.rounds_to(sum)) << sum;
            const T fixed_point = sum_by<T>("fixed_point", x, 256);
            for (const int block_size : {32, 100, 1024}) {
                shuffle(x, generator);
                const std::size_t shift = uniform_below(generator, 4);
                EXPECT_TRUE(same_bits(sum_by<T>("exact", x, block_size, shift), sum));
                EXPECT_TRUE(same_bits(sum_by<T>("fixed_point", x, block_size, shift), fixed_point));
                count_combination();
            }
            const int most = gpus_at_most_four();
            for (int gpus = is_thorough() ? 1 : most; gpus <= most; ++gpus) {
                SCOPED_TRACE(format("%d GPUs", gpus));
                EXPECT_TRUE(same_bits(sums_on_gpus("exact", x, gpus, 96, generator), sum));
                EXPECT_TRUE(
                    same_bits(sums_on_gpus("fixed_point", x, gpus, 96, generator), fixed_point));
                count_combination();
            }
        }
    }

    // Grids of a few threads, so that each has many tiles, and its window moves or gets full.
    template <typename T>
    void check_few_threads() {
        constexpr std::size_t n = 150003;
        std::vector<std::vector<T>> inputs(2, std::vector<T>(n));
        const std::vector<T> random = random_reals<T>(n, 9);
        for (std::size_t i = 0; i < n; ++i) {
            inputs[0][i] = std::nextafter(T(2048), T(0));  // as large as its window allows
            inputs[1][i] = std::ldexp(random[i], static_cast<int>(i / 1500 % 7 * 11) - 33);
        }
        for (const std::vector<T>& x : inputs) {
            LongAccumulator reference;
            for (const T term : x) {
                reference.add(term);
            }
            const DeviceArray<T> d_x(x);
            for (const int grid_size : {1, 3}) {
                const DeviceArray<unsigned long long> bins(
                    std::vector<unsigned long long>(Format<T>::bins, 0));
                const DeviceArray<unsigned> special(std::vector<unsigned>{0});
                const DeviceArray<unsigned> ticket(std::vector<unsigned>{0});
                const DeviceArray<T> sum(1);
                reduce_exact<<<grid_size, 32>>>(d_x.data(), n, bins.data(), special.data(),
                                                ticket.data(), sum.data());
                CHECK_LAUNCH();
                EXPECT_TRUE(reference.rounds_to(sum.to_host()[0])) << grid_size << " blocks";
                count_combination();
            }
        }
    }

    template <typename T>
    void check_shuffles(const std::string& name, int shuffles) {
        Generator generator(7);
        std::vector<T> x = random_reals<T>(5003, 8);
        const std::vector<int> block_sizes{32, 64, 100, 128, 256, 512, 1024};
        const T sum = sum_by<T>(name, x, 128);
        for (int k = 0; k < shuffles; ++k) {
            shuffle(x, generator);
            const int block_size = block_sizes[k % block_sizes.size()];
            ASSERT_TRUE(same_bits(sum_by<T>(name, x, block_size), sum)) << "shuffle " << k;
            const int gpus = 1 + k % gpus_at_most_four();
            ASSERT_TRUE(same_bits(sums_on_gpus(name, x, gpus, block_size, generator), sum))
                << "shuffle " << k << ", " << gpus << " GPUs";
            count_combination();
        }
    }

    // What plain additions of the terms would give, wherever the special ones stand.
    template <typename T>
    void check_special(const std::string& name) {
        constexpr T infinity = std::numeric_limits<T>::infinity();
        Generator generator(3);
        const struct {
            std::vector<T> special;
            T sum;
        } cases[] = {{{infinity}, infinity},
                     {{-infinity}, -infinity},
                     {{infinity, infinity}, infinity},
                     {{infinity, -infinity}, T(NAN)},
                     {{T(NAN)}, T(NAN)},
                     {{infinity, T(NAN)}, T(NAN)}};
        for (const auto& one : cases) {
            std::vector<T> x = random_reals<T>(1000, 1);
            std::copy(one.special.begin(), one.special.end(), x.begin());
            const auto is_right = [&one](T sum) {
                return std::isnan(one.sum) ? std::isnan(sum) : sum == one.sum;
            };
            for (const int block_size : {32, 64, 1024}) {
                if (block_size > 64 && !is_thorough()) {
                    continue;
                }
                shuffle(x, generator);
                EXPECT_TRUE(is_right(sum_by<T>(name, x, block_size))) << one.sum;
                const int gpus = gpus_at_most_four();
                for (const T sum : sums_on_gpus(name, x, gpus, block_size, generator)) {
                    EXPECT_TRUE(is_right(sum)) << one.sum << ", " << gpus << " GPUs";
                }
                count_combination();
            }
        }
    }
};

TEST_F(SameBits, TheExactSumIsTheNumberNextToIt) {
    const std::uint64_t seeds = is_thorough() ? 20 : 1;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        check_exact<float>(700 + 13 * seed, seed);
        check_exact<double>(700 + 13 * seed, seed);
        check_exact<float>(20011, seed);
    }
}

TEST_F(SameBits, InAnyOrderAndWithAnyBlocks) {
    const int shuffles = is_thorough() ? 1000 : 35;
    for (const char* const name : {"fixed_point", "exact"}) {
        check_shuffles<float>(name, shuffles);
        check_shuffles<double>(name, shuffles);
    }
}

// The sums of these numbers, as a GPU and the CPU device give them. The last digits of the second
// and the fourth differ: fixed_point rounds each term.
TEST_F(SameBits, OnEveryDevice) {
    const auto magnitudes = [](auto x) {
        for (auto& term : x) {
            term = std::fabs(term);
        }
        return x;
    };
    const std::vector<float> floats = magnitudes(random_reals<float>(1000000, 1));
    const std::vector<double> doubles = magnitudes(random_reals<double>(1000000, 1));
    EXPECT_EQ(sum_by<float>("exact", floats, 256), 499887.3125f);
    EXPECT_EQ(sum_by<double>("exact", doubles, 256), 499887.30102879042);
    EXPECT_EQ(sum_by<float>("fixed_point", floats, 256), 499887.3125f);
    EXPECT_EQ(sum_by<double>("fixed_point", doubles, 256), 499887.30102879036);
    count_combination();
}

TEST_F(SameBits, ManyTermsForEachThread) {
    check_few_threads<float>();
    check_few_threads<double>();
}

TEST_F(SameBits, ShortSums) {
    for (const std::size_t n : {0, 1, 2, 3, 5, 7}) {
        for (const std::size_t shift : {0, 1, 2, 3}) {
            for (const int block_size : {1, 2, 31, 33}) {
                const std::vector<float> x = random_reals<float>(n, n);
                LongAccumulator reference;
                for (const float term : x) {
                    reference.add(term);
                }
                EXPECT_TRUE(reference.rounds_to(sum_by<float>("exact", x, block_size, shift)));
                count_combination();
            }
        }
    }
}

TEST_F(SameBits, InfinitiesAndNaN) {
    for (const char* const name : {"fixed_point", "exact"}) {
        SCOPED_TRACE(name);
        check_special<float>(name);
        check_special<double>(name);
    }
    EXPECT_EQ(sum_by<float>("exact", {3e38f, 3e38f}, 32), std::numeric_limits<float>::infinity());
    EXPECT_EQ(sum_by<float>("exact", {3e38f, 3e38f, -3e38f}, 32), 3e38f) << "no partial overflow";
    Generator generator(4);
    for (int gpus = 1; gpus <= gpus_at_most_four(); ++gpus) {
        const std::vector<float> x{3e38f, 3e38f, -3e38f};
        EXPECT_TRUE(same_bits(sums_on_gpus<float>("exact", x, gpus, 32, generator), 3e38f))
            << gpus << " GPUs";
    }
}

// The reference itself, on sums that are known.
TEST(LongAccumulatorTest, KnownSums) {
    LongAccumulator zero;
    EXPECT_EQ(zero.sign(), 0);
    EXPECT_TRUE(zero.rounds_to(0.0));
    EXPECT_FALSE(zero.rounds_to(std::numeric_limits<double>::denorm_min()));
    LongAccumulator sum;
    for (const double term : {1e300, -5e-324, 1.0, -1e300}) {
        sum.add(term);
    }
    EXPECT_EQ(sum.sign(), 1);
    EXPECT_TRUE(sum.rounds_to(1.0));
    EXPECT_FALSE(sum.rounds_to(std::nextafter(1.0, 0.0)));
    EXPECT_TRUE(sum.rounds_to(1.0f));
    sum.add(-2.0);
    EXPECT_EQ(sum.sign(), -1);
    EXPECT_TRUE(sum.rounds_to(-1.0));
    // Ties go to the number whose last digit is even.
    LongAccumulator tie;
    tie.add(1);
    tie.add(0x1p-24);
    EXPECT_TRUE(tie.rounds_to(1.0f));
    EXPECT_FALSE(tie.rounds_to(std::nextafter(1.0f, 2.0f)));
    tie.add(0x1p-23);
    EXPECT_TRUE(tie.rounds_to(1.0f + 0x1p-22f));
    EXPECT_FALSE(tie.rounds_to(1.0f + 0x1p-23f));
}

}  // namespace
