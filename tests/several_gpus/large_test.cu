// Every variant of several_gpus on more items than 32 bits can number: see large_array.cuh.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "several_gpus/variants.cuh"
#include "tests/large_array.cuh"

namespace {

constexpr int block_size = 256;
using Task = Histogram;

using LargeParts = LargeTest;

// All bytes are 0 but some at both ends. One GPU has them all.
TEST_F(LargeParts, BeyondAnInt) {
    // A few bytes short of whole steps of the grid, so that the last ones fall to the last block.
    Part<Task> whole;
    whole.n = std::size_t{1} << 32;
    const std::size_t step =
        std::size_t{16} * block_size *
        static_cast<std::size_t>(blocks_for(add_to_own_words<Task>, whole, block_size));
    const std::size_t n = (whole.n / step + 1) * step - 7;
    LargeArray<unsigned char> x(n);
    SKIP_WITHOUT(x);
    constexpr std::size_t count = 100;
    x.put(0, std::vector<unsigned char>(count, 7));
    x.put(n - count, std::vector<unsigned char>(count, 9));
    const common::DeviceArray<unsigned long long> d_words(std::size_t{Task::words});
    PinnedArray<unsigned long long> h_words(Task::words);
    PinnedArray<unsigned long long> h_result(Task::words);
    PinnedArray<Slot<Task>> slots(slots_per_gpu);
    Parts<Task> parts(1);
    parts[0].d_x = x.data();
    parts[0].n = n;
    parts[0].d_words = d_words.data();
    parts[0].h_words = h_words.data();
    CHECK(cudaEventCreateWithFlags(&parts[0].done, cudaEventDisableTiming));

    struct Launcher {
        std::string name;
        bool one_block;  // the only block takes all: on the CPU device that would last minutes
        std::function<void()> launch;
    };
    const std::vector<Launcher> launchers{
        {"mailbox", true,
         [&] { launch_mailbox(parts, slots.data(), h_result.data(), block_size); }},
        {"host_joins", false, [&] { launch_host_joins(parts, h_result.data(), block_size); }},
        {"peer_memory", false, [&] { launch_peer_memory(parts, h_result.data(), block_size); }},
        {"pinned_memory", false, [&] { launch_pinned_memory(parts, h_result.data(), block_size); }},
    };
    std::vector<std::string> names;
    const FirstAndLastBlocks only;
    for (const Launcher& launcher : launchers) {
        SCOPED_TRACE(launcher.name);
        names.push_back(launcher.name);
        if (launcher.one_block && common::on_cpu_device) {
            continue;
        }
        h_result.poison();
        launcher.launch();
        CHECK(cudaDeviceSynchronize());
        EXPECT_EQ(h_result.data()[7], count);
        EXPECT_EQ(h_result.data()[9], count);
        count_combination();
    }
    CHECK(cudaEventDestroy(parts[0].done));
#ifndef CPU_DEVICE
    names.push_back("nccl");  // its kernel is that of host_joins
#endif
    expect_all_right_variants(parts_variants<Task>(), names);
}

}  // namespace
