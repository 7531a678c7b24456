// Chooses who runs next in place of the seed: interleavings.cpp has one.
#pragma once

#include <cstddef>
#include <vector>

#include "race/order.hpp"

namespace cpu_device::race {

// Threads run on until they stop before an access; when all have stopped, one is chosen, and makes
// its access.
class Plan {
  public:
    virtual ~Plan() = default;
    // Of the running thread:
    virtual bool stops_before(const volatile void* address) = 0;
    virtual void accesses(const volatile void* address, AtomicKind kind) = 0;
    virtual void reads_in_vain(const volatile void* address) = 0;
    virtual void gives_way() = 0;
    // Are the accesses of a copy (memcpy_async) told to it as those of the copy's thread?
    virtual bool counts_copies() const { return true; }
    // Which of the `count` stores that its next access can take, counted from the newest.
    virtual std::size_t choose_value(std::size_t /*count*/, AtomicKind /*kind*/) { return 0; }
    // Which of the stopped threads goes on, as an index; none: all wait without end.
    virtual std::size_t choose(const std::vector<const Clocks*>& stopped) = 0;
    static constexpr std::size_t none = ~std::size_t{0};
};
inline Plan* plan = nullptr;  // null: the seed decides

}  // namespace cpu_device::race
