#include "race/views.hpp"

#include <algorithm>
#include <utility>

namespace cpu_device::race {

Stores::Stores(std::uint64_t initial, std::uint32_t chain, std::uint32_t link,
               std::uint32_t version) {
    Store first;
    first.value = initial;
    first.chain = chain;
    first.link = link;
    first.version = version;
    first.is_initial = true;
    stores_.push_back(std::move(first));
}

bool Stores::knows(const Clocks& me, const Store& store) const {
    const auto is_known = [&](const Moment& moment) {
        return me.knows(moment.slot, moment.time) ||
               me.fences_before.of(moment.slot) >= moment.time;
    };
    return store.is_initial || is_known(store.made) ||
           std::any_of(store.seen.begin(), store.seen.end(), is_known);
}

std::size_t Stores::oldest_for(const Clocks& me) const {
    std::size_t index = stores_.size() - 1;
    while (index > 0 && !knows(me, stores_[index])) {
        --index;
    }
    return index;
}

// PTX: of one thread, or both strong with scopes that include the other thread.
bool Stores::are_morally_strong(const Clocks& me, Scope scope, const Store& store) const {
    const Scope needed = store.block == me.block ? Scope::block : Scope::device;
    return !store.is_initial && (store.made.slot == me.slot ||
                                 (store.strong && scope >= needed && store.scope >= needed));
}

Location Stores::read(const Clocks& me, std::size_t index, Scope scope) {
    Store& from = stores_[index];
    if (!are_morally_strong(me, scope, from)) {
        return {};
    }
    const auto mine = [&](const Moment& reader) { return reader.slot == me.slot; };
    if (std::none_of(from.seen.begin(), from.seen.end(), mine)) {
        from.seen.push_back({me.slot, me.time});
    }
    return from.carries;
}

void Stores::add(const Clocks& me, std::size_t index, Store&& store) {
    store.block = me.block;
    stores_[index].is_updated = store.is_update;
    stores_.insert(stores_.begin() + static_cast<std::ptrdiff_t>(index) + 1, std::move(store));
}

std::uint32_t Stores::last_chain() const {
    const auto less = [](const Store& a, const Store& b) { return a.chain < b.chain; };
    return std::max_element(stores_.begin(), stores_.end(), less)->chain;
}

void Stores::keep(std::size_t count) {
    if (stores_.size() > count) {
        stores_.erase(stores_.begin(), stores_.end() - static_cast<std::ptrdiff_t>(count));
    }
}

void Stores::acquire(Clocks& me, Object object, std::size_t index, Order order, Scope scope) {
    atomic_reads(me, object, read(me, index, scope), order, scope);
}

void Stores::load(Clocks& me, Object object, std::size_t index, Order order, Scope scope) {
    acquire(me, object, index, order, scope);
    atomic_is_done(me, object, stores_[index].carries, AtomicKind::load, order, scope, {});
}

void Stores::update(Clocks& me, Object object, std::size_t index, std::uint64_t value, Order order,
                    Scope scope) {
    Store made;
    made.value = value;
    made.made = {me.slot, me.time};
    made.strong = made.is_update = true;
    made.scope = scope;
    made.carries = read(me, index, scope);
    atomic_is_done(me, object, made.carries, AtomicKind::update, order, scope, {});
    add(me, index, std::move(made));
}

void Stores::store(Clocks& me, Object object, std::size_t index, std::uint64_t value, Order order,
                   Scope scope) {
    Store made;
    made.value = value;
    made.made = {me.slot, me.time};
    made.strong = true;
    made.scope = scope;
    atomic_is_done(me, object, made.carries, AtomicKind::store, order, scope, {});
    add(me, index, std::move(made));
}

void Stores::plain_store(Clocks& me, Object object, std::uint64_t value) {
    Store made;
    made.value = value;
    made.made = {me.slot, me.time};
    overwritten(me, object, made.carries);
    add(me, stores_.size() - 1, std::move(made));
}

void SeqCstFences::pass(Clocks& me, Scope scope, VectorClock& knowledge) {
    if (scope >= Scope::block) {
        knowledge.join(known_.in_block[me.block]);
    }
    if (scope >= Scope::device) {
        knowledge.join(known_.device);
    }
    fence(me, Order::seq_cst, scope);
    if (scope >= Scope::block) {
        known_.in_block[me.block].join(me.fenced_block);
        known_.in_block[me.block].join(knowledge);
    }
    if (scope >= Scope::device) {
        known_.device.join(me.fenced_device);
        known_.device.join(knowledge);
    }
}

}  // namespace cpu_device::race
