// The programs of machine.cpp, read from the text form of litmus/README.md.
#pragma once

#include <string>
#include <vector>

#include "cpu_device/atomic_access.h"

namespace machine {

using cpu_device::Order;
using cpu_device::Scope;

struct Instruction {
    // "=": a store; "load", "add", "xch", "cas", "fence", "bar", "warp".
    std::string name;
    char guard = 0, guard_digit = 0;
    char into = 0, word = 0;
    std::vector<std::string> operands;
    bool weak = false;
    Order order = Order::relaxed;
    Scope scope = Scope::device;

    bool is_access() const { return word != 0; }
    bool is_local() const { return !is_access() && !(name == "fence" && order == Order::seq_cst); }
    bool is_load() const { return name == "load"; }
};

struct Litmus {
    std::string name, seen;
    std::vector<unsigned> blocks, warps;
    std::vector<std::vector<Instruction>> threads;
};

// The two lines of a program; ends with status 2 if they cannot be read.
Litmus litmus_of(const std::string& header, const std::string& steps);

}  // namespace machine
