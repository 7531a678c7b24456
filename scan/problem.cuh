// The prefix sum as the harness sees it: the memory of all variants, the reference, and the check.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/device_array.cuh"
#include "common/error.cuh"
#include "harness/check.hpp"
#include "harness/poison.cuh"
#include "harness/variant.cuh"
#include "scan/3_look_back.cuh"
#include "scan/4_two_words.cuh"
#include "scan/cpu.hpp"

// T: float or unsigned.
template <typename T>
class ScanProblem : public harness::Problem {
  public:
    // h_x: the numbers; `words`: what they are. `shift`: leave this many elements free before the
    // numbers and before the result on the device, so that both are aligned to one element only.
    explicit ScanProblem(std::vector<T> h_x, const std::string& words = "", std::size_t shift = 0)
        : h_x_(std::move(h_x)),
          words_(words),
          shift_(shift),
          cpu_(n()),
          input_(n() + shift),
          output_(n() + shift),
          ticket_(1) {
        if (n() > 0) {
            CHECK(cudaMemcpy(input_.data() + shift, h_x_.data(), n() * sizeof(T),
                             cudaMemcpyHostToDevice));
        }
        for (const T term : h_x_) {
            magnitudes_ += magnitude(term);
        }
    }

    // What the table's rows use.
    std::size_t n() const { return h_x_.size(); }
    const T* d_x() const { return input_.data() + shift_; }
    T* d_y() { return output_.data() + shift_; }
    unsigned* d_ticket() { return ticket_.data(); }
    unsigned* d_flags() { return flags_.data(); }
    T* d_sums() { return sums_.data(); }
    T* d_prefix() { return prefix_.data(); }
    TileWord* d_tile_words() { return tile_words_.data(); }
    TileValues<T> tile_values() { return {d_flags(), d_sums(), d_prefix()}; }
    void* d_storage() { return storage_.data(); }
    std::size_t storage_bytes() const { return storage_.size(); }
    // Memory that rows ask for in their prepare step: for so many tiles; in bytes.
    void reserve_tiles(std::size_t tiles) {
        if (flags_.size() < tiles) {
            flags_ = common::DeviceArray<unsigned>(tiles);
            sums_ = common::DeviceArray<T>(tiles);
            prefix_ = common::DeviceArray<T>(tiles);
            tile_words_ = common::DeviceArray<TileWord>(tiles);
        }
    }
    void reserve(std::size_t bytes) {
        if (storage_.size() < bytes) {
            storage_ = common::DeviceArray<unsigned char>(bytes);
        }
    }
    // The error of the last sum that at most `roundings` roundings of each term allow. Of an
    // earlier sum, the share that its terms have in the magnitudes of all.
    double bound(double roundings) const {
        return std::is_floating_point<T>::value ? harness::rounding_bound<T>(roundings, magnitudes_)
                                                : 0;
    }

    // What the tests ask for.
    std::vector<T> result() const {
        std::vector<T> all = output_.to_host();
        all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shift_));
        return all;
    }

    std::string input() const override { return words_; }
    std::vector<Span> inputs() const override { return {{input_.data(), input_.bytes()}}; }
    bool run_on_cpu() override {
        scan_cpu(h_x_.data(), n(), cpu_.data());
        return true;
    }
    // The CPU adds in double precision, and rounds once more when it stores a float.
    harness::Verdict check_cpu() override { return compare(cpu_, bound(2)); }
    void poison() override {
        harness::poison(output_);
        harness::poison(ticket_);
        harness::poison(flags_);
        harness::poison(sums_);
        harness::poison(prefix_);
        harness::poison(tile_words_);
        harness::poison(storage_);
    }
    harness::Verdict check(double bound) override { return compare(result(), bound); }
    void write(std::ostream& out) const override {
        for (const T sum : result()) {
            out << harness::format("%.9g\n", static_cast<double>(sum));
        }
    }

  private:
    static double magnitude(T term) {
        return std::isfinite(static_cast<double>(term)) ? std::fabs(static_cast<double>(term)) : 0;
    }

    // Every sum against the reference, which is exact for whole numbers, and a long double
    // for floats. Words are made only of the sum that is wrong, or has the largest share of its
    // bound: to make them takes longer than to compare.
    harness::Verdict compare(const std::vector<T>& sums, double bound) const {
        using Sum = std::conditional_t<std::is_floating_point<T>::value, long double, T>;
        Sum expected = 0;
        double magnitudes = 0;
        harness::Verdict worst{harness::Outcome::ok, "equal"};
        double largest_share = -1;
        for (std::size_t i = 0; i < n(); ++i) {
            expected += h_x_[i];
            magnitudes += magnitude(h_x_[i]);
            if (sums[i] == expected) {
                continue;
            }
            // By an infinite bound, the bound of a part is infinite, too.
            const double allowed = std::isinf(bound)  ? bound
                                   : magnitudes_ == 0 ? 0
                                                      : bound * (magnitudes / magnitudes_);
            const double error =
                std::fabs(static_cast<double>(sums[i]) - static_cast<double>(expected));
            const double share = error / allowed;
            if (share <= largest_share) {  // not where one of them is a NaN
                continue;
            }
            const harness::Verdict verdict = harness::check_within(
                static_cast<double>(sums[i]), static_cast<long double>(expected), allowed);
            if (!verdict.holds()) {
                return {verdict.outcome, harness::format("[%zu] ", i) + verdict.detail};
            }
            largest_share = std::isnan(share) ? largest_share : share;
            worst = verdict;
        }
        return worst;
    }

    std::vector<T> h_x_;
    std::string words_;
    std::size_t shift_;
    double magnitudes_ = 0;  // the sum of the |x_i|, which rounding errors are measured against
    std::vector<T> cpu_;
    common::DeviceArray<T> input_;
    common::DeviceArray<T> output_;
    common::DeviceArray<unsigned> ticket_;
    common::DeviceArray<unsigned> flags_;
    common::DeviceArray<T> sums_;
    common::DeviceArray<T> prefix_;
    common::DeviceArray<TileWord> tile_words_;
    common::DeviceArray<unsigned char> storage_;
};
