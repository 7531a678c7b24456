#include "race/advice.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cpu_device/race.h"
#include "race/conditions.hpp"
#include "race/places.hpp"
#include "race/report_log.hpp"

namespace cpu_device::race {
namespace {

// A cure is a claim: race_advice_test.cu has a program for each row, and does what the row says.
// Words in braces stand for what fill() puts there.
struct Row {
    const char* name;
    bool (*applies)(const Race& race);
    const char* kind;
    const char* sentence;  // what is the matter
    const char* cure;
};

constexpr const char* race_kind = "DATA RACE";
constexpr const char* scope_kind = "SCOPE TOO NARROW";

// The first row that applies counts.
constexpr Row rows[] = {
    {"volatile", both_volatile, "VOLATILE WITHOUT ORDER",
     "Both are volatile: each access is made, in one piece, and nothing more. No fence\n"
     "  in this kernel orders them either, and the threads of a warp need not run in step.\n",
     "  A __syncwarp() between the two would order them, or a __syncthreads(); for a flag,\n"
     "  a fence on both sides of it."},
    {"atomics of different bytes", atomics_of_different_bytes, race_kind,
     "Both are atomic, but not of the same bytes.",
     " Let all atomics on this memory be of one type,\n  at one address."},
    {"atomics of narrow scope", both_atomic, scope_kind,
     "Both are atomic, but one of the scopes does not include the other thread:\n"
     "  an atomic of block scope is one step for the threads of its own block only, and one\n"
     "  of thread scope for its own thread only.",
     " Device scope would do (without _block)."},
    {"different bits", change_different_bits, race_kind,
     "The two change different bits: members of a bit-field, or flags in one byte, share\n"
     "  their memory, and to write one is to write all.",
     " Give each thread a byte of its own."},
    {"index without block", forgets_block, race_kind, "Both are thread {thread} of their block.",
     " Does blockIdx.x stand in the index? As in\n"
     "  i = blockIdx.x * blockDim.x + threadIdx.x"},
    {"update in steps", updates_in_steps, race_kind,
     "Reading, changing and writing the word are three steps, and other threads come in\n"
     "  between.",
     " One atomic operation such as atomicAdd or atomicMax makes them one step, or\n"
     "  atomicCAS in a loop; a lock lets one thread at a time do the three."},
    {"signal of narrow scope", lacks_scope_only, scope_kind, "{signal}", ""},
    {"incomplete signal", lacks_order, race_kind, "{signal}", ""},
    {"plain write beside atomics", writes_beside_atomics, race_kind,
     "The plain write wipes out what atomics of other threads have left, whenever it\n"
     "  comes.",
     " Set the start value before the launch; or make the write atomic too; or\n"
     "  let a launch lie between. A barrier orders the threads of one block only."},
    {"plain read beside atomics", reads_beside_atomics, race_kind,
     "Only the {atomic one} access is atomic.",
     " Take the value that an atomic function has returned\n"
     "  instead of reading the word again; or make the other access atomic too, such as\n"
     "  atomicAdd(p, 0), which only reads, or a load of cuda::atomic_ref; or let a launch\n"
     "  lie between. A barrier orders the threads of one block only."},
    {"asynchronous copy", is_copy, race_kind,
     "One of the two is a copy of memcpy_async: until the wait for it, its bytes are on\n"
     "  their way.",
     " Wait for this copy, and then let the threads of the block meet, before its\n"
     "  target is used, and before its target or source is written."},
    {"barrier object", meets_in_object, race_kind,
     "Both are threads of one block, which meets in a cuda::barrier; it does not put these\n"
     "  two in order.",
     " Let the first thread arrive after its access, and the second wait for\n"
     "  that phase before its own; a buffer that is used again needs a second barrier, by\n"
     "  which its readers say that it is empty. (A __syncthreads() waits for all threads of\n"
     "  the block: never between two branches.)"},
    {"same value", write_same_value, race_kind,
     "Both write the same value, and it is a race all the same:",
     " let one thread write it,\n  or make each write atomic (a store of cuda::atomic_ref)."},
    {"one line of a block", one_line_of_one_block_writes, race_kind,
     "Both write, so in any order one value is lost: if both are wanted,",
     " the index is\n  at fault, and each needs a place of its own. If they belong to two steps of "
     "the\n  block, a __syncthreads() must stand between the two accesses."},
    {"one line of two blocks", one_line_writes, race_kind,
     "Both write, so in any order one value is lost: if both are wanted,",
     " the index is\n  at fault, and each needs a place of its own. If one is wanted, let one "
     "thread write."},
    {"block of one warp", one_warp_block, race_kind, "Both are threads of one block:",
     " a __syncthreads() between the two accesses\n  would order them. (Even in one warp threads "
     "need not run in step. A __syncwarp() would\n  do for blocks of 32 threads only; "
     "__syncthreads() is right for all sizes.)"},
    {"one warp", one_warp, race_kind, "Both are threads of one block:",
     " a __syncthreads() between the two accesses\n  would order them. (Even in one warp threads "
     "need not run in step. If no other warp\n  uses this memory, a __syncwarp() is enough; a "
     "shuffle or a vote is not.)"},
    {"one block", same_block, race_kind, "Both are threads of one block:",
     " a __syncthreads() between the two accesses\n  would order them."},
    {"different blocks", any, race_kind,
     "The threads are in different blocks, which nothing orders by itself.",
     " An atomic\n  flag with release and acquire, a lock, or two kernels, one after the other,\n"
     "  would order them."},
};

// What a signal lacks: all of these that apply.
constexpr Row parts[] = {
    {"release by the first", lacks_own_release, nullptr, "    a release by the first:",
     " a __threadfence() between its access and its atomic,\n"
     "      or memory_order_release for the atomic\n"},
    {"release by another", lacks_release_of_another, nullptr,
     "    a release by thread {signalling thread}:",
     " a __threadfence() of its own between the barrier and\n"
     "      its atomic, or memory_order_release for the atomic.\n"
     "      A fence of another thread does not count.\n"},
    {"acquire by the second", lacks_own_acquire, nullptr, "    an acquire by the second:",
     " a __threadfence() between its atomic and its access,\n"
     "      or memory_order_acquire for the atomic\n"},
    {"acquire by another", lacks_acquire_of_another, nullptr,
     "    an acquire by thread {answering thread}:",
     " a __threadfence() of its own between its atomic and\n"
     "      the barrier, or memory_order_acquire for the atomic.\n"
     "      A fence of another thread does not count.\n"},
    {"barrier before the signal", lacks_barrier_before_signal, nullptr, "    a __syncthreads()",
     " between the first access and the atomic of thread {signalling thread},\n"
     "      in the same block, and before that thread's own fence\n"},
    {"barrier after the answer", lacks_barrier_after_answer, nullptr, "    a __syncthreads()",
     " between the atomic of thread {answering thread} and the second access,\n"
     "      in the same block, and after that thread's own fence\n"},
    {"device scope", lacks_device_scope, nullptr, "    device scope:",
     " a fence or an atomic on the way is of a narrower scope, such as\n"
     "      __threadfence_block(), _block, thread_scope_block, thread_scope_thread\n"},
};

// What follows a row: all that apply.
constexpr Row additions[] = {
    {"index or update", forgets_block_in_update, nullptr,
     "\n  Or are all blocks to change this word?",
     " Then one atomic operation, such as\n  atomicAdd, must read, change and write it."},
    {"other access atomic", one_of_a_signal_is_atomic, nullptr,
     "\n  Only the {atomic one} access is atomic.",
     " If the word itself is the lock, the flag or the\n"
     "  counter, make the other access atomic too."},
    {"index of one of them", two_lines_write, nullptr,
     "\n  Both write, so in any order one value is lost: if both are wanted,",
     " the index is\n  at fault, and each needs a place of its own."},
};

std::string fill(std::string text, const Race& race) {
    const std::pair<const char*, std::string> words[] = {
        {"{thread}", std::to_string(race.now.thread)},
        {"{atomic one}", race.earlier.atomic ? "first" : "second"},
        {"{signalling thread}", std::to_string(race.missing.signalling_thread)},
        {"{answering thread}", std::to_string(race.missing.answering_thread)},
    };
    for (const auto& [name, word] : words) {
        const std::size_t at = text.find(name);
        if (at != std::string::npos) {
            text.replace(at, std::string(name).size(), word);
        }
    }
    return text;
}

void add(const Row& row, const Race& race, Advice& advice) {
    advice.rows.push_back(row.name);
    advice.text += fill(std::string(row.sentence) + row.cure, race);
}

// A lock or a flag leads from one to the other, and lacks some parts.
void add_signal(const Row& row, const Race& race, Advice& advice) {
    advice.rows.push_back(row.name);
    const Missing& missing = race.missing;
    advice.text = "The atomic at " + place_of(missing.signal) + " (" +
                  name_of(race.earlier.block, missing.signalling_thread) + ") reaches the one at " +
                  place_of(missing.answer) + "\n  (" +
                  name_of(race.now.block, missing.answering_thread) + ")";
    if (missing.answering_thread != race.now.thread && !missing.order.barrier) {
        advice.text += ", and a barrier passes it on to thread " + std::to_string(race.now.thread);
    }
    advice.text += ", but that orders the two accesses only if all of it is there. Missing:\n";
    for (const Row& part : parts) {
        if (part.applies(race)) {
            add(part, race, advice);
        }
    }
    advice.text.pop_back();
}

}  // namespace

void look_for_signal(Race& race, const Clocks& me) {
    const Access& a = race.earlier;
    race.has_signal =  // from one thread to another
        !a.by_copy && !race.now.by_copy &&
        what_is_missing(a.slot, a.block, a.moment, me, race.missing) &&
        (a.block != race.now.block ||
         race.missing.signalling_thread != race.missing.answering_thread);
}

Advice advice_for(const Race& race) {
    const Row& row = *std::find_if(std::begin(rows), std::end(rows),
                                   [&](const Row& one) { return one.applies(race); });
    Advice advice{row.kind, "", {}};
    if (row.applies == lacks_scope_only || row.applies == lacks_order) {
        add_signal(row, race, advice);
    } else {
        add(row, race, advice);
    }
    for (const Row& addition : additions) {
        if (addition.applies(race)) {
            add(addition, race, advice);
        }
    }
    return advice;
}

std::vector<std::string> advice_rows() {
    std::vector<std::string> names;
    const auto add_all = [&](const auto& table) {
        for (const Row& row : table) {
            names.push_back(row.name);
        }
    };
    add_all(rows);
    add_all(parts);
    add_all(additions);
    return names;
}

}  // namespace cpu_device::race
