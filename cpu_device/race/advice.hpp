// What would help against a data race: a table of conditions, sentences and cures.
#pragma once

#include <string>
#include <vector>

#include "race/race_record.hpp"
#include "race/sentences.hpp"

namespace cpu_device::race {

// At the second access: what lies between the two? `me`: the clocks of its thread. Accesses to the
// object `but` count as none.
void look_for_signal(Race& race, const Clocks& me, Object but = no_object);

struct Advice {
    std::string kind;
    Text text;
    std::vector<std::string> rows;  // of the table
};
// When the second access has been made.
Advice advice_for(const Race& race);
// The same, of the write of another thread and of the one that wipes it out.
Advice advice_for_lost_update(const Race& race);
// The same, of a write and of a read that does not see it yet.
Advice advice_for_stale_value(const Race& race);

}  // namespace cpu_device::race
