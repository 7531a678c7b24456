// What an example gives to the harness (common/harness.cuh) and to the tests:
//   - a problem: its input on the device, its output, and how to judge it (class Problem);
//   - a table of variants: std::vector<Variant<ItsProblem>>, in the order of the lesson.
// It stands alone, without the harness's command line and JSON: so what only runs and checks
// variants compiles in a third of the time.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "common/check.hpp"
#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/plain_read.cuh"

enum class Kind {
    right,         // every check must hold
    library,       // as right; the code is a library's, for comparison
    wrong_result,  // wrong on every run: its check must fail
    race,          // wrong by a data race: may look right on any run
    order,         // as race: accesses that nothing puts in order (a missing fence or barrier)
};

inline bool is_right(Kind kind) {
    return kind == Kind::right || kind == Kind::library;
}

inline const char* name_of(Kind kind) {
    switch (kind) {
        case Kind::right:
            return "right";
        case Kind::library:
            return "library";
        case Kind::wrong_result:
            return "wrong result";
        case Kind::race:
            return "race";
        case Kind::order:
            return "order";
    }
    return "";
}

// One way to solve the problem P.
template <typename P>
struct Variant {
    std::string name;  // by its idea, as --variant takes it: lower case, '_' between words
    std::string idea;  // one line for --list: what it does other than the one before
    Kind kind = Kind::right;
    // Queues all work from the input to the finished output, setting the output's start values too;
    // it is what the harness times, so it allocates nothing. It must work on a poisoned output.
    void (*run)(P&) = nullptr;
    // Why this variant cannot run here ("needs compute capability 9.0"), or empty. May be null.
    std::string (*unavailable)(const P&) = nullptr;
    // A wrong variant's right counterpart: the name of the one to take instead.
    std::string instead = "";  // on "= {}" g++ 12 ends with an internal error
};

// The reason why a variant cannot run on this problem and device, or empty.
template <typename P>
std::string why_unavailable(const Variant<P>& variant, const P& problem) {
    return variant.unavailable == nullptr ? "" : variant.unavailable(problem);
}

// What the harness needs to know of an example's problem.
class Problem {
  public:
    using Span = ByteSpan;

    virtual ~Problem() = default;
    // Arrays on the device that every variant has to read: for the plain-read yardstick.
    virtual std::vector<Span> inputs() const = 0;
    // Calls poison() on all output.
    virtual void poison() = 0;
    // Waits for the run, copies the output back and compares all of it with the reference.
    virtual Verdict check() = 0;
    // Room to gather what several runs show together, such as how many different sums there were:
    // called before a variant's first run; true if observe() is to be called after further ones.
    virtual bool start_observing() { return false; }
    virtual void observe() {}
    // A short remark for the table after a variant's last run, or empty.
    virtual std::string remark() const { return ""; }
};

// Poisons, runs once, and checks: the step that tests and the table share.
template <typename P>
Verdict run_and_check(const Variant<P>& variant, P& problem) {
    problem.poison();
    variant.run(problem);
    CHECK(cudaDeviceSynchronize());
    return problem.check();
}
