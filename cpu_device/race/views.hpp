// The stores of a word in the order in which they count, and which of them a load may read: the
// newest, or an older one that nothing hides from its thread.
//
// This is the machine with views of Kang et al., "A Promising Semantics for Relaxed-Memory
// Concurrency" (POPL 2017), without promises, and with the scopes and the causality order of PTX. A
// thread's view of a word is the newest store that its clock knows of. The views of stores and of
// fences are the clocks that order.hpp keeps. cpu_device/tests/axioms holds the machine against
// PTX's axioms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "race/order.hpp"

namespace cpu_device::race {

// A moment in the life of a thread.
struct Moment {
    std::uint32_t slot, time;
};

struct Store {
    std::uint64_t value = 0;
    Moment made{};
    std::uint32_t block = 0;
    bool is_initial = false;  // it was there before the kernel: all threads know it
    bool strong = false;      // an atomic or volatile one, of this scope
    Scope scope = Scope::system;
    bool is_updated = false;   // the next one is of a read-modify-write that has read it
    bool is_update = false;    // by a read-modify-write, of the one before it
    Location carries;          // to a load that acquires
    std::vector<Moment> seen;  // the first load of each thread that has read it
    std::uint32_t chain = 0;   // for the check for races: ObjectState has them too
    std::uint32_t link = 0;
    std::uint32_t version = 0;  // of the object
    Where where{};              // who has made it, for reports
};

class Stores {
  public:
    // The initial store; chain, link and version: of the object until then.
    explicit Stores(std::uint64_t initial, std::uint32_t chain = 0, std::uint32_t link = 0,
                    std::uint32_t version = 0);

    std::size_t size() const { return stores_.size(); }
    const Store& operator[](std::size_t index) const { return stores_[index]; }

    // Does all that `me` does from here on come after this store? So it does if the thread that
    // made it, or one that has read it, has told, over however many steps.
    bool knows(const Clocks& me, const Store& store) const;
    // A load by `me` may read this store and all later ones.
    std::size_t oldest_for(const Clocks& me) const;
    // A read-modify-write may read it only if no other has: nothing comes between the two.
    bool can_update(std::size_t index) const { return !stores_[index].is_updated; }
    // A store may take its place after this one. An older place makes it a late one: it is hidden
    // by newer stores of other threads, as if they had come later.
    bool can_store_after(std::size_t index) const { return !stores_[index].is_updated; }

    // The two halves of an access of `me`, between which the rules of order.hpp and the check for
    // races have their place: what the store carries to `me`, which has read it from here on; and a
    // new store, which gets the place after `index`.
    Location read(const Clocks& me, std::size_t index, Scope scope);
    void add(const Clocks& me, std::size_t index, Store&& store);
    // The value of a store whose access is told of before it is made.
    void set_value(std::size_t index, std::uint64_t value) { stores_[index].value = value; }
    std::uint32_t last_chain() const;  // the highest number
    // The oldest ones are forgotten: at most `count` are kept.
    void keep(std::size_t count);

    // Whole accesses. One of PTX's order seq_cst has a fence before it: SeqCstFences.
    void load(Clocks& me, Object object, std::size_t index, Order order, Scope scope);
    void acquire(Clocks& me, Object object, std::size_t index, Order order, Scope scope);
    void update(Clocks& me, Object object, std::size_t index, std::uint64_t value, Order order,
                Scope scope);
    void store(Clocks& me, Object object, std::size_t index, std::uint64_t value, Order order,
               Scope scope);
    // By a plain store, or an atomic one of another size: the newest.
    void plain_store(Clocks& me, Object object, std::uint64_t value);

  private:
    bool are_morally_strong(const Clocks& me, Scope scope, const Store& store) const;

    std::vector<Store> stores_;  // in coherence order
};

// Sequentially consistent fences stand in one order, as far as their scopes include each other:
// each knows what those before it knew.
class SeqCstFences {
  public:
    void pass(Clocks& me, Scope scope) { pass(me, scope, me.past); }
    // `knowledge`: gets what the fences before knew.
    void pass(Clocks& me, Scope scope, VectorClock& knowledge);

  private:
    Location known_;
};

}  // namespace cpu_device::race
