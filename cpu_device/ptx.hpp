// The instructions of inline PTX that have a meaning in CUDA C++, too.
#pragma once

#include <string>
#include <vector>

// [name] "=r"(x): a constraint, without its quotes, an expression, and a name or "".
struct PtxOperand {
    std::string constraint;
    std::string expression;
    std::string name;
};

// What asm("<code>" : ... ) does, as statements of C++, each with its semicolon; "" if one of the
// instructions is not known. `operands` are %0, %1, ... In a volatile statement a thread may wait
// for another by loads.
std::string cuda_for_ptx(const std::string& code, const std::vector<PtxOperand>& operands,
                         bool is_volatile);
