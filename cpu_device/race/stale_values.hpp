// The report of a load that has read an old value, where what the program prints depends on it.
// Which load that is the command scripts/race finds, by runs that let the first loads only read old
// values (old_values.hpp).
#pragma once

#include "race/order.hpp"
#include "race/word_history.hpp"

namespace cpu_device::race {

// The running thread has just read the object, and has not seen its newest store.
void report_stale_value(const Clocks& me, Object object, const Store& newest);

}  // namespace cpu_device::race
