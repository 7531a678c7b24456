// The members of structs, by which a trace names the parts of their elements.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "race/memory.hpp"

namespace cpu_device::race {

struct Member {
    std::string name;
    std::size_t offset, bytes;
    Element::Kind kind;
    std::string pointee;  // the type of what a pointer points to; empty: no pointer, or not known
};

// What a source file declares, and what the files do that it includes in quotes, up to 1 MB in all.
// The files are read at the first question. It knows float4 and its like, and structs of numbers,
// pointers and arrays of these; of others, such as those with a base class, a bit field or a
// function, it knows nothing. Names are taken without their namespaces, and the conditions of the
// preprocessor are not looked at: what is declared twice must be the same.
class Declarations {
  public:
    // The same one for each call with this file.
    static const Declarations& of(const std::string& file);
    explicit Declarations(std::string file);
    ~Declarations();
    // Of the struct of so many bytes of which `variable` is one, or an array. Empty where no
    // declaration says it, two say different things, or one has a type that is not known.
    const std::vector<Member>& members_of(const std::string& variable, std::size_t bytes) const;
    // Of the type with this name, if it has so many bytes.
    std::vector<Member> members_of_type(const std::string& name, std::size_t bytes) const;

    // Of the type with this name; of 0 bytes if it is not known.
    Element element_of_type(const std::string& name) const;
    const std::string& text() const;  // of all files, without comments and strings

  private:
    struct Type;

    const Type& type(const std::string& name) const;

    std::string file_;
    mutable std::optional<std::string> text_;  // of all files
    mutable std::map<std::string, Type> types_;
    mutable std::map<std::pair<std::string, std::size_t>, std::vector<Member>> variables_;
};

}  // namespace cpu_device::race
