// What has happened to each word in the launch that runs: the accesses that matter still, the
// atomic objects in it, who has changed it last.
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

class WordHistory {
  public:
    void end_launch();
    // Forgets what happened to this memory: another block has it now.
    void forget(std::size_t begin, std::size_t bytes);

    WordState& state_of(std::size_t number) {
        const std::uint32_t note = word_notes[number];
        return note == 0 ? fresh_state(number) : state(note - 1);
    }
    // Those of the launch, in the order of their first access.
    std::size_t size() const { return used_; }
    WordState& state(std::size_t index) {
        return pieces_[index / words_per_piece][index % words_per_piece];
    }

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
    static constexpr std::size_t words_per_piece = 1024;

    WordState& fresh_state(std::size_t number);
    template <typename Function>
    void for_each_object(const WordState& word, Function function) {
        for (std::uint32_t at = word.objects; at != 0; at = objects_in_words_[at - 1].next) {
            function(objects_in_words_[at - 1].object);
        }
    }

    // In pieces that stay where they are. word_notes holds index + 1.
    std::vector<std::unique_ptr<WordState[]>> pieces_;
    std::size_t used_ = 0;
    std::deque<ObjectState> objects_;
    std::vector<InWord> objects_in_words_;
};
extern WordHistory& history;

}  // namespace cpu_device::race
