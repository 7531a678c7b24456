// The few instructions of inline PTX that have a name in CUDA C++, too.
#pragma once

#include <string>
#include <vector>

// "=r"(x): a constraint, without its quotes, and an expression.
struct PtxOperand {
    std::string constraint;
    std::string expression;
};

// What asm("<code>" : ... ) does, as statements of C++, each with its semicolon; "" if one of the
// instructions is not known. `operands` are %0, %1, ...
std::string cuda_for_ptx(const std::string& code, const std::vector<PtxOperand>& operands);
