#include "race/schedule.hpp"

#include <algorithm>

#include "race/plan.hpp"

namespace cpu_device::race {
namespace {

// That a slow thread lets each of a few others have, at the least; the rest of them have none. And
// that all slow threads of one launch let them have.
constexpr std::size_t slow_turns = 5000, slow_for_most = 4;
constexpr std::uint64_t slow_turns_of_launch = 120'000;
// How often one side comes before the other at a stretch; after the first time it is less.
constexpr std::uint64_t unfair_at_first = 50'000, unfair_later = 1'000;
constexpr unsigned fair_turns_then = 400;

// After so many plain accesses in a row a thread runs on for longer: it is not stopped before so
// many of the next ones, on average.
constexpr unsigned plain_at_once = 4;
constexpr std::size_t plain_stretch = 64;

// Which seed takes which: seed 1 the first one.
constexpr Policy policies[] = {
    Policy::random,       Policy::starve,    Policy::reverse_priority, Policy::after_atomics,
    Policy::starve_first, Policy::run_ahead, Policy::priority,         Policy::reverse_blocks};
constexpr std::size_t policy_count = sizeof policies / sizeof policies[0];

}  // namespace

void Schedule::set_seed(std::uint64_t seed) {
    seed_ = seed;
    random_state_ = seed * 0x2545f4914f6cdd1du + 1;
    static_cast<void>(draw());
    policy_ = policies[(seed + policy_count - 1) % policy_count];
    seeded_ = true;
}

std::uint64_t Schedule::draw() {  // splitmix64
    const std::uint64_t drawn = next_draw_;
    std::uint64_t z = (random_state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    next_draw_ = z ^ (z >> 31);
    return drawn;
}
std::size_t Schedule::draw_below(std::size_t count) {
    return static_cast<std::size_t>((draw() >> 32) * count >> 32);
}

void Schedule::begin_launch(std::size_t blocks, unsigned threads_per_block) {
    ready_.clear();
    ready_.order_by_key(by_priority());
    chosen_ready_ = 0;
    backing_off_.clear();
    note_progress();
    blocks_ = blocks;
    chosen_begin_ = chosen_end_ = 0;
    lowest_priority_ = 0;
    unfair_ = 0;
    unfair_allowed_ = unfair_at_first;
    fair_turns_ = 0;
    slow_turns_left_ = slow_turns_of_launch;
    slow_turns_taken_ = 0;
    constexpr unsigned turn_lengths[] = {10, 100, 300, 1000};
    accesses_per_turn_ = by_priority() ? turn_lengths[draw_below(4)] : 0;
    choose_threads(threads_per_block);
}

void Schedule::choose_threads(unsigned threads_per_block) {
    const bool first = policy_ == Policy::starve_first;
    if (!first && policy_ != Policy::starve && policy_ != Policy::run_ahead) {
        return;
    }
    const std::size_t block = first ? 0 : draw() % blocks_;
    const std::size_t warps = (threads_per_block + 31) / 32;
    const std::size_t warp = first ? 0 : draw_below(warps);
    const std::size_t begin = block * threads_per_block;
    const std::size_t end = begin + threads_per_block;
    enum Level : std::size_t { one_thread, one_warp, whole_block };
    const std::size_t level = first ? one_thread : draw_below(3);
    chosen_begin_ = begin + (level == one_warp ? warp * 32 : 0);
    chosen_end_ = level == one_thread ? begin + 1
                  : level == one_warp ? std::min<std::size_t>(chosen_begin_ + 32, end)
                                      : end;
}

std::size_t Schedule::block_to_start(std::size_t started) const {
    return policy_ == Policy::reverse_blocks && plan == nullptr ? blocks_ - 1 - started : started;
}

void Schedule::add_block(ResidentBlock& block) {
    const auto threads = static_cast<unsigned>(block.threads.size());
    if (by_priority() && plan == nullptr) {
        block.priorities.resize(threads);
        for (unsigned t = 0; t < threads; ++t) {
            block.priorities[t] = policy_ == Policy::reverse_priority
                                      ? static_cast<std::int64_t>(block.clocks[t].slot)
                                      : static_cast<std::int64_t>(draw() >> 1);
        }
    }
    for (unsigned t = 0; t < threads; ++t) {
        add_ready({&block, t});
    }
}

// While a thread is slow, one of the same few: who is taken comes back as the last, and takes the
// place of the next one that is taken.
ThreadRef Schedule::take_backing_off() {
    const std::size_t all = backing_off_.size();
    const std::size_t drawn =
        draw_below(slow_turns_taken_ > 0 ? std::min(all, slow_for_most) : all);
    std::swap(backing_off_[drawn], backing_off_.back());
    const ThreadRef taken = backing_off_.back();
    backing_off_.pop_back();
    return taken;
}

bool Schedule::draws_a_ready_thread() {
    if (ready_.empty() || backing_off_.empty()) {
        slow_turns_taken_ = 0;
        return !ready_.empty();
    }
    // Where many wait, only some of those for which they do are slow: so the turns last for longer.
    if (last_is_slow_ && ready_.size() == 1 && slow_turns_left_ > 0 &&
        (slow_turns_taken_ > 0 || slow_turns_left_ == slow_turns_of_launch ||
         draw_below(1 + backing_off_.size() / slow_for_most) == 0)) {
        --slow_turns_left_;
        // Not sooner while turns are left, so that who gives up after fewer looks does; and then at
        // any time.
        const std::size_t least = slow_turns * std::min(slow_for_most, backing_off_.size());
        if (++slow_turns_taken_ < least || draw_below(least / 4) != 0) {
            return false;
        }
        slow_turns_taken_ = 0;
        return true;
    }
    slow_turns_taken_ = 0;
    const bool starves =
        chosen_end_ > 0 && policy_ != Policy::run_ahead && chosen_ready_ == ready_.size();
    return starves ? draw_below(256) == 0 : draw_below(16) != 0;
}

bool Schedule::is_unfair() {
    if (fair_turns_ > 0) {
        return false;
    }
    if (++unfair_ < unfair_allowed_) {
        return true;
    }
    unfair_ = 0;
    unfair_allowed_ = unfair_later;
    fair_turns_ = fair_turns_then;
    return false;
}

ThreadRef Schedule::take_ready() {
    if (fair_turns_ > 0) {
        --fair_turns_;
        return taken(ready_.take(draw_below(ready_.size())));
    }
    if ((policy_ == Policy::starve || policy_ == Policy::starve_first) &&
        !has_gone_on_much_too_long()) {
        std::size_t drawn = draw_below(ready_.size());
        for (int more = is_unfair() ? 8 : 0; more > 0 && is_chosen(ready_[drawn]); --more) {
            drawn = draw_below(ready_.size());
        }
        return taken(ready_.take(drawn));
    }
    if (policy_ == Policy::run_ahead && !has_gone_on_too_long() && chosen_ready_ > 0) {
        return taken(ready_.take(ready_.with_key(1)));
    }
    if (by_queue()) {
        return ready_.take_first();
    }
    if (by_priority() && !has_gone_on_too_long()) {
        return ready_.take(ready_.with_highest_key());
    }
    return taken(ready_.take(draw_below(ready_.size())));
}

// Threads run up to an access before which they stop, then one is chosen.
bool Schedule::take_planned(ThreadRef& next) {
    if (!ready_.empty()) {
        next = taken(ready_.take(ready_.size() - 1));
        return true;
    }
    std::vector<const Clocks*> stopped;
    stopped.reserve(backing_off_.size());
    for (const ThreadRef& one : backing_off_) {
        stopped.push_back(&one.clocks());
    }
    const std::size_t chosen = plan->choose(stopped);
    if (chosen == Plan::none) {
        return false;
    }
    next = backing_off_[chosen];
    backing_off_.erase(backing_off_.begin() + static_cast<std::ptrdiff_t>(chosen));
    return true;
}

bool Schedule::preempts_now(ThreadRef running, NextStep next) {
    free_accesses_ = 0;
    if (none_can_run()) {
        return false;
    }
    if (policy_ == Policy::run_ahead && is_chosen(running) && !has_gone_on_too_long() &&
        is_unfair()) {
        return false;
    }
    const bool priorities_decide = by_priority() && !has_gone_on_too_long();
    unsigned& plain = running.plain_accesses();
    plain = next == NextStep::plain_access ? plain + 1 : 0;
    std::size_t steps_per_turn = priorities_decide       ? accesses_per_turn_
                                 : by_queue()            ? 64
                                 : plain > plain_at_once ? plain_stretch
                                                         : 4;
    if (plain > plain_at_once) {
        const std::size_t stretch = std::min(steps_per_turn, plain_stretch);
        const bool begins = (plain - plain_at_once) % 2 == 1;
        if (begins) {
            free_accesses_ = draw_below(2 * stretch - 1);
            return false;
        }
        steps_per_turn /= stretch;
    }
    if (draw_below(steps_per_turn) != 0) {
        return false;
    }
    if (priorities_decide) {
        running.block->priorities[running.thread] = --lowest_priority_;
    }
    const bool polls =
        (last_is_slow_ || has_gone_on_much_too_long()) && running.polling().word != 0;
    if (polls) {
        backing_off_.push_back(running);
    } else {
        add_ready(running);
    }
    return true;
}

bool Schedule::preempts_after_atomic(ThreadRef running) {
    if (!by_queue() || ready_.empty()) {
        return false;
    }
    add_ready(running);
    return true;
}

bool Schedule::keeps_polling(ThreadRef running) const {
    return idle_turns_ == 0 &&
           (by_priority() || (policy_ == Policy::run_ahead && is_chosen(running)));
}

}  // namespace cpu_device::race
