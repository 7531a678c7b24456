// The chapter's two problems as the harness sees them: the memory of all variants, the reference,
// and the check. First heat on a plate, then its hottest cell.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "common/device_array.cuh"
#include "common/error.cuh"
#include "grid_barrier/4_sense_reversal.cuh"
#include "grid_barrier/5_counter_tree.cuh"
#include "grid_barrier/cpu.hpp"
#include "grid_barrier/fast/neighbor_flags.cuh"
#include "grid_barrier/hottest.cuh"
#include "grid_barrier/plate.cuh"
#include "harness/check.hpp"
#include "harness/poison.cuh"
#include "harness/variant.cuh"

// The same bits, or both no number.
inline bool same_temperature(float a, float b) {
    return std::memcmp(&a, &b, sizeof(float)) == 0 || (std::isnan(a) && std::isnan(b));
}

class HeatProblem : public harness::Problem {
  public:
    // h_start: the plate before the first step. columns: cells per row, at least 1.
    HeatProblem(std::vector<float> h_start, std::size_t columns, int steps,
                const std::string& words = "")
        : h_start_(std::move(h_start)),
          columns_(columns),
          steps_(steps),
          words_(words),
          reference_(heat_cpu(h_start_, columns, steps)),
          start_(h_start_),
          even_(n()),
          odd_(n()),
          arrived_(1),
          sense_(1) {}

    // What the table's rows use.
    int grid_size = 0;  // blocks to launch; 0: each variant chooses
    std::size_t n() const { return h_start_.size(); }
    int steps() const { return steps_; }
    // The plate before the first step, copied to where the steps begin.
    Plate start() {
        if (n() > 0) {
            CHECK(cudaMemcpyAsync(even_.data(), start_.data(), start_.bytes(),
                                  cudaMemcpyDeviceToDevice));
        }
        return {even_.data(), odd_.data(), n(), columns_};
    }
    unsigned* d_arrived() { return arrived_.data(); }
    SenseBarrier* d_sense() { return sense_.data(); }
    // Memory that grows with the grid: rows ask for it in their prepare step.
    void reserve_tree(int blocks) {
        tree_ = common::DeviceArray<TreeCounter>(tree_counters(blocks));
    }
    void reserve_done(int blocks) { done_ = common::DeviceArray<StepsDone>(blocks); }
    TreeCounter* d_tree() { return tree_.data(); }
    StepsDone* d_done() { return done_.data(); }

    // What the tests and the picture ask for.
    std::size_t columns() const { return columns_; }
    std::vector<float> result() const { return (steps_ % 2 == 0 ? even_ : odd_).to_host(); }

    std::string input() const override { return words_; }
    std::vector<Span> inputs() const override { return {}; }  // it stays in the cache
    bool run_on_cpu() override {
        cpu_plate_ = heat_cpu(h_start_, columns_, steps_);
        return true;
    }
    harness::Verdict check_cpu() override { return equals_reference(cpu_plate_); }
    // The barriers' words too: a variant that trusts fresh memory to be 0 would wait without end.
    void poison() override {
        harness::poison(even_);
        harness::poison(odd_);
        harness::poison(arrived_);
        harness::poison(sense_);
        harness::poison(tree_);
        harness::poison(done_);
    }
    harness::Verdict check(double) override { return equals_reference(result()); }
    void write(std::ostream& out) const override {
        for (const float temperature : result()) {
            out << harness::format("%.9g\n", temperature);
        }
    }

  private:
    harness::Verdict equals_reference(const std::vector<float>& plate) const {
        std::size_t different = 0;
        std::size_t first = 0;
        for (std::size_t cell = 0; cell < plate.size(); ++cell) {
            if (!same_temperature(plate[cell], reference_[cell]) && different++ == 0) {
                first = cell;
            }
        }
        if (different == 0) {
            return {harness::Outcome::ok, "equal"};
        }
        return {harness::Outcome::wrong,
                harness::format("cell %zu is %.9g, expected %.9g (%zu of %zu differ)", first,
                                plate[first], reference_[first], different, plate.size())};
    }

    std::vector<float> h_start_;
    std::size_t columns_;
    int steps_;
    std::string words_;
    std::vector<float> reference_;
    std::vector<float> cpu_plate_;
    common::DeviceArray<float> start_;
    common::DeviceArray<float> even_;  // the plate after an even number of steps
    common::DeviceArray<float> odd_;
    common::DeviceArray<unsigned> arrived_;
    common::DeviceArray<SenseBarrier> sense_;
    common::DeviceArray<TreeCounter> tree_;
    common::DeviceArray<StepsDone> done_;
};

class HottestProblem : public harness::Problem {
  public:
    HottestProblem(std::vector<float> h_plate, const std::string& words = "")
        : h_plate_(std::move(h_plate)),
          words_(words),
          reference_(hottest_cpu(h_plate_)),
          plate_(h_plate_),
          mutex_(1),
          hottest_(1) {}

    // What the table's rows use.
    std::size_t n() const { return h_plate_.size(); }
    const float* d_plate() const { return plate_.data(); }
    int* d_mutex() { return mutex_.data(); }
    Hottest* d_hottest() { return hottest_.data(); }
    void reserve_blocks(int blocks) { of_block_ = common::DeviceArray<Hottest>(blocks); }
    Hottest* d_of_block() { return of_block_.data(); }
    // For the variant that ends on the host. The other one leaves its result in d_hottest.
    void compare_on_host(int blocks) { blocks_ = blocks; }

    Hottest result() const {
        if (blocks_ == 0) {
            return hottest_.to_host()[0];
        }
        Hottest best = hottest_of_none;
        for (const Hottest& one : of_block_.to_host()) {
            best = hotter(best, one);
        }
        return best;
    }

    std::string input() const override { return "the hottest cell of " + words_; }
    std::vector<Span> inputs() const override { return {{plate_.data(), plate_.bytes()}}; }
    bool run_on_cpu() override {
        cpu_hottest_ = hottest_cpu(h_plate_);
        return true;
    }
    harness::Verdict check_cpu() override { return equals_reference(cpu_hottest_); }
    void poison() override {
        blocks_ = 0;
        harness::poison(mutex_);
        harness::poison(hottest_);
        harness::poison(of_block_);
    }
    harness::Verdict check(double) override { return equals_reference(result()); }
    void write(std::ostream& out) const override {
        const Hottest hottest = result();
        out << harness::format("%.9g %zu\n", hottest.temperature, hottest.cell);
    }

  private:
    harness::Verdict equals_reference(const Hottest& hottest) const {
        const bool equal = same_temperature(hottest.temperature, reference_.temperature) &&
                           hottest.cell == reference_.cell;
        return {
            equal ? harness::Outcome::ok : harness::Outcome::wrong,
            equal ? "equal"
                  : harness::format("cell %zu with %.9g, expected cell %zu with %.9g", hottest.cell,
                                    hottest.temperature, reference_.cell, reference_.temperature)};
    }

    std::vector<float> h_plate_;
    std::string words_;
    Hottest reference_;
    Hottest cpu_hottest_ = hottest_of_none;
    common::DeviceArray<float> plate_;
    common::DeviceArray<int> mutex_;
    common::DeviceArray<Hottest> hottest_;
    common::DeviceArray<Hottest> of_block_;
    int blocks_ = 0;
};
