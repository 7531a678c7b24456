// Every variant of scan on more elements than 32 bits can number: see large_array.cuh.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "scan/variants.cuh"
#include "tests/large_array.cuh"

using common::DeviceArray;

namespace {

constexpr int block_size = 256;

struct Launcher {
    std::string name;
    bool waits;  // where only two blocks run, it would wait for the others, or have their tickets
    std::function<void()> launch;
};

using LargeScan = LargeTest;

TEST_F(LargeScan, BeyondAnInt) {
    constexpr std::size_t count = 100;
    // A few elements short of whole tiles, so that the last ones fall to the last block.
    constexpr std::size_t n = (std::size_t{1} << 32) + std::size_t{40} * fast_scan_tile - 7;
    LargeArray<unsigned> x(n);
    SKIP_WITHOUT(x);
    LargeArray<unsigned> y(n);
    SKIP_WITHOUT(y);
    std::vector<unsigned> some(count);
    std::iota(some.begin(), some.end(), 1u);
    x.put(0, some);
    x.put(n - count, some);
    std::vector<unsigned> first(count);
    std::partial_sum(some.begin(), some.end(), first.begin());
    std::vector<unsigned> last = first;
    for (unsigned& sum : last) {
        sum += first.back();
    }

    const unsigned* const d_x = x.data();
    unsigned* const d_y = y.data();
    const auto tiles = static_cast<std::size_t>(tiles_of(n, block_size));
    const DeviceArray<unsigned> ticket(1);
    const DeviceArray<unsigned> flags(tiles);
    const DeviceArray<unsigned> sums(std::vector<unsigned>(tiles, 0));
    const DeviceArray<unsigned> prefix(tiles);
    const DeviceArray<TileWord> words(tiles);
    const std::vector<Launcher> launchers{
        {"three_kernels", false,
         [&] { launch_three_kernels(d_x, n, d_y, sums.data(), block_size); }},
        {"chained", true,
         [&] {
             launch_chained(d_x, n, d_y, ticket.data(), prefix.data(), flags.data(), block_size);
         }},
        {"look_back", true,
         [&] { launch_look_back(d_x, n, d_y, ticket.data(), words.data(), block_size); }},
        {"two_words", true,
         [&] {
             launch_two_words(d_x, n, d_y, ticket.data(),
                              TileValues<unsigned>{flags.data(), sums.data(), prefix.data()},
                              block_size);
         }},
        {"warp_look_back", true, [&] { launch_warp_look_back(d_x, n, d_y, words.data()); }},
#ifndef CPU_DEVICE
        {"cub", true,
         [&] {
             const DeviceArray<unsigned char> storage(cub_storage_bytes(d_x, n, d_y));
             launch_cub(d_x, n, storage.data(), storage.size(), d_y);
         }},
#endif
    };
    std::vector<std::string> names;
    const FirstAndLastBlocks only;
    for (const Launcher& launcher : launchers) {
        SCOPED_TRACE(launcher.name);
        names.push_back(launcher.name);
        if (launcher.waits && common::on_cpu_device) {
            continue;
        }
        y.put(0, std::vector<unsigned>(count, 0xffffffffu));
        y.put(n - count, std::vector<unsigned>(count, 0xffffffffu));
        launcher.launch();
        CHECK(cudaDeviceSynchronize());
        EXPECT_EQ(y.get(0, count), first);
        EXPECT_EQ(y.get(n - count, count), last);
        count_combination();
    }
    expect_all_right_variants(scan_variants<unsigned>(), names);
}

}  // namespace
