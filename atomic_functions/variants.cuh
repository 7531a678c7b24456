// The table of variants of atomic_functions: what the program shows, the tests check and the
// benchmark times.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "atomic_functions/1_atomic_add.cuh"
#include "atomic_functions/2_cas_loop_add.cuh"
#include "atomic_functions/3_float_max_cas.cuh"
#include "atomic_functions/4_block_aggregated_add.cuh"
#include "atomic_functions/more/atomic_ref_add.cuh"
#include "atomic_functions/more/double_add_cas.cuh"
#include "atomic_functions/more/float_bits.cuh"
#include "atomic_functions/more/float_min_cas.cuh"
#include "atomic_functions/more/matrix.cuh"
#include "atomic_functions/more/mutex_add.cuh"
#include "atomic_functions/more/saturating_add_cas.cuh"
#include "atomic_functions/more/warp_aggregated_add.cuh"
#include "atomic_functions/more/warp_aggregated_max.cuh"
#include "atomic_functions/problem.cuh"
#include "atomic_functions/wrong_block_scope_across_blocks.cuh"
#include "atomic_functions/wrong_cas_no_retry.cuh"
#include "atomic_functions/wrong_float_min_as_int.cuh"
#include "atomic_functions/wrong_inc_off_by_one.cuh"
#include "atomic_functions/wrong_lost_update.cuh"
#include "harness/variant.cuh"

// A row whose threads each add 1 to a word that starts at 0.
template <void (*launch)(int* d_x, std::size_t n, int* d_olds, int block_size)>
harness::Variant<SharedWordProblem> counting_row(const std::string& name, const std::string& idea,
                                                 harness::Kind kind = harness::Kind::right) {
    using P = SharedWordProblem;
    return harness::Variant<P>{
        name, idea, kind,
        [](P& p) { launch(p.d_words<int>(), p.n(), p.d_olds<int>(), p.block_size); }}
        .with_block(numba_block_size)
        .with_smallest_n(three_blocks)
        .with_prepare([](P& p) { p.reserve_counter(); });
}

// The rows that are wrong on some operands only: these are small, so that a ring is walked around,
// and that there are several negative numbers.
template <typename Function, typename T>
void reserve_small_operands(SharedWordProblem& p) {
    p.reserve(operation<Function, T>(), Scope::device, {OperandKind::small, p.operands().seed, {}});
}

// Lesson, record, and what is wrong on purpose.
inline std::vector<harness::Variant<SharedWordProblem>> word_variants() {
    using P = SharedWordProblem;
    using Row = harness::Variant<P>;
    using harness::Kind;
    constexpr Scope device = Scope::device;
    return {
        counting_row<launch_atomic_add>("atomic_add", "atomicAdd: read, add, write in one step")
            .from("1_atomic_add.cuh"),
        counting_row<launch_cas_loop_add>("cas_loop_add", "atomicCAS until no thread was faster")
            .from("2_cas_loop_add.cuh"),
        Row{"float_max_cas", "the larger of two floats, by the same loop", Kind::right,
            [](P& p) {
                p.set_words();
                launch_float_max_cas(p.d_values<float>(), p.n(), p.d_words<float>(),
                                     p.d_olds<float>(), p.block_size);
            }}
            .from("3_float_max_cas.cuh")
            .with_block(numba_block_size)
            .with_smallest_n(three_blocks)
            .with_prepare(
                [](P& p) { p.reserve(operation<FloatMax, float>(), Scope::device, p.operands()); }),
        counting_row<launch_block_aggregated_add>("block_aggregated_add", "one atomicAdd per block")
            .from("4_block_aggregated_add.cuh"),
        counting_row<launch_atomic_ref_add>("atomic_ref_add",
                                            "cuda::atomic_ref: order and scope written out")
            .from("more/atomic_ref_add.cuh")
            .in_record(),
        Row{"mutex_add", "plain read and write, one thread at a time", Kind::right,
            [](P& p) {
                launch_mutex_add(p.d_words<int>(), p.n(), p.d_mutex(), p.d_olds<int>(),
                                 p.block_size);
            }}
            .from("more/mutex_add.cuh")
            .in_record()
            .with_block(numba_block_size)
            .with_smallest_n(three_blocks)
            .with_prepare([](P& p) { p.reserve_counter(); }),
        counting_row<launch_warp_aggregated_add>("warp_aggregated_add", "one atomicAdd per warp")
            .from("more/warp_aggregated_add.cuh")
            .in_record(),
        function_row<DoubleAddByCas, device, double>("double_add_cas",
                                                     "add a double by CAS on its bits")
            .from("more/double_add_cas.cuh"),
        function_row<SaturatingAddByCas, device, unsigned>("saturating_add_cas",
                                                           "any function of the old value, by CAS")
            .from("more/saturating_add_cas.cuh"),
        function_row<FloatMinByCas, device, float>("float_min_cas", "the smaller of two floats")
            .from("more/float_min_cas.cuh"),
        function_row<FloatMinByBits, device, float>("float_min_bits",
                                                    "floats ordered as integers: no loop")
            .from("more/float_bits.cuh"),
        function_row<FloatMaxByBits, device, float>("float_max_bits",
                                                    "floats ordered as integers: no loop")
            .from("more/float_bits.cuh"),
        Row{"warp_aggregated_max", "one float_max_bits per warp", Kind::right,
            [](P& p) {
                p.set_words();
                launch_warp_aggregated_max(p.d_words<float>(), p.d_values<float>(), p.n(),
                                           p.d_olds<float>(), p.block_size);
            }}
            .from("more/warp_aggregated_max.cuh")
            .in_record()
            .with_block(numba_block_size)
            .with_smallest_n(three_blocks)
            .with_prepare(
                [](P& p) { p.reserve(operation<TotalMax, float>(), Scope::device, p.operands()); }),
        counting_row<launch_lost_update>(
            "lost_update", "x = x + 1: other threads come between read and write", Kind::race)
            .from("wrong_lost_update.cuh")
            .instead_of("atomic_add"),
        counting_row<launch_block_scope_across_blocks>(
            "block_scope_across_blocks", "atomicAdd_block on a word of many blocks", Kind::race)
            .from("wrong_block_scope_across_blocks.cuh")
            .instead_of("atomic_add"),
        counting_row<launch_cas_no_retry>(
            "cas_no_retry", "atomicCAS once, and its answer is not looked at", Kind::race)
            .from("wrong_cas_no_retry.cuh")
            .instead_of("cas_loop_add"),
        Row{"inc_off_by_one", "atomicInc with old > value in place of old >= value",
            Kind::wrong_result,
            [](P& p) {
                p.set_words();
                launch_inc_off_by_one(p.d_values<unsigned>(), p.n(), p.d_words<unsigned>(),
                                      p.d_olds<unsigned>(), p.block_size);
            }}
            .from("wrong_inc_off_by_one.cuh")
            .instead_of("inc_uint")
            .with_block(numba_block_size)
            .with_smallest_n(three_blocks)
            .with_prepare(reserve_small_operands<Inc, unsigned>),
        Row{"float_min_as_int", "atomicMin on a float's bits, negative ones too",
            Kind::wrong_result,
            [](P& p) {
                p.set_words();
                launch_float_min_as_int(p.d_values<float>(), p.n(), p.d_words<float>(),
                                        p.d_olds<float>(), p.block_size);
            }}
            .from("wrong_float_min_as_int.cuh")
            .instead_of("float_min_bits")
            .with_block(numba_block_size)
            .with_smallest_n(three_blocks)
            .with_prepare(reserve_small_operands<FloatMin, float>),
    };
}

// All of these, and each function on each type at each scope.
inline std::vector<harness::Variant<SharedWordProblem>> all_variants() {
    std::vector<harness::Variant<SharedWordProblem>> all = word_variants();
    const std::vector<harness::Variant<SharedWordProblem>> matrix = matrix_variants();
    all.insert(all.end(), matrix.begin(), matrix.end());
    return all;
}
