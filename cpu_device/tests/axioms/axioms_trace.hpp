// What each thread of a litmus program does, for all values that its loads may read. Part of
// axioms.cpp.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "axioms_program.hpp"

namespace axioms {

// An atomic read-modify-write is one event that reads and writes. A barrier is two: a thread
// arrives, and leaves.
struct Event {
    enum Kind { access, fence, arrives, leaves } kind = access;
    int thread = -1;  // -1: the word's initial value
    unsigned block = 0, warp = 0;
    char place = 0;
    bool reads = false, writes = false;
    int value_read = 0, value_written = 0;
    bool strong = false, acquires = false, releases = false, seq_cst = false;
    Scope scope = scope_gpu;
    unsigned barrier = 0;         // which one of the thread's barriers of the kind
    bool of_warp = false;         // barrier
    std::vector<unsigned> needs;  // places in the thread's trace of the reads it depends on
};

// What a thread does, if its loads read these values.
struct Trace {
    std::vector<Event> events;
    std::map<char, int> registers;
};

// All traces of the thread of this number whose loads read some of `values`.
std::vector<Trace> traces_of(const Program& program, unsigned number, const std::set<int>& values);
// All values that stores can leave.
std::set<int> values_of(const Program& program);

}  // namespace axioms
