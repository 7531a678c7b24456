// Lists of neighbor_list with more words than 32 bits can number: see large_array.cuh. (Atoms and
// cells are at most 2^29 and have int numbers.) Without such a test are fused_rows, whose atoms are
// too few, and ghost_bins, each of whose kernels needs the whole result of the one before; they
// number the words by the functions of the first test.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "neighbor_list/variants.cuh"
#include "tests/large_array.cuh"

using common::DeviceArray;

namespace {

TEST(ListLayout, NumbersMoreWordsThanAnIntHolds) {
    constexpr int last = (1 << 29) - 1;
    constexpr std::size_t all = std::size_t{10} << 29;
    EXPECT_EQ(atom_major(last, 9, 10), all - 1);
    EXPECT_EQ(neighbor_major(last, 9, last + 1), all - 1);
    EXPECT_EQ(neighbor_major(0, 9, last + 1), all - last - 1);
    EXPECT_EQ(atom_major(0, last, last + 1), std::size_t{last});
}

#ifdef CPU_DEVICE

// A line of 1000 atoms, each with room for so many neighbors that the last lists begin beyond
// 2^32.
TEST_F(LargeTest, AtomMajorListBeyondAnInt) {
    constexpr int N = 1000;
    constexpr int MN = 4'400'000;
    LargeArray<int> NL(std::size_t{N} * MN);
    SKIP_WITHOUT(NL);
    std::vector<double> places(N);
    std::iota(places.begin(), places.end(), 0.0);
    const DeviceArray<double> x(places);
    const DeviceArray<double> y(std::vector<double>(N, 5));
    const DeviceArray<int> NN(N);
    launch_atomic(x.data(), y.data(), N, 1.1 * 1.1, MN, NN.data(), NL.data(), 128);
    const std::vector<int> counts = NN.to_host();
    for (int n = 0; n < N; ++n) {
        std::vector<int> expected;
        if (n > 0) {
            expected.push_back(n - 1);
        }
        if (n + 1 < N) {
            expected.push_back(n + 1);
        }
        ASSERT_EQ(counts[n], static_cast<int>(expected.size()));
        std::vector<int> row = NL.get(std::size_t{MN} * n, expected.size());
        std::sort(row.begin(), row.end());
        ASSERT_EQ(row, expected) << "atom " << n;
        count_combination();
    }
}

// A crowd of the last 4200 of 2^20 atoms: entry 4199 of an atom's list is beyond 2^32.
class LargeCrowd : public LargeTest {
  protected:
    static constexpr int N = 1 << 20;
    static constexpr int crowd = 4200;
    static constexpr int MN = crowd;
    static constexpr int block_size = 32;
    static constexpr float cutoff_squared = 1;

    void SetUp() override {
        LargeTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) {
            return;
        }
        SKIP_WITHOUT(NL);
        atoms.x.assign(N, 0);
        atoms.y.assign(N, 0);
        std::fill_n(atoms.x.end() - crowd, crowd, 100.0f);
        std::fill_n(atoms.y.end() - crowd, crowd, 100.0f);
        x = DeviceArray<float>(atoms.x);
        y = DeviceArray<float>(atoms.y);
        NN = DeviceArray<int>(std::vector<int>(N, -1));
    }

    // The atoms that the last block had must have the lists of the crowd.
    void expect_lists_of_the_crowd(const LargeArray<int>& lists) {
        const std::vector<int> counts = NN.to_host();
        int listed = 0;
        for (int n = N - crowd; n < N; ++n) {
            if (counts[n] == -1) {
                continue;
            }
            ++listed;
            ASSERT_EQ(counts[n], crowd - 1);
            std::vector<int> row;
            for (int k = 0; k < crowd - 1; ++k) {
                row.push_back(lists.get(std::size_t{N} * k + n, 1)[0]);
            }
            std::sort(row.begin(), row.end());
            std::vector<int> expected(crowd);
            std::iota(expected.begin(), expected.end(), N - crowd);
            expected.erase(expected.begin() + (n - (N - crowd)));
            ASSERT_EQ(row, expected) << "atom " << n;
            count_combination();
        }
        EXPECT_EQ(listed, block_size);
    }

    Atoms<float> atoms;
    DeviceArray<float> x, y;
    DeviceArray<int> NN;
    LargeArray<int> NL{std::size_t{N} * MN};
};

TEST_F(LargeCrowd, NoAtomicBeyondAnInt) {
    const FirstAndLastBlocks only;
    launch_no_atomic(x.data(), y.data(), N, cutoff_squared, MN, NN.data(), NL.data(), block_size);
    expect_lists_of_the_crowd(NL);
}

TEST_F(LargeCrowd, TiledBeyondAnInt) {
    const FirstAndLastBlocks only;
    launch_tiled(x.data(), y.data(), N, cutoff_squared, MN, NN.data(), NL.data(), block_size);
    expect_lists_of_the_crowd(NL);
}

// Of the cell lists only the last kernel is left to the ends: it needs what all blocks of the
// others have done.
TEST_F(LargeCrowd, CellListsBeyondAnInt) {
    const CellGrid<float> grid = make_cell_grid(bounding_box(atoms.x, atoms.y), 1.0f, N);
    const DeviceArray<int> count(grid.cells());
    const DeviceArray<int> start(grid.cells() + 1);
    const DeviceArray<int> tile_sums(common::scan_tiles(grid.cells()));
    const DeviceArray<int> place(N);
    const DeviceArray<int> sorted(N);
    const DeviceArray<CellAtom<float>> cell_atoms(N);
    const CellArrays cells{count.data(), start.data(), tile_sums.data(), place.data(),
                           sorted.data()};
    queue_cell_starts(x.data(), y.data(), N, grid, cells, 1024);
    fill_cells<<<N / 1024, 1024>>>(x.data(), y.data(), N, grid, cells.d_start, cells.d_place,
                                   cells.d_sorted);
    CHECK_LAUNCH();
    move_atoms_to_cells<<<N / 1024, 1024>>>(x.data(), y.data(), N, grid, cells.d_start,
                                            cells.d_place, cell_atoms.data());
    CHECK_LAUNCH();
    const FirstAndLastBlocks only;
    find_neighbors_in_cells<<<N / block_size, block_size>>>(x.data(), y.data(), N, cutoff_squared,
                                                            MN, grid, cells.d_start, cells.d_sorted,
                                                            NN.data(), NL.data());
    CHECK_LAUNCH();
    expect_lists_of_the_crowd(NL);

    const LargeArray<int> second_NL(std::size_t{N} * MN);
    SKIP_WITHOUT(second_NL);
    NN = DeviceArray<int>(std::vector<int>(N, -1));
    find_neighbors_sorted<<<N / block_size, block_size>>>(
        cell_atoms.data(), N, cutoff_squared, MN, grid, cells.d_start, NN.data(), second_NL.data());
    CHECK_LAUNCH();
    expect_lists_of_the_crowd(second_NL);
}

#endif

}  // namespace
