// The table of variants of neighbor_list: what main runs and the tests check.
#pragma once

#include <vector>

#include "neighbor_list/neighbor_list.cuh"
#include "neighbor_list/neighbor_list_bins.cuh"
#include "neighbor_list/neighbor_list_fast.cuh"
#include "neighbor_list/neighbor_list_wrong.cuh"

template <typename T>
std::vector<Variant<NeighborProblem<T>>> neighbor_variants() {
    return {
        {"atomic", "half of the pairs; atomicAdd gives the place in both lists", Kind::right,
         run_atomic<T>, unavailable_beyond_all_pairs<T>},
        {"no_atomic", "all pairs; each thread writes its own list only", Kind::right,
         run_no_atomic<T>, unavailable_beyond_all_pairs<T>},
        {"tiled", "coordinates through shared memory", Kind::right, run_tiled<T>,
         unavailable_beyond_all_pairs<T>},
        {"cell_list", "only atoms of neighbouring cells, O(N)", Kind::right, run_cell_list<T>},
        {"cell_list_sorted", "coordinates moved to their cells first", Kind::right,
         run_cell_list_sorted<T>},
        {"one_kernel", "few atoms: a block keeps three rows of cells in shared memory", Kind::right,
         run_one_kernel<T>, unavailable_beyond_one_kernel<T>},
        {"halo_bins", "many atoms: square bins with copies of those around, in shared memory",
         Kind::right, run_halo_bins<T>, unavailable_beyond_bins<T>},
        {"zero_in_kernel", "d_NN[n1] = 0 inside the kernel: wipes out other threads' counts",
         Kind::race, run_zero_in_kernel<T>, unavailable_beyond_all_pairs<T>, "atomic"},
        {"reread_count", "reads d_NN[n] after the atomicAdd: two threads take one place",
         Kind::race, run_reread_count<T>, unavailable_beyond_all_pairs<T>, "atomic"},
        {"wrong_layout", "writes columns, reads them back as rows", Kind::wrong_result,
         run_wrong_layout<T>, unavailable_beyond_all_pairs<T>, "no_atomic"},
    };
}
