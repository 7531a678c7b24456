// The check of most plain accesses, in little time: they are to whole words, and the thread knows
// of all that others have done there which matters. What is not so simple is left to checker.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "race/memory.hpp"
#include "race/order.hpp"
#include "race/record.hpp"
#include "race/report_memory.hpp"
#include "race/run.hpp"
#include "race/word_history.hpp"

namespace cpu_device::race {

// Of the launch. No step needs more than it takes to know which accesses race: nothing is traced,
// and no other device takes part.
inline bool words_are_simple = false;
// Nor does anything else follow the accesses: no counts, no plan of turns.
inline bool accesses_are_simple = false;

inline std::uint64_t accesses_checked = 0;

// False, and nothing has been done: the access is not that simple.
template <std::size_t bytes, bool write>
[[gnu::always_inline]] inline bool check_quickly(const Clocks& me, std::size_t offset,
                                                 Where where) {
    static_assert(bytes == 4 || bytes == 8 || bytes == 16, "whole words");
    constexpr std::size_t words = bytes / 4;
    constexpr Access::Kind kind = write ? Access::write : Access::read;
    const std::uint32_t place = Seen::place_of(where, bytes);
    const bool in_reserved = offset < reserved_bytes;
    const std::size_t end = in_reserved ? reserved_bytes : reserved_bytes + variables_bytes;
    constexpr std::size_t looked_at = bytes + 4;  // as values are kept in 8 bytes
    if (place == 0 || offset % 4 != 0 || !words_are_simple || end - offset < looked_at ||
        (is_shared(offset) && offset / arena_bytes != me.arena)) {
        return false;
    }
    const auto all_are = [offset](std::uint8_t state) {
        std::uint8_t all[bytes];
        std::memset(all, state, bytes);
        return std::memcmp(byte_states + offset, all, bytes) == 0;
    };
    const bool is_written = all_are(written);
    if (!is_written && !(write && all_are(unwritten))) {
        return false;
    }
    const auto knows = [&me](const Seen& access) {
        return access.place == 0 || me.knows(access.slot, access.time);
    };
    std::array<PlainWord*, words> found{};
    for (std::size_t i = 0; i < words; ++i) {
        const std::uint32_t note = word_notes[offset / 4 + i];
        if (note == 0) {
            continue;
        }
        PlainWord& word = history.word_at(note - 1);
        found[i] = &word;
        if (!word.is_plain() || !knows(word.write)) {
            return false;
        }
        if (!write) {
            if (word.read.place != 0 && !word.is_read_in_size_of(place)) {
                return false;
            }
        } else if (!(word.is_shared() ? word.readers().are_known(me) : knows(word.read))) {
            return false;
        }
    }
    if (write && !is_written) {
        std::memset(byte_states + offset, written, bytes);
    }
    const char* const address = address_of(offset);
    for (std::size_t i = 0; i < words; ++i) {
        PlainWord& word = found[i] != nullptr ? *found[i] : history.word(offset / 4 + i);
        if (write && word.is_shared()) {
            history.forget_readers(word);
        }
        const Seen now{place, me.slot, me.time, moment(me)};
        if (write) {
            word.write = now;
            word.read.place = 0;
        } else if (history.read_by(word, now)) {
            run.spins.note_new_read(word.write.place != 0);
        }
        std::uint64_t before = 0;
        std::memcpy(&before, address + 4 * i, sizeof before);
        if (!write && i == 0 && bytes <= 8) {
            note_read_value(before, bytes);
        }
        word.last_step = record.add_plain<kind>(reinterpret_cast<std::uintptr_t>(where.at), now,
                                                bytes, before, word.last_step);
    }
    if (write && bytes <= 8) {
        last_store = {reinterpret_cast<std::uintptr_t>(where.at), address, me.slot, bytes};
    }
    ++accesses_checked;
    return true;
}

}  // namespace cpu_device::race
