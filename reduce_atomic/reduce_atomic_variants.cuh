// The table of variants of reduce_atomic: what main runs and the tests check.
#pragma once

#include <vector>

#include "reduce_atomic/reduce_atomic.cuh"
#include "reduce_atomic/reduce_atomic_fast.cuh"
#include "reduce_atomic/reduce_atomic_wrong.cuh"

template <typename T>
std::vector<Variant<SumProblem<T>>> sum_variants() {
    return {
        {"each", "one atomicAdd per element", Kind::right, run_each<T>},
        {"tree", "a tree in shared memory, one atomicAdd per block", Kind::right, run_tree<T>},
        {"shuffle", "grid-stride loop and warp shuffles first", Kind::right, run_shuffle<T>},
        {"last_block", "the last block adds the blocks' sums in order", Kind::right,
         run_last_block<T>},
        {"fixed_point", "integers: the same bits in any order", Kind::right, run_fixed_point<T>},
        {"vector_loads", "16-byte loads, several in flight", Kind::right, run_vector_loads<T>},
#ifdef __CUDACC__
        {"cub", "cub::DeviceReduce::Sum", Kind::library, run_cub<T>},
#endif
        {"plain_add", "*d_sum += s_y[0]: blocks overwrite each other's sums", Kind::race,
         run_plain_add<T>, nullptr, "tree"},
        {"no_guard", "no if (tid == 0): the sum is block_size times too large", Kind::wrong_result,
         run_no_guard<T>, nullptr, "tree"},
    };
}
