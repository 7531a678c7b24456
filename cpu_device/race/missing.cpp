// What would have put two accesses in order: the launch is gone through again under assumptions.
#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>

#include "race/order_events.hpp"

namespace cpu_device::race {
namespace {

// Does what `slot` does at the moment `from` come before the next access of `now`?
bool would_be_ordered(std::uint32_t slot, std::uint32_t from, const Clocks& now, Assume assume,
                      Object but) {
    std::unordered_map<std::uint32_t, Clocks> threads;
    std::unordered_map<Object, Location> locations;
    std::unordered_map<std::uint32_t, std::vector<Clocks*>> blocks;
    std::vector<Clocks*> meeting;
    std::uint32_t time = 0;
    for (std::size_t i = 0; i < order_events.size(); ++i) {
        const Event& event = order_events[i];
        if (i == from) {
            time = threads[slot].time;
        }
        if (event.is_at(but)) {
            continue;
        }
        Clocks& me = threads[event.slot];  // of a map: it stays where it is
        switch (event.kind) {
            case Event::begins:
                me = {};
                me.slot = event.slot;
                me.time = event.time;
                me.block = event.block;
                blocks[event.block].push_back(&me);
                break;
            case Event::fences:
                if (assume.barrier) {
                    meet(blocks[event.block]);
                }
                pass_fence(me, event.order, event.scope, assume);
                if (assume.barrier) {
                    meet(blocks[event.block]);
                }
                break;
            case Event::atomic_access:
                if (assume.barrier && event.atomic != AtomicKind::load) {
                    meet(blocks[event.block]);
                }
                if (event.atomic != AtomicKind::store) {
                    atomic_reads(me, event.object, locations[event.object], event.order,
                                 event.scope, assume);
                }
                if (event.atomic != AtomicKind::load) {
                    atomic_writes(me, event.object, locations[event.object], event.atomic,
                                  event.order, event.scope, assume);
                }
                if (assume.barrier && event.atomic != AtomicKind::store) {
                    meet(blocks[event.block]);
                }
                break;
            case Event::overwrites:
                locations[event.object].clear();
                break;
            case Event::meets:
                meeting.push_back(&me);
                break;
            case Event::all_met:
                meet(meeting);
                meeting.clear();
                break;
        }
    }
    return threads[now.slot].knows(slot, order_events.size() == from ? threads[slot].time : time);
}

}  // namespace

bool what_is_missing(std::uint32_t slot, std::uint32_t block, std::uint32_t from, const Clocks& now,
                     Missing& missing, Object but) {
    // Often one thread of a block signals for all, or looks for all.
    const auto is_signal = [&](const Event& event) {
        return event.kind == Event::atomic_access && event.atomic != AtomicKind::load &&
               event.object != but;
    };
    const auto is_answer = [&](const Event& event) {
        return event.kind == Event::atomic_access && event.atomic != AtomicKind::store &&
               event.object != but;
    };
    // Where some words are no signals, the others are known by this: the second thread reads them.
    std::unordered_set<Object> read;
    for (const Event& event : order_events) {
        if (but != no_object && is_answer(event) && event.slot == now.slot) {
            read.insert(event.object);
        }
    }
    const auto may_be_read = [&](const Event& event) {
        return but == no_object || read.count(event.object) > 0;
    };
    const auto begin =
        order_events.begin() +
        std::min<std::ptrdiff_t>(from, static_cast<std::ptrdiff_t>(order_events.size()));
    auto first = std::find_if(begin, order_events.end(), [&](const Event& event) {
        return is_signal(event) && event.slot == slot && may_be_read(event);
    });
    if (first == order_events.end()) {
        first = std::find_if(begin, order_events.end(), [&](const Event& event) {
            return is_signal(event) && event.block == block;
        });
    }
    auto last = std::find_if(order_events.rbegin(), order_events.rend(), [&](const Event& event) {
        return is_answer(event) && event.slot == now.slot &&
               (but == no_object || (first != order_events.end() && event.object == first->object));
    });
    if (last == order_events.rend()) {
        last = std::find_if(order_events.rbegin(), order_events.rend(), [&](const Event& event) {
            return is_answer(event) && event.block == now.block;
        });
    }
    if (order_events.size() == most_events || first == order_events.end() ||
        last == order_events.rend() || (first->slot != slot && block == now.block)) {
        return false;
    }
    missing.signal = first->where;
    missing.answer = last->where;
    missing.signalling_thread = first->thread;
    missing.answering_thread = last->thread;
    // A fence that stands there but is too narrow comes before one that is not there.
    // So does a barrier, where one thread signals for another or looks for it.
    constexpr Assume candidates[] = {{true, false, false},       {false, false, false, true},
                                     {false, true, false},       {false, false, true},
                                     {true, true, false},        {true, false, true},
                                     {false, true, true},        {true, true, true},
                                     {false, true, false, true}, {false, false, true, true}};
    // With all that stands there it would be in order: the answer has read an older store.
    if (would_be_ordered(slot, from, now, Assume{}, but)) {
        return false;
    }
    const bool by_others = first->slot != slot || last->slot != now.slot;
    for (const Assume& assume : candidates) {
        if ((by_others || !assume.barrier) && would_be_ordered(slot, from, now, assume, but)) {
            missing.order = assume;
            return true;
        }
    }
    return false;
}

}  // namespace cpu_device::race
