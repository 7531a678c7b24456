// Litmus programs, read from the text form of litmus/README.md. Part of axioms.cpp.
#pragma once

#include <string>
#include <vector>

namespace axioms {

enum Scope { scope_thread, scope_cta, scope_gpu, scope_sys };
enum class Action { load, store, add, exchange, swap, fence, block_barrier, warp_barrier };

struct Step {
    Action action{};
    char guard = 0;  // a register, or none: the step is made only if it holds guard_value
    int guard_value = 0;
    char target = 0;             // register that gets the value read
    char place = 0;              // word
    char source = 0;             // register that is added to `value`, or none
    int value = 0, compare = 0;  // compare: of a compare-and-swap
    bool weak = false;           // a plain access
    bool acquires = false, releases = false, seq_cst = false;
    Scope scope = scope_gpu;
};

struct Thread {
    unsigned block = 0, warp = 0;
    std::vector<Step> steps;
};

struct Program {
    std::string name;
    std::vector<Thread> threads;
    std::string registers, words, seen;  // seen: words whose final value belongs to the outcome
};

// Ends the program with status 2, and says where the text is wrong.
[[noreturn]] void fail(const std::string& where, const std::string& what);

// The line "NAME: blocks 0 0.1 1 [see x y]", then the line of the steps.
Program read_program(const std::string& header, const std::string& body);

}  // namespace axioms
