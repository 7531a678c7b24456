// The kernels of atomic_functions with more threads than 32 bits can number: see large_array.cuh.
// Not on a GPU: there so many additions overflow the counter.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "atomic_functions/variants.cuh"
#include "tests/large_array.cuh"

#ifdef CPU_DEVICE

using common::DeviceArray;

namespace {

constexpr int block_size = 128;
constexpr std::size_t in_last_block = 100;
constexpr std::size_t n = (std::size_t{1} << 32) + in_last_block;
constexpr std::size_t guard = 1000;  // elements after the last

// What the threads of the first and of the last block have stored.
template <typename T>
std::vector<T> of_both_blocks(const LargeArray<T>& d_olds) {
    EXPECT_EQ(d_olds.get(n, guard), std::vector<T>(guard, 0)) << "stored after the end";
    std::vector<T> olds = d_olds.get(0, block_size);
    const std::vector<T> last = d_olds.get(n - in_last_block, in_last_block);
    olds.insert(olds.end(), last.begin(), last.end());
    std::sort(olds.begin(), olds.end());
    return olds;
}

using LargeCount = LargeTest;

TEST_F(LargeCount, BeyondAnInt) {
    const DeviceArray<int> x(1);
    const DeviceArray<int> mutex(1);
    std::vector<int> expected(block_size + in_last_block);
    std::iota(expected.begin(), expected.end(), 0);
    const FirstAndLastBlocks only;
    const auto expect_counted = [&](const std::string& name, auto launch) {
        SCOPED_TRACE(name);
        const LargeArray<int> olds(n + guard);
        SKIP_WITHOUT(olds);
        launch(x.data(), n, olds.data(), block_size);
        EXPECT_EQ(x.to_host()[0], static_cast<int>(expected.size()));
        EXPECT_EQ(of_both_blocks(olds), expected);
        count_combination();
    };
    expect_counted("atomic_add", launch_atomic_add);
    expect_counted("cas_loop_add", launch_cas_loop_add);
    expect_counted("block_aggregated_add", launch_block_aggregated_add);
    expect_counted("atomic_ref_add", launch_atomic_ref_add);
    expect_counted("warp_aggregated_add", launch_warp_aggregated_add);
    expect_counted("mutex_add", [&](int* d_x, std::size_t threads, int* d_olds, int size) {
        launch_mutex_add(d_x, threads, mutex.data(), d_olds, size);
    });
    // The kernel of all functions by name; the rows of the table that are one function share it.
    const LargeArray<int> compares(n);
    SKIP_WITHOUT(compares);
    LargeArray<int> values(n);
    SKIP_WITHOUT(values);
    values.put(0, std::vector<int>(block_size, 1));
    values.put(n - in_last_block, std::vector<int>(in_last_block, 1));
    expect_counted("add_int", [&](int* d_x, std::size_t threads, int* d_olds, int size) {
        CHECK(cudaMemset(d_x, 0, sizeof(int)));
        launch_function<AtomicAdd>(Scope::device, d_x, values.data(), compares.data(), threads,
                                   d_olds, size);
    });
}

// The largest value is in the last block. No old value is 0, which an element is that was not
// written.
TEST_F(LargeCount, MaximumBeyondAnInt) {
    LargeArray<float> values(n);
    SKIP_WITHOUT(values);
    std::vector<float> some(block_size);
    std::iota(some.begin(), some.end(), 1.0f);
    values.put(0, some);
    values.put(n - in_last_block, std::vector<float>(in_last_block, 1000.0f));
    const FirstAndLastBlocks only;
    const auto expect_largest = [&](const std::string& name, auto launch) {
        SCOPED_TRACE(name);
        const LargeArray<float> olds(n + guard);
        SKIP_WITHOUT(olds);
        const DeviceArray<float> x(std::vector<float>{-1});
        launch(x.data(), olds.data());
        EXPECT_EQ(x.to_host()[0], 1000.0f);
        const std::vector<float> found = of_both_blocks(olds);
        EXPECT_EQ(found.front(), -1.0f);
        EXPECT_EQ(std::count(found.begin(), found.end(), 0.0f), 0);
        count_combination();
    };
    expect_largest("float_max_cas", [&](float* d_x, float* d_olds) {
        launch_float_max_cas(values.data(), n, d_x, d_olds, block_size);
    });
    expect_largest("warp_aggregated_max", [&](float* d_x, float* d_olds) {
        launch_warp_aggregated_max(d_x, values.data(), n, d_olds, block_size);
    });
}

}  // namespace

#endif
