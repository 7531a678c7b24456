// What would help against a data race: a table of conditions, sentences and cures.
#pragma once

#include <string>
#include <vector>

#include "race/race_record.hpp"
#include "race/sentences.hpp"

namespace cpu_device::race {

// At the second access: what lies between the two? `me`: the clocks of its thread.
void look_for_signal(Race& race, const Clocks& me);

struct Advice {
    std::string kind;
    Text text;
    std::vector<std::string> rows;  // of the table
};
// When the second access has been made.
Advice advice_for(const Race& race);

}  // namespace cpu_device::race
