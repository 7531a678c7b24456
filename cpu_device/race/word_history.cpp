#include "race/word_history.hpp"

#include <algorithm>
#include <utility>

// The program, by the linker.
extern "C" const char __executable_start[];

namespace cpu_device::race {

WordHistory& history = *new WordHistory;

const std::uintptr_t Seen::code_begin = reinterpret_cast<std::uintptr_t>(__executable_start);

void WordHistory::end_launch() {
    for (std::size_t i = dropped_; i < used_; ++i) {
        word_notes[word_at(i).number()] = 0;
    }
    used_ = states_used_ = read_sets_used_ = dropped_ = 0;
    free_words_.clear();
    free_read_sets_.clear();
    objects_.clear();
    objects_in_words_.clear();
    words_.resize(std::min(words_.size(), words_kept / words_per_piece));
    states_.resize(std::min(states_.size(), words_kept / states_per_piece));
    read_sets_.resize(std::min(read_sets_.size(), words_kept / states_per_piece));
}

void WordHistory::drop_before(std::size_t index) {
    for (; dropped_ < index; ++dropped_) {
        word_notes[word_at(dropped_).number()] = 0;
        if ((dropped_ + 1) % words_per_piece == 0 && dropped_ >= words_kept) {
            words_[dropped_ / words_per_piece].reset();
        }
    }
}

void WordHistory::forget(std::size_t begin, std::size_t bytes) {
    for (std::size_t number = begin / 4; number < (begin + bytes + 3) / 4; ++number) {
        const std::uint32_t note = std::exchange(word_notes[number], 0);
        // Those of global memory stay unused until the launch ends: they tell what it has used.
        if (note != 0 && is_shared(begin) && word_at(note - 1).is_plain()) {
            if (word_at(note - 1).is_shared()) {
                forget_readers(word_at(note - 1));
            }
            free_words_.push_back(note - 1);
        }
    }
}

PlainWord& WordHistory::fresh_word(std::size_t number) {
    std::size_t index = used_;
    if (!free_words_.empty() && is_shared(number * 4)) {
        index = free_words_.back();
        free_words_.pop_back();
    } else {
        if (used_ == words_.size() * words_per_piece) {
            words_.emplace_back(new PlainWord[words_per_piece]);
        }
        ++used_;
    }
    PlainWord& fresh = word_at(index);
    fresh.begin(number);
    word_notes[number] = static_cast<std::uint32_t>(index + 1);
    return fresh;
}

WordState& WordHistory::in_full(PlainWord& word) {
    if (states_used_ == states_.size() * states_per_piece) {
        states_.push_back(std::make_unique<WordState[]>(states_per_piece));
    }
    const Seen write = word.write;
    const PlainWord before = word;
    word.set_state(static_cast<std::uint32_t>(states_used_++));
    WordState& state = state_of(word);
    state.number = word.number();
    state.writes.clear();
    state.reads.clear();
    state.objects = 0;
    state.written = 0;
    state.read_only = false;
    state.last_step = word.last_step;
    state.changed_at = 0;
    if (write.place != 0) {
        const Kept kept = write.kept(Access::write);
        state.writes.add(kept);
        state.written = kept.mask;
        state.changed_at = kept.where;
        state.changed_by = kept.slot;
    }
    if (before.is_shared()) {
        before.readers().for_each(
            [&state](const Seen& read) { state.reads.add(read.kept(Access::read)); });
        free_read_sets_.push_back(&before.readers());
    } else if (before.read.place != 0) {
        state.reads.add(before.read.kept(Access::read));
    }
    return state;
}

ReadSet& WordHistory::fresh_read_set() {
    if (!free_read_sets_.empty()) {
        ReadSet& set = *free_read_sets_.back();
        free_read_sets_.pop_back();
        return set;
    }
    if (read_sets_used_ == read_sets_.size() * states_per_piece) {
        read_sets_.push_back(std::make_unique<ReadSet[]>(states_per_piece));
    }
    const std::size_t number = read_sets_used_++;
    return read_sets_[number / states_per_piece][number % states_per_piece];
}

bool WordHistory::read_by_another(PlainWord& word, const Seen& read) {
    ReadSet& set = fresh_read_set();
    set.begin(word.read);
    word.set_readers(set);
    return set.add(read);
}

void WordHistory::forget_readers(PlainWord& word) {
    free_read_sets_.push_back(&word.readers());
    word.read.place = 0;
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

bool WordHistory::is_overwritten(std::size_t number) {
    if (word_notes[number] == 0) {
        return false;
    }
    const WordState& state = state_of(number);
    return state.written != 0 && state.objects == 0;
}

std::optional<Access> WordHistory::last_change(std::size_t offset) {
    const std::uint32_t note = word_notes[offset / 4];
    if (note == 0) {
        return {};
    }
    const WordState& state = state_of(offset / 4);
    if (state.changed_at == 0) {
        return {};
    }
    Kept change{};
    change.slot = state.changed_by;
    change.where = state.changed_at;
    return change.access();
}

}  // namespace cpu_device::race
