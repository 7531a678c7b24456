// What is so of a race: the conditions of the table of advice.
#pragma once

#include "race/race_record.hpp"

namespace cpu_device::race {

bool any(const Race& race);
bool both_volatile(const Race& race);
bool both_atomic(const Race& race);
bool atomics_of_different_bytes(const Race& race);
// Plain bytes: does each of the two change other bits than the other?
bool change_different_bits(const Race& race);
// The same thread number of two blocks, and one line writes for both.
bool forgets_block(const Race& race);
bool forgets_block_in_update(const Race& race);
// A thread reads the word, and writes it, as the other one may have done meanwhile.
bool updates_in_steps(const Race& race);
// Atomics lead from one thread to the other. What do they lack?
bool has_signal(const Race& race);
bool lacks_order(const Race& race);
bool lacks_scope_only(const Race& race);
bool lacks_own_release(const Race& race);
bool lacks_release_of_another(const Race& race);
bool lacks_own_acquire(const Race& race);
bool lacks_acquire_of_exchange(const Race& race);  // of a compare-and-swap that may fail
bool lacks_acquire_of_another(const Race& race);
bool lacks_barrier_before_signal(const Race& race);
bool lacks_barrier_after_answer(const Race& race);
bool lacks_device_scope(const Race& race);
bool one_of_a_signal_is_atomic(const Race& race);
// One access is atomic, and the other one is not, in global memory.
bool writes_beside_atomics(const Race& race);
bool reads_beside_atomics(const Race& race);
// Atomics have put something earlier that the first thread did in order before the second.
bool is_ordered_at_other_times(const Race& race);
bool is_copy(const Race& race);          // one of the two is, of memcpy_async
bool meets_in_object(const Race& race);  // the threads of the block do: in a cuda::barrier
// Both write plainly, and neither what the other has read.
bool write_same_value(const Race& race);
bool one_line_writes(const Race& race);
bool two_of_one_block_write(const Race& race);
bool two_lines_write(const Race& race);
bool same_block(const Race& race);
bool one_warp(const Race& race);
bool one_warp_block(const Race& race);  // the whole block is one warp

}  // namespace cpu_device::race
