// The members of structs, by which a trace names the parts of their elements.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "race/memory.hpp"

namespace cpu_device::race {

struct Member {
    std::string name;
    std::size_t offset, bytes;
    Element::Kind kind;
};

// What a source file declares, and what the files do that it includes in quotes. It knows float4
// and its like, and structs of numbers, pointers and arrays of these; of others, such as those with
// a base class or a bit field, it knows nothing.
class Declarations {
  public:
    explicit Declarations(const std::string& file);
    // Of the struct of so many bytes of which `variable` is one, or an array, or a pointer to one.
    // Empty where no declaration says it, or two say different things.
    std::vector<Member> members_of(const std::string& variable, std::size_t bytes) const;

  private:
    void read(const std::string& file, int depth);
    std::vector<Member> layout_of(const std::string& type, std::size_t bytes) const;

    std::string text_;  // without comments
};

}  // namespace cpu_device::race
