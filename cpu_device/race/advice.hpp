// What would help against a data race.
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
    const Access* lost = nullptr;  // in `steps`: what the thread that writes now had read before
    const char* kind = nullptr;    // this and the words are for the first of its places only
    std::string memory = {}, advice = {};
    bool both_write = false;  // plainly, and neither what the other has read
    bool finished = false;    // `after` is known
    std::uint64_t after = 0;  // as Access::before, after the last access

    // The element, in what an access has found in its word.
    std::uint64_t value(std::uint64_t found) const {
        const std::uint64_t from_element = found >> 8 * (offset % 4);
        return bytes < 8 ? from_element & ((std::uint64_t{1} << 8 * bytes) - 1) : from_element;
    }
    std::string text(std::uint64_t found) const { return value_text(value(found), bytes, type); }
};

constexpr const char* volatile_kind = "VOLATILE WITHOUT ORDER";

// Do both threads read, change and write the element, one of them by the instructions of the other?
bool is_update(const Race& race);
// The writer's last two values: do the two threads change different bits of it?
bool change_different_bits(const Race& race);
// Sets the race's kind and advice. `me`: the clocks of the thread that accesses now.
void explain(Race& race, const Clocks& me);
// What the write with which a race began has left there.
std::uint64_t written_first(const Race& race);

}  // namespace cpu_device::race
