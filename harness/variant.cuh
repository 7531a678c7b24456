// What a chapter gives to the harness and to the tests:
//   - a problem: its input on the device, its output, and how to judge it (class Problem);
//   - a table of variants: std::vector<Variant<ItsProblem>>, in the order of the lesson.
// Everything that anybody must know of a variant is in its row. This file needs neither the command
// line nor JSON, so what only runs and checks variants compiles quickly.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "common/device_array.cuh"
#include "common/error.cuh"
#include "harness/check.hpp"
#include "harness/kind.hpp"
#include "harness/plain_read.cuh"
#include "harness/poison.cuh"

namespace harness {

// One way to solve the problem P: a row of the chapter's table. The first four values are given in
// braces, the others by name:
//
//     Variant<SumProblem>{"block_tree", "one atomicAdd per block", Kind::right, run_block_tree}
//         .from("2_block_tree.cuh").with_block(128)
template <typename P>
struct Variant {
    std::string name;  // by its idea, as --variant takes it: lower case, '_' between words
    std::string idea;  // one line for --list: what it does other than the one before
    Kind kind = Kind::right;
    // Queues all work from the input to the finished output, setting the output's start values too.
    // It is what the harness times: it allocates nothing. It must work on a poisoned output.
    void (*run)(P&) = nullptr;

    // Why this variant cannot run here ("needs compute capability 9.0"), or empty. May be null.
    std::string (*skip_reason)(const P&) = nullptr;
    // A wrong variant's right counterpart: the name of the one to take instead.
    std::string instead = "";  // on "= {}" g++ 12 ends with an internal error
    std::string source = "";   // its file in the chapter's folder
    Level level = Level::lesson;
    int block_size = 0;            // threads per block, unless --block says otherwise
    bool block_is_fixed = false;   // it works with blocks of that size only
    std::size_t smallest_n = 250;  // with fewer elements it does not do all that is its own
    bool same_bits = false;        // it promises the same bits on every run
    // Allocates what `run` needs beyond the problem's own memory. May be null.
    void (*prepare)(P&) = nullptr;
    // The largest absolute error that the arithmetic allows; null: the result is exact.
    double (*bound)(const P&) = nullptr;

    Variant& from(const std::string& file) { return with(&Variant::source, file); }
    Variant& in_record() { return with(&Variant::level, Level::record); }
    Variant& with_block(int threads) { return with(&Variant::block_size, threads); }
    Variant& with_fixed_block(int threads) {
        return with_block(threads).with(&Variant::block_is_fixed, true);
    }
    Variant& with_smallest_n(std::size_t n) { return with(&Variant::smallest_n, n); }
    Variant& with_same_bits() { return with(&Variant::same_bits, true); }
    Variant& with_prepare(void (*step)(P&)) { return with(&Variant::prepare, step); }
    Variant& with_bound(double (*error)(const P&)) { return with(&Variant::bound, error); }
    Variant& with_skip(std::string (*reason)(const P&)) {
        return with(&Variant::skip_reason, reason);
    }
    Variant& instead_of(const std::string& right) { return with(&Variant::instead, right); }

  private:
    template <typename Field, typename Value>
    Variant& with(Field Variant::*field, const Value& value) {
        this->*field = value;
        return *this;
    }
};

// The reason why a variant cannot run on this problem and device, or empty.
template <typename P>
std::string why_skipped(const Variant<P>& variant, const P& problem) {
    return variant.skip_reason == nullptr ? "" : variant.skip_reason(problem);
}

// What the harness needs to know of a chapter's problem. A chapter's class is constructed with its
// input; it holds the input and the output on the device, and the reference on the host.
class Problem {
  public:
    using Span = ByteSpan;

    // Threads per block of the run under way. The harness sets it before each run.
    int block_size = 0;

    virtual ~Problem() = default;
    // The input in words: "104857600 random bytes, seed 1".
    virtual std::string input() const { return ""; }
    // Arrays on the device that every variant has to read: for the plain-read yardstick.
    virtual std::vector<Span> inputs() const = 0;
    // Solves the problem on one core of the host, for the table's first row; false: there is none.
    virtual bool run_on_cpu() { return false; }
    // Judges the host's result.
    virtual Verdict check_cpu() { return {Outcome::ok, "the reference"}; }
    // Poisons all output, and resets whatever else a run leaves for check().
    virtual void poison() = 0;
    // Waits for the run, copies the output back and compares all of it with the reference. `bound`
    // is the largest absolute error that the variant's arithmetic allows; 0: exact.
    virtual Verdict check(double bound) = 0;
    // Room to gather what several runs show together, such as how many different sums there were:
    // called before a variant's first run; true if observe() is to be called after further ones.
    virtual bool start_observing() { return false; }
    virtual void observe() {}
    // A short remark for the table after a variant's last run, or empty.
    virtual std::string remark() const { return ""; }
    // Writes the result of the last run as text, for --output.
    virtual void write(std::ostream&) const {}
};

// Gets the problem ready for runs of this variant, with blocks of `block_size` threads where it
// lets the caller choose; 0: with its own.
template <typename P>
void prepare(const Variant<P>& variant, P& problem, int block_size = 0) {
    const bool chosen = block_size > 0 && !variant.block_is_fixed;
    static_cast<Problem&>(problem).block_size = chosen ? block_size : variant.block_size;
    if (variant.prepare != nullptr) {
        variant.prepare(problem);
    }
}

// Poisons, runs once, and checks: the step that tests and the table share. To be called after
// prepare().
template <typename P>
Verdict run_and_check_prepared(const Variant<P>& variant, P& problem) {
    problem.poison();
    variant.run(problem);
    CHECK(cudaDeviceSynchronize());
    const double bound = variant.bound == nullptr ? 0 : variant.bound(problem);
    return static_cast<Problem&>(problem).check(bound);
}

template <typename P>
Verdict run_and_check(const Variant<P>& variant, P& problem, int block_size = 0) {
    prepare(variant, problem, block_size);
    return run_and_check_prepared(variant, problem);
}

}  // namespace harness
