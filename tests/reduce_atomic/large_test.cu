// Every variant of reduce_atomic on more elements than 32 bits can number: see large_array.cuh.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "reduce_atomic/variants.cuh"
#include "tests/large_array.cuh"

using common::DeviceArray;

namespace {

constexpr int block_size = 128;

// `more` and then some elements. On the CPU device, so many more that they are a whole number of
// strides and of tiles, less 7: then the last elements fall to the last block in every variant.
constexpr std::size_t above(std::size_t more) {
    return more + (common::on_cpu_device ? (1 << 19) - 7 : 17);
}

struct Launcher {
    std::string name;
    std::function<void()> launch;
};

template <typename T>
class LargeSum : public LargeTest {
  protected:
    // Runs one variant, or "all" right ones.
    void sum_with(const std::string& variant, std::size_t n) {
        constexpr std::size_t count = 100;
        LargeArray<T> x(n + count);
        SKIP_WITHOUT(x);
        // Positive, so that none that is missing makes up for one that is there twice.
        std::vector<T> some(count);
        std::iota(some.begin(), some.end(), T(1));
        x.put(0, some);
        x.put(n - count, some);
        x.put(n, some);  // none of these may be added
        T expected = 2 * std::accumulate(some.begin(), some.end(), T(0));
        if (!common::on_cpu_device) {  // the block that they fall to does not run there
            x.put((std::size_t{1} << 31) - 50, some);
            expected += expected / 2;
        }

        const T* const d_x = x.data();
        const DeviceArray<T> sum(1);
        T* const d_sum = sum.data();
        const int blocks = common::blocks_to_fill_device(n, block_size);
        const DeviceArray<T> partial(std::vector<T>(blocks, 0));
        // Where two blocks run, all the others have their tickets already.
        const unsigned first_ticket = common::on_cpu_device ? blocks - 2 : 0;
        const DeviceArray<unsigned> ticket(std::vector<unsigned>{first_ticket});
        const DeviceArray<unsigned long long> fixed(std::vector<unsigned long long>{0});
        const DeviceArray<unsigned long long> bins(
            std::vector<unsigned long long>(Format<T>::bins, 0));
        const DeviceArray<unsigned> special(std::vector<unsigned>{0});
        const double scale = fixed_point_scale<T>(n, 100);
        // The same for grids of one tile per block, without a block for the single elements, which
        // are block 0's then. The launch functions of fixed_point and exact take fewer blocks, and
        // on the CPU device the last of these would not have the last tile.
        const int tiles = common::blocks_of_one_tile<T>(n, block_size, 1);
        const unsigned first_tile_ticket = common::on_cpu_device ? tiles - 2 : 0;
        const DeviceArray<unsigned> tile_ticket(1);
        const std::vector<Launcher> launchers{
            {"atomic_per_element", [&] { launch_atomic_per_element(d_x, n, d_sum, block_size); }},
            {"block_tree", [&] { launch_block_tree(d_x, n, d_sum, block_size); }},
            {"warp_shuffle", [&] { launch_warp_shuffle(d_x, n, d_sum, block_size); }},
            {"last_block",
             [&] { launch_last_block(d_x, n, partial.data(), ticket.data(), d_sum, block_size); }},
            {"fixed_point",
             [&] {
                 if (common::on_cpu_device) {
                     reduce_fixed_point<<<tiles, block_size>>>(
                         d_x, n, scale, fixed.data(), special.data(), tile_ticket.data(), d_sum);
                     CHECK_LAUNCH();
                     return;
                 }
                 launch_fixed_point(d_x, n, scale, fixed.data(), special.data(), tile_ticket.data(),
                                    d_sum, block_size);
             }},
            {"exact",
             [&] {
                 if (common::on_cpu_device) {
                     reduce_exact<<<tiles, block_size>>>(d_x, n, bins.data(), special.data(),
                                                         tile_ticket.data(), d_sum);
                     CHECK_LAUNCH();
                     return;
                 }
                 launch_exact(d_x, n, bins.data(), special.data(), tile_ticket.data(), d_sum,
                              block_size);
             }},
            {"vectorized", [&] { launch_vectorized(d_x, n, d_sum, block_size); }},
#ifndef CPU_DEVICE
            {"cub",
             [&] {
                 const DeviceArray<unsigned char> storage(cub_storage_bytes(d_x, n, d_sum));
                 launch_cub(d_x, n, storage.data(), storage.size(), d_sum);
             }},
#endif
        };
        std::vector<std::string> names;
        const FirstAndLastBlocks only;
        for (const Launcher& launcher : launchers) {
            names.push_back(launcher.name);
            if (variant != "all" && variant != launcher.name) {
                continue;
            }
            CHECK(cudaMemset(d_sum, harness::poison_byte, sizeof(T)));
            CHECK(cudaMemcpy(tile_ticket.data(), &first_tile_ticket, sizeof(unsigned),
                             cudaMemcpyHostToDevice));
            launcher.launch();
            CHECK(cudaDeviceSynchronize());
            EXPECT_EQ(sum.to_host()[0], expected) << launcher.name;
            count_combination();
        }
        expect_all_right_variants(sum_variants<T>(), names);
    }
};

using LargeSumFloat = LargeSum<float>;
using LargeSumDouble = LargeSum<double>;

TEST_F(LargeSumFloat, BeyondAnInt) {
    sum_with("all", above(std::size_t{1} << 32));
}
TEST_F(LargeSumDouble, BeyondAnInt) {
    sum_with("all", above(std::size_t{1} << 32));
}

// The same for the numbers of the vectors of 16 bytes.
TEST_F(LargeSumFloat, VectorsBeyondAnInt) {
    sum_with("vectorized", above(std::size_t{common::elements_per_vector<float>} << 32));
}

}  // namespace
