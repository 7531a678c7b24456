// How reports name threads, accesses, values and memory.
#pragma once

#include <string>

#include "race/access.hpp"

namespace cpu_device::race {

std::string name_of(std::uint32_t block, std::uint32_t thread);
std::string name_of(const Access& access);
const char* verb(Access::Kind kind, bool is_atomic);
const char* verb(const Access& access);
// Shared or global.
const char* kind_of_memory(std::size_t offset);
// An element that two accesses touch, in a word or two.
std::string name_of_element(unsigned bytes, Element::Kind type);
constexpr const char* never_written = "(never written)";  // in place of a value
// A value as a number, by its type; where that is not known, by what it looks like.
std::string value_text(std::uint64_t value, unsigned bytes, Element::Kind kind);
// An address in words: which element of what.
std::string describe(std::size_t offset, std::size_t element);
std::string describe(const Piece& piece, std::size_t offset, std::size_t element);

}  // namespace cpu_device::race
