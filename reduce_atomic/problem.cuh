// The sum as the harness sees it: the memory of all variants, the reference, and the check.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "harness/compensated_sum.hpp"
#include "harness/results_seen.hpp"
#include "harness/variant.cuh"
#include "reduce_atomic/cpu.hpp"
#include "reduce_atomic/fast/exact.cuh"

template <typename T>
class SumProblem : public harness::Problem {
  public:
    // h_x: the numbers; `words`: what they are. `shift`: leave this many elements free before the
    // numbers on the device, so that d_x is not aligned to more than one element.
    explicit SumProblem(std::vector<T> h_x, const std::string& words = "", std::size_t shift = 0)
        : h_x_(std::move(h_x)),
          words_(words),
          shift_(shift),
          input_(h_x_.size() + shift),
          sum_(1),
          ticket_(std::vector<unsigned>{0}),
          fixed_(std::vector<unsigned long long>{0}),
          bins_(std::vector<unsigned long long>(Format<T>::bins, 0)),
          special_(std::vector<unsigned>{0}) {
        harness::CompensatedSum sum;
        for (const T term : h_x_) {
            sum.add(term);
            if (std::isfinite(term)) {
                const double magnitude = std::fabs(static_cast<double>(term));
                magnitudes_ += magnitude;
                max_magnitude_ = std::max(max_magnitude_, magnitude);
            }
        }
        reference_ = sum.value();
        if (n() > 0) {
            CHECK(cudaMemcpy(input_.data() + shift, h_x_.data(), n() * sizeof(T),
                             cudaMemcpyHostToDevice));
        }
    }

    // What the table's rows use.
    std::size_t n() const { return h_x_.size(); }
    const T* d_x() const { return input_.data() + shift_; }
    T* d_sum() { return sum_.data(); }
    unsigned* d_ticket() { return ticket_.data(); }
    unsigned long long* d_fixed() { return fixed_.data(); }
    unsigned long long* d_bins() { return bins_.data(); }
    unsigned* d_special() { return special_.data(); }
    double max_magnitude() const { return max_magnitude_; }  // of the finite terms
    // Memory that a row asks for in its prepare step, in bytes.
    void reserve(std::size_t bytes) {
        if (storage_.size() < bytes) {
            storage_ = common::DeviceArray<unsigned char>(bytes);
        }
    }
    void* d_storage() { return storage_.data(); }
    std::size_t storage_bytes() const { return storage_.size(); }
    T* d_partial() { return static_cast<T*>(d_storage()); }
    // The error that at most `roundings` roundings of each term allow, of which `atomic_adds` are
    // by atomicAdd in global memory.
    double bound(double roundings, double atomic_adds = 0) const {
        return harness::rounding_bound<T>(roundings, magnitudes_) +
               (common::atomic_add_flushes<T> ? harness::subnormal_bound<T>(atomic_adds) : 0);
    }

    // The error of the sum rounded once, and of the reference itself, which is compensated.
    double bound_of_one_rounding() const {
        const double of_reference =
            harness::rounding_bound<T>(1, std::fabs(static_cast<double>(reference_)));
        return of_reference + static_cast<double>(std::numeric_limits<T>::denorm_min()) +
               static_cast<double>(n()) * static_cast<double>(n()) * 0x1p-120 * magnitudes_;
    }

    // What the tests ask for.
    T result() const { return sum_.to_host()[0]; }
    long double reference() const { return reference_; }
    std::size_t different_results() const { return results_seen_.different(); }

    std::string input() const override {
        return words_ + harness::format("; their sum is %.12Lg", reference_);
    }
    std::vector<Span> inputs() const override { return {{input_.data(), input_.bytes()}}; }
    bool run_on_cpu() override {
        cpu_sum_ = sum_cpu(h_x_.data(), n());
        return true;
    }
    harness::Verdict check_cpu() override {
        const double roundings = static_cast<double>(n());
        return harness::check_sum<double>(cpu_sum_, reference_, magnitudes_,
                                          harness::rounding_bound<double>(roundings, magnitudes_));
    }
    // Not the words that each kernel leaves as it found them.
    void poison() override {
        harness::poison(sum_);
        harness::poison(storage_);
    }
    harness::Verdict check(double bound) override {
        return harness::check_sum<T>(result(), reference_, magnitudes_, bound);
    }
    bool start_observing() override {
        results_seen_.clear();
        return true;
    }
    void observe() override { results_seen_.add(result()); }
    std::string remark() const override {
        return harness::format("sum %.9g%s", static_cast<double>(result()),
                               results_seen_.text().c_str());
    }
    void write(std::ostream& out) const override {
        out << harness::format("%.17g\n", static_cast<double>(result()));
    }

  private:
    std::vector<T> h_x_;
    std::string words_;
    std::size_t shift_;
    long double reference_ = 0;
    double magnitudes_ = 0;  // the sum of the |x_i|, which rounding errors are measured against
    double max_magnitude_ = 0;
    double cpu_sum_ = 0;
    common::DeviceArray<T> input_;
    common::DeviceArray<T> sum_;
    common::DeviceArray<unsigned> ticket_;
    common::DeviceArray<unsigned long long> fixed_;
    common::DeviceArray<unsigned long long> bins_;
    common::DeviceArray<unsigned> special_;
    common::DeviceArray<unsigned char> storage_;
    harness::ResultsSeen results_seen_;
};
