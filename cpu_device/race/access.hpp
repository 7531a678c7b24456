// One access of a thread to one word, as the checker keeps it and the reports tell it.
#pragma once

#include <cstdint>

#include "race/memory.hpp"
#include "race/order.hpp"

namespace cpu_device::race {

struct Access {
    enum Kind : std::uint8_t { read, write, update };
    std::uint32_t slot, time, block;
    std::uint32_t moment;  // of order.hpp
    std::uint16_t thread;
    Kind kind;
    bool atomic;
    Scope scope;              // of an atomic
    bool is_volatile;         // of shared memory
    std::uint8_t bytes;       // of the whole access
    std::uint8_t mask;        // the bytes of the word that it touches
    std::uint32_t chain = 0;  // atomic: the object's chain of read-modify-writes that it read
    std::uint32_t link = 0;   // from, and how many links it knows of
    Where where;
    std::uint64_t before;  // the 8 bytes from the word's begin on, until then

    bool wide() const { return atomic && scope >= Scope::device; }  // includes other blocks
};

}  // namespace cpu_device::race
