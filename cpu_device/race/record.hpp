// What the threads of a launch have done, step by step. There is one record: the reports and the
// trace read it.
#pragma once

#include <cstdint>
#include <vector>

#include "race/word_history.hpp"

namespace cpu_device::race {

class Record {
  public:
    struct Step {
        Access access;
        std::uint64_t previous;  // step on this word
    };
    // Steps are numbered from 1 in the order in which they were made; 0 is none. The latest are
    // kept: 65,536, or as many as are asked for, a power of 2.
    void begin_launch();
    void keep(std::size_t steps) { kept_ = steps; }  // from the next launch on

    std::uint64_t add(const Kept& access, std::uint64_t before, std::uint64_t previous) {
        steps_[count_ & mask_] = {access, before, previous};
        return ++count_;
    }
    // The same of a plain access to a whole word, field by field: it is made most often.
    template <Access::Kind kind>
    std::uint64_t add_plain(std::uint64_t where, const Seen& access, std::uint8_t bytes,
                            std::uint64_t before, std::uint64_t previous) {
        Packed& packed = steps_[count_ & mask_];
        packed.access.where = where;
        packed.access.slot = access.slot;
        packed.access.time = access.time;
        packed.access.moment = access.moment;
        packed.access.chain = packed.access.link = 0;
        packed.access.bytes = bytes;
        packed.access.mask = 0xf;
        packed.access.kind = kind;
        packed.access.atomic = packed.access.is_volatile = false;
        packed.access.scope = Scope::system;
        packed.before = before;
        packed.previous = previous;
        return ++count_;
    }
    std::uint64_t count() const { return count_; }
    // The first of them that is of this launch, and still kept.
    std::uint64_t first() const;
    bool holds(std::uint64_t number) const { return number >= first() && number <= count_; }
    Step step(std::uint64_t number) const {
        const Packed& packed = steps_[(number - 1) & mask_];
        Step step{packed.access.access(), packed.previous};
        step.access.before = packed.before;
        return step;
    }
    // Of all threads on one word, up to its last step, the latest last.
    std::vector<Access> on_word(std::uint64_t last) const;
    // The latest step on that word, up to its last one, that was this access; 0: it is not kept.
    std::uint64_t find(const Access& access, std::uint64_t last) const;

  private:
    struct Packed {
        Kept access;
        std::uint64_t before, previous;
    };
    static constexpr std::size_t most_on_word = 200;  // for a report

    std::size_t kept_ = 1 << 16;
    std::size_t mask_ = 0;  // in place of a division, for each access
    std::vector<Packed> steps_;
    std::uint64_t count_ = 0, before_launch_ = 0;
};
extern Record& record;

}  // namespace cpu_device::race
