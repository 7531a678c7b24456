// What is recorded for a trace (RACE_TRACE) beside the record of every run. Without it `tracing` is
// null, and nothing here is called.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "race/frames.hpp"
#include "race/record.hpp"
#include "scheduler.hpp"

namespace cpu_device::race {

enum class StepKind : std::uint8_t { access, fence, barrier, warp, end, fault };

// Of a step in the record: what only a trace tells.
struct Detail {
    StepKind kind = StepKind::access;
    bool is_volatile = false;
    bool is_write = false;  // a fault
    bool is_stale = false;  // a load that has read an old value
    Order order = Order::relaxed;
    std::size_t word = 0;  // its number, and the bytes of the whole access
    std::size_t begin = 0, bytes = 0;
    std::uint64_t after = 0;       // as Access::before, once the access is made
    std::uint32_t meeting = 0;     // 0: none
    VectorClock past;              // of the thread, once the step is made
    Frames frames{};               // the calls that led to it
    std::string place{};           // of a fault
    const Piece* piece = nullptr;  // of shared memory, which another block may have since
};

// A report, as the trace keeps it until the launch ends.
struct Told {
    std::string kind, where, text;
    std::vector<std::pair<std::string, std::string>> sentences, cures;  // and their keys first
    bool is_race = false;                                               // of its two steps
    std::vector<std::uint64_t> steps;                                   // in the record
    std::vector<std::uint32_t> slots;  // of further threads that belong to the story
    bool is_wanted = false;            // the story of this race is looked for
};

class Tracing {
  public:
    Tracing();

    // The kernel has called the runtime: the frame of the function that it has called.
    void entered(const void* frame) { frame_ = frame; }
    // The running thread begins an access; its steps in the record follow.
    void begin_access(std::size_t begin, std::size_t bytes);
    void atomic_is(Order order, bool is_volatile, bool is_stale) {
        order_ = order;
        is_volatile_ = is_volatile;
        is_stale_ = is_stale;
    }
    void added(std::uint64_t number, std::size_t word);
    // The accesses that were added last have been made.
    void finish();
    // A step of the running thread that is no access. Returns its number.
    std::uint64_t note(StepKind kind, Where where, Order order = Order::relaxed,
                       Scope scope = Scope::system);
    // What the running thread has noted last has given it more of a past: a fence.
    void passed();
    // These threads have met, at the last step of each.
    void met(const std::vector<Clocks*>& threads);
    // The next report is about these steps of the record; 0 is one that is not kept.
    void about(const std::vector<std::uint64_t>& steps);
    // It is about two accesses that nothing orders; atomics of these threads lead from one to the
    // other.
    void about_race(std::uint64_t earlier, std::uint64_t now, std::vector<std::uint32_t> between,
                    bool is_wanted);
    // Such a report has been made. If about() has not been called, it is about the running thread
    // at the line `place`.
    void reported(Told report, const std::string& place);

    // What these two steps' threads did last is kept until the launch ends, however much others do
    // after it: a report will tell of the two.
    void keep(std::uint64_t earlier, std::uint64_t now);
    // Of this launch: the steps that the record holds, and before them those that were kept.
    std::vector<std::uint64_t> numbers() const;
    bool holds(std::uint64_t number) const {
        return record.holds(number) || kept_steps_.count(number) > 0;
    }
    Record::Step step(std::uint64_t number) const {
        return record.holds(number) ? record.step(number) : kept_steps_.at(number).step;
    }

    // The last steps of these threads, of each that has made one; of few threads.
    std::vector<std::uint64_t> last_steps(const std::vector<std::uint32_t>& slots) const;

    const Detail& detail(std::uint64_t number) const {
        return record.holds(number) ? details_[number & (kept - 1)] : kept_steps_.at(number).detail;
    }
    // Has this access changed its word? A store has, whatever was there before.
    bool has_changed(std::uint64_t number) const;
    // Are these two, of one thread, the same access in the same line, and have both found the same
    // value and left it?
    bool is_again(std::uint64_t earlier, std::uint64_t number) const;
    std::vector<Told>& told() { return told_; }
    void begin_launch();

  private:
    static constexpr std::size_t kept = 1 << 17;         // steps
    static constexpr std::size_t kept_for_report = 200;  // of its threads
    static constexpr std::size_t most_kept = 8000;       // for all reports of a launch
    struct KeptStep {
        Record::Step step;
        Detail detail;
    };

    std::vector<Detail> details_;  // by number in the record
    std::map<std::uint64_t, KeptStep> kept_steps_;
    std::vector<std::uint64_t> unfinished_;
    std::map<std::uint32_t, std::uint64_t> last_of_;  // of each thread
    const void* frame_ = nullptr;
    std::map<std::pair<std::uint32_t, std::size_t>, Piece> shared_;  // by block and begin
    std::size_t begin_ = 0, bytes_ = 0;
    Order order_ = Order::relaxed;
    bool is_volatile_ = false;
    bool is_stale_ = false;
    std::uint32_t meetings_ = 0;
    Told next_;
    std::vector<Told> told_;  // of this launch
};
inline Tracing* tracing = nullptr;

// Asked at every access: what is done for a trace stands apart from the code that always runs.
inline bool is_traced() {
    return __builtin_expect(tracing != nullptr, false);
}

}  // namespace cpu_device::race
