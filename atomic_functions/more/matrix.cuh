// The matrix: every atomic function on every type at every scope, a row each: "add_int",
// "add_int_block", "add_int_system", ... The program's flag --matrix checks all of them.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <vector>

#include "atomic_functions/more/functions.cuh"
#include "atomic_functions/problem.cuh"
#include "common/compiled_for.cuh"
#include "harness/variant.cuh"

constexpr int numba_block_size = 16;       // Numba tutorial, part 4: 10 blocks of 16 threads
constexpr std::size_t three_blocks = 150;  // of 64, the last one not full: for race mode

// A row of the table that applies Function to a T.
template <typename Function, Scope scope, typename T>
harness::Variant<SharedWordProblem> function_row(const std::string& name, const std::string& idea) {
    using P = SharedWordProblem;
    const auto run = [](P& p) {
        p.set_words();
        launch_function<Function, scope>(p.d_words<T>(), p.d_values<T>(), p.d_compares<T>(), p.n(),
                                         p.d_olds<T>(), p.block_size);
    };
    return harness::Variant<P>{name, idea, harness::Kind::right, run}
        .in_record()
        .with_block(numba_block_size)
        .with_smallest_n(three_blocks)
        .with_prepare(
            [](P& p) { p.reserve(operation<Function, T>(), scope == Scope::block, p.operands()); });
}

inline std::string skip_reason_90(const SharedWordProblem&) {
    return common::skip_reason_below_90();
}

// The rows of one function at one scope, for each of the types.
template <typename Function, Scope scope, typename... Ts>
void add_rows(std::vector<harness::Variant<SharedWordProblem>>& rows) {
    const std::string suffix =
        scope == Scope::block ? "_block" : (scope == Scope::system ? "_system" : "");
    std::string function = Function::name;
    const std::string call = "atomic" + function + suffix + " on ";
    std::transform(function.begin(), function.end(), function.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    (rows.push_back(function_row<Function, scope, Ts>(function + "_" + WordType<Ts>::name + suffix,
                                                      call + WordType<Ts>::name)
                        .from("more/functions.cuh")
                        .with_skip(WordType<Ts>::needs_90 ? skip_reason_90 : nullptr)),
     ...);
}

template <typename Function, typename... Ts>
void add_rows_at_all_scopes(std::vector<harness::Variant<SharedWordProblem>>& rows) {
    add_rows<Function, Scope::device, Ts...>(rows);
    add_rows<Function, Scope::block, Ts...>(rows);
    add_rows<Function, Scope::system, Ts...>(rows);
}

// What the toolkit declares for compute capability 7.5 and up. There is no Sub of 64 bits (add the
// negative), no Add, Exch or CAS of long long (cast the pointer), no Exch of double, and for
// floating-point types neither Min nor Max.
inline std::vector<harness::Variant<SharedWordProblem>> matrix_variants() {
    using uint = unsigned;
    using longlong = long long;
    using ulonglong = unsigned long long;
    std::vector<harness::Variant<SharedWordProblem>> rows;
    add_rows_at_all_scopes<AtomicAdd, int, uint, ulonglong, float, double>(rows);
    add_rows_at_all_scopes<AtomicSub, int, uint>(rows);
    add_rows_at_all_scopes<AtomicExch, int, uint, ulonglong, float>(rows);
    add_rows_at_all_scopes<AtomicMin, int, uint, longlong, ulonglong>(rows);
    add_rows_at_all_scopes<AtomicMax, int, uint, longlong, ulonglong>(rows);
    add_rows_at_all_scopes<AtomicInc, uint>(rows);
    add_rows_at_all_scopes<AtomicDec, uint>(rows);
    add_rows_at_all_scopes<AtomicCas, int, uint, ulonglong>(rows);
    add_rows_at_all_scopes<AtomicAnd, int, uint, longlong, ulonglong>(rows);
    add_rows_at_all_scopes<AtomicOr, int, uint, longlong, ulonglong>(rows);
    add_rows_at_all_scopes<AtomicXor, int, uint, longlong, ulonglong>(rows);
    add_rows<AtomicCas, Scope::device, unsigned short>(rows);
    add_rows<AtomicAdd, Scope::device, __half, __nv_bfloat16, __half2, __nv_bfloat162>(rows);
    // From compute capability 9.0 on; Exch and CAS take any type of 16 bytes, of which here are
    // two.
    add_rows_at_all_scopes<AtomicAdd, float2, float4>(rows);
    add_rows_at_all_scopes<AtomicExch, float4, ulonglong2>(rows);
    add_rows_at_all_scopes<AtomicCas, float4, ulonglong2>(rows);
    return rows;
}
