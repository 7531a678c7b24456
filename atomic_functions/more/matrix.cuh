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

// What a row does: apply Function to a T. The rest of a row is no template, since there are over a
// hundred rows, and each instance takes time to compile.
using RowStep = void (*)(SharedWordProblem& p);
template <typename Function, typename T>
void run_function(SharedWordProblem& p) {
    p.set_words();
    launch_function<Function>(p.scope(), p.d_words<T>(), p.d_values<T>(), p.d_compares<T>(), p.n(),
                              p.d_olds<T>(), p.block_size);
}
template <typename Function, Scope scope, typename T>
void prepare_function(SharedWordProblem& p) {
    p.reserve(operation<Function, T>(), scope, p.operands());
}

inline harness::Variant<SharedWordProblem> record_row(const std::string& name,
                                                      const std::string& idea, RowStep run,
                                                      RowStep prepare) {
    return harness::Variant<SharedWordProblem>{name, idea, harness::Kind::right, run}
        .in_record()
        .with_block(numba_block_size)
        .with_smallest_n(three_blocks)
        .with_prepare(prepare);
}

// A row of the table that applies Function to a T.
template <typename Function, Scope scope, typename T>
harness::Variant<SharedWordProblem> function_row(const std::string& name, const std::string& idea) {
    return record_row(name, idea, run_function<Function, T>, prepare_function<Function, scope, T>);
}

inline std::string skip_reason_90(const SharedWordProblem&) {
    return common::skip_reason_below_90();
}

// One function at one scope, on one type.
struct TypeRow {
    const char* type;
    bool needs_90;
    RowStep run, prepare;
};

inline void add_rows_of(std::vector<harness::Variant<SharedWordProblem>>& rows,
                        std::string function, Scope scope, const std::vector<TypeRow>& types) {
    const std::string suffix =
        scope == Scope::block ? "_block" : (scope == Scope::system ? "_system" : "");
    const std::string call = "atomic" + function + suffix + " on ";
    std::transform(function.begin(), function.end(), function.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const TypeRow& one : types) {
        rows.push_back(
            record_row(function + "_" + one.type + suffix, call + one.type, one.run, one.prepare)
                .from("more/functions.cuh")
                .with_skip(one.needs_90 ? skip_reason_90 : nullptr));
    }
}

// The rows of one function at one scope, for each of the types.
template <typename Function, Scope scope, typename... Ts>
void add_rows(std::vector<harness::Variant<SharedWordProblem>>& rows) {
    add_rows_of(rows, Function::name, scope,
                {TypeRow{WordType<Ts>::name, WordType<Ts>::needs_90, run_function<Function, Ts>,
                         prepare_function<Function, scope, Ts>}...});
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
