// The sum of an array, finished by atomicAdd. In the order of the lesson:
//
//   each         one atomicAdd per element
//   tree         each block adds up its elements in shared memory; one atomicAdd per block
//   shuffle      each thread first adds up many elements; the block by warp shuffles
//   last_block   no atomicAdd on the sum: the last block to finish adds the blocks' sums in order
//   fixed_point  atomicAdd on integers, where the order of additions cannot matter
//
// d_x: n numbers of type T (float or double), any alignment of T. d_sum: one word, the result.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "common/block_reduce.cuh"
#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/results_seen.hpp"
#include "common/shared_memory.cuh"
#include "common/variant.cuh"
#include "reduce_atomic/reduce_atomic_cpu.hpp"

namespace {

// --- each ----------------------------------------------------------------------------------------

// All threads of the grid share the one word d_sum. `*d_sum += x` would lose updates; atomicAdd
// makes read, add and write one step. The cost: the additions wait in line, one after another, and
// in float a large sum swallows small terms (10^8 times 1.23 ends at 2^25 = 33554432).
template <typename T>
__global__ void reduce_each(const T* d_x, std::size_t n, T* d_sum) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(d_sum, d_x[i]);
    }
}

}  // namespace

// The whole trip by hand: allocate, copy, zero, launch, check, copy back, free. Everything else in
// this project does these steps through DeviceArray and the harness. Returns the sum of h_x.
template <typename T>
T sum_by_hand(const std::vector<T>& h_x, int block_size) {
    const std::size_t bytes = h_x.size() * sizeof(T);
    T* d_x = nullptr;
    T* d_sum = nullptr;
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_x), std::max(bytes, sizeof(T))));
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_sum), sizeof(T)));
    CHECK(cudaMemcpy(d_x, h_x.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_sum, 0, sizeof(T)));  // atomicAdd adds to what is there: start from 0

    const int grid_size = blocks_to_cover(h_x.size(), block_size);
    reduce_each<<<grid_size, block_size>>>(d_x, h_x.size(), d_sum);
    CHECK_LAUNCH();

    T h_sum = 0;
    CHECK(cudaMemcpy(&h_sum, d_sum, sizeof(T), cudaMemcpyDeviceToHost));  // waits for the kernel
    CHECK(cudaFree(d_sum));
    CHECK(cudaFree(d_x));
    return h_sum;
}

constexpr int chapter_block_size = 128;  // threads a block, as the chapter has it

// The problem that all variants solve.
template <typename T>
class SumProblem : public Problem {
  public:
    // h_x: the numbers. `block_size`: threads a block; 0: each variant's own choice. `shift`: leave
    // this many elements free before the numbers on the device, so that d_x is not aligned to more
    // than one element.
    SumProblem(const std::vector<T>& h_x, int block_size, std::size_t shift = 0)
        : n(h_x.size()),
          largest_magnitude(largest_magnitude_cpu(h_x)),
          block_size_(block_size),
          reference_(sum_cpu(h_x)),
          magnitudes_(sum_of_magnitudes_cpu(h_x)),
          input_(n + shift),
          sum_(1),
          partial_(blocks_to_fill_device(n, block_size_or(chapter_block_size))),
          ticket_(std::vector<unsigned>{0}),
          fixed_(1),
          special_(1) {
        d_x = input_.data() + shift;
        if (n > 0) {
            CHECK(cudaMemcpy(input_.data() + shift, h_x.data(), n * sizeof(T),
                             cudaMemcpyHostToDevice));
        }
    }

    // What the launchers use.
    std::size_t n;
    const T* d_x = nullptr;
    double largest_magnitude;  // of the finite terms: the range that fixed point must hold

    int block_size_or(int own_choice) const { return block_size_ > 0 ? block_size_ : own_choice; }
    T* d_sum() { return sum_.data(); }
    T* d_partial() { return partial_.data(); }  // a word for each block that fills the device
    unsigned* d_ticket() { return ticket_.data(); }
    unsigned long long* d_fixed() { return fixed_.data(); }
    unsigned* d_special() { return special_.data(); }
    // Scratch of at least this many bytes; it grows in a variant's first run, which is not timed.
    void* d_scratch(std::size_t bytes) {
        if (scratch_.size() < bytes) {
            scratch_ = DeviceArray<unsigned char>(bytes);
        }
        return scratch_.data();
    }

    // Each launcher states its accuracy: the most roundings that a term passes through, and an
    // absolute error beside them.
    void set_accuracy(double additions, double absolute_error = 0) {
        bound_ = rounding_bound<T>(additions, magnitudes_) + absolute_error;
    }

    T result() const { return sum_.to_host()[0]; }
    double bound() const { return bound_; }
    long double reference() const { return reference_; }
    std::size_t different_sums() const { return results_seen_.different(); }

    std::vector<Span> inputs() const override { return {{input_.data(), input_.bytes()}}; }
    void poison() override {
        sum_.poison();
        partial_.poison();
        fixed_.poison();
    }
    Verdict check() override { return check_sum<T>(result(), reference_, magnitudes_, bound_); }

    bool start_observing() override {
        results_seen_.clear();
        return true;
    }
    void observe() override { results_seen_.add(result()); }
    std::string remark() const override {
        return format("sum %.9g%s", static_cast<double>(result()), results_seen_.text().c_str());
    }

  private:
    int block_size_;
    long double reference_;
    double magnitudes_;
    double bound_ = 0;
    DeviceArray<T> input_;
    DeviceArray<T> sum_;
    DeviceArray<T> partial_;
    DeviceArray<unsigned> ticket_;
    DeviceArray<unsigned long long> fixed_;
    DeviceArray<unsigned> special_;
    DeviceArray<unsigned char> scratch_;
    ResultsSeen results_seen_;
};

template <typename T>
void run_each(SumProblem<T>& p) {
    const int block_size = p.block_size_or(chapter_block_size);
    CHECK(cudaMemsetAsync(p.d_sum(), 0, sizeof(T)));
    const int grid_size = blocks_to_cover(p.n, block_size);
    reduce_each<<<grid_size, block_size>>>(p.d_x, p.n, p.d_sum());
    CHECK_LAUNCH();
    p.set_accuracy(static_cast<double>(p.n));  // one long row of additions
}

namespace {

// --- tree ----------------------------------------------------------------------------------------

// The chapter's tree: half of the threads add the other half's values to theirs, then half of
// those, and so on. Leaves the sum of the block's s_y in s_y[0]. Any block size: the first step
// takes the power of two above it, and a partner that does not exist is left out.
template <typename T>
__device__ void tree_sum(T* s_y) {
    const unsigned tid = threadIdx.x;
    unsigned offset = 1;
    while (2 * offset < blockDim.x) {
        offset *= 2;
    }
    for (; offset > 0; offset /= 2) {
        // Behind this barrier all values of the step before are in shared memory.
        __syncthreads();
        if (tid < offset && tid + offset < blockDim.x) {
            s_y[tid] += s_y[tid + offset];
        }
    }
    __syncthreads();
}

template <typename T>
__global__ void reduce_tree(const T* d_x, std::size_t n, T* d_sum) {
    T* s_y = dynamic_shared<T>();
    const unsigned tid = threadIdx.x;
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + tid;
    s_y[tid] = i < n ? d_x[i] : T(0);
    tree_sum(s_y);
    // One thread of the block speaks for all: n / block_size atomic additions instead of n.
    if (tid == 0) {
        atomicAdd(d_sum, s_y[0]);
    }
}

}  // namespace

// Roundings in tree_sum: one for each halving.
inline double tree_additions(int block_size) {
    return std::ceil(std::log2(block_size));
}

template <typename T>
void run_tree(SumProblem<T>& p) {
    const int block_size = p.block_size_or(chapter_block_size);
    CHECK(cudaMemsetAsync(p.d_sum(), 0, sizeof(T)));
    const int grid_size = blocks_to_cover(p.n, block_size);
    const std::size_t smem = block_size * sizeof(T);
    reduce_tree<<<grid_size, block_size, smem>>>(p.d_x, p.n, p.d_sum());
    CHECK_LAUNCH();
    p.set_accuracy(tree_additions(block_size) + grid_size);
}

namespace {

// --- shuffle -------------------------------------------------------------------------------------

// The sum of the elements that fall to one thread when the grid strides over the array:
// neighbouring threads read neighbouring elements, and a grid of any size covers any n.
template <typename T>
__device__ T grid_stride_sum(const T* d_x, std::size_t n) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    T sum = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        sum += d_x[i];
    }
    return sum;
}

// Additions in registers cost next to nothing, so most of them are done there; the block's sum goes
// from lane to lane by shuffles, with one barrier's wait instead of seven.
template <typename T>
__global__ void reduce_shuffle(const T* d_x, std::size_t n, T* d_sum) {
    const T sum = block_sum(grid_stride_sum(d_x, n));
    if (threadIdx.x == 0) {
        atomicAdd(d_sum, sum);
    }
}

}  // namespace

// Roundings in grid_stride_sum.
template <typename T>
double serial_additions(const SumProblem<T>& p, int grid_size, int block_size) {
    return std::ceil(static_cast<double>(p.n) / (static_cast<double>(grid_size) * block_size));
}

template <typename T>
void run_shuffle(SumProblem<T>& p) {
    const int block_size = p.block_size_or(chapter_block_size);
    CHECK(cudaMemsetAsync(p.d_sum(), 0, sizeof(T)));
    const int grid_size = blocks_to_fill_device(p.n, block_size);
    reduce_shuffle<<<grid_size, block_size>>>(p.d_x, p.n, p.d_sum());
    CHECK_LAUNCH();
    p.set_accuracy(serial_additions(p, grid_size, block_size) + block_sum_additions + grid_size);
}

namespace {

// --- last_block ----------------------------------------------------------------------------------

// Every block leaves its sum in d_partial and takes a ticket. The block that draws the last one
// knows that all others are done, and adds up their sums in the order of the blocks: the same
// result on every run, which an atomicAdd on floating-point numbers cannot give.
//
// Two orders are needed. A block's sum must be in memory before its ticket counts: the fence before
// atomicInc gives that. The last block must not read the sums before it has the ticket: the fence
// after it, and the barrier for the block's other threads. atomicInc wraps to 0 at gridDim.x - 1,
// so the counter is ready for the next launch.
template <typename T>
__global__ void reduce_last_block(const T* d_x, std::size_t n, T* d_partial, unsigned* d_ticket,
                                  T* d_sum) {
    __shared__ bool s_is_last;
    const T sum = block_sum(grid_stride_sum(d_x, n));
    if (threadIdx.x == 0) {
        d_partial[blockIdx.x] = sum;
        __threadfence();
        const unsigned ticket = atomicInc(d_ticket, gridDim.x - 1);
        __threadfence();
        s_is_last = ticket == gridDim.x - 1;
    }
    __syncthreads();
    if (s_is_last) {
        T total = 0;
        for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x) {
            total += d_partial[block];
        }
        total = block_sum(total);
        if (threadIdx.x == 0) {
            *d_sum = total;
        }
    }
}

}  // namespace

template <typename T>
void run_last_block(SumProblem<T>& p) {
    const int block_size = p.block_size_or(chapter_block_size);
    const int grid_size = blocks_to_fill_device(p.n, block_size);
    reduce_last_block<<<grid_size, block_size>>>(p.d_x, p.n, p.d_partial(), p.d_ticket(),
                                                 p.d_sum());
    CHECK_LAUNCH();
    const double second = std::ceil(static_cast<double>(grid_size) / block_size);
    p.set_accuracy(serial_additions(p, grid_size, block_size) + second + 2 * block_sum_additions);
}

namespace {

// --- fixed_point ---------------------------------------------------------------------------------

// Bits of d_special: what an integer cannot hold is remembered aside.
constexpr unsigned seen_nan = 1;
constexpr unsigned seen_plus_infinity = 2;
constexpr unsigned seen_minus_infinity = 4;

// Adds integers instead: each term is multiplied by `scale`, a power of two, and rounded to a whole
// number. Integer addition is associative, also where it wraps around, so any order of the atomics
// gives the same bits. The cost: all terms share one scale, so small ones keep fewer digits.
template <typename T>
__global__ void reduce_fixed_point(const T* d_x, std::size_t n, double scale,
                                   unsigned long long* d_fixed, unsigned* d_special) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    unsigned long long sum = 0;
    unsigned special = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        const double term = static_cast<double>(d_x[i]);
        if (isfinite(term)) {
            sum += static_cast<unsigned long long>(llrint(term * scale));
        } else {
            special |=
                isnan(term) ? seen_nan : (term > 0 ? seen_plus_infinity : seen_minus_infinity);
        }
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        atomicAdd(d_fixed, sum);
    }
    if (special != 0) {
        atomicOr(d_special, special);
    }
}

// One thread turns the finished total back into a number; the end of the kernel before it orders
// all of its atomics before these reads.
template <typename T>
__global__ void finish_fixed_point(const unsigned long long* d_fixed, const unsigned* d_special,
                                   double scale, T* d_sum) {
    constexpr unsigned both = seen_plus_infinity | seen_minus_infinity;
    const unsigned special = *d_special;
    if ((special & seen_nan) != 0 || (special & both) == both) {
        *d_sum = static_cast<T>(NAN);
    } else if (special != 0) {
        *d_sum = static_cast<T>(special == seen_plus_infinity ? INFINITY : -INFINITY);
    } else {
        *d_sum = static_cast<T>(static_cast<double>(static_cast<long long>(*d_fixed)) / scale);
    }
}

}  // namespace

// The largest power of two by which n terms of the given magnitude may be multiplied so that their
// sum stays below 2^62. The magnitude must be known beforehand: that is the price of fixed point.
inline double fixed_point_scale(std::size_t n, double largest_magnitude) {
    int exponent = 0;  // of the largest sum; the product itself could overflow
    int exponent_of_n = 0;
    std::frexp(largest_magnitude, &exponent);
    std::frexp(static_cast<double>(std::max<std::size_t>(n, 1)), &exponent_of_n);
    exponent += exponent_of_n;
    // Beyond 1000 the scale itself would overflow; such terms are all denormal or zero.
    return std::ldexp(1.0, std::min(62 - exponent, 1000));
}

template <typename T>
void run_fixed_point(SumProblem<T>& p) {
    const int block_size = p.block_size_or(chapter_block_size);
    const double scale = fixed_point_scale(p.n, p.largest_magnitude);
    CHECK(cudaMemsetAsync(p.d_fixed(), 0, sizeof(unsigned long long)));
    CHECK(cudaMemsetAsync(p.d_special(), 0, sizeof(unsigned)));
    const int grid_size = blocks_to_fill_device(p.n, block_size);
    reduce_fixed_point<<<grid_size, block_size>>>(p.d_x, p.n, scale, p.d_fixed(), p.d_special());
    CHECK_LAUNCH();
    finish_fixed_point<<<1, 1>>>(p.d_fixed(), p.d_special(), scale, p.d_sum());
    CHECK_LAUNCH();
    // Half a unit for each term, and two roundings on the way back to T.
    p.set_accuracy(2, 0.5 * static_cast<double>(p.n) / scale);
}
