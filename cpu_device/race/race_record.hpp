// Two accesses that race, as the reports keep them.
#pragma once

#include <string>
#include <vector>

#include "race/words.hpp"

namespace cpu_device::race {

struct Race {
    Access earlier, now;
    std::vector<Access> steps;
    std::size_t offset;  // of the element that both touch
    unsigned bytes;      // of it
    Element::Kind type;
    std::uint64_t earlier_step = 0, now_step = 0;  // in the record; 0: not kept
    const Access* lost = nullptr;  // in `steps`: what the thread that writes now had read before
    std::string memory = {};       // this and the next two are for the first of its places only
    bool has_signal = false;       // atomics lead from one thread to the other, but lack something
    Missing missing{};
    bool knows_more = false;  // something that the first thread did is in order before the second
    bool finished = false;    // `after` is known
    std::size_t turns = 0;    // that the threads had had, where they are recorded
    std::uint64_t after = 0;  // as Access::before, after the last access

    // The element, in what an access has found in its word.
    std::uint64_t value(std::uint64_t found) const {
        const std::uint64_t from_element = found >> 8 * (offset % 4);
        return bytes < 8 ? from_element & ((std::uint64_t{1} << 8 * bytes) - 1) : from_element;
    }
    std::string text(std::uint64_t found) const { return value_text(value(found), bytes, type); }
};

}  // namespace cpu_device::race
