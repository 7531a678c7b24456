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
    Location carries;          // to a load that acquires
    std::vector<Moment> seen;  // the first load of each thread that has read it
};

class Stores {
  public:
    explicit Stores(std::uint64_t initial);

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

    // `me` reads the store. An access of PTX's order seq_cst has a fence before it: SeqCstFences.
    void load(Clocks& me, Object object, std::size_t index, Order order, Scope scope, Where where);
    // In two halves, since the check for races comes between them: what an update reads, and the
    // new store, which gets the place after `index`.
    void acquire(Clocks& me, Object object, std::size_t index, Order order, Scope scope);
    void update(Clocks& me, Object object, std::size_t index, std::uint64_t value, Order order,
                Scope scope, Where where);
    void store(Clocks& me, Object object, std::size_t index, std::uint64_t value, Order order,
               Scope scope, Where where);
    // By a plain store, or an atomic one of another size: the newest.
    void plain_store(Clocks& me, Object object, std::uint64_t value);

  private:
    bool are_morally_strong(const Clocks& me, Scope scope, const Store& store) const;
    void insert(const Clocks& me, std::size_t index, Store&& store);

    std::vector<Store> stores_;  // in coherence order
};

// Sequentially consistent fences stand in one order, as far as their scopes include each other:
// each knows what those before it knew.
class SeqCstFences {
  public:
    void pass(Clocks& me, Scope scope);

  private:
    Location known_;
};

}  // namespace cpu_device::race
