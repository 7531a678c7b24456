#include "race/views.hpp"

#include <algorithm>
#include <utility>

namespace cpu_device::race {

Stores::Stores(std::uint64_t initial) {
    Store first;
    first.value = initial;
    first.is_initial = true;
    stores_.push_back(std::move(first));
}

bool Stores::knows(const Clocks& me, const Store& store) const {
    return store.is_initial || me.knows(store.made.slot, store.made.time) ||
           std::any_of(store.seen.begin(), store.seen.end(),
                       [&](const Moment& reader) { return me.knows(reader.slot, reader.time); });
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

void Stores::acquire(Clocks& me, Object object, std::size_t index, Order order, Scope scope) {
    Store& from = stores_[index];
    if (!are_morally_strong(me, scope, from)) {
        return;
    }
    atomic_reads(me, object, from.carries, order, scope);
    const auto mine = [&](const Moment& reader) { return reader.slot == me.slot; };
    if (std::none_of(from.seen.begin(), from.seen.end(), mine)) {
        from.seen.push_back({me.slot, me.time});
    }
}

void Stores::load(Clocks& me, Object object, std::size_t index, Order order, Scope scope,
                  Where where) {
    acquire(me, object, index, order, scope);
    atomic_is_done(me, object, stores_[index].carries, AtomicKind::load, order, scope, where);
}

void Stores::update(Clocks& me, Object object, std::size_t index, std::uint64_t value, Order order,
                    Scope scope, Where where) {
    Store made;
    made.value = value;
    made.made = {me.slot, me.time};
    made.strong = true;
    made.scope = scope;
    if (are_morally_strong(me, scope, stores_[index])) {
        made.carries = stores_[index].carries;
    }
    atomic_is_done(me, object, made.carries, AtomicKind::update, order, scope, where);
    stores_[index].is_updated = true;
    insert(me, index, std::move(made));
}

void Stores::store(Clocks& me, Object object, std::size_t index, std::uint64_t value, Order order,
                   Scope scope, Where where) {
    Store made;
    made.value = value;
    made.made = {me.slot, me.time};
    made.strong = true;
    made.scope = scope;
    atomic_is_done(me, object, made.carries, AtomicKind::store, order, scope, where);
    insert(me, index, std::move(made));
}

void Stores::plain_store(Clocks& me, Object object, std::uint64_t value) {
    Store made;
    made.value = value;
    made.made = {me.slot, me.time};
    overwritten(me, object, made.carries);
    insert(me, stores_.size() - 1, std::move(made));
}

void Stores::insert(const Clocks& me, std::size_t index, Store&& store) {
    store.block = me.block;
    stores_.insert(stores_.begin() + static_cast<std::ptrdiff_t>(index) + 1, std::move(store));
}

void SeqCstFences::pass(Clocks& me, Scope scope) {
    if (scope >= Scope::block) {
        me.past.join(known_.in_block[me.block]);
    }
    if (scope >= Scope::device) {
        me.past.join(known_.device);
    }
    fence(me, Order::seq_cst, scope);
    if (scope >= Scope::block) {
        known_.in_block[me.block].join(me.fenced_block);
    }
    if (scope >= Scope::device) {
        known_.device.join(me.fenced_device);
    }
}

}  // namespace cpu_device::race
