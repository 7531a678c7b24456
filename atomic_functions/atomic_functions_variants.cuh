// The table of variants: every way to change a shared word, in the order of the tour.
#pragma once

#include <vector>

#include "atomic_functions/atomic_functions.cuh"
#include "atomic_functions/atomic_functions_all.cuh"
#include "atomic_functions/atomic_functions_fast.cuh"
#include "atomic_functions/atomic_functions_from_cas.cuh"
#include "atomic_functions/atomic_functions_wrong.cuh"

using WordVariant = Variant<WordProblem>;

// All but the functions one by one: counting, your own from atomicCAS, and the wrong ones.
inline std::vector<WordVariant> tour_variants() {
    constexpr Scope device = Scope::device;
    return {
        {"lost_update", "x[0] = x[0] + 1: a read and a write with room between", Kind::race,
         run_lost_update, nullptr, "atomic_add"},
        {"atomic_add", "atomicAdd: read, add, write in one step", Kind::right, run_atomic_add},
        {"atomic_ref_add", "cuda::atomic_ref: the same, order and scope written out", Kind::right,
         run_atomic_ref_add},
        {"mutex_add", "plain read and write, one thread at a time", Kind::right, run_mutex_add},
        {"cas_loop_add", "atomicCAS until nobody was faster", Kind::right, run_cas_loop_add},
        {"warp_aggregated_add", "one atomicAdd for each warp", Kind::right,
         run_warp_aggregated_add},
        {"block_aggregated_add", "one atomicAdd for each block", Kind::right,
         run_block_aggregated_add},
        {"double_add_cas", "add a double by CAS on its bits", Kind::right,
         run_function<DoubleAddByCas, double, device>},
        {"saturating_add_cas", "any function of the old value, by CAS", Kind::right,
         run_function<SaturatingAddByCas, unsigned, device>},
        {"float_min_cas", "smaller of two floats; a NaN never wins", Kind::right,
         run_function<FloatMinByCas, float, device>},
        {"float_max_cas", "larger of two floats; a NaN never wins", Kind::right,
         run_function<FloatMaxByCas, float, device>},
        {"float_min_bits", "floats ordered as integers: no loop", Kind::right,
         run_function<FloatMinByBits, float, device>},
        {"float_max_bits", "floats ordered as integers: no loop", Kind::right,
         run_function<FloatMaxByBits, float, device>},
        {"warp_aggregated_max", "one float_max_bits for each warp", Kind::right,
         run_warp_aggregated_max},
        {"block_scope_across_blocks", "atomicAdd_block on a word of many blocks", Kind::race,
         run_block_scope_across_blocks, nullptr, "atomic_add"},
        {"cas_no_retry", "atomicCAS once, its answer not looked at", Kind::race, run_cas_no_retry,
         nullptr, "cas_loop_add"},
        {"inc_off_by_one", "atomicInc with old > value for old >= value", Kind::wrong_result,
         run_on_small_operands<IncOffByOne, unsigned>, nullptr, "inc_uint"},
        {"float_min_as_int", "atomicMin on a float's bits, negative ones too", Kind::wrong_result,
         run_on_small_operands<FloatMinAsInt, float>, nullptr, "float_min_bits"},
    };
}

// The whole table: behind those, each function on each type at each scope.
inline std::vector<WordVariant> word_variants() {
    std::vector<WordVariant> variants = tour_variants();
    for (const FunctionRow& row : function_rows()) {
        variants.push_back(row.variant);
    }
    return variants;
}
