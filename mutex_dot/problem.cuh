// The dot product as the harness sees it: the memory of all variants, the reference, and the check.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/lock.cuh"
#include "harness/compensated_sum.hpp"
#include "harness/results_seen.hpp"
#include "harness/variant.cuh"
#include "mutex_dot/block_dot.cuh"
#include "mutex_dot/cpu.hpp"

// The dot product, exact to about the last digit of T, and the sum of |a_i * b_i|, which rounding
// errors are measured against. (Products that are not finite are left out of the second; with them
// the result is NaN or infinite and needs no bound.)
struct DotReference {
    long double dot = 0;
    double magnitudes = 0;
};

// A product of two doubles has up to 106 digits; it is taken apart into its rounded value and, by a
// fused multiply-add, what that rounding lost. (For floats nothing is lost.)
// Throws std::invalid_argument unless both vectors have the same length.
template <typename T>
DotReference dot_reference(const std::vector<T>& a, const std::vector<T>& b) {
    if (a.size() != b.size()) {
        throw std::invalid_argument("a dot product needs vectors of one length, got " +
                                    std::to_string(a.size()) + " and " + std::to_string(b.size()));
    }
    harness::CompensatedSum sum;
    long double magnitudes = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double x = a[i];
        const double y = b[i];
        const double product = x * y;
        sum.add(product);
        if (std::isfinite(product)) {
            sum.add(std::fma(x, y, -product));
            magnitudes += std::fabs(product);
        }
    }
    return {sum.value(), static_cast<double>(magnitudes)};
}

template <typename T>
class DotProblem : public harness::Problem {
  public:
    // h_a, h_b: the vectors; throws std::invalid_argument unless they have the same length.
    // shift_a, shift_b: leave this many elements free before each on the device, so that neither
    // needs to be aligned to more than one element, nor both in the same way.
    DotProblem(std::vector<T> h_a, std::vector<T> h_b, const std::string& words = "",
               std::size_t shift_a = 0, std::size_t shift_b = 0)
        : reference_(dot_reference(h_a, h_b)),
          h_a_(std::move(h_a)),
          h_b_(std::move(h_b)),
          words_(words),
          a_(n() + shift_a),
          b_(n() + shift_b),
          d_a_(a_.data() + shift_a),
          d_b_(b_.data() + shift_b),
          h_partial_(max_dot_blocks),
          dot_(1),
          partial_(max_dot_blocks),
          mutex_(1),
          ticket_lock_(1),
          finished_(std::vector<unsigned>{0}) {
        if (n() > 0) {
            const std::size_t bytes = n() * sizeof(T);
            CHECK(cudaMemcpy(d_a_, h_a_.data(), bytes, cudaMemcpyHostToDevice));
            CHECK(cudaMemcpy(d_b_, h_b_.data(), bytes, cudaMemcpyHostToDevice));
        }
    }

    // What the table's rows use.
    std::size_t n() const { return h_a_.size(); }
    const T* d_a() const { return d_a_; }
    const T* d_b() const { return d_b_; }
    T* d_dot() { return dot_.data(); }
    T* h_partial() { return h_partial_.data(); }
    T* d_partial() { return partial_.data(); }  // max_dot_blocks words
    int* d_mutex() { return mutex_.data(); }
    common::TicketLock* d_ticket_lock() { return ticket_lock_.data(); }
    unsigned* d_finished() { return finished_.data(); }  // 0 between two runs
    // Memory for `count` elements of type Guarded, all bytes 0 between two runs. A row asks for it
    // in its prepare step.
    template <typename Guarded>
    void reserve_guarded(std::size_t count) {
        guarded_ = common::DeviceArray<unsigned char>(count * sizeof(Guarded));
        guarded_.fill_bytes(0);
    }
    template <typename Guarded>
    Guarded* d_guarded() {
        return reinterpret_cast<Guarded*>(guarded_.data());
    }
    // For the variant that ends on the host. All others leave the result in d_dot.
    void set_host_result(T dot) { host_result_ = dot; }
    // The error that at most `additions` additions of each product allow. One more rounding is the
    // product's own; a product too small for T loses at most T's smallest number. `atomic_adds` of
    // the additions are by atomicAdd in global memory.
    double bound(double additions, double atomic_adds = 0) const {
        return harness::rounding_bound<T>(additions + 1, reference_.magnitudes) +
               static_cast<double>(n()) * std::numeric_limits<T>::denorm_min() +
               (common::atomic_add_flushes<T> ? harness::subnormal_bound<T>(atomic_adds) : 0);
    }

    // What the tests ask for.
    T result() const { return host_result_ ? *host_result_ : dot_.to_host()[0]; }
    long double reference() const { return reference_.dot; }
    std::size_t different_results() const { return results_seen_.different(); }

    std::string input() const override {
        return words_ + harness::format("; the dot product is %.12Lg", reference_.dot);
    }
    std::vector<Span> inputs() const override {
        return {{a_.data(), a_.bytes()}, {b_.data(), b_.bytes()}};
    }
    bool run_on_cpu() override {
        cpu_dot_ = dot_cpu(h_a_.data(), h_b_.data(), n());
        return true;
    }
    harness::Verdict check_cpu() override {
        const double roundings = static_cast<double>(n()) + 1;
        return harness::check_sum<double>(
            cpu_dot_, reference_.dot, reference_.magnitudes,
            harness::rounding_bound<double>(roundings, reference_.magnitudes));
    }
    // The locks are poisoned as well: a variant that trusts fresh memory to be 0 would wait without
    // end. Not so the memory that must be 0 between two runs.
    void poison() override {
        host_result_.reset();
        harness::poison(dot_);
        harness::poison(partial_);
        harness::poison(mutex_);
        harness::poison(ticket_lock_);
    }
    harness::Verdict check(double bound) override {
        return harness::check_sum<T>(result(), reference_.dot, reference_.magnitudes, bound);
    }
    bool start_observing() override {
        results_seen_.clear();
        return true;
    }
    void observe() override { results_seen_.add(result()); }
    std::string remark() const override {
        return harness::format("dot %.9g%s", static_cast<double>(result()),
                               results_seen_.text().c_str());
    }
    void write(std::ostream& out) const override {
        out << harness::format("%.17g\n", static_cast<double>(result()));
    }

  private:
    DotReference reference_;
    std::vector<T> h_a_;
    std::vector<T> h_b_;
    std::string words_;
    double cpu_dot_ = 0;
    common::DeviceArray<T> a_;
    common::DeviceArray<T> b_;
    T* d_a_;
    T* d_b_;
    std::vector<T> h_partial_;
    common::DeviceArray<T> dot_;
    common::DeviceArray<T> partial_;
    common::DeviceArray<int> mutex_;
    common::DeviceArray<common::TicketLock> ticket_lock_;
    common::DeviceArray<unsigned> finished_;
    common::DeviceArray<unsigned char> guarded_;
    std::optional<T> host_result_;
    harness::ResultsSeen results_seen_;
};
