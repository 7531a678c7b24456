// Cooperative groups. The same on a GPU and on the CPU device.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <vector>

#include "device_test.cuh"

namespace cg = cooperative_groups;

namespace {

class Groups : public DeviceTest {
  protected:
    void allocate() override {
        ASSERT_EQ(cudaMallocManaged(&out_, size * sizeof(int)), cudaSuccess);
        for (int i = 0; i < size; ++i) {
            out_[i] = -1;
        }
    }
    void release() override { EXPECT_EQ(cudaFree(out_), cudaSuccess); }
    template <typename Expected>
    void expect_each(int n, Expected expected) {
        wait();
        for (int i = 0; i < n; ++i) {
            ASSERT_EQ(out_[i], expected(i)) << i;
        }
    }

    static constexpr int size = 4096;
    int* out_ = nullptr;
};

// --- blocks -----------------------------------------------------------------------------------

__device__ int thread_of_grid() {
    return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void reverse_block(int* out) {
    __shared__ int s_values[64];
    const cg::thread_block block = cg::this_thread_block();
    s_values[block.thread_rank()] = static_cast<int>(block.thread_rank());
    cg::sync(block);
    out[thread_of_grid()] = s_values[block.size() - 1 - block.thread_rank()];
    block.sync();
    if (cg::thread_rank(block) != block.thread_rank() || cg::group_size(block) != block.size()) {
        out[thread_of_grid()] = -3;
    }
    if (block.thread_index().x == 1 && block.group_index().x == 1 &&
        block.num_threads() != block.group_dim().x * block.dim_threads().y) {
        out[0] = -2;
    }
}
TEST_F(Groups, ABlockHasABarrier) {
    reverse_block<<<3, 64>>>(out_);
    expect_each(3 * 64, [](int i) { return 63 - i % 64; });
}

// --- tiles ------------------------------------------------------------------------------------

template <unsigned size>
__global__ void describe_tile(int* out) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<size>(block);
    int sum = static_cast<int>(block.thread_rank());
    for (unsigned distance = tile.size() / 2; distance > 0; distance /= 2) {
        sum += tile.shfl_down(sum, distance);
    }
    sum = tile.shfl(sum, 0);
    out[block.thread_rank()] =
        sum * 10000 + static_cast<int>(tile.thread_rank() * 100 + tile.meta_group_rank());
    if (tile.meta_group_size() != (block.size() + size - 1) / size || tile.num_threads() != size) {
        out[block.thread_rank()] = -2;
    }
}
template <int size>
int described(int i) {
    const int first = i / size * size;
    return (size * first + size * (size - 1) / 2) * 10000 + i % size * 100 + i / size;
}
TEST_F(Groups, TilesHaveRanksAndShuffles) {
    describe_tile<32><<<1, 128>>>(out_);
    expect_each(128, described<32>);
    describe_tile<16><<<1, 128>>>(out_);
    expect_each(128, described<16>);
    describe_tile<4><<<1, 128>>>(out_);
    expect_each(128, described<4>);
    describe_tile<1><<<1, 64>>>(out_);
    expect_each(64, described<1>);
}

__global__ void votes_of_tiles(int* out) {
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int rank = static_cast<int>(tile.thread_rank());
    const int number = static_cast<int>(tile.meta_group_rank());
    int all_equal = -1;
    int* mine = out + threadIdx.x * 8;
    mine[0] = static_cast<int>(tile.ballot(rank % (number + 2) == 0));
    mine[1] = tile.any(rank == number);
    mine[2] = tile.all(rank < 8 - number);
    mine[3] = static_cast<int>(tile.match_any(rank % 2));
    mine[4] = static_cast<int>(tile.match_all(number, all_equal));
    mine[5] = all_equal;
    mine[6] = tile.shfl_up(rank, 3);
    mine[7] = tile.shfl_xor(rank, 5);
}
TEST_F(Groups, TilesVote) {
    votes_of_tiles<<<1, 64>>>(out_);
    wait();
    for (int i = 0; i < 64; ++i) {
        const int number = i / 8;
        const int rank = i % 8;
        int ballot = 0;
        for (int r = 0; r < 8; ++r) {
            ballot |= (r % (number + 2) == 0 ? 1 : 0) << r;
        }
        const int* mine = out_ + i * 8;
        EXPECT_EQ(mine[0], ballot) << i;
        EXPECT_NE(mine[1], 0) << i;
        EXPECT_EQ(mine[2] != 0, number == 0) << i;
        EXPECT_EQ(mine[3], rank % 2 == 0 ? 0x55 : 0xaa) << i;
        EXPECT_EQ(mine[4], 0xff) << i;
        EXPECT_NE(mine[5], 0) << i;
        EXPECT_EQ(mine[6], rank < 3 ? rank : rank - 3) << i;
        EXPECT_EQ(mine[7], rank ^ 5) << i;
    }
}

struct Wide {
    double x;
    int y;
    char z;
};
__global__ void shuffle_wide(int* out) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int i = static_cast<int>(threadIdx.x);
    const Wide mine{i * 0.5, i * 3, static_cast<char>(i)};
    const Wide other = tile.shfl(mine, 5);
    out[i] = static_cast<int>(other.x * 2) + other.y + other.z;
}
TEST_F(Groups, ShufflesTakeAnyType) {
    shuffle_wide<<<1, 32>>>(out_);
    expect_each(32, [](int i) { return (i / 16 * 16 + 5) * 5; });
}

__global__ void tiles_of_tiles(int* out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const auto tile = cg::tiled_partition<8>(warp);
    const cg::thread_group any = cg::tiled_partition(cg::this_thread_block(), 4);
    any.sync();
    out[threadIdx.x] =
        static_cast<int>(tile.meta_group_rank() * 1000 + tile.meta_group_size() * 100 +
                         any.thread_rank() * 10 + any.size());
}
TEST_F(Groups, TilesHaveTiles) {
    tiles_of_tiles<<<1, 64>>>(out_);
    expect_each(64, [](int i) { return i % 32 / 8 * 1000 + 400 + i % 4 * 10 + 4; });
}

// Shared memory between the threads of a tile needs its sync().
__global__ void exchange_in_tile(int* out) {
    __shared__ int s_values[64];
    const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const unsigned first = threadIdx.x / 8 * 8;
    for (int round = 0; round < 3; ++round) {
        s_values[threadIdx.x] = static_cast<int>(threadIdx.x) + round;
        tile.sync();
        out[threadIdx.x] = s_values[first + (tile.thread_rank() + 1) % 8];
        tile.sync();
    }
}
TEST_F(Groups, ATileHasABarrier) {
    exchange_in_tile<<<1, 64>>>(out_);
    expect_each(64, [](int i) { return i / 8 * 8 + (i + 1) % 8 + 2; });
}

// --- those that are together ------------------------------------------------------------------

__global__ void odd_threads(int* out) {
    const int i = static_cast<int>(threadIdx.x);
    if (i % 2 == 1) {
        const cg::coalesced_group active = cg::coalesced_threads();
        const int rank = static_cast<int>(active.thread_rank());
        const int from_first = active.shfl(i, 0);
        const int from_next = active.shfl_down(i, 1);
        const int from_last = active.shfl_up(i, 1);
        active.sync();
        out[i] = from_first * 1000000 + from_next * 10000 + from_last * 100 + rank;
        out[64 + i] = static_cast<int>(active.size() * 1000 + active.ballot(rank < 3));
        const cg::coalesced_group half = cg::tiled_partition(active, 8);
        out[128 + i] = half.shfl(i, 7) * 100 +
                       static_cast<int>(half.meta_group_rank() * 10 + half.meta_group_size());
    }
}
TEST_F(Groups, CoalescedThreadsAreThoseOfABranch) {
    odd_threads<<<1, 32>>>(out_);
    wait();
    for (int i = 1; i < 32; i += 2) {
        const int next = i == 31 ? 31 : i + 2;
        const int last = i == 1 ? 1 : i - 2;
        EXPECT_EQ(out_[i], 1 * 1000000 + next * 10000 + last * 100 + i / 2) << i;
        EXPECT_EQ(out_[64 + i], 16 * 1000 + 7) << i;
        EXPECT_EQ(out_[128 + i], (i < 16 ? 15 : 31) * 100 + i / 16 * 10 + 2) << i;
    }
    EXPECT_EQ(out_[0], -1);
}

// The usual use: one atomic for all threads of a warp that have something to add.
__device__ int aggregated_add(int* counter) {
    const cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) {
        first = atomicAdd(counter, static_cast<int>(active.size()));
    }
    return active.shfl(first, 0) + static_cast<int>(active.thread_rank());
}
__global__ void compact(const int* values, int n, int* count, int* out) {
    const int i = thread_of_grid();
    if (i < n && values[i] % 3 == 0) {
        out[aggregated_add(count)] = values[i];
    }
}
TEST_F(Groups, AWarpAggregatesItsAtomics) {
    int* values = nullptr;
    int* count = nullptr;
    ASSERT_EQ(cudaMallocManaged(&values, 1000 * sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&count, sizeof(int)), cudaSuccess);
    for (int i = 0; i < 1000; ++i) {
        values[i] = i;
    }
    *count = 0;
    compact<<<8, 128>>>(values, 1000, count, out_);
    wait();
    EXPECT_EQ(*count, 334);
    std::vector<int> seen(1000, 0);
    for (int i = 0; i < *count; ++i) {
        ++seen[static_cast<std::size_t>(out_[i])];
    }
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(seen[static_cast<std::size_t>(i)], i % 3 == 0 ? 1 : 0) << i;
    }
    EXPECT_EQ(cudaFree(values), cudaSuccess);
    EXPECT_EQ(cudaFree(count), cudaSuccess);
}

__global__ void partitions(int* out) {
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int i = static_cast<int>(threadIdx.x);
    const cg::coalesced_group third = cg::labeled_partition(warp, i % 3);
    out[i] = static_cast<int>(third.size() * 100 + third.thread_rank());
    const cg::coalesced_group part = cg::binary_partition(warp, i < 5);
    out[32 + i] = static_cast<int>(part.size() * 100 + part.thread_rank());
}
TEST_F(Groups, ThreadsPartByALabel) {
    partitions<<<1, 32>>>(out_);
    wait();
    for (int i = 0; i < 32; ++i) {
        EXPECT_EQ(out_[i], (i % 3 == 2 ? 10 : 11) * 100 + i / 3) << i;
        EXPECT_EQ(out_[32 + i], i < 5 ? 500 + i : 2700 + i - 5) << i;
    }
}

// Of a tile and of those that are together, one thread takes a number, and all have it.
__global__ void one_for_all(int* counter, int* out) {
    const auto block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<8>(block);
    const auto take = [counter](int count) { return atomicAdd(counter, count); };
    const int i = static_cast<int>(threadIdx.x);
    out[i] = cg::invoke_one_broadcast(tile, take, 1);
    block.sync();
    cg::invoke_one(block, take, 100);
    block.sync();
    if (i % 32 < 5) {
        const cg::coalesced_group active = cg::coalesced_threads();
        out[64 + i] = cg::invoke_one_broadcast(active, take, 1000);
        cg::invoke_one(active, [out, i] { atomicAdd(out + 128 + i / 32, 1); });
    }
}
TEST_F(Groups, OneThreadIsCalledForAll) {
    int* counter = nullptr;
    ASSERT_EQ(cudaMallocManaged(&counter, sizeof(int)), cudaSuccess);
    *counter = 0;
    out_[128] = out_[129] = 0;
    one_for_all<<<1, 64>>>(counter, out_);
    wait();
    EXPECT_EQ(*counter, 8 + 100 + 2 * 1000);
    std::vector<int> seen(8, 0);
    for (int i = 0; i < 64; ++i) {
        ASSERT_EQ(out_[i], out_[i / 8 * 8]) << i;
        ASSERT_TRUE(out_[i] >= 0 && out_[i] < 8) << i;
        ++seen[static_cast<std::size_t>(out_[i])];
    }
    EXPECT_EQ(seen, std::vector<int>(8, 8));
    for (int i = 0; i < 64; ++i) {
        if (i % 32 < 5) {
            EXPECT_EQ(out_[64 + i], out_[64 + i / 32 * 32]) << i;
        }
    }
    EXPECT_EQ(out_[64] + out_[96], 108 + 1108);
    EXPECT_TRUE(out_[128] == 1 && out_[129] == 1);
    EXPECT_EQ(cudaFree(counter), cudaSuccess);
}

// --- reductions and scans ---------------------------------------------------------------------

__global__ void reductions(int* out) {
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const int i = static_cast<int>(threadIdx.x);
    int* mine = out + i * 16;
    mine[0] = cg::reduce(tile, i, cg::plus<int>());
    mine[1] = cg::reduce(tile, i, cg::less<int>());
    mine[2] = cg::reduce(tile, i, cg::greater<int>());
    mine[3] = static_cast<int>(cg::reduce(tile, 1u << i % 5, cg::bit_or<unsigned>()));
    mine[4] = static_cast<int>(cg::reduce(tile, ~(1u << i % 5), cg::bit_and<unsigned>()));
    mine[5] = static_cast<int>(cg::reduce(tile, 1u << i % 5, cg::bit_xor<unsigned>()));
    mine[6] = static_cast<int>(cg::reduce(tile, 0.5 * i, cg::plus<double>()) * 2);
    mine[7] = cg::inclusive_scan(tile, i);
    mine[8] = cg::exclusive_scan(tile, i);
    mine[9] = cg::inclusive_scan(tile, i * 7 % 16, cg::greater<int>());
    if (i % 4 == 0) {
        const cg::coalesced_group active = cg::coalesced_threads();
        mine[10] = cg::reduce(active, i, cg::plus<int>());
        mine[11] = cg::inclusive_scan(active, i, cg::plus<int>());
    }
}
TEST_F(Groups, ReduceAndScan) {
    reductions<<<1, 32>>>(out_);
    wait();
    for (int i = 0; i < 32; ++i) {
        const int first = i / 16 * 16;
        const int* mine = out_ + i * 16;
        unsigned bits = 0;
        for (int j = first; j < first + 16; ++j) {
            bits ^= 1u << j % 5;
        }
        int largest = 0;
        int quarter_sum = 0;
        for (int j = first; j <= i; ++j) {
            largest = std::max(largest, j * 7 % 16);
        }
        for (int j = 0; j <= i; j += 4) {
            quarter_sum += j;
        }
        EXPECT_EQ(mine[0], first * 16 + 120) << i;
        EXPECT_EQ(mine[1], first) << i;
        EXPECT_EQ(mine[2], first + 15) << i;
        EXPECT_EQ(mine[3], 31) << i;
        EXPECT_EQ(mine[4], ~31) << i;
        EXPECT_EQ(mine[5], static_cast<int>(bits)) << i;
        EXPECT_EQ(mine[6], first * 16 + 120) << i;
        EXPECT_EQ(mine[7], (first + i) * (i - first + 1) / 2) << i;
        EXPECT_EQ(mine[8], (first + i) * (i - first + 1) / 2 - i) << i;
        EXPECT_EQ(mine[9], largest) << i;
        if (i % 4 == 0) {
            EXPECT_EQ(mine[10], 112) << i;
            EXPECT_EQ(mine[11], quarter_sum) << i;
        }
    }
}

__global__ void copy_in_groups(const int* values, int* out) {
    __shared__ alignas(16) int s_values[100];
    const auto block = cg::this_thread_block();
    cg::memcpy_async(block, s_values, values, 100 * sizeof(int));
    cg::wait_prior<0>(block);
    for (unsigned i = threadIdx.x; i < 100; i += blockDim.x) {
        out[i] = s_values[99 - i];
    }
    block.sync();
    cg::memcpy_async(block, s_values, values + 50, 50 * sizeof(int));
    cg::wait(block);
    if (threadIdx.x < 50) {
        out[100 + threadIdx.x] = s_values[49 - threadIdx.x];
    }
    block.sync();
    // With layouts it says elements: the 20 that both have.
    if (threadIdx.x == 0) {
        s_values[20] = -3;
    }
    block.sync();
    cg::memcpy_async(block, s_values, std::size_t{30}, values, std::size_t{20});
    cg::wait(block);
    if (threadIdx.x < 21) {
        out[150 + threadIdx.x] = threadIdx.x < 20 ? s_values[19 - threadIdx.x] : s_values[20];
    }
}
TEST_F(Groups, CopyTogether) {
    int* values = nullptr;
    ASSERT_EQ(cudaMallocManaged(&values, 100 * sizeof(int)), cudaSuccess);
    for (int i = 0; i < 100; ++i) {
        values[i] = 3 * i;
    }
    copy_in_groups<<<1, 64>>>(values, out_);
    expect_each(171, [](int i) { return 3 * (i < 100 ? 99 - i : i < 150 ? 199 - i : 169 - i); });
    EXPECT_EQ(cudaFree(values), cudaSuccess);
}

// --- the grid ---------------------------------------------------------------------------------

// Each round, a thread reads what another block has written in the round before.
template <typename T>
__global__ void rotate_blocks(T* a, T* b, int rounds) {
    const cg::grid_group grid = cg::this_grid();
    const auto i = static_cast<unsigned>(grid.thread_rank());
    const auto n = static_cast<unsigned>(grid.size());
    for (int round = 0; round < rounds; ++round) {
        b[i] = a[(i + blockDim.x) % n] + 1;
        grid.sync();
        T* const next = a;
        a = b;
        b = next;
    }
}
TEST_F(Groups, AGridHasABarrier) {
    for (const int blocks : {4, 3, 1, 4}) {  // no launch finds the counts of the one before
        const int n = blocks * 64;
        int* a = out_;
        int* b = out_ + n;
        for (int i = 0; i < n; ++i) {
            a[i] = 1000 * i;
        }
        int rounds = 5;
        void* arguments[] = {&a, &b, &rounds};
        ASSERT_EQ(cudaLaunchCooperativeKernel((void*)rotate_blocks<int>, dim3(blocks), dim3(64),
                                              arguments, 0, nullptr),
                  cudaSuccess);
        wait();
        for (int i = 0; i < n; ++i) {
            ASSERT_EQ(b[i], 1000 * ((i + 5 * 64) % n) + 5) << i;
        }
    }
}

__global__ void describe_grid(int* out) {
    const cg::grid_group grid = cg::this_grid();
    if (grid.thread_rank() == grid.num_threads() - 1) {
        out[0] = static_cast<int>(grid.num_blocks());
        out[1] = static_cast<int>(grid.block_rank());
        out[2] = static_cast<int>(grid.dim_blocks().y);
        out[3] = static_cast<int>(grid.block_index().y);
        out[4] = grid.is_valid() ? 1 : 0;
    }
}
TEST_F(Groups, AGridKnowsItself) {
    describe_grid<<<dim3(2, 3), 32>>>(out_);
    wait();
    EXPECT_EQ(std::vector<int>(out_, out_ + 4), (std::vector<int>{6, 5, 3, 2}));
#ifdef CPU_DEVICE  // a GPU calls the grid of a launch that is not cooperative valid, too
    EXPECT_EQ(out_[4], 0);
#endif
}

TEST_F(Groups, ALaunchWhoseBlocksDoNotFitTogetherIsRefused) {
    int rounds = 0;
    int* a = out_;
    void* arguments[] = {&a, &a, &rounds};
    int fitting = 0;
    int multiprocessors = 0;
    ASSERT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fitting, rotate_blocks<int>, 64, 0),
              cudaSuccess);
    ASSERT_EQ(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0),
              cudaSuccess);
    fitting *= multiprocessors;
    EXPECT_EQ(cudaLaunchCooperativeKernel((void*)rotate_blocks<int>, dim3(fitting), dim3(64),
                                          arguments, 0, nullptr),
              cudaSuccess);
    wait();
    EXPECT_EQ(cudaLaunchCooperativeKernel((void*)rotate_blocks<int>, dim3(fitting + 1), dim3(64),
                                          arguments, 0, nullptr),
              cudaErrorCooperativeLaunchTooLarge);
    EXPECT_EQ(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
}

}  // namespace
