// Every variant of grid_barrier on more cells than 32 bits can number: see large_array.cuh.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "grid_barrier/variants.cuh"
#include "harness/inputs.hpp"
#include "tests/large_array.cuh"

using common::DeviceArray;

namespace {

constexpr int block_size = 256;
constexpr std::size_t columns = 20;  // so that the last block has inner cells
// The last block has a few threads without a cell.
constexpr std::size_t n = (std::size_t{1} << 32) + 40 * block_size - 7;
constexpr std::size_t count = 50 * columns;  // of the cells at each end that are not 0

using LargeHeat = LargeTest;

struct Launcher {
    std::string name;
    bool has_barrier;  // where only two blocks run, it would wait for the others
    std::function<void(Plate)> launch;
};

TEST_F(LargeHeat, BeyondAnInt) {
    LargeArray<float> even(n);
    SKIP_WITHOUT(even);
    LargeArray<float> odd(n);
    SKIP_WITHOUT(odd);
    // The piece of the plate at its end, from the beginning of a row on.
    const std::size_t piece = (n - count) / columns * columns;
    const std::vector<float> first = harness::random_reals<float>(count, 1);
    const std::vector<float> last = harness::random_reals<float>(n - piece, 2);
    const std::vector<float> first_after = heat_cpu(first, columns, 1);
    const std::vector<float> last_after = heat_cpu(last, columns, 1);

    const int grid_size = max_resident_blocks(heat_neighbor_flags, block_size);
    const DeviceArray<unsigned> arrived(1);
    const DeviceArray<SenseBarrier> sense(1);
    const DeviceArray<TreeCounter> tree(tree_counters(grid_size));
    const DeviceArray<StepsDone> done(grid_size);
    const std::vector<Launcher> launchers{
        {"kernel_per_step", false,
         [&](const Plate& plate) { launch_kernel_per_step(plate, 1, block_size); }},
        {"block_barrier", true,
         [&](const Plate& plate) { launch_block_barrier(plate, 1, block_size); }},
        {"counter", true,
         [&](const Plate& plate) { launch_counter(plate, 1, arrived.data(), block_size, 0); }},
        {"sense_reversal", true,
         [&](const Plate& plate) { launch_sense_reversal(plate, 1, sense.data(), block_size, 0); }},
        {"counter_tree", true,
         [&](const Plate& plate) {
             launch_counter_tree(plate, 1, tree.data(), block_size, grid_size);
         }},
        {"cooperative_groups", true,
         [&](const Plate& plate) { launch_cooperative_groups(plate, 1, block_size, 0); }},
        {"neighbor_flags", false,
         [&](const Plate& plate) {
             launch_neighbor_flags(plate, 1, done.data(), block_size, grid_size);
         }},
    };
    std::vector<std::string> names;
    const FirstAndLastBlocks only;
    for (const Launcher& launcher : launchers) {
        SCOPED_TRACE(launcher.name);
        names.push_back(launcher.name);
        if (launcher.has_barrier && common::on_cpu_device) {
            continue;
        }
        even.put(0, first);
        even.put(piece, last);
        odd.put(0, std::vector<float>(count, -1.0f));
        odd.put(piece, std::vector<float>(n - piece, -1.0f));
        launcher.launch(Plate{even.data(), odd.data(), n, columns});
        // Of the first block, and of the last one, which has 249 cells.
        EXPECT_EQ(odd.get(0, block_size),
                  std::vector<float>(first_after.begin(), first_after.begin() + block_size));
        EXPECT_EQ(odd.get(n - 249, 249),
                  std::vector<float>(last_after.end() - 249, last_after.end()));
        count_combination();
    }
    expect_all_right_variants(heat_variants(), names);
}

TEST_F(LargeHeat, TheHottestCellBeyondAnInt) {
    LargeArray<float> plate(n + 10);
    SKIP_WITHOUT(plate);
    const int blocks = common::blocks_to_cover(n, block_size);
    LargeArray<Hottest> of_block(blocks);
    SKIP_WITHOUT(of_block);
    plate.put(n - 3, {7.0f});
    plate.put(5, {6.0f});
    plate.put(n, std::vector<float>(10, 8.0f));  // none of these counts
    const DeviceArray<int> mutex(1);
    const DeviceArray<Hottest> hottest(1);
    const FirstAndLastBlocks only;

    launch_block_section(plate.data(), n, of_block.data(), block_size);
    EXPECT_EQ(of_block.get(0, 1)[0].cell, 5u);
    EXPECT_EQ(of_block.get(blocks - 1, 1)[0].cell, n - 3);
    count_combination();
    launch_grid_section(plate.data(), n, mutex.data(), hottest.data(), block_size);
    EXPECT_EQ(hottest.to_host()[0].cell, n - 3);
    EXPECT_EQ(hottest.to_host()[0].temperature, 7.0f);
    count_combination();
    expect_all_right_variants(hottest_variants(), {"block_section", "grid_section"});
}

}  // namespace
