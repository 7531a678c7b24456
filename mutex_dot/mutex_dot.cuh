// The dot product of two vectors, finished in different ways. In the order of the lesson:
//
//   host_finish    every block leaves its share in memory; the host adds the shares up
//   mutex          every block adds its share to the result itself, under a lock
//   mutex_classic  the same with the lock as books have it: atomicCAS and two fences
//   ticket         the same with a lock that serves in order of arrival
//   atomic_add     no lock: the addition itself is one atomic step
//   last_block     no lock: the last block to finish adds the shares up in order
//
// They differ in the last lines of the kernel only; block_dot() before them is always the same.
// d_a, d_b: n numbers of type T (float or double), any alignment of T. d_dot: one word, the result.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/block_reduce.cuh"
#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/lock.cuh"
#include "common/results_seen.hpp"
#include "common/shared_memory.cuh"
#include "common/variant.cuh"
#include "mutex_dot/mutex_dot_cpu.hpp"

namespace {

// --- host_finish ---

// The part of the dot product that falls to one thread when the grid strides over the vectors.
template <typename T>
__device__ T grid_stride_dot(const T* d_a, const T* d_b, std::size_t n) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    T sum = 0;
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += stride) {
        sum += d_a[i] * d_b[i];
    }
    return sum;
}

// The block's share of the dot product, for all its threads. Needs blockDim.x words of dynamic
// shared memory. The tree takes any block size: its first step goes over the power of two below,
// and a partner that does not exist is left out.
template <typename T>
__device__ T block_dot(const T* d_a, const T* d_b, std::size_t n) {
    T* s_sums = dynamic_shared<T>();
    const unsigned tid = threadIdx.x;
    s_sums[tid] = grid_stride_dot(d_a, d_b, n);
    unsigned i = 1;
    while (2 * i < blockDim.x) {
        i *= 2;
    }
    for (; i > 0; i /= 2) {
        // Behind this barrier all sums of the step before are in shared memory.
        __syncthreads();
        if (tid < i && tid + i < blockDim.x) {
            s_sums[tid] += s_sums[tid + i];
        }
    }
    __syncthreads();
    return s_sums[0];
}

template <typename T>
__global__ void dot_partial(const T* d_a, const T* d_b, std::size_t n, T* d_partial) {
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        d_partial[blockIdx.x] = sum;  // each block has a word of its own: nothing is shared
    }
}

}  // namespace

// The grid of the Numba tutorial: 32 * 20 blocks of 256 threads; fewer blocks where there are not
// that many elements.
constexpr int tutorial_blocks = 32 * 20;
constexpr int tutorial_block_size = 256;

inline int dot_blocks(std::size_t n, int block_size) {
    return std::min(tutorial_blocks, blocks_to_cover(n, block_size));
}

// The whole trip by hand: allocate, copy, launch, check, copy back, finish on the host, free.
// Everything else in this example does these steps through DeviceArray and the harness. Returns
// the dot product of two vectors of the same length.
template <typename T>
T dot_by_hand(const std::vector<T>& h_a, const std::vector<T>& h_b, int block_size) {
    const std::size_t n = h_a.size();
    const std::size_t bytes = n * sizeof(T);
    const int grid_size = dot_blocks(n, block_size);
    T* d_a = nullptr;
    T* d_b = nullptr;
    T* d_partial = nullptr;
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_a), std::max(bytes, sizeof(T))));
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_b), std::max(bytes, sizeof(T))));
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_partial), grid_size * sizeof(T)));
    CHECK(cudaMemcpy(d_a, h_a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_b, h_b.data(), bytes, cudaMemcpyHostToDevice));

    dot_partial<<<grid_size, block_size, block_size * sizeof(T)>>>(d_a, d_b, n, d_partial);
    CHECK_LAUNCH();

    std::vector<T> h_partial(grid_size);  // the copy waits for the kernel
    CHECK(cudaMemcpy(h_partial.data(), d_partial, grid_size * sizeof(T), cudaMemcpyDeviceToHost));
    T sum = 0;
    for (const T share : h_partial) {
        sum += share;
    }
    CHECK(cudaFree(d_partial));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_a));
    return sum;
}

// The problem that all variants solve.
template <typename T>
class DotProblem : public Problem {
  public:
    // h_a, h_b: the vectors; throws std::invalid_argument unless they have the same length.
    // threads_a_block: for all variants; 0: each variant's own choice.
    // shift_a, shift_b: leave this many elements free before each on the device, so that neither
    // needs to be aligned to more than one element, nor both in the same way.
    DotProblem(const std::vector<T>& h_a, const std::vector<T>& h_b, int threads_a_block,
               std::size_t shift_a = 0, std::size_t shift_b = 0)
        : n(same_length(h_a, h_b)),
          h_partial(tutorial_blocks),
          block_size_(threads_a_block),
          reference_(dot_cpu(h_a, h_b)),
          magnitudes_(sum_of_magnitudes_cpu(h_a, h_b)),
          a_(n + shift_a),
          b_(n + shift_b),
          dot_(1),
          partial_(tutorial_blocks),
          mutex_(1),
          ticket_lock_(1),
          finished_(std::vector<unsigned>{0}) {
        d_a = a_.data() + shift_a;
        d_b = b_.data() + shift_b;
        if (n > 0) {
            const std::size_t bytes = n * sizeof(T);
            CHECK(cudaMemcpy(a_.data() + shift_a, h_a.data(), bytes, cudaMemcpyHostToDevice));
            CHECK(cudaMemcpy(b_.data() + shift_b, h_b.data(), bytes, cudaMemcpyHostToDevice));
        }
    }

    // What the launchers use.
    std::size_t n;
    const T* d_a = nullptr;
    const T* d_b = nullptr;
    std::vector<T> h_partial;  // for host_finish, so that its run allocates nothing

    int block_size_or(int own_choice) const { return block_size_ > 0 ? block_size_ : own_choice; }
    T* d_dot() { return dot_.data(); }
    T* d_partial() { return partial_.data(); }  // a word for each of tutorial_blocks blocks
    int* d_mutex() { return mutex_.data(); }
    TicketLock* d_ticket_lock() { return ticket_lock_.data(); }
    unsigned* d_finished() { return finished_.data(); }  // 0 between two runs
    // At least this many bytes, all 0 between two runs: every mutex free, every sum and count 0.
    // They grow in a variant's first run, which is not timed.
    void* d_guarded(std::size_t bytes) {
        if (guarded_.size() < bytes) {
            guarded_ = DeviceArray<unsigned char>(bytes);
            guarded_.fill_bytes(0);
        }
        return guarded_.data();
    }

    // For the variant that ends on the host. All others leave the result in d_dot.
    void set_host_result(T dot) { host_result_ = dot; }

    // Each launcher states its accuracy: the most additions that a product passes through. One more
    // rounding is the product's own; a product too small for T loses at most T's smallest number.
    void set_accuracy(double additions) {
        bound_ = rounding_bound<T>(additions + 1, magnitudes_) +
                 static_cast<double>(n) * std::numeric_limits<T>::denorm_min();
    }

    T result() const { return host_result_ ? *host_result_ : dot_.to_host()[0]; }
    double bound() const { return bound_; }
    long double reference() const { return reference_; }
    std::size_t different_results() const { return results_seen_.different(); }

    std::vector<Span> inputs() const override {
        return {{a_.data(), a_.bytes()}, {b_.data(), b_.bytes()}};
    }
    // The locks are poisoned as well: a variant that trusts fresh memory to be 0 would wait
    // forever. Not so those that must be 0 between two runs.
    void poison() override {
        host_result_.reset();
        dot_.poison();
        partial_.poison();
        mutex_.poison();
        ticket_lock_.poison();
    }
    Verdict check() override { return check_sum<T>(result(), reference_, magnitudes_, bound_); }

    bool start_observing() override {
        results_seen_.clear();
        return true;
    }
    void observe() override { results_seen_.add(result()); }
    std::string remark() const override {
        return format("dot %.9g%s", static_cast<double>(result()), results_seen_.text().c_str());
    }

  private:
    static std::size_t same_length(const std::vector<T>& h_a, const std::vector<T>& h_b) {
        if (h_a.size() != h_b.size()) {
            throw std::invalid_argument(
                format("a dot product needs vectors of one length, got %zu "
                       "and %zu",
                       h_a.size(), h_b.size()));
        }
        return h_a.size();
    }

    int block_size_;
    long double reference_;
    double magnitudes_;
    double bound_ = 0;
    DeviceArray<T> a_;
    DeviceArray<T> b_;
    DeviceArray<T> dot_;
    DeviceArray<T> partial_;
    DeviceArray<int> mutex_;
    DeviceArray<TicketLock> ticket_lock_;
    DeviceArray<unsigned> finished_;
    DeviceArray<unsigned char> guarded_;
    std::optional<T> host_result_;
    ResultsSeen results_seen_;
};

// Additions that a product passes through in block_dot: a thread's own, and one for each step of
// the tree.
template <typename T>
double block_dot_additions(const DotProblem<T>& p, int grid_size, int block_size) {
    const double threads = static_cast<double>(grid_size) * block_size;
    return std::ceil(static_cast<double>(p.n) / threads) + std::ceil(std::log2(block_size));
}

// The way back to the host and the additions there belong to this variant's idea, so they are part
// of its run.
template <typename T>
void run_host_finish(DotProblem<T>& p) {
    const int block_size = p.block_size_or(tutorial_block_size);
    const int grid_size = dot_blocks(p.n, block_size);
    const std::size_t smem = block_size * sizeof(T);
    dot_partial<<<grid_size, block_size, smem>>>(p.d_a, p.d_b, p.n, p.d_partial());
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(p.h_partial.data(), p.d_partial(), grid_size * sizeof(T),
                     cudaMemcpyDeviceToHost));
    T sum = 0;
    for (int block = 0; block < grid_size; ++block) {
        sum += p.h_partial[block];
    }
    p.set_host_result(sum);
    p.set_accuracy(block_dot_additions(p, grid_size, block_size) + grid_size);
}

namespace {

// --- mutex ---

// All blocks share the one word d_dot, and `*d_dot += sum` is a read, an addition and a write. The
// lock lets one block at a time do the three. Only one thread of a block asks for it: the others
// have nothing to add. The cost: the blocks' turns come one after another, and each turn is several
// trips to memory.
template <typename T>
__global__ void dot_mutex(const T* d_a, const T* d_b, std::size_t n, int* d_mutex, T* d_dot) {
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        lock(*d_mutex);
        *d_dot += sum;
        unlock(*d_mutex);
    }
}

}  // namespace

template <typename T>
void run_mutex(DotProblem<T>& p) {
    const int block_size = p.block_size_or(tutorial_block_size);
    CHECK(cudaMemsetAsync(p.d_mutex(), 0, sizeof(int)));  // a lock not set to free is never given
    CHECK(cudaMemsetAsync(p.d_dot(), 0, sizeof(T)));
    const int grid_size = dot_blocks(p.n, block_size);
    const std::size_t smem = block_size * sizeof(T);
    dot_mutex<<<grid_size, block_size, smem>>>(p.d_a, p.d_b, p.n, p.d_mutex(), p.d_dot());
    CHECK_LAUNCH();
    p.set_accuracy(block_dot_additions(p, grid_size, block_size) + grid_size);
}

namespace {

// --- mutex_classic ---

// The lock that the tutorial and later printings of the book have. Its atomics order nothing by
// themselves; the fences inside lock_classic and unlock_classic see to it that the `+=` is done
// between them.
template <typename T>
__global__ void dot_mutex_classic(const T* d_a, const T* d_b, std::size_t n, int* d_mutex,
                                  T* d_dot) {
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        lock_classic(*d_mutex);
        *d_dot += sum;
        unlock_classic(*d_mutex);
    }
}

}  // namespace

template <typename T>
void run_mutex_classic(DotProblem<T>& p) {
    const int block_size = p.block_size_or(tutorial_block_size);
    CHECK(cudaMemsetAsync(p.d_mutex(), 0, sizeof(int)));
    CHECK(cudaMemsetAsync(p.d_dot(), 0, sizeof(T)));
    const int grid_size = dot_blocks(p.n, block_size);
    const std::size_t smem = block_size * sizeof(T);
    dot_mutex_classic<<<grid_size, block_size, smem>>>(p.d_a, p.d_b, p.n, p.d_mutex(), p.d_dot());
    CHECK_LAUNCH();
    p.set_accuracy(block_dot_additions(p, grid_size, block_size) + grid_size);
}

namespace {

// --- ticket ---

// Blocks queue up: each draws a number and waits until it is called. The waiting ones only read, so
// they do not slow down the one that gives the lock back.
template <typename T>
__global__ void dot_ticket(const T* d_a, const T* d_b, std::size_t n, TicketLock* d_mutex,
                           T* d_dot) {
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        lock(*d_mutex);
        *d_dot += sum;
        unlock(*d_mutex);
    }
}

}  // namespace

template <typename T>
void run_ticket(DotProblem<T>& p) {
    const int block_size = p.block_size_or(tutorial_block_size);
    CHECK(cudaMemsetAsync(p.d_ticket_lock(), 0, sizeof(TicketLock)));
    CHECK(cudaMemsetAsync(p.d_dot(), 0, sizeof(T)));
    const int grid_size = dot_blocks(p.n, block_size);
    const std::size_t smem = block_size * sizeof(T);
    dot_ticket<<<grid_size, block_size, smem>>>(p.d_a, p.d_b, p.n, p.d_ticket_lock(), p.d_dot());
    CHECK_LAUNCH();
    p.set_accuracy(block_dot_additions(p, grid_size, block_size) + grid_size);
}

namespace {

// --- atomic_add ---

// A lock can guard anything; for one addition there is an atomic function. Nobody waits: the memory
// system does the additions one after another while the blocks go on.
template <typename T>
__global__ void dot_atomic_add(const T* d_a, const T* d_b, std::size_t n, T* d_dot) {
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        atomicAdd(d_dot, sum);
    }
}

}  // namespace

template <typename T>
void run_atomic_add(DotProblem<T>& p) {
    const int block_size = p.block_size_or(tutorial_block_size);
    CHECK(cudaMemsetAsync(p.d_dot(), 0, sizeof(T)));
    const int grid_size = dot_blocks(p.n, block_size);
    const std::size_t smem = block_size * sizeof(T);
    dot_atomic_add<<<grid_size, block_size, smem>>>(p.d_a, p.d_b, p.n, p.d_dot());
    CHECK_LAUNCH();
    p.set_accuracy(block_dot_additions(p, grid_size, block_size) + grid_size);
}

namespace {

// --- last_block ---

// The shares of host_finish, added up on the device: every block leaves its share and counts itself
// as finished; the one that finds itself the last adds all shares, in the order of the blocks. The
// result is then the same on every run, which neither a lock nor atomicAdd can promise: they add in
// the order in which the blocks arrive.
//
// A block's share must be in memory before the block counts: the first fence. The last block must
// not read shares before it has counted: the second fence, and for the block's other threads the
// barrier. atomicInc wraps to 0 at gridDim.x - 1, so the counter is ready for the next launch.
template <typename T>
__global__ void dot_last_block(const T* d_a, const T* d_b, std::size_t n, T* d_partial,
                               unsigned* d_finished, T* d_dot) {
    __shared__ bool s_is_last;
    const T sum = block_dot(d_a, d_b, n);
    if (threadIdx.x == 0) {
        d_partial[blockIdx.x] = sum;
        __threadfence();
        s_is_last = atomicInc(d_finished, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (s_is_last) {
        T total = 0;
        for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x) {
            total += d_partial[block];
        }
        total = block_sum(total);
        if (threadIdx.x == 0) {
            *d_dot = total;
        }
    }
}

}  // namespace

template <typename T>
void run_last_block(DotProblem<T>& p) {
    const int block_size = p.block_size_or(tutorial_block_size);
    const int grid_size = dot_blocks(p.n, block_size);
    const std::size_t smem = block_size * sizeof(T);
    dot_last_block<<<grid_size, block_size, smem>>>(p.d_a, p.d_b, p.n, p.d_partial(),
                                                    p.d_finished(), p.d_dot());
    CHECK_LAUNCH();
    const double in_last_block = std::ceil(static_cast<double>(grid_size) / block_size);
    p.set_accuracy(block_dot_additions(p, grid_size, block_size) + in_last_block +
                   block_sum_additions);
}
