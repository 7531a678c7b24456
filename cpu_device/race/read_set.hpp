// Who has read a word since its last write, by plain accesses to the whole word, and in few bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "race/access_list.hpp"
#include "race/order.hpp"

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

// The last read of each thread; at first that of one thread. Up to four lie side by side. Of more,
// those that were made at one place of the code, between two events that matter for order, differ
// in nothing but their slots: they share an entry.
class ReadSet {
  public:
    // Before a launch. Each block begins at a moment of its own, so an entry is for as many slots
    // as a block has threads, or fewer: 64, 128 or 256.
    static void begin_launch(std::uint32_t threads_per_block) {
        base_shift = 6;
        while (1u << base_shift < most_in_entry && 2u << base_shift <= threads_per_block) {
            ++base_shift;
        }
    }
    void begin(const Seen& read) {
        more_.clear();
        heads_.clear();
        if (more_.capacity() > most_kept) {
            more_.shrink_to_fit();
            heads_.shrink_to_fit();
        }
        few_[0] = read;
        std::fill(few_ + 1, few_ + few, Seen{});
    }
    // False: the thread has read before. That read is forgotten.
    [[gnu::always_inline]] bool add(const Seen& read) {
        if (has_entries()) {
            Entry* const only = only_entry(base_of(read.slot));
            if (only != nullptr && only->is_like(read)) {  // as most reads of most words are
                return only->add(read.slot);
            }
        }
        return add_in_general(read);
    }
    template <typename Function>
    void for_each(Function function) const {
        if (!has_entries()) {
            std::for_each(few_, few_ + few, [&](const Seen& one) {
                if (one.place != 0) {
                    function(one);
                }
            });
            return;
        }
        for (std::uint32_t number = 0; number <= more_.size(); ++number) {
            const Entry& entry = at(number);
            for (std::uint32_t slot = 0; slot < most_in_entry; ++slot) {
                if (entry.has(slot)) {
                    function(entry.seen(slot));
                }
            }
        }
    }
    // One of them.
    Seen any() const {
        if (!has_entries()) {
            return few_[0];
        }
        std::uint32_t number = 0;
        while (at(number).is_empty()) {
            ++number;
        }
        std::uint32_t slot = 0;
        while (!at(number).has(slot)) {
            ++slot;
        }
        return at(number).seen(slot);
    }
    // Does the thread know of all reads?
    bool are_known(const Clocks& me) const {
        if (!has_entries()) {
            return std::all_of(few_, few_ + few, [&me](const Seen& one) {
                return one.place == 0 || me.knows(one.slot, one.time);
            });
        }
        const auto is_known = [&me](const Entry& entry) {
            for (std::uint32_t part = 0; part < most_in_entry / 64; ++part) {
                const std::uint32_t first = (entry.base << base_shift) + part * 64;
                std::uint64_t others = entry.slots[part];
                if (me.slot - first < 64) {
                    others &= ~(std::uint64_t{1} << me.slot % 64);
                }
                if (others != 0 && !me.past.knows(first, others, entry.time)) {
                    return false;
                }
            }
            return true;
        };
        return is_known(first_) && std::all_of(more_.begin(), more_.end(), is_known);
    }

  private:
    static constexpr std::uint32_t most_in_entry = 256;  // slots
    static constexpr std::size_t few = 4;                // also lists of entries, at first
    static constexpr std::size_t most_kept = 16;
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr std::uint32_t no_place = 3;
    static inline std::uint32_t base_shift = 8;  // an entry is for 2^base_shift slots

    struct alignas(64) Entry {
        std::uint32_t mark;  // no_place
        std::uint32_t base;  // base_of() the slots
        std::uint32_t place, time, moment;
        std::uint32_t next;                       // in the list
        std::uint64_t slots[most_in_entry / 64];  // a bit for each

        Seen seen(std::uint32_t slot) const {
            return {place, (base << base_shift) + slot, time, moment};
        }
        bool has(std::uint32_t slot) const { return (slots[slot / 64] >> slot % 64 & 1) != 0; }
        bool is_empty() const {
            return std::all_of(std::begin(slots), std::end(slots),
                               [](std::uint64_t part) { return part == 0; });
        }
        bool is_like(const Seen& read) const {
            return place == read.place && time == read.time && moment == read.moment;
        }
        bool add(std::uint32_t slot) {  // false: it was there
            std::uint64_t& part = slots[part_of(slot)];
            const std::uint64_t before = part;
            part |= std::uint64_t{1} << slot % 64;
            return part != before;
        }
    };
    static std::uint32_t base_of(std::uint32_t slot) { return slot >> base_shift; }
    static std::uint32_t part_of(std::uint32_t slot) {
        return (slot & ((1u << base_shift) - 1)) / 64;
    }
    bool has_entries() const { return few_[0].place == no_place; }
    // The entry of these slots, if it is the only one in their list.
    [[gnu::always_inline]] Entry* only_entry(std::uint32_t base) {
        const std::uint32_t number = head(base);
        if (number == none) {
            return nullptr;
        }
        Entry& first = at(number);
        return first.base == base && first.next == none ? &first : nullptr;
    }
    bool add_in_general(const Seen& read) {
        if (!has_entries()) {
            for (Seen& one : few_) {
                if (one.place == 0 || one.slot == read.slot) {
                    const bool is_new = one.place == 0;
                    one = read;
                    return is_new;
                }
            }
            make_entries();
        }
        return add_to_entries(read);
    }
    void make_entries() {
        Seen before[few];
        std::copy(few_, few_ + few, before);
        first_ = {no_place, base_of(before[0].slot), 0, 0, 0, none, {}};
        std::fill(few_heads_, few_heads_ + few, none);
        put_in_list(0);
        for (const Seen& one : before) {
            add_to_entries(one);
        }
    }
    bool add_to_entries(const Seen& read) {
        const std::uint32_t base = base_of(read.slot);
        const std::uint32_t part = part_of(read.slot);
        const std::uint64_t bit = std::uint64_t{1} << read.slot % 64;
        Entry* mine = nullptr;  // where this read goes
        bool is_new = true;
        for (std::uint32_t number = head(base); number != none;) {
            Entry& entry = at(number);
            number = entry.next;
            if (entry.base != base) {
                continue;
            }
            is_new = is_new && (entry.slots[part] & bit) == 0;
            entry.slots[part] &= ~bit;
            if (entry.is_like(read) || (mine == nullptr && entry.is_empty())) {
                mine = &entry;
            }
        }
        if (mine == nullptr) {
            mine = &new_entry(base);
        }
        mine->place = read.place;
        mine->time = read.time;
        mine->moment = read.moment;
        mine->slots[part] |= bit;
        return is_new;
    }
    // Numbered from 0, the first one.
    Entry& at(std::uint32_t number) { return number == 0 ? first_ : more_[number - 1]; }
    const Entry& at(std::uint32_t number) const { return number == 0 ? first_ : more_[number - 1]; }
    // The list where the entries of these slots are, and others.
    std::uint32_t& head(std::uint32_t base) {
        return heads_.empty() ? few_heads_[base % few] : heads_[base & (heads_.size() - 1)];
    }
    Entry& new_entry(std::uint32_t base) {
        const auto number = static_cast<std::uint32_t>(more_.size() + 1);
        if (number >= std::max(few, heads_.size())) {
            heads_.assign(std::max(4 * few, 2 * heads_.size()), none);
            for (std::uint32_t before = 0; before < number; ++before) {
                put_in_list(before);
            }
        }
        more_.push_back({no_place, base, 0, 0, 0, none, {}});
        put_in_list(number);
        return more_.back();
    }
    void put_in_list(std::uint32_t number) {
        std::uint32_t& first = head(at(number).base);
        at(number).next = first;
        first = number;
    }

    union alignas(64) {
        Seen few_[few];  // place 0: none
        Entry first_;
    };
    std::vector<Entry> more_;
    // Of each list the first entry, by the base: a power of two; or else those of the few lists.
    std::vector<std::uint32_t> heads_;
    std::uint32_t few_heads_[few];
};

}  // namespace cpu_device::race
