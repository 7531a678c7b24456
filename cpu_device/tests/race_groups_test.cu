// Race mode knows which order the groups of threads give, and which they do not.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cuda/barrier>

#include "cpu_device/race.h"
#include "support.cuh"

namespace cg = cooperative_groups;

namespace {

// Every thread writes a word and reads its neighbor's. What stands between?
enum class Between { nothing, tile, wrong_tile, block, grid, reduction };

template <Between between>
__global__ void exchange(int* d_words, int* d_out) {
    const auto block = cg::this_thread_block();
    const auto i = static_cast<unsigned>(cg::this_grid().thread_rank());
    const auto n = static_cast<unsigned>(cg::this_grid().size());
    const auto tile = cg::tiled_partition<16>(block);
    unsigned neighbor = i / 16 * 16 + (i + 1) % 16;
    d_words[i] = static_cast<int>(i);
    if (between == Between::tile) {
        tile.sync();
    } else if (between == Between::wrong_tile) {
        cg::tiled_partition<8>(block).sync();
    } else if (between == Between::block) {
        block.sync();
        neighbor = i / 32 * 32 + (i + 16) % 32;
    } else if (between == Between::grid) {
        cg::this_grid().sync();
        neighbor = (i + 32) % n;
    } else if (between == Between::reduction) {
        d_out[i] = cg::reduce(tile, 1, cg::plus<int>());
    }
    d_out[i] = d_words[neighbor];
}

template <bool waits>
__global__ void exchange_by_barrier(int* d_words, int* d_out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    if (threadIdx.x == 0) {
        init(&barrier, blockDim.x);
    }
    __syncthreads();
    d_words[threadIdx.x] = 1;
    auto token = barrier.arrive();
    if (waits) {
        barrier.wait(token);
    }
    d_out[threadIdx.x] = d_words[(threadIdx.x + 1) % blockDim.x];
}

// For every seed, or for none.
template <typename Launch>
bool is_reported(Launch launch) {
    using namespace cpu_device::race;
    be_quiet(true);
    unsigned found = 0;
    for (unsigned seed = 1; seed <= 5; ++seed) {
        set_seed(seed);
        forget();
        int* d_words = new_words(64);
        int* d_out = new_words(64);
        launch(d_words, d_out);
        found += reports() > 0 ? 1 : 0;
        CHECK(cudaFree(d_words));
        CHECK(cudaFree(d_out));
    }
    forget();
    EXPECT_TRUE(found == 0 || found == 5) << found << " of 5 seeds";
    return found > 0;
}

template <Between between>
bool exchange_is_reported() {
    return is_reported([](int* d_words, int* d_out) {
        void* arguments[] = {&d_words, &d_out};
        CHECK(cudaLaunchCooperativeKernel((void*)exchange<between>, dim3(2), dim3(32), arguments));
    });
}

TEST(RaceGroups, SyncOrdersWhatItsGroupHasDone) {
    EXPECT_TRUE(exchange_is_reported<Between::nothing>());
    EXPECT_FALSE(exchange_is_reported<Between::tile>());
    EXPECT_TRUE(exchange_is_reported<Between::wrong_tile>());
    EXPECT_FALSE(exchange_is_reported<Between::block>());
    EXPECT_FALSE(exchange_is_reported<Between::grid>());
}

TEST(RaceGroups, ABarrierOrdersForThoseWhoWait) {
    EXPECT_FALSE(is_reported(
        [](int* d_words, int* d_out) { exchange_by_barrier<true><<<1, 32>>>(d_words, d_out); }));
    EXPECT_TRUE(is_reported(
        [](int* d_words, int* d_out) { exchange_by_barrier<false><<<1, 32>>>(d_words, d_out); }));
}

__global__ void divide_into_tiles(int* d_out) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    d_out[threadIdx.x] = static_cast<int>(tile.thread_rank());
}
__global__ void divide_at_run_time(int* d_out) {
    const auto tile = cg::tiled_partition(cg::this_thread_block(), 16);
    d_out[threadIdx.x] = static_cast<int>(tile.thread_rank());
}
TEST(RaceGroups, TilesOfABlockAreWhole) {
    EXPECT_FALSE(is_reported([](int*, int* d_out) { divide_into_tiles<<<1, 48>>>(d_out); }));
    EXPECT_TRUE(is_reported([](int*, int* d_out) { divide_into_tiles<<<1, 50>>>(d_out); }));
    EXPECT_FALSE(is_reported([](int*, int* d_out) { divide_at_run_time<<<1, 48>>>(d_out); }));
    EXPECT_TRUE(is_reported([](int*, int* d_out) { divide_at_run_time<<<1, 50>>>(d_out); }));
}

TEST(RaceGroups, AReductionOrdersNothing) {
    EXPECT_TRUE(exchange_is_reported<Between::reduction>());
}

}  // namespace
