// Every variant of histogram on more bytes than 32 bits can number: see large_array.cuh.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "histogram/variants.cuh"
#include "tests/large_array.cuh"

using common::DeviceArray;

namespace {

constexpr int block_size = 256;
struct Launcher {
    std::string name;
    std::function<void()> launch;
    bool loads_vectors = false;
};

class LargeHistogram : public LargeTest {
  protected:
    // Runs all right variants, or those alone that load vectors of 16 bytes.
    void count(std::size_t more, int grid_size, bool only_vectors = false);
};

// `more` and then some bytes. On the CPU device, so many more that each thread has the same number
// of vectors, less 7 bytes: then the last bytes fall to the last block, whether it reads bytes or
// vectors.
void LargeHistogram::count(std::size_t more, int grid_size, bool only_vectors) {
    const std::size_t round = std::size_t{16} * block_size * grid_size;
    const std::size_t n = common::on_cpu_device ? (more / round + 1) * round - 7 : more + 17;
    std::vector<unsigned char> some(200);  // more of the one than of the other
    LargeArray<unsigned char> bytes(n + some.size());
    SKIP_WITHOUT(bytes);
    for (std::size_t i = 0; i < some.size(); ++i) {
        some[i] = static_cast<unsigned char>(1 + i % 150);
    }
    std::vector<BinCount> expected(byte_values, 0);
    const auto put = [&](std::size_t first) {
        bytes.put(first, some);
        for (const unsigned char value : some) {
            ++expected[value];
        }
    };
    put(0);
    put(n - some.size());
    bytes.put(n, some);  // none of these may be counted
    // All other bytes are 0. Of them, those of two blocks are counted, or all.
    std::size_t counted = 2 * (n + 7) / grid_size - 7;
    if (!common::on_cpu_device) {
        put((std::size_t{1} << 31) - 50);
        counted = n;
    }
    expected[0] = counted - std::accumulate(expected.begin() + 1, expected.end(), BinCount{0});

    const unsigned char* const d_bytes = bytes.data();
    const DeviceArray<BinCount> counts(byte_values);
    BinCount* const d_bins = counts.data();
    const DeviceArray<ZeroingBarrier> barrier(std::vector<ZeroingBarrier>(1));
    const auto by = [&](auto* launch) {
        return [=] { launch(d_bytes, n, byte_values, d_bins, block_size, grid_size); };
    };
    const std::vector<Launcher> launchers{
        {"global", by(launch_global)},
        {"shared", by(launch_shared)},
        {"warp_aggregated", by(launch_warp_aggregated)},
        {"private_copies", by(launch_private_copies)},
        {"vectorized", by(launch_vectorized), true},
        {"bank_per_lane", by(launch_bank_per_lane), true},
        {"one_launch",
         [&] {
             launch_one_launch(d_bytes, n, byte_values, d_bins, barrier.data(), 1, block_size,
                               grid_size);
         },
         true},
#ifndef CPU_DEVICE
        {"cub",
         [&] {
             std::size_t storage_bytes = 0;
             cub_histogram(d_bytes, n, byte_values, nullptr, storage_bytes, d_bins);
             const DeviceArray<unsigned char> storage(storage_bytes);
             cub_histogram(d_bytes, n, byte_values, storage.data(), storage_bytes, d_bins);
         }},
#endif
    };
    std::vector<std::string> names;
    const FirstAndLastBlocks only;
    for (const Launcher& launcher : launchers) {
        names.push_back(launcher.name);
        if (only_vectors && !launcher.loads_vectors) {
            continue;
        }
        CHECK(cudaMemset(d_bins, harness::poison_byte, byte_values * sizeof(BinCount)));
        launcher.launch();
        CHECK(cudaDeviceSynchronize());
        EXPECT_EQ(counts.to_host(), expected) << launcher.name;
        count_combination();
    }
    expect_all_right_variants(histogram_variants(), names);
}

TEST_F(LargeHistogram, BeyondAnInt) {
    count(std::size_t{1} << 32, 4096);
}

// The same for the numbers of the vectors.
TEST_F(LargeHistogram, VectorsBeyondAnInt) {
    count(std::size_t{16} << 32, 1 << 16, true);
}

}  // namespace
