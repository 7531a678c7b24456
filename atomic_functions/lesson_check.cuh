// The lesson's check: what n threads that each add 1 to a word have left behind.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "../common/error.cuh"
#include "../common/timer.cuh"
#include "cpu.hpp"

// Prints a line: the time, the count, how many of the threads' old values differ, and `verdict`.
inline void print_count(const char* name, double ms, int x, std::size_t different,
                        const std::string& verdict) {
    std::printf("%-13s %s   x = %d, %zu different old values: %s\n", name,
                common::ms_text(ms).c_str(), x, different, verdict.c_str());
}

// The counts of several runs, in *d_x, with the n old values in d_olds. Right is n, and every old
// value from 0 to n - 1 once.
class Counts {
  public:
    Counts(const int* d_x, const int* d_olds, std::size_t n) : d_x_(d_x), d_olds_(d_olds), n_(n) {}

    // Call this after each run: copies what it has left to the host and looks at it.
    void read() {
        int x = 0;
        h_olds_.resize(n_);
        CHECK(cudaMemcpy(&x, d_x_, sizeof(int), cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(h_olds_.data(), d_olds_, n_ * sizeof(int), cudaMemcpyDeviceToHost));
        const std::size_t different = different_olds(h_olds_);
        const bool right = x == static_cast<int>(n_) && different == n_;
        // The worst run is a wrong one, and of the wrong ones that with the smallest count.
        if (runs_ == 0 || (!right && (wrong_runs_ == 0 || x < x_))) {
            x_ = x;
            different_ = different;
        }
        ++runs_;
        wrong_runs_ += right ? 0 : 1;
    }

    int wrong_runs() const { return wrong_runs_; }

    // Both print the worst run. One is for a kernel that may be wrong: how often it was. The other
    // is for a kernel that must be right.
    void print_wrong_runs(const char* name, double ms) const {
        print_count(
            name, ms, x_, different_,
            "wrong in " + std::to_string(wrong_runs_) + " of " + std::to_string(runs_) + " runs");
    }
    void print_check(const char* name, double ms) const {
        print_count(name, ms, x_, different_, wrong_runs_ == 0 ? "ok" : "WRONG");
    }

  private:
    const int* d_x_;
    const int* d_olds_;
    std::size_t n_;
    std::vector<int> h_olds_;
    int runs_ = 0;
    int wrong_runs_ = 0;
    int x_ = 0;
    std::size_t different_ = 0;
};
