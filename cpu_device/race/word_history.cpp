#include "race/word_history.hpp"

#include <algorithm>
#include <cstring>

namespace cpu_device::race {

WordHistory& history = *new WordHistory;

void WordHistory::end_launch() {
    for (std::size_t i = 0; i < used_; ++i) {
        word_notes[state(i).number] = 0;
    }
    used_ = 0;
    objects_.clear();
    objects_in_words_.clear();
    pieces_.resize(std::min<std::size_t>(pieces_.size(), 64));  // not all memory is kept
}

void WordHistory::forget(std::size_t begin, std::size_t bytes) {
    // The words' states stay unused until the launch ends.
    std::memset(word_notes + begin / 4, 0, (bytes + 3) / 4 * sizeof *word_notes);
}

WordState& WordHistory::fresh_state(std::size_t number) {
    if (used_ == pieces_.size() * words_per_piece) {
        pieces_.push_back(std::make_unique<WordState[]>(words_per_piece));
    }
    WordState& fresh = state(used_);
    fresh.number = number;
    fresh.writes.clear();
    fresh.reads.clear();
    fresh.objects = 0;
    fresh.written = 0;
    fresh.read_only = false;
    fresh.last_step = 0;
    fresh.changed_at = 0;
    word_notes[number] = static_cast<std::uint32_t>(++used_);
    return fresh;
}

Object WordHistory::object_at(std::size_t begin, std::size_t bytes) {
    auto found = static_cast<Object>(objects_.size());
    for_each_object(state_of(begin / 4), [&](Object object) {
        if (objects_[object].begin == begin && objects_[object].bytes == bytes) {
            found = object;
        }
    });
    if (found == objects_.size()) {
        objects_.push_back({begin, bytes, 0, 0, 0, {}, nullptr});
        for (std::size_t word = begin / 4; word <= (begin + bytes - 1) / 4; ++word) {
            WordState& state = state_of(word);
            objects_in_words_.push_back({found, state.objects});
            state.objects = static_cast<std::uint32_t>(objects_in_words_.size());
        }
    }
    return found;
}

void WordHistory::overwrite_objects(Clocks& me, const WordState& word, std::size_t begin,
                                    std::size_t bytes, Object except) {
    for_each_object(word, [&](Object number) {
        ObjectState& object = objects_[number];
        const std::size_t first = std::max(begin, object.begin);
        const bool overlap = first < std::min(begin + bytes, object.begin + object.bytes);
        if (number != except && overlap && first / 4 == word.number) {  // once, if there are more
            ++object.chain;
            ++object.version;
            object.link = 0;
            overwritten(me, number, object.location);
            object.stores.reset();  // a plain store that is in order is the newest for all
        }
    });
}

std::optional<Access> WordHistory::last_change(std::size_t offset) {
    const std::uint32_t note = word_notes[offset / 4];
    if (note == 0 || state(note - 1).changed_at == 0) {
        return {};
    }
    Kept change{};
    change.slot = state(note - 1).changed_by;
    change.where = state(note - 1).changed_at;
    return change.access();
}

}  // namespace cpu_device::race
