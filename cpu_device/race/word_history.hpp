// What has happened to each word in the launch that runs: the accesses that matter still, the
// atomic objects in it, who has changed it last. Most words meet nothing but plain accesses, and
// take few bytes; what others need is kept apart.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "race/access_list.hpp"
#include "race/memory.hpp"
#include "race/order.hpp"
#include "race/read_set.hpp"
#include "race/views.hpp"

namespace cpu_device::race {

// An atomic object. Order is kept for each of them: two bytes of one word are two objects.
struct ObjectState {
    std::size_t begin, bytes;
    std::uint32_t chain, link;
    std::uint32_t version;                     // how many stores there were in this launch
    Location location;                         // what atomics have left here
    std::unique_ptr<Stores> stores = nullptr;  // where loads may read old values
    bool has_taken_over = false;               // of earlier launches: see across_devices.hpp
};

struct WordState {
    std::size_t number;
    AccessList writes, reads;
    std::uint32_t objects;     // index + 1 in objects_in_words_
    std::uint8_t written;      // the bytes that a thread has written in this launch
    bool read_only;            // was read by __ldg
    std::uint64_t last_step;   // its number in the record; 0: none
    std::uint64_t changed_at;  // where the last write was that was not of the same value: packed,
    std::uint32_t changed_by;  // and by which slot
};

// A word. While it has met only plain accesses to all of its bytes, this is all that is known of
// it, and who has read it since the last write.
class PlainWord {
  public:
    Seen write, read;
    std::uint64_t last_step;  // its number in the record; 0: none

    void begin(std::size_t number) {
        write.place = read.place = 0;
        last_step = 0;
        number_ = number;
    }
    std::size_t number() const { return number_; }

    // Or is there a WordState, and which?
    bool is_plain() const { return read.place != in_full; }
    std::uint32_t state() const { return read.slot; }
    void set_state(std::uint32_t state) { read = {in_full, state, 0, 0}; }

    // Have several threads read it? Then there is a ReadSet, of reads of one size.
    bool is_shared() const { return (read.place & 3) == 3; }
    ReadSet& readers() const {
        return *reinterpret_cast<ReadSet*>(std::uintptr_t{read.time} << 32 | read.slot);
    }
    void set_readers(ReadSet& set) {
        const auto at = reinterpret_cast<std::uintptr_t>(&set);
        read = {((read.place & 3) + 1) << 2 | 3, static_cast<std::uint32_t>(at),
                static_cast<std::uint32_t>(at >> 32), 0};
    }
    bool is_read_in_size_of(std::uint32_t place) const {
        return (is_shared() ? (read.place >> 2) - 1 : read.place & 3) == (place & 3);
    }

  private:
    static constexpr std::uint32_t in_full = 3;
    std::size_t number_;
};
static_assert(sizeof(PlainWord) == 48, "a word that only plain accesses meet is small");

class WordHistory {
  public:
    void end_launch();
    // Forgets what happened to this memory: another block has it now.
    void forget(std::size_t begin, std::size_t bytes);

    // The word, which is new if it has met no access.
    PlainWord& word(std::size_t number) {
        const std::uint32_t note = word_notes[number];
        return note == 0 ? fresh_word(number) : word_at(note - 1);
    }
    // In full, also if few bytes would do.
    WordState& state_of(std::size_t number) {
        PlainWord& one = word(number);
        return one.is_plain() ? in_full(one) : state_of(one);
    }
    WordState& state_of(const PlainWord& word) {
        return states_[word.state() / states_per_piece][word.state() % states_per_piece];
    }
    // Those of the launch, in the order of their first access.
    std::size_t size() const { return used_; }
    PlainWord& word_at(std::size_t index) {
        return words_[index / words_per_piece][index % words_per_piece];
    }
    // Keeps the read, in place of an earlier one by this thread; false: there is one.
    [[gnu::always_inline]] bool read_by(PlainWord& word, const Seen& read) {
        if (word.is_shared()) {
            return word.readers().add(read);
        }
        if (word.read.place != 0 && word.read.slot != read.slot) {
            return read_by_another(word, read);
        }
        const bool is_new = word.read.place == 0;
        word.read = read;
        return is_new;
    }
    void forget_readers(PlainWord& word);
    // All before this one are of no interest any more.
    void drop_before(std::size_t index);
    // Only plain accesses have met this word, and some of them have written it.
    bool is_overwritten(std::size_t number);

    // The object at this place, which is new if it was never used as one.
    Object object_at(std::size_t begin, std::size_t bytes);
    ObjectState& object(Object number) { return objects_[number]; }  // it stays where it is
    const std::deque<ObjectState>& objects() const { return objects_; }
    // An access that is no atomic access to these objects has written over them.
    void overwrite_objects(Clocks& me, const WordState& word, std::size_t begin, std::size_t bytes,
                           Object except);

    // Who has changed this word last in this launch, if anybody has.
    std::optional<Access> last_change(std::size_t offset);

  private:
    // The objects that touch a word, as lists.
    struct InWord {
        Object object;
        std::uint32_t next;  // index + 1 in objects_in_words_; 0 ends the list
    };
    static constexpr std::size_t words_per_piece = 4096, states_per_piece = 1024;
    static constexpr std::size_t words_kept = 16 * 1024;  // not all memory is kept for later

    PlainWord& fresh_word(std::size_t number);
    ReadSet& fresh_read_set();
    bool read_by_another(PlainWord& word, const Seen& read);
    WordState& in_full(PlainWord& word);
    template <typename Function>
    void for_each_object(const WordState& word, Function function) {
        for (std::uint32_t at = word.objects; at != 0; at = objects_in_words_[at - 1].next) {
            function(objects_in_words_[at - 1].object);
        }
    }

    // In pieces that stay where they are. word_notes holds index + 1 in `words_`.
    std::vector<std::unique_ptr<PlainWord[]>> words_;
    std::vector<std::unique_ptr<WordState[]>> states_;
    std::vector<std::unique_ptr<ReadSet[]>> read_sets_;
    std::vector<std::uint32_t> free_words_;  // of blocks that have ended
    std::vector<ReadSet*> free_read_sets_;   // of such blocks, too
    std::size_t used_ = 0, states_used_ = 0, read_sets_used_ = 0, dropped_ = 0;
    std::deque<ObjectState> objects_;
    std::vector<InWord> objects_in_words_;
};
extern WordHistory& history;

}  // namespace cpu_device::race
