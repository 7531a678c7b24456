// The history of a launch as far as it is of consequence for order, so that it can be gone through
// again under other assumptions; and the steps that both do.
#pragma once

#include <cstddef>
#include <vector>

#include "race/order.hpp"

namespace cpu_device::race {

struct Event {
    enum Kind : std::uint8_t { begins, fences, atomic_access, overwrites, meets, all_met } kind;
    AtomicKind atomic;
    Order order;
    Scope scope;
    std::uint32_t slot, time, block, thread;
    Object object;
    Where where;

    bool is_at(Object one) const {
        return object == one && (kind == atomic_access || kind == overwrites);
    }
};

constexpr std::size_t most_events = 1 << 20;  // beyond that, reports do not say what is missing
extern std::vector<Event>& order_events;

// What an atomic access writes; a fence; a barrier of these threads.
void atomic_writes(Clocks& me, Object object, Location& location, AtomicKind kind, Order order,
                   Scope scope, Assume assume);
void pass_fence(Clocks& me, Order order, Scope scope, Assume assume);
void meet(const std::vector<Clocks*>& threads);

}  // namespace cpu_device::race
