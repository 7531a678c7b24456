// The names of a kernel's parameters, by which a trace names the memory that they point to.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cpu_device::race {

// A pointer that a kernel was called with: where it points to, and the parameter's name.
struct Argument {
    std::size_t offset;
    unsigned number;  // of the parameter, from 1
    std::string name;
    std::size_t bytes;  // of the number that it points to; 0: no number, or not known
    std::string type;   // of what it points to, as the kernel declares it; empty: not known
};

// Of "ns::count<int>": count. Empty where that is no kernel's own name.
std::string bare_name(const std::string& kernel);

// Where the body of a kernel stands in a text, its braces included.
struct Body {
    std::string kernel;
    std::size_t begin, end;
};
std::vector<Body> kernel_bodies(const std::string& text);

// Sets the names and the types, as this file declares them; those that it does not declare stay
// empty. Two kernels of one name may differ in their types: then these stay empty too.
void name_parameters(std::vector<Argument>& arguments, const std::string& kernel,
                     const std::string& file);

}  // namespace cpu_device::race
