// The last atomic or volatile loads of a thread, of different objects: a store that follows one of
// them may have been computed from it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "race/order.hpp"

namespace cpu_device::race {

class RecentLoads {
  public:
    struct Load {
        Object object = no_object;
        std::uint32_t version = 0;  // of the object: how many stores the load knows of
        bool is_old = false;        // there were more by then
        std::uint64_t where = 0;    // as in Kept
        bool is_again = false;      // at another place the thread has read the same before
    };

    void note(const Load& load) {
        Load* place = find(load.object);
        if (place == nullptr) {
            place = &loads_[next_];
            next_ = (next_ + 1) % loads_.size();
            any_ = true;
        }
        const bool is_again = place->object == load.object && place->version == load.version &&
                              (place->is_again || place->where != load.where);
        *place = load;
        place->is_again = is_again;
    }
    // The thread writes this object: the load of it, which counts no more from here on.
    Load take(Object object) {
        Load* const known = any_ ? find(object) : nullptr;
        if (known == nullptr) {
            return {};
        }
        const Load taken = *known;
        *known = {};
        return taken;
    }

    // Here, or at two other places?
    bool has_read(Object object, std::uint32_t version, std::uint64_t where) {
        const Load* const known = any_ ? find(object) : nullptr;
        return known != nullptr && known->version == version &&
               (known->where == where || known->is_again);
    }

  private:
    Load* find(Object object) {
        const auto found = std::find_if(loads_.begin(), loads_.end(),
                                        [&](const Load& one) { return one.object == object; });
        return found == loads_.end() ? nullptr : &*found;
    }

    std::array<Load, 4> loads_;
    std::size_t next_ = 0;
    bool any_ = false;
};

}  // namespace cpu_device::race
