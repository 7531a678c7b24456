#include "race/tracing.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "race/places.hpp"
#include "race/run.hpp"

namespace cpu_device::race {

Tracing::Tracing() : details_(kept) {
    record.keep(kept);
}

void Tracing::begin_launch() {
    shared_.clear();
    last_of_.clear();
    told_.clear();
    unfinished_.clear();
    kept_steps_.clear();
}

void Tracing::begin_access(std::size_t begin, std::size_t bytes) {
    finish();
    begin_ = begin;
    bytes_ = bytes;
}

void Tracing::added(std::uint64_t number, std::size_t word) {
    Detail& detail = details_[number & (kept - 1)];
    detail = {};
    detail.word = word;
    detail.begin = begin_;
    detail.bytes = bytes_;
    detail.order = order_;
    detail.is_volatile = is_volatile_;
    detail.is_stale = is_stale_ && record.step(number).access.atomic;
    detail.past = running->past;
    const Piece* const piece = is_shared(begin_) ? piece_near(begin_) : nullptr;
    if (piece != nullptr) {
        detail.piece =
            &shared_.emplace(std::pair(running->block, piece->begin), *piece).first->second;
    }
    detail.frames = frames_from(frame_, run.now.block->bottom[run.now.thread]);
    last_of_[running->slot] = number;
    if (record.step(number).access.atomic && !is_volatile_) {  // has been made already
        detail.after = value_at(word * 4, 8);
    } else {
        unfinished_.push_back(number);
    }
}

void Tracing::finish() {
    for (const std::uint64_t number : unfinished_) {
        Detail& detail = details_[number & (kept - 1)];
        detail.after = value_at(detail.word * 4, 8);
    }
    unfinished_.clear();
}

std::uint64_t Tracing::note(StepKind kind, Where where, Order order, Scope scope) {
    const Clocks& me = running != nullptr ? *running : run.now.clocks();
    Access access{};
    access.slot = me.slot;
    access.time = me.time;
    access.block = me.block;
    access.thread = static_cast<std::uint16_t>(me.thread);
    access.scope = scope;
    access.where = where;
    const std::uint64_t number = record.add(Kept(access), 0, 0);
    Detail& detail = details_[number & (kept - 1)];
    detail = {};
    detail.kind = kind;
    detail.order = order;
    detail.past = me.past;
    if (kind != StepKind::fault && kind != StepKind::end) {
        detail.frames = frames_from(frame_, run.now.block->bottom[run.now.thread]);
    }
    last_of_[me.slot] = number;
    return number;
}

void Tracing::passed() {
    details_[last_of_[running->slot] & (kept - 1)].past = running->past;
}

void Tracing::met(const std::vector<Clocks*>& threads) {
    ++meetings_;
    for (const Clocks* const thread : threads) {
        Detail& detail = details_[last_of_[thread->slot] & (kept - 1)];
        detail.meeting = meetings_;
        detail.past = thread->past;
    }
}

void Tracing::about(const std::vector<std::uint64_t>& steps) {
    next_ = {};
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(next_.steps),
                 [](std::uint64_t number) { return number != 0; });
}

void Tracing::about_race(std::uint64_t earlier, std::uint64_t now,
                         std::vector<std::uint32_t> between, bool is_wanted) {
    about({earlier, now});
    next_.is_race = earlier != 0;
    next_.slots = std::move(between);
    next_.is_wanted = is_wanted;
}

void Tracing::keep(std::uint64_t earlier, std::uint64_t now) {
    if (!record.holds(now)) {
        return;
    }
    const auto keep_one = [&](std::uint64_t number) {
        kept_steps_.emplace(number, KeptStep{record.step(number), detail(number)});
    };
    keep_one(now);
    if (earlier != 0 && record.holds(earlier)) {
        keep_one(earlier);
    }
    // The last steps before each of the two.
    for (const std::uint64_t end : {now, earlier}) {
        if (end == 0 || !record.holds(end)) {
            continue;
        }
        const std::uint32_t slot = record.step(end).access.slot;
        std::size_t left = kept_for_report / 2;
        for (std::uint64_t number = end;
             left > 0 && record.holds(number) && kept_steps_.size() < most_kept; --number) {
            if (record.step(number).access.slot == slot) {
                keep_one(number);
                --left;
            }
        }
    }
}

std::vector<std::uint64_t> Tracing::numbers() const {
    std::vector<std::uint64_t> all;
    const std::uint64_t first = record.first();
    for (const auto& [number, step] : kept_steps_) {
        if (number < first) {
            all.push_back(number);
        }
    }
    for (std::uint64_t number = first; number <= record.count(); ++number) {
        all.push_back(number);
    }
    return all;
}

bool Tracing::has_changed(std::uint64_t number) const {
    const Access access = step(number).access;
    const Detail& its = detail(number);
    const std::size_t bytes = its.begin + its.bytes - its.word * 4;
    const std::uint64_t mask = bytes < 8 ? (std::uint64_t{1} << 8 * bytes) - 1 : ~std::uint64_t{0};
    return access.kind == Access::write ||
           (access.kind == Access::update && ((access.before ^ its.after) & mask) != 0);
}

bool Tracing::is_again(std::uint64_t earlier, std::uint64_t number) const {
    const Detail &a = detail(earlier), &b = detail(number);
    return a.kind == StepKind::access && b.kind == StepKind::access && a.begin == b.begin &&
           a.bytes == b.bytes && a.word == b.word && a.is_stale == b.is_stale &&
           a.frames.depth == b.frames.depth &&
           std::equal(a.frames.code, a.frames.code + a.frames.depth, b.frames.code) &&
           step(earlier).access.where == step(number).access.where &&
           step(earlier).access.before == step(number).access.before && !has_changed(earlier) &&
           !has_changed(number);
}

std::vector<std::uint64_t> Tracing::last_steps(const std::vector<std::uint32_t>& slots) const {
    constexpr std::size_t few = 6;  // as many as a trace shows beside each other
    std::vector<std::uint64_t> steps;
    for (const std::uint32_t slot : slots) {
        const auto found = last_of_.find(slot);
        if (found != last_of_.end() && steps.size() < few) {
            steps.push_back(found->second);
        }
    }
    return steps;
}

void Tracing::reported(Told report, const std::string& place) {
    report.steps = next_.steps;
    report.slots = next_.slots;
    report.is_race = next_.is_race;
    report.is_wanted = next_.is_wanted;
    next_ = {};
    if (report.steps.empty() && !run.launch->resident.empty()) {
        const std::uint64_t last = last_of_[run.now.clocks().slot];
        const Where there = last != 0 ? record.step(last).access.where : Where{};
        if (there.at != nullptr && place_of(there) == place) {
            report.steps.push_back(last);
        } else {
            const std::uint64_t number = note(StepKind::fault, {});
            Detail& detail = details_[number & (kept - 1)];
            detail.place = place;
            detail.is_write = report.text.find(" writes ") != std::string::npos ||
                              report.text.find(" stores ") != std::string::npos;
            report.steps.push_back(number);
        }
    }
    told_.push_back(std::move(report));
}

}  // namespace cpu_device::race
