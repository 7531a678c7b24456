// The accesses to a word that are kept, as small as they can be.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "race/access.hpp"

namespace cpu_device::race {

inline std::uint32_t threads_per_block = 1;  // of the launch

// What is kept of an access: one cache line holds two.
struct Kept {
    std::uint64_t where;  // the pointer, and in the upper 16 bits the line
    std::uint32_t slot, time, moment, chain, link;
    std::uint8_t bytes = 0;  // 0: no access
    std::uint8_t mask : 4;
    Access::Kind kind : 2;
    bool atomic : 1;
    bool is_volatile : 1;
    Scope scope;

    Kept() = default;
    explicit Kept(const Access& access)
        : where(packed(access.where)),
          slot(access.slot),
          time(access.time),
          moment(access.moment),
          chain(access.chain),
          link(access.link),
          bytes(access.bytes),
          mask(access.mask & 0xfu),
          kind(access.kind),
          atomic(access.atomic),
          is_volatile(access.is_volatile),
          scope(access.scope) {}

    static std::uint64_t packed(const Where& where) {
        return static_cast<std::uint64_t>(where.line) << 48 |
               reinterpret_cast<std::uintptr_t>(where.at);
    }
    static Where place(std::uint64_t packed) {
        return {reinterpret_cast<const void*>(packed << 16 >> 16), static_cast<int>(packed >> 48)};
    }
    Access access() const {
        Access whole{};
        whole.slot = slot;
        whole.time = time;
        whole.moment = moment;
        const std::uint32_t owner = slot % threads_in_launch;
        whole.block = owner / threads_per_block;
        whole.thread = static_cast<std::uint16_t>(owner % threads_per_block);
        whole.by_copy = is_slot_of_copy(slot);
        whole.kind = kind;
        whole.atomic = atomic;
        whole.scope = scope;
        whole.is_volatile = is_volatile;
        whole.bytes = bytes;
        whole.mask = mask;
        whole.chain = chain;
        whole.link = link;
        whole.where = place(where);
        return whole;
    }
    bool wide() const { return atomic && scope >= Scope::device; }
};
static_assert(sizeof(Kept) == 32, "half a cache line");

// Two atomics of one size that include each other's threads: they do not race.
inline bool both_atomic(const Kept& a, const Kept& b) {
    if (!a.atomic || !b.atomic || a.bytes != b.bytes || a.mask != b.mask) {
        return false;
    }
    const Scope narrower = std::min(a.scope, b.scope);
    return narrower >= Scope::device || a.slot == b.slot ||
           (narrower >= Scope::block && a.slot / threads_per_block == b.slot / threads_per_block);
}

// Accesses to one word that have to be kept, the latest last. Most words have one at most.
class AccessList {
  public:
    Kept* begin() { return more_ == nullptr ? &one_ : more_->all.data(); }
    Kept* end() { return begin() + size(); }
    const Kept* begin() const { return more_ == nullptr ? &one_ : more_->all.data(); }
    const Kept* end() const { return begin() + size(); }
    std::size_t size() const {
        return more_ == nullptr ? (one_.bytes != 0 ? 1 : 0) : more_->all.size();
    }
    // Where there is at most one: that one, with 0 bytes if there is none. Else null.
    Kept* only() { return more_ == nullptr ? &one_ : nullptr; }
    bool empty() const { return size() == 0; }
    // Are all of them wide atomics of one size?
    bool counting() const {
        return more_ == nullptr ? one_.wide() && !one_.is_volatile : more_->counting;
    }

    void clear() {
        one_.bytes = 0;
        if (more_ != nullptr) {
            give_back(std::move(more_));
        }
    }
    void add(const Kept& access) {
        if (empty()) {
            clear();
            one_ = access;
            return;
        }
        if (more_ == nullptr) {
            more_ = take_many();
            more_->counting = one_.wide() && !one_.is_volatile;
            more_->all.push_back(one_);
        }
        more_->counting = more_->counting && access.wide() && !access.is_volatile &&
                          both_atomic(more_->all.front(), access);
        more_->all.push_back(access);
        if (!more_->place_of_slot.empty()) {
            more_->note_place(more_->all.size() - 1);
        }
    }
    // A thread's own access of the same kind, the latest that is kept.
    Kept* of_same_kind(const Kept& access) {
        const auto is_it = [&](const Kept& other) {
            return other.slot == access.slot && other.mask == access.mask &&
                   other.bytes == access.bytes && other.atomic == access.atomic &&
                   other.scope == access.scope;
        };
        if (size() > 16) {  // many threads read one word: do not search
            Many& many = *more_;
            if (many.place_of_slot.empty()) {
                for (std::size_t i = 0; i < many.all.size(); ++i) {
                    many.note_place(i);
                }
            }
            const std::size_t place =
                access.slot < many.place_of_slot.size() ? many.place_of_slot[access.slot] : 0;
            if (place == 0 || is_it(many.all[place - 1])) {
                return place == 0 ? nullptr : &many.all[place - 1];
            }
        }
        for (Kept* one = end(); one != begin(); --one) {
            if (is_it(one[-1])) {
                return one - 1;
            }
        }
        return nullptr;
    }
    template <typename Condition>
    void drop_if(Condition condition) {
        if (more_ == nullptr) {
            if (!empty() && condition(one_)) {
                one_.bytes = 0;
            }
            return;
        }
        std::vector<Kept>& all = more_->all;
        const auto kept = std::remove_if(all.begin(), all.end(), condition);
        if (kept == all.begin()) {
            clear();
        } else if (kept != all.end()) {
            all.erase(kept, all.end());
            more_->place_of_slot.clear();
        }
    }

  private:
    struct Many {
        std::vector<Kept> all;
        std::vector<std::uint32_t> place_of_slot;  // place + 1 in `all`; empty while that is short
        bool counting;

        void note_place(std::size_t place) {
            const std::size_t slot = all[place].slot;
            if (place_of_slot.size() <= slot) {
                place_of_slot.resize(slot + 1, 0);
            }
            place_of_slot[slot] = static_cast<std::uint32_t>(place + 1);
        }
    };
    // Words that many threads use get and lose their lists again and again.
    static inline std::vector<std::unique_ptr<Many>>& spare =
        *new std::vector<std::unique_ptr<Many>>;
    static std::unique_ptr<Many> take_many() {
        if (spare.empty()) {
            return std::make_unique<Many>();
        }
        std::unique_ptr<Many> taken = std::move(spare.back());
        spare.pop_back();
        return taken;
    }
    static void give_back(std::unique_ptr<Many> many) {
        constexpr std::size_t most_spare = 4096, most_kept = 64;
        if (spare.size() < most_spare && many->all.capacity() <= most_kept &&
            many->place_of_slot.empty()) {
            many->all.clear();
            spare.push_back(std::move(many));
        }
    }

    Kept one_;
    std::unique_ptr<Many> more_;
};

}  // namespace cpu_device::race
