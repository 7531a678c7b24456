#include "race/order.hpp"

#include <algorithm>
#include <cstddef>

#include "race/order_events.hpp"

namespace cpu_device::race {

// --- the rules ------------------------------------------------------------------------------

bool keeps_system_scope = false;

namespace {

bool goes_to_other_devices(Scope scope) {
    return keeps_system_scope && scope == Scope::system;
}

bool reaches(Scope scope, Scope wanted, Assume assume) {
    return scope >= wanted || assume.device;
}

// More is forgotten: then a relaxed access after many others at other objects gets too little.
constexpr std::size_t objects_remembered = 4;

AtObject* find(std::vector<AtObject>& list, Object object) {
    const auto found = std::find_if(list.begin(), list.end(),
                                    [&](const AtObject& one) { return one.object == object; });
    return found == list.end() ? nullptr : &*found;
}

AtObject& remember(std::vector<AtObject>& list, Object object) {
    if (AtObject* const known = find(list, object)) {
        return *known;
    }
    if (list.size() == objects_remembered) {
        list.erase(list.begin());
    }
    list.push_back({object, {}, {}, {}});
    return list.back();
}

}  // namespace

void atomic_reads(Clocks& me, Object object, const Location& location, Order order, Scope scope,
                  Assume assume) {
    if (!reaches(scope, Scope::block, assume)) {
        return;
    }
    const bool acquires = order == Order::acquire || order == Order::acq_rel ||
                          order == Order::seq_cst || assume.acquire;
    const bool wide = reaches(scope, Scope::device, assume);
    const auto in_block = location.in_block.find(me.block);
    const bool has_block = in_block != location.in_block.end();
    const bool has_device = wide && !location.device.empty();
    if (has_block) {
        me.read_block.join(in_block->second);
    }
    if (has_device) {
        me.read_device.join(location.device);
    }
    const bool has_system = goes_to_other_devices(scope) && !location.system.empty();
    if (has_system) {
        me.read_system.join(location.system);
    }
    if (!acquires) {
        if (has_block || has_device) {
            AtObject& read = remember(me.read_at, object);
            read.in_block.join(has_block ? in_block->second : VectorClock{});
            read.device.join(has_device ? location.device : VectorClock{});
            read.system.join(has_system ? location.system : VectorClock{});
        }
        return;
    }
    if (has_block) {
        me.past.join(in_block->second);
    }
    if (has_device) {
        me.past.join(location.device);
    }
    if (has_system) {
        me.past.join(location.system);
    }
    // An acquire stands for the thread's relaxed reads of the object before it too.
    if (const AtObject* const read = find(me.read_at, object)) {
        me.past.join(read->in_block);
        if (wide) {
            me.past.join(read->device);
        }
        if (goes_to_other_devices(scope)) {
            me.past.join(read->system);
        }
    }
}

namespace {

// The past of what comes after this point, with the thread's own part. The thread keeps it: what
// it gives away it can then tell from afar when it comes back with more.
const VectorClock& past_and_self(Clocks& me) {
    me.past.set(me.slot, me.time);
    return me.past;
}

}  // namespace

void atomic_writes(Clocks& me, Object object, Location& location, AtomicKind kind, Order order,
                   Scope scope, Assume assume) {
    if (kind == AtomicKind::store) {
        location.clear();  // a read-modify-write goes on with what was released before
    }
    const bool wide = reaches(scope, Scope::device, assume);
    const bool widest = goes_to_other_devices(scope);
    const auto publish = [&](const VectorClock& in_block, const VectorClock& device) {
        if (!in_block.empty()) {
            location.in_block[me.block].join(in_block);
        }
        if (wide) {
            location.device.join(device);
        }
    };
    if (reaches(scope, Scope::block, assume)) {
        const bool releases = order == Order::release || order == Order::acq_rel ||
                              order == Order::seq_cst || assume.release;
        if (releases) {
            publish(past_and_self(me), me.past);
            AtObject& released = remember(me.released_at, object);
            released.in_block = me.past;
            if (widest) {
                location.system.join(me.past);
                released.system = me.past;
            }
            if (wide) {  // else what a wider release of its own has left there counts still
                released.device = me.past;
            }
        } else {
            publish(me.fenced_block, me.fenced_device);
            if (widest) {
                location.system.join(me.fenced_system);
            }
            // A write after a release at the same object, by the same thread, goes on with it.
            if (const AtObject* const released = find(me.released_at, object)) {
                publish(released->in_block, released->device);
                if (widest) {
                    location.system.join(released->system);
                }
            }
        }
    }
    ++me.time;
}

void pass_fence(Clocks& me, Order order, Scope scope, Assume assume) {
    if (!reaches(scope, Scope::block, assume)) {
        return;
    }
    const bool wide = reaches(scope, Scope::device, assume);
    if (order != Order::release) {
        me.past.join(me.read_block);
        if (wide) {
            me.past.join(me.read_device);
        }
        if (goes_to_other_devices(scope)) {
            me.past.join(me.read_system);
        }
    }
    if (order != Order::acquire) {
        me.fenced_block = past_and_self(me);
        if (wide) {
            me.fenced_device = me.past;
        }
        if (goes_to_other_devices(scope)) {
            me.fenced_system = me.past;
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

// --- the launch's history -----------------------------------------------------------------------

std::vector<Event>& order_events = *new std::vector<Event>;

namespace {

std::vector<bool> ordered;  // of each slot: see has_ordered()
void note_ordered(const Clocks& me) {
    if (me.slot >= ordered.size()) {
        ordered.resize(me.slot + 1);
    }
    ordered[me.slot] = true;
}
bool barrier_object = false;  // a cuda::barrier has been used

void note(const Clocks& me, Event::Kind kind, AtomicKind atomic = AtomicKind::load,
          Order order = Order::relaxed, Scope scope = Scope::system, Object object = 0,
          Where where = {}) {
    if (order_events.size() < most_events) {
        order_events.push_back(
            {kind, atomic, order, scope, me.slot, me.time, me.block, me.thread, object, where});
    }
    if (me.block >= moments_of_blocks.size()) {
        moments_of_blocks.resize(me.block + 1);
    }
    moments_of_blocks[me.block] = static_cast<std::uint32_t>(order_events.size());
}

}  // namespace

// --- what the checker calls -------------------------------------------------------------------

void begin(Clocks& me, std::uint32_t slot, std::uint32_t block, std::uint32_t thread) {
    me = {};
    me.slot = slot;
    me.time = 1;
    me.block = block;
    me.thread = thread;
    note(me, Event::begins);
}

void fence(Clocks& me, Order order, Scope scope) {
    if (order != Order::relaxed) {
        note_ordered(me);
        note(me, Event::fences, AtomicKind::load, order, scope);
        pass_fence(me, order, scope, {});
    }
}

void synchronize(const std::vector<Clocks*>& threads) {
    for (const Clocks* const thread : threads) {
        note(*thread, Event::meets);
    }
    note(*threads.front(), Event::all_met);
    for (const Clocks* const thread : threads) {  // of several blocks
        moments_of_blocks[thread->block] = static_cast<std::uint32_t>(order_events.size());
    }
    meet(threads);
}

void atomic_is_done(Clocks& me, Object object, Location& location, AtomicKind kind, Order order,
                    Scope scope, Where where) {
    if (order != Order::relaxed) {
        note_ordered(me);
    }
    note(me, Event::atomic_access, kind, order, scope, object, where);
    if (kind != AtomicKind::load) {
        atomic_writes(me, object, location, kind, order, scope, {});
    }
}

void overwritten(Clocks& me, Object object, Location& location) {
    note(me, Event::overwrites, AtomicKind::store, Order::relaxed, Scope::system, object);
    location.clear();
}

void forget_order() {
    order_events.clear();
    moments_of_blocks.clear();
    ordered.clear();
    barrier_object = false;
}

bool has_ordered() {
    return !ordered.empty();
}
bool has_ordered(std::uint32_t slot) {
    return slot < ordered.size() && ordered[slot];
}

void note_barrier_object() {
    barrier_object = true;
}
bool has_barrier_object() {
    return barrier_object;
}

}  // namespace cpu_device::race
