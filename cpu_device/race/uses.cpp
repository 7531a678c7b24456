#include "race/uses.hpp"

#include <algorithm>
#include <utility>

#include "race/report_streams.hpp"
#include "race/word_history.hpp"

namespace cpu_device::race {
namespace {

// By different threads: one is enough for streams of one device.
constexpr std::ptrdiff_t most_uses_of_word = 64;

// `second` begins before the end of `first`. Two launches have no block in common: so of their
// atomics only those count that are for all blocks.
bool race_with(const Use& first, const Use& second) {
    const Access a = first.access();
    const Access b = second.access();
    const bool overlap = first.word < second.word + second.words && (a.mask & b.mask) != 0;
    const bool both_atomic = a.wide() && b.wide() && a.bytes == b.bytes;
    return overlap && (a.kind != Access::read || b.kind != Access::read) && !both_atomic;
}

}  // namespace

void compare(const Work& earlier, const Work& later) {
    std::vector<std::pair<Where, Where>> found;
    for (const Use& first : earlier.uses) {
        auto second = later.uses.begin();
        if (later.single_words) {
            second =
                std::lower_bound(second, later.uses.end(), first.word,
                                 [](const Use& use, std::size_t word) { return use.word < word; });
        }
        for (; second != later.uses.end() && second->word < first.word + first.words; ++second) {
            const std::pair<Where, Where> places{first.access().where, second->access().where};
            if (race_with(first, *second) &&
                std::find(found.begin(), found.end(), places) == found.end()) {
                found.push_back(places);
                report_streams(earlier, first, later, *second);
            }
        }
    }
}

void sort_by_word(Work& work) {
    if (!work.sorted) {
        std::stable_sort(work.uses.begin(), work.uses.end(),
                         [](const Use& a, const Use& b) { return a.word < b.word; });
        work.sorted = true;
    }
}

void compare_with_host(Work& earlier, const Use& now) {
    sort_by_word(earlier);
    const auto is_before = [](const Use& use, std::size_t word) { return use.word < word; };
    auto first = earlier.single_words ? std::lower_bound(earlier.uses.begin(), earlier.uses.end(),
                                                         now.word, is_before)
                                      : earlier.uses.begin();
    for (; first != earlier.uses.end() && first->word <= now.word; ++first) {
        if (now.word < first->word + first->words && race_with(*first, now)) {
            report_race_with_host(earlier, *first, now);
            return;
        }
    }
}

void add_uses(std::vector<Use>& uses, const void* memory, std::size_t bytes, Access::Kind kind) {
    const std::size_t begin = memory == nullptr ? unchecked : offset_of(memory);
    if (begin == unchecked || bytes == 0) {
        return;
    }
    Access access{};
    access.kind = kind;
    const std::size_t end = begin + bytes;
    const auto add_words = [&](std::size_t word, std::size_t words, unsigned mask) {
        access.mask = static_cast<std::uint8_t>(mask);
        if (words > 0 && mask != 0) {
            uses.push_back({word, words, access});
        }
    };
    const unsigned first_mask = 0xfu << begin % 4 & 0xfu;
    const unsigned last_mask = 0xfu >> (3 - (end - 1) % 4);
    const std::size_t first = begin / 4;
    const std::size_t last = (end - 1) / 4;
    if (first == last) {
        add_words(first, 1, first_mask & last_mask);
        return;
    }
    add_words(first, 1, first_mask);
    add_words(first + 1, last - first - 1, 0xfu);
    add_words(last, 1, last_mask);
}

std::vector<Use> uses_of_launch(std::size_t most) {
    std::vector<Use> uses;
    const std::size_t count = std::min(history.size(), most);
    uses.reserve(count);
    for (std::size_t i = history.size() - count; i < history.size(); ++i) {
        PlainWord& word = history.word_at(i);
        if (is_shared(word.number() * 4)) {
            continue;
        }
        const auto first = static_cast<std::ptrdiff_t>(uses.size());
        const auto add = [&](const Kept& kept) {
            const Access access = kept.access();
            const auto same_sort = [&](const Use& use) {
                const Access other = use.access();
                const bool same_for_devices = !keeps_system_scope || (other.slot == access.slot &&
                                                                      other.scope == access.scope);
                return other.wide() == access.wide() && other.bytes == access.bytes &&
                       other.mask == access.mask && same_for_devices;
            };
            const bool too_many =
                keeps_system_scope && uses.end() - uses.begin() - first > most_uses_of_word;
            if (!too_many && std::none_of(uses.begin() + first, uses.end(), same_sort)) {
                uses.push_back({word.number(), 1, access});
            }
        };
        if (!word.is_plain()) {
            const WordState& state = history.state_of(word);
            for (const AccessList* const list : {&state.writes, &state.reads}) {
                std::for_each(list->begin(), list->end(), add);
            }
        } else {
            if (word.write.place != 0) {
                add(word.write.kept(Access::write));
            }
            if (word.is_shared()) {  // all of one sort, unless devices are told apart
                add(word.readers().any().kept(Access::read));
            } else if (word.read.place != 0) {
                add(word.read.kept(Access::read));
            }
        }
        if (!keeps_system_scope) {
            history.drop_before(i + 1);
        }
    }
    return uses;
}

}  // namespace cpu_device::race
