// The histogram as the harness sees it: the memory of all variants, the reference, and the check.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/device_array.cuh"
#include "common/error.cuh"
#include "harness/variant.cuh"
#include "histogram/bins.hpp"
#include "histogram/cpu.hpp"
#include "histogram/fast/one_launch.cuh"

class HistogramProblem : public harness::Problem {
  public:
    // h_bytes: what to count; `words`: what they are. bins: 1 ... 256; throws std::invalid_argument
    // on another number. `shift`: leave this many bytes free before the bytes on the device, so
    // that the first one stands at any alignment.
    explicit HistogramProblem(std::vector<unsigned char> h_bytes, int bins = byte_values,
                              const std::string& words = "", std::size_t shift = 0)
        : bins_(checked_bins(bins)),
          h_bytes_(std::move(h_bytes)),
          words_(words),
          shift_(shift),
          reference_(histogram_cpu(h_bytes_, bins)),
          input_(h_bytes_.size() + shift),
          counts_(bins),
          narrow_counts_(bins),
          barrier_(std::vector<ZeroingBarrier>(1)) {
        if (n() > 0) {
            CHECK(cudaMemcpy(input_.data() + shift, h_bytes_.data(), n(), cudaMemcpyHostToDevice));
        }
    }

    // What the table's rows use.
    int grid_size = 0;  // blocks to launch; 0: each variant chooses
    int launched = 0;   // blocks of the last launch
    std::size_t n() const { return h_bytes_.size(); }
    int bins() const { return bins_; }
    const unsigned char* d_bytes() const { return input_.data() + shift_; }
    BinCount* d_bins() { return counts_.data(); }
    ZeroingBarrier* d_barrier() { return barrier_.data(); }
    unsigned next_generation() { return ++generation_; }
    // For CUB, whose counters have 32 bits where that is enough: the bins that hold the result.
    std::uint32_t* d_narrow_bins() {
        narrow_ = true;
        return narrow_counts_.data();
    }
    // Memory that a row asks for in its prepare step, in bytes.
    void reserve(std::size_t bytes) { storage_ = common::DeviceArray<unsigned char>(bytes); }
    void* d_storage() { return storage_.data(); }
    std::size_t storage_bytes() const { return storage_.size(); }

    std::vector<BinCount> result() const {
        if (narrow_) {
            const std::vector<std::uint32_t> h_bins = narrow_counts_.to_host();
            return {h_bins.begin(), h_bins.end()};
        }
        return counts_.to_host();
    }
    const std::vector<BinCount>& reference() const { return reference_; }

    std::string input() const override { return words_ + "; " + std::to_string(bins_) + " bins"; }
    std::vector<Span> inputs() const override { return {{input_.data(), input_.bytes()}}; }
    bool run_on_cpu() override {
        cpu_counts_ = histogram_cpu(h_bytes_, bins_);
        return true;
    }
    void poison() override {
        harness::poison(counts_);
        harness::poison(narrow_counts_);
        narrow_ = false;
        launched = 0;
    }
    harness::Verdict check(double) override {
        harness::Verdict verdict = harness::check_equal(result(), reference_, "bin");
        if (verdict.holds()) {
            verdict.detail.clear();  // "ok" says it all: counts are equal or wrong
        }
        return verdict;
    }
    // A line "value count" per bin.
    void write(std::ostream& out) const override {
        const std::vector<BinCount> counts = result();
        for (std::size_t value = 0; value < counts.size(); ++value) {
            out << value << ' ' << counts[value] << '\n';
        }
    }

  private:
    static int checked_bins(int bins) {
        if (bins < 1 || bins > byte_values) {
            throw std::invalid_argument(std::to_string(bins) + " bins; expected 1 to 256");
        }
        return bins;
    }

    int bins_;
    std::vector<unsigned char> h_bytes_;
    std::string words_;
    std::size_t shift_;
    std::vector<BinCount> reference_;
    std::vector<BinCount> cpu_counts_;
    common::DeviceArray<unsigned char> input_;
    common::DeviceArray<BinCount> counts_;
    common::DeviceArray<std::uint32_t> narrow_counts_;
    bool narrow_ = false;  // the last run left its result in narrow_counts_
    common::DeviceArray<ZeroingBarrier> barrier_;
    unsigned generation_ = 0;
    common::DeviceArray<unsigned char> storage_;
};
