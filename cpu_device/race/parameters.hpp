// The names of a kernel's parameters, by which a trace names the memory that they point to.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cpu_device::race {

class Declarations;

// A pointer that a kernel was called with: where it points to, and the parameter's name, such as
// d_x, or table.d_heads for a member.
struct Argument {
    std::size_t offset;
    unsigned number;  // of the parameter, from 1
    std::string name;
    std::size_t bytes;  // of the number that it points to; 0: no number, or not known
    std::string type;   // of what it points to, as the kernel declares it; empty: not known
    std::optional<std::size_t> at;  // where it may be a member of an object; none: a pointer itself
    std::size_t object_bytes = 0;   // of that object
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
// empty. Of an object they are its own: name_members() goes on with them. Two kernels of one name
// may differ in their types: then these stay empty too.
void name_parameters(std::vector<Argument>& arguments, const std::string& kernel,
                     const std::string& file);

// Names the pointers that may be members of an object, as the type of its parameter declares them:
// table becomes table.d_heads. What is no pointer there has no name any more.
void name_members(std::vector<Argument>& arguments, const Declarations& declarations);

}  // namespace cpu_device::race
