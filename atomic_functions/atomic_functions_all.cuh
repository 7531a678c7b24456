// A tour of atomic functions, second part: all eleven of them, on every type for which the toolkit
// declares them, at device, block and system scope.
//
// A scope says which threads the atomicity is for: those of one block (atomicAdd_block), of one GPU
// (atomicAdd), or of all GPUs and the host (atomicAdd_system). Threads outside it may tear the
// operation apart. A wider scope is never wrong, and may cost more.
//
// Rows of the table: "add_int", "add_int_block", "add_int_system", ...
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "atomic_functions/atomic_functions_problem.cuh"
#include "common/compiled_for.cuh"
#include "common/error.cuh"
#include "common/variant.cuh"

enum class Scope { device, block, system };

namespace {

// AtomicAdd is Add (its name, its reference) with the call that does it on the device, and so on.
#define ATOMIC_FUNCTION(Function, call, ...)                                      \
    struct Atomic##Function : Function {                                          \
        template <Scope scope, typename T>                                        \
        __device__ static T apply(T* word, T value, [[maybe_unused]] T compare) { \
            if constexpr (scope == Scope::block) {                                \
                return call##_block(word, __VA_ARGS__);                           \
            } else if constexpr (scope == Scope::system) {                        \
                return call##_system(word, __VA_ARGS__);                          \
            } else {                                                              \
                return call(word, __VA_ARGS__);                                   \
            }                                                                     \
        }                                                                         \
    }
ATOMIC_FUNCTION(Add, atomicAdd, value);
ATOMIC_FUNCTION(Sub, atomicSub, value);
ATOMIC_FUNCTION(Exch, atomicExch, value);
ATOMIC_FUNCTION(Min, atomicMin, value);
ATOMIC_FUNCTION(Max, atomicMax, value);
ATOMIC_FUNCTION(Inc, atomicInc, value);
ATOMIC_FUNCTION(Dec, atomicDec, value);
ATOMIC_FUNCTION(Cas, atomicCAS, compare, value);
ATOMIC_FUNCTION(And, atomicAnd, value);
ATOMIC_FUNCTION(Or, atomicOr, value);
ATOMIC_FUNCTION(Xor, atomicXor, value);
#undef ATOMIC_FUNCTION

// A function that exists from compute capability 9.0 on.
template <typename Function>
struct From90 : Function {
    template <Scope scope, typename T>
    __device__ static T apply(T* word, T value, T compare) {
        if constexpr (compiled_for_90) {
            return Function::template apply<scope>(word, value, compare);
        } else {
            return value;  // never called: why_not_90() keeps it from running
        }
    }
};

// Thread i applies Function to the word that it shares: with all threads, or at block scope with
// those of its own block only.
template <typename Function, Scope scope, typename T>
__global__ void apply_function(T* d_words, const T* d_values, const T* d_compares, std::size_t n,
                               T* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    T* word = scope == Scope::block ? d_words + blockIdx.x : d_words;
    if (i < n) {
        d_olds[i] = Function::template apply<scope>(word, d_values[i], d_compares[i]);
    }
}

}  // namespace

template <typename Function, typename T, Scope scope>
void run_function(WordProblem& p) {
    auto& history = p.history<Function, T>(scope == Scope::block, p.operands);
    history.set_words();
    apply_function<Function, scope><<<p.grid_size, p.block_size>>>(
        history.d_words(), history.d_values(), history.d_compares(), p.n, history.d_olds());
    CHECK_LAUNCH();
}

// --- the table

// The types as the rows name them.
inline const std::vector<std::string>& type_names() {
    static const std::vector<std::string> names{
        "int",  "uint",     "longlong", "ulonglong", "float",  "double", "ushort",
        "half", "bfloat16", "half2",    "bfloat162", "float2", "float4", "ulonglong2"};
    return names;
}

template <typename T, typename... Ts>
constexpr std::size_t index_among() {
    constexpr bool same[] = {std::is_same_v<T, Ts>...};
    std::size_t index = 0;
    while (!same[index]) {
        ++index;
    }
    return index;
}

template <typename T>
const std::string& type_name() {
    constexpr std::size_t index =
        index_among<T, int, unsigned, long long, unsigned long long, float, double, unsigned short,
                    __half, __nv_bfloat16, __half2, __nv_bfloat162, float2, float4, ulonglong2>();
    return type_names()[index];
}

inline const std::vector<std::string>& function_names() {
    static const std::vector<std::string> names{Add::name, Sub::name, Exch::name, Min::name,
                                                Max::name, Inc::name, Dec::name,  Cas::name,
                                                And::name, Or::name,  Xor::name};
    return names;
}

// One function on one type at one scope.
struct FunctionRow {
    std::string function;
    std::string type;
    Scope scope = Scope::device;
    Variant<WordProblem> variant;
};

template <typename Function, typename T, Scope scope>
FunctionRow function_row(std::string (*unavailable)(const WordProblem&) = nullptr) {
    const std::string suffix =
        scope == Scope::block ? "_block" : (scope == Scope::system ? "_system" : "");
    std::string name = std::string(Function::name) + "_" + type_name<T>() + suffix;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::string idea =
        "atomic" + std::string(Function::name) + suffix + " on " + type_name<T>();
    return {Function::name,
            type_name<T>(),
            scope,
            {name, idea, Kind::right, run_function<Function, T, scope>, unavailable}};
}

template <typename Function, Scope scope, typename... Ts>
void at_scope(std::vector<FunctionRow>& rows,
              std::string (*unavailable)(const WordProblem&) = nullptr) {
    (rows.push_back(function_row<Function, Ts, scope>(unavailable)), ...);
}

template <typename Function, typename... Ts>
void at_all_scopes(std::vector<FunctionRow>& rows,
                   std::string (*unavailable)(const WordProblem&) = nullptr) {
    at_scope<Function, Scope::device, Ts...>(rows, unavailable);
    at_scope<Function, Scope::block, Ts...>(rows, unavailable);
    at_scope<Function, Scope::system, Ts...>(rows, unavailable);
}

// What the toolkit declares for compute capability 7.5 and up. There is no Sub of 64 bits (add the
// negative), no Add, Exch or CAS of long long (cast the pointer), no Exch of double, and for
// floating-point types neither Min nor Max.
inline std::vector<FunctionRow> function_rows() {
    using uint = unsigned;
    using longlong = long long;
    using ulonglong = unsigned long long;
    std::vector<FunctionRow> rows;
    at_all_scopes<AtomicAdd, int, uint, ulonglong, float, double>(rows);
    at_all_scopes<AtomicSub, int, uint>(rows);
    at_all_scopes<AtomicExch, int, uint, ulonglong, float>(rows);
    at_all_scopes<AtomicMin, int, uint, longlong, ulonglong>(rows);
    at_all_scopes<AtomicMax, int, uint, longlong, ulonglong>(rows);
    at_all_scopes<AtomicInc, uint>(rows);
    at_all_scopes<AtomicDec, uint>(rows);
    at_all_scopes<AtomicCas, int, uint, ulonglong>(rows);
    at_all_scopes<AtomicAnd, int, uint, longlong, ulonglong>(rows);
    at_all_scopes<AtomicOr, int, uint, longlong, ulonglong>(rows);
    at_all_scopes<AtomicXor, int, uint, longlong, ulonglong>(rows);
    at_scope<AtomicCas, Scope::device, unsigned short>(rows);
    at_scope<AtomicAdd, Scope::device, __half, __nv_bfloat16, __half2, __nv_bfloat162>(rows);

    const auto needs_90 = [](const WordProblem&) { return why_not_90(); };
    at_all_scopes<From90<AtomicAdd>, float2, float4>(rows, needs_90);
    // Any type of 16 bytes: here two stand for all.
    at_all_scopes<From90<AtomicExch>, float4, ulonglong2>(rows, needs_90);
    at_all_scopes<From90<AtomicCas>, float4, ulonglong2>(rows, needs_90);
    return rows;
}
