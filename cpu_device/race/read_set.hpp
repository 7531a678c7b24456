// Who has read a word since its last write, by plain accesses to the whole word, and in few bytes.
#pragma once

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
        const std::uint32_t number = slot < number_of_.size() ? number_of_[slot] : 0;
        return number == 0 ? nullptr : &all_[number - 1];
    }
    Seen& add(std::uint32_t slot) {
        all_.push_back({0, slot, 0, 0});
        if (all_.size() == few + 1) {
            for (std::size_t i = 0; i < few; ++i) {
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
        number_of_.clear();
        if (all_.capacity() > most_kept) {
            all_.shrink_to_fit();
            number_of_.shrink_to_fit();
        }
    }

  private:
    static constexpr std::size_t few = 16;  // are searched

    void note(std::size_t index) {
        const std::size_t slot = all_[index].slot;
        if (number_of_.size() <= slot) {
            number_of_.resize(slot + 1, 0);
        }
        number_of_[slot] = static_cast<std::uint32_t>(index + 1);
    }

    std::vector<Seen> all_;
    std::vector<std::uint32_t> number_of_;  // by slot; empty while there are few
};

}  // namespace cpu_device::race
