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

// A plain access to all bytes of a word, in as few bytes as it takes.
struct Seen {
    std::uint32_t place;  // see place_of(); 0: no access
    std::uint32_t slot, time, moment;

    // Where the access is, and of how many bytes, for code of the program itself; else 0.
    static std::uint32_t place_of(const Where& where, std::size_t bytes) {
        constexpr std::uintptr_t most_code = std::uintptr_t{1} << 30;
        const std::uintptr_t code = reinterpret_cast<std::uintptr_t>(where.at) - code_begin;
        const bool is_small = where.line == 0 && code < most_code;
        return is_small ? static_cast<std::uint32_t>(code << 2 | bytes >> 3) : 0;
    }
    Kept kept(Access::Kind kind) const {
        static constexpr std::uint8_t bytes[] = {4, 8, 16};
        Kept whole{};
        whole.where = code_begin + (place >> 2);  // its line is 0
        whole.slot = slot;
        whole.time = time;
        whole.moment = moment;
        whole.bytes = place == 0 ? 0 : bytes[place & 3];
        whole.mask = 0xf;
        whole.kind = kind;
        whole.scope = Scope::system;
        return whole;
    }

  private:
    static const std::uintptr_t code_begin;
};

// A word. While it has met only plain accesses to all of its bytes, and reads of one thread since
// the last write, this is all that is known of it.
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
    void set_state(std::uint32_t state) {
        read.place = in_full;
        read.slot = state;
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
    static constexpr std::size_t words_kept = 64 * 1024;  // not all memory is kept for later

    PlainWord& fresh_word(std::size_t number);
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
    std::size_t used_ = 0, states_used_ = 0, dropped_ = 0;
    std::deque<ObjectState> objects_;
    std::vector<InWord> objects_in_words_;
};
extern WordHistory& history;

}  // namespace cpu_device::race
