// The few instructions of inline PTX that have a name in CUDA C++, too.
#pragma once

#include <string>
#include <vector>

// What asm("<code>" : ... ) does, as statements of C++, each with its semicolon; "" if one of the
// instructions is not known. `operands` are the expressions for %0, %1, ...
std::string cuda_for_ptx(const std::string& code, const std::vector<std::string>& operands);
