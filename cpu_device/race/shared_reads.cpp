#include "race/shared_reads.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "cpu_device/race.h"
#include "race/places.hpp"
#include "race/report_log.hpp"
#include "race/tracing.hpp"
#include "race/word_history.hpp"
#include "race/words.hpp"

namespace cpu_device::race {
namespace {

// An atomic that never changes a word is a read, also if it is called atomicAdd. By its place.
struct SharedReads {
    Text text;               // of the first that nothing orders
    std::uint64_t step = 0;  // of it, in the record
    bool changes = false;
    std::set<std::pair<std::uint32_t, std::size_t>> open;  // slot and offset
};
bool looks_at_shared_reads = false;
std::map<std::pair<const void*, int>, SharedReads>& shared_reads =
    *new std::map<std::pair<const void*, int>, SharedReads>;

}  // namespace

void note_shared_atomic(const Clocks& me, std::size_t offset, const AtomicStep& step,
                        std::uint64_t before, Where where) {
    if (!looks_at_shared_reads) {
        return;
    }
    SharedReads& here = shared_reads[{where.at, where.line}];
    const bool changes = step.kind == AtomicKind::store || value_at(offset, step.bytes) != before;
    here.changes = here.changes || changes;
    if (step.kind != AtomicKind::load) {  // what the thread has read was the first half of this
        for (auto& [place, reads] : shared_reads) {
            if (changes || &reads != &here) {
                reads.open.erase({me.slot, offset});
            }
        }
    }
    if (here.changes) {
        return;
    }
    for (const Kept& write : history.state_of(offset / 4).writes) {
        if (!write.atomic || write.slot == me.slot || me.knows(write.slot, write.time)) {
            continue;
        }
        const Access first = write.access();
        const auto writers = shared_reads.find({first.where.at, first.where.line});
        if (writers != shared_reads.end() && !writers->second.changes) {
            continue;  // it has added 0, say
        }
        here.open.insert({me.slot, offset});
        if (here.text.all().empty()) {
            here.text.say("memory.shared read", {{"place", place_of(where)},
                                                 {"thread", name_of(me.block, me.thread)},
                                                 {"where", describe(offset, step.bytes)},
                                                 {"writer", name_of(first)},
                                                 {"write", place_of(first.where)}});
            here.step = record.count() + 1;
        }
        return;
    }
}

void report_shared_reads() {
    for (const auto& [place, reads] : shared_reads) {
        if (!reads.changes && !reads.open.empty() && !has_ordered()) {
            const std::string text = place_of({place.first, place.second});
            if (is_traced()) {
                tracing->about({reads.step});
            }
            report("READ WITHOUT ORDER", "unordered " + text, reads.text);
        }
    }
    shared_reads.clear();
}

void look_at_shared_reads(bool look) {
    looks_at_shared_reads = look;
}

}  // namespace cpu_device::race
