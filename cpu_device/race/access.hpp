// One access of a thread to one word, as the checker keeps it and the reports tell it.
#pragma once

#include <cstdint>

#include "race/memory.hpp"
#include "race/order.hpp"

namespace cpu_device::race {

// Of the launch. What memcpy_async has begun goes on by itself: copies have slots of their own,
// after those of the threads; that of a thread's k-th copy is (k + 1) * threads_in_launch + its
// own.
inline std::uint32_t threads_in_launch = ~0u;
inline bool is_slot_of_copy(std::uint32_t slot) {
    return slot >= threads_in_launch;
}

struct Access {
    enum Kind : std::uint8_t { read, write, update };
    std::uint32_t slot, time, block;
    std::uint32_t moment;  // of order.hpp
    std::uint16_t thread;
    Kind kind;
    bool atomic;
    Scope scope;              // of an atomic
    bool is_volatile;         // of shared memory
    bool by_copy;             // of memcpy_async, which the thread has begun
    std::uint8_t bytes;       // of the whole access
    std::uint8_t mask;        // the bytes of the word that it touches
    std::uint32_t chain = 0;  // atomic: the object's chain of read-modify-writes that it read
    std::uint32_t link = 0;   // from, and how many links it knows of
    Where where;
    std::uint64_t before;  // the 8 bytes from the word's begin on, until then

    bool wide() const { return atomic && scope >= Scope::device; }  // includes other blocks
};

}  // namespace cpu_device::race
