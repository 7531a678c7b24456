// Wrong on purpose: what the tour warns of. They never run unless asked for by --variant.
#pragma once

#include "atomic_functions/atomic_functions_from_cas.cuh"

namespace {

// --- lost_update

// x[0] = x[0] + 1 as one writes it without a thought. All threads share the word; a thread that
// reads between another's read and write finds the old value too, and one of the two additions is
// lost. n threads may leave anything from 1 to n.
__global__ void add_one_plain(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        const int old = d_x[0];  // race: lost_update
        d_x[0] = old + 1;        // race: lost_update
        d_olds[i] = old;
    }
}

// --- block_scope_across_blocks

// atomicAdd_block promises to be one step for the threads of one block. Here other blocks add to
// the same word. A GPU may well get it right all the same, until it keeps the word in a cache of
// its own multiprocessor.
__global__ void add_one_at_block_scope(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        d_olds[i] = atomicAdd_block(d_x, 1);  // race: block_scope_across_blocks
    }
}

// --- cas_no_retry

// The loop of cas_loop_add without the loop. Where another thread was faster, atomicCAS writes
// nothing, and nobody looks at what it returned. The plain read is a data race besides.
__global__ void add_one_cas_no_retry(int* d_x, std::size_t n, int* d_olds) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        const int old = *d_x;  // race: cas_no_retry
        atomicCAS(d_x, old, old + 1);
        d_olds[i] = old;
    }
}

// --- inc_off_by_one

// atomicInc as the chapter describes it: back to 0 if old > value. The ring is one number too long.
struct IncOffByOne : Inc {
    template <Scope scope>
    __device__ static unsigned apply(unsigned* word, unsigned value, unsigned) {
        return update_by_cas(word, [value](unsigned old) {
            return old > value ? 0 : old + 1;  // wrong: inc_off_by_one
        });
    }
};

// --- float_min_as_int

// float_min_bits without its second half. Right as long as all numbers are positive, which is how
// it passes a test.
struct FloatMinAsInt : FloatMin {
    template <Scope scope>
    __device__ static float apply(float* word, float value, float) {
        auto* bits = reinterpret_cast<int*>(word);
        return __int_as_float(atomicMin(bits, __float_as_int(value)));  // wrong: float_min_as_int
    }
};

}  // namespace

inline void run_lost_update(WordProblem& p) {
    auto& counter = p.counter();
    CHECK(cudaMemsetAsync(counter.d_words(), 0, sizeof(int)));
    add_one_plain<<<p.grid_size, p.block_size>>>(counter.d_words(), p.n, counter.d_olds());
    CHECK_LAUNCH();
}

inline void run_block_scope_across_blocks(WordProblem& p) {
    auto& counter = p.counter();
    CHECK(cudaMemsetAsync(counter.d_words(), 0, sizeof(int)));
    add_one_at_block_scope<<<p.grid_size, p.block_size>>>(counter.d_words(), p.n, counter.d_olds());
    CHECK_LAUNCH();
}

inline void run_cas_no_retry(WordProblem& p) {
    auto& counter = p.counter();
    CHECK(cudaMemsetAsync(counter.d_words(), 0, sizeof(int)));
    add_one_cas_no_retry<<<p.grid_size, p.block_size>>>(counter.d_words(), p.n, counter.d_olds());
    CHECK_LAUNCH();
}

// inc_off_by_one and float_min_as_int are wrong where a ring is walked around, and for several
// negative numbers: these operands see to it.
template <typename Function, typename T>
void run_on_small_operands(WordProblem& p) {
    auto& history = p.history<Function, T>(false, {Draw::small, p.operands.seed, {}});
    history.set_words();
    apply_function<Function, Scope::device><<<p.grid_size, p.block_size>>>(
        history.d_words(), history.d_values(), history.d_compares(), p.n, history.d_olds());
    CHECK_LAUNCH();
}
