// Launches of different devices that nothing orders but what they do themselves: atomics and fences
// of system scope. Launches run one after the other here, so what one has left at an atomic object
// is found by those that come later, as if they had run at the same time.
#pragma once

#include <cstddef>

#include "race/order.hpp"
#include "race/work.hpp"

namespace cpu_device::race {

struct ObjectState;
struct WordState;

void begin_launch_on_device(const LaunchConfig& config);
void end_launch_on_device();
// Is there a launch of another device that may run at the same time as this one?
extern bool beside_others;
// The launch's first atomic access to this object: what earlier launches have left there.
void take_over(ObjectState& object);
// The access is about to be made. Does it meet one of a launch of another device?
void check_beside_others(const Clocks& me, const WordState& word, const Access& now);
// False, and a report: the memory is another device's, and this one has no access to it.
bool may_use_memory(const Clocks& me, std::size_t offset, Access::Kind kind, bool atomic,
                    Where where);
// Something that is no atomic access of a launch has written here, and ends what was left.
void forget_left(std::size_t begin, std::size_t bytes);

}  // namespace cpu_device::race
