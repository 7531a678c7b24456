// Who has read a word since its last write, by plain accesses to the whole word, and in few bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "race/access_list.hpp"

namespace cpu_device::race {

// A plain access to all bytes of a word.
struct Seen {
    std::uint32_t place;  // see place_of(); 0: no access
    std::uint32_t slot, time, moment;

    // Where the access is, and of how many bytes, for code of the program itself; else 0. The two
    // lowest bits are never both set.
    static std::uint32_t place_of(const Where& where, std::size_t bytes) {
        constexpr std::uintptr_t most_code = std::uintptr_t{1} << 30;
        const std::uintptr_t code = reinterpret_cast<std::uintptr_t>(where.at) - code_begin;
        const bool is_small = where.line == 0 && code < most_code;
        return is_small ? static_cast<std::uint32_t>(code << 2 | bytes >> 3) : 0;
    }
    Kept kept(Access::Kind kind) const {
        static constexpr std::uint8_t bytes[] = {4, 8, 16, 0};
        Kept whole{};
        whole.where = code_begin + (place >> 2);  // its line is 0
        whole.slot = slot;
        whole.time = time;
        whole.moment = moment;
        whole.bytes = place == 0 ? std::uint8_t{0} : bytes[place & 3];
        whole.mask = 0xf;
        whole.kind = kind;
        whole.scope = Scope::system;
        return whole;
    }

  private:
    static const std::uintptr_t code_begin;
};

// The last read of each thread, in the order in which they first came.
class ReadSet {
  public:
    const std::vector<Seen>& all() const { return all_; }
    // Null if the thread has none here.
    Seen* of(std::uint32_t slot) {
        if (all_.size() <= few) {
            for (Seen& read : all_) {
                if (read.slot == slot) {
                    return &read;
                }
            }
            return nullptr;
        }
        for (std::size_t at = home(slot); number_at_[at] != 0; at = home(at + 1)) {
            Seen& read = all_[number_at_[at] - 1];
            if (read.slot == slot) {
                return &read;
            }
        }
        return nullptr;
    }
    Seen& add(std::uint32_t slot) {
        all_.emplace_back().slot = slot;
        if (all_.size() > few && 2 * all_.size() > number_at_.size()) {
            number_at_.assign(std::max<std::size_t>(4 * few, 2 * number_at_.size()), 0);
            for (std::size_t i = 0; i + 1 < all_.size(); ++i) {
                note(i);
            }
        }
        if (all_.size() > few) {
            note(all_.size() - 1);
        }
        return all_.back();
    }
    void clear() {
        constexpr std::size_t most_kept = 64;
        all_.clear();
        number_at_.clear();
        if (all_.capacity() > most_kept) {
            all_.shrink_to_fit();
            number_at_.shrink_to_fit();
        }
    }

  private:
    static constexpr std::size_t few = 16;  // are searched

    std::size_t home(std::size_t at) const { return at & (number_at_.size() - 1); }
    void note(std::size_t index) {
        std::size_t at = home(all_[index].slot);
        while (number_at_[at] != 0) {
            at = home(at + 1);
        }
        number_at_[at] = static_cast<std::uint32_t>(index + 1);
    }

    std::vector<Seen> all_;
    // A hash table with linear probing, at most half full: 1 + an index into all_, found by the
    // slot; 0: none. A power of two; empty while there are few.
    std::vector<std::uint32_t> number_at_;
};

}  // namespace cpu_device::race
