// What the tests of all examples share: tests that need a device are skipped without one, every
// variant of a table becomes a test case, and the checked combinations are counted.
//
// Environment: REQUIRE_GPU=1 turns the skips of a CUDA build without a GPU into failures.
// THOROUGH=1 takes a longer length too. TEST_LONGEST=n leaves out lengths above n, for tools that
// make a kernel a hundred times slower.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <ostream>
#include <source_dir.hpp>
#include <string>
#include <vector>

#include "common/device.cuh"
#include "harness/variant.cuh"

// Without a device, skips the test. Called in a fixture's SetUp(): after a skip from anywhere else
// CTest would count the test as passed.
inline void skip_without_device() {
    if (common::device_count() == 0) {
        if (std::getenv("REQUIRE_GPU") != nullptr) {
            FAIL() << "no CUDA device, and REQUIRE_GPU is set";
        }
        GTEST_SKIP() << "no CUDA device";
    }
}

// The fixture of every test that runs a kernel.
class DeviceTest : public testing::Test {
  protected:
    void SetUp() override { skip_without_device(); }

    // Prints how many combinations the case has checked, in a line that scripts/test adds up. A
    // case that counts must have counted something.
    void TearDown() override {
        if (counting_ && !IsSkipped()) {
            std::printf("[combinations] %zu\n", combinations_);
            EXPECT_GT(combinations_, 0u) << "this case checked nothing";
        }
    }

    void count_combination() {
        counting_ = true;
        ++combinations_;
    }

  private:
    bool counting_ = false;
    std::size_t combinations_ = 0;
};

// One test case: a variant of the table at one block size.
template <typename P>
struct VariantCase {
    harness::Variant<P> variant;
    int block_size = 0;
};

template <typename P>
std::ostream& operator<<(std::ostream& out, const VariantCase<P>& test_case) {
    return out << test_case.variant.name << " with blocks of " << test_case.block_size;
}

// Block sizes that every variant is tested with: a warp, powers of two up to the largest block, and
// one that is no multiple of a warp.
inline const std::vector<int>& tested_block_sizes() {
    static const std::vector<int> sizes{32, 64, 100, 128, 256, 512, 1024};
    return sizes;
}

// Lengths around every edge that a kernel may trip over: nothing, a warp, a block, primes, and one
// or two of many blocks; each once. A block size of 0, of a library that chooses its own, counts
// as 256. The quick suite takes the longer ones with four of the seven block sizes.
inline std::vector<std::size_t> tested_lengths(int block_size) {
    const auto block = static_cast<std::size_t>(block_size > 0 ? block_size : 256);
    std::vector<std::size_t> lengths{0,     1,         31, 32,   33,   block - 1,
                                     block, block + 1, 97, 1009, 4099, 20011};
    const std::initializer_list<std::size_t> short_only{64, 128, 512};
    if (std::getenv("THOROUGH") != nullptr) {
        lengths.push_back(100003);
    } else if (std::count(short_only.begin(), short_only.end(), block) > 0) {
        lengths.resize(lengths.size() - 2);
    }
    std::sort(lengths.begin(), lengths.end());  // with blocks of a warp some are there twice
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    if (const char* const longest = std::getenv("TEST_LONGEST")) {
        const std::size_t limit = std::stoull(longest);
        lengths.erase(std::remove_if(lengths.begin(), lengths.end(),
                                     [&](std::size_t length) { return length > limit; }),
                      lengths.end());
    }
    return lengths;
}

// The cases for all right variants of a table (library variants included), or all of one kind.
template <typename P>
std::vector<VariantCase<P>> right_cases(const std::vector<harness::Variant<P>>& table) {
    std::vector<VariantCase<P>> cases;
    for (const harness::Variant<P>& variant : table) {
        if (!harness::is_right(variant.kind)) {
            continue;
        }
        if (variant.block_is_fixed) {  // once: --block changes nothing
            cases.push_back({variant, variant.block_size});
            continue;
        }
        for (const int block_size : tested_block_sizes()) {
            cases.push_back({variant, block_size});
        }
    }
    return cases;
}
template <typename P>
std::vector<VariantCase<P>> cases_of_kind(const std::vector<harness::Variant<P>>& table,
                                          harness::Kind kind, int block_size) {
    std::vector<VariantCase<P>> cases;
    for (const harness::Variant<P>& variant : table) {
        if (variant.kind == kind) {
            cases.push_back({variant, block_size});
        }
    }
    return cases;
}

// Every row of a chapter's table names a file of the chapter.
template <typename P>
void expect_sources_exist(const std::string& chapter,
                          const std::vector<harness::Variant<P>>& table) {
    for (const harness::Variant<P>& variant : table) {
        EXPECT_TRUE(std::ifstream(PROJECT_SOURCE_DIR_STRING "/" + chapter + "/" + variant.source))
            << variant.name << " names the file '" << variant.source << "'";
    }
}

// "tree_block128": how a case is named in CTest.
template <typename P>
std::string case_name(const testing::TestParamInfo<VariantCase<P>>& info) {
    return info.param.variant.name + "_block" + std::to_string(info.param.block_size);
}

// The fixture of a test over cases of problem P.
template <typename P>
class VariantTest : public DeviceTest, public testing::WithParamInterface<VariantCase<P>> {};
