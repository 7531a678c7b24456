#include "race/order.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace cpu_device::race {

std::uint32_t* VectorClock::own(std::size_t size) {
    if (times_ == nullptr) {
        times_ = std::make_shared<std::vector<std::uint32_t>>();
    } else if (times_.use_count() > 1) {
        times_ = std::make_shared<std::vector<std::uint32_t>>(*times_);
    }
    if (times_->size() < size) {
        times_->resize(size, 0);
    }
    return times_->data();
}

void VectorClock::join(const VectorClock& other) {
    if (times_ == nullptr) {
        times_ = other.times_;
    } else if (other.times_ != nullptr && other.times_ != times_) {
        const std::size_t size = other.times_->size();
        const std::uint32_t* const theirs = other.times_->data();
        std::uint32_t* const mine = own(size);
        for (std::size_t i = 0; i < size; ++i) {
            mine[i] = mine[i] > theirs[i] ? mine[i] : theirs[i];
        }
    }
}

// --- the rules ------------------------------------------------------------------------------

void atomic_reads(Clocks& me, const Location& location, Order order, Scope scope, Assume assume) {
    const bool acquires = order == Order::acquire || order == Order::acq_rel ||
                          order == Order::seq_cst || assume.acquire;
    const auto take = [&](VectorClock& until_fence, const VectorClock& clock) {
        until_fence.join(clock);
        if (acquires) {
            me.past.join(clock);
        }
    };
    const auto in_block = location.in_block.find(me.block);
    if (in_block != location.in_block.end()) {
        take(me.read_block, in_block->second);
    }
    if (scope != Scope::block || assume.device) {
        take(me.read_device, location.device);
    }
}

namespace {

// The past of what comes after this point, with the thread's own part.
const VectorClock& past_and_self(Clocks& me) {
    me.past.set(me.slot, me.time);
    return me.past;
}

void write(Clocks& me, Location& location, AtomicKind kind, Order order, Scope scope,
           Assume assume) {
    const bool device = scope != Scope::block || assume.device;
    const bool releases = order == Order::release || order == Order::acq_rel ||
                          order == Order::seq_cst || assume.release;
    if (kind == AtomicKind::store) {
        location.clear();  // a read-modify-write goes on with what was released before
    }
    const VectorClock& in_block = releases ? past_and_self(me) : me.fenced_block;
    if (!in_block.empty()) {
        location.in_block[me.block].join(in_block);
    }
    if (device) {
        location.device.join(releases ? me.past : me.fenced_device);
    }
    ++me.time;
}

void pass_fence(Clocks& me, Order order, Scope scope, Assume assume) {
    const bool device = scope != Scope::block || assume.device;
    if (order != Order::release) {
        me.past.join(me.read_block);
        if (device) {
            me.past.join(me.read_device);
        }
    }
    if (order != Order::acquire) {
        me.fenced_block = past_and_self(me);
        if (device) {
            me.fenced_device = me.past;
        }
        ++me.time;
    }
}

void meet(const std::vector<Clocks*>& threads) {
    VectorClock past;
    for (const Clocks* const thread : threads) {
        past.join(thread->past);
    }
    for (const Clocks* const thread : threads) {
        past.set(thread->slot, thread->time);
    }
    for (Clocks* const thread : threads) {
        thread->past = past;
        ++thread->time;
    }
}

// --- the launch's history, to be run again under assumptions ----------------------------------

struct Event {
    enum Kind : std::uint8_t { begins, fences, atomic_access, plain_write, meets, all_met } kind;
    AtomicKind atomic;
    Order order;
    Scope scope;
    std::uint32_t slot, time, block, thread, word;
    Where where;
};

constexpr std::size_t most_events = 1 << 20;  // beyond that, reports do not say what is missing
std::vector<Event>& events = *new std::vector<Event>;

void note(const Clocks& me, Event::Kind kind, AtomicKind atomic = AtomicKind::load,
          Order order = Order::relaxed, Scope scope = Scope::system, std::size_t word = 0,
          Where where = {}) {
    if (events.size() < most_events) {
        events.push_back({kind, atomic, order, scope, me.slot, me.time, me.block, me.thread,
                          static_cast<std::uint32_t>(word), where});
    }
}

bool would_be_ordered(std::uint32_t slot, std::uint32_t time, const Clocks& now, Assume assume) {
    std::unordered_map<std::uint32_t, Clocks> threads;
    std::unordered_map<std::uint32_t, Location> locations;
    std::vector<Clocks*> meeting;
    for (const Event& event : events) {
        Clocks& me = threads[event.slot];
        switch (event.kind) {
            case Event::begins:
                me = {};
                me.slot = event.slot;
                me.time = event.time;
                me.block = event.block;
                break;
            case Event::fences:
                pass_fence(me, event.order, event.scope, assume);
                break;
            case Event::atomic_access:
                if (event.atomic != AtomicKind::store) {
                    atomic_reads(me, locations[event.word], event.order, event.scope, assume);
                }
                if (event.atomic != AtomicKind::load) {
                    write(me, locations[event.word], event.atomic, event.order, event.scope,
                          assume);
                }
                break;
            case Event::plain_write:
                locations[event.word].clear();
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
    return threads[now.slot].knows(slot, time);
}

}  // namespace

// --- what the checker calls -------------------------------------------------------------------

void begin(Clocks& me, std::uint32_t slot, std::uint32_t time, std::uint32_t block,
           std::uint32_t thread) {
    me = {};
    me.slot = slot;
    me.time = time + 1;
    me.block = block;
    me.thread = thread;
    note(me, Event::begins);
}

void fence(Clocks& me, Order order, Scope scope) {
    if (order != Order::relaxed) {
        note(me, Event::fences, AtomicKind::load, order, scope);
        pass_fence(me, order, scope, {});
    }
}

void synchronize(const std::vector<Clocks*>& threads) {
    for (const Clocks* const thread : threads) {
        note(*thread, Event::meets);
    }
    note(*threads.front(), Event::all_met);
    meet(threads);
}

void atomic_is_done(Clocks& me, Location& location, AtomicKind kind, Order order, Scope scope,
                    std::size_t word, Where where) {
    note(me, Event::atomic_access, kind, order, scope, word, where);
    if (kind != AtomicKind::load) {
        write(me, location, kind, order, scope, {});
    }
}

void plain_write_at(Clocks& me, Location& location, std::size_t word) {
    note(me, Event::plain_write, AtomicKind::store, Order::relaxed, Scope::system, word);
    location.clear();
}

void forget_order() {
    events.clear();
}

bool what_is_missing(std::uint32_t slot, std::uint32_t time, const Clocks& now, Missing& missing) {
    const auto is_signal = [&](const Event& event) {
        return event.kind == Event::atomic_access && event.atomic != AtomicKind::load &&
               event.slot == slot && event.time >= time;
    };
    const auto is_answer = [&](const Event& event) {
        return event.kind == Event::atomic_access && event.atomic != AtomicKind::store &&
               event.slot == now.slot;
    };
    // Often one thread of a block looks, and a barrier passes on what it has seen.
    const auto is_answer_of_block = [&](const Event& event) {
        return event.kind == Event::atomic_access && event.atomic != AtomicKind::store &&
               event.block == now.block;
    };
    const auto first = std::find_if(events.begin(), events.end(), is_signal);
    auto last = std::find_if(events.rbegin(), events.rend(), is_answer);
    if (last == events.rend()) {
        last = std::find_if(events.rbegin(), events.rend(), is_answer_of_block);
    }
    if (events.size() == most_events || first == events.end() || last == events.rend()) {
        return false;
    }
    missing.signal = first->where;
    missing.answer = last->where;
    missing.answering_thread = last->thread;
    // A fence that stands there but is too narrow comes before one that is not there.
    constexpr Assume candidates[] = {
        {true, false, false}, {false, true, false}, {false, false, true}, {true, true, false},
        {true, false, true},  {false, true, true},  {true, true, true}};
    for (const Assume& assume : candidates) {
        if (would_be_ordered(slot, time, now, assume)) {
            missing.order = assume;
            return true;
        }
    }
    return false;
}

}  // namespace cpu_device::race
