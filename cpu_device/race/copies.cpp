// A copy has a clock of its own: it follows what its thread has done when it begins, and what waits
// for it follows the copy. In between nothing orders the two.
#include "race/copies.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cpu_device/copies.h"
#include "race/places.hpp"
#include "race/plan.hpp"
#include "race/report_log.hpp"
#include "race/run.hpp"
#include "race/words.hpp"

namespace cpu_device::race {
namespace {

// Of this launch, by their counts of phases.
std::map<const void*, BarrierObject>& barrier_objects = *new std::map<const void*, BarrierObject>;

std::uint64_t batches = 0;

void make(Copy& copy) {
    if (copy.make == nullptr) {
        return;
    }
    const std::function<void()> make = std::exchange(copy.make, nullptr);
    --copies_to_make;
    if (plan != nullptr && plan->counts_copies()) {
        make();
        return;
    }
    Clocks* const thread = std::exchange(running, &copy.clocks);
    makes_copy = true;
    {
        const PlacedAccesses accesses({copy.place.file, copy.place.line});
        make();
    }
    makes_copy = false;
    running = thread;
}

void join(VectorClock& past, const Copy& copy) {
    if (copy.clocks.time != 0) {
        past.join(copy.clocks.past);
        past.set(copy.clocks.slot, copy.clocks.time);
    }
}

// The copy begins: one of its thread's slots for copies, and not before what the thread has done.
// Of a slot that is used again, the thread must know the copy before.
Clocks begin_clocks(ResidentBlock& block, unsigned thread, Clocks& owner) {
    std::vector<std::uint32_t>& times = block.copy_times[thread];
    const auto slot_of = [&](std::size_t k) {
        return static_cast<std::uint32_t>((k + 1) * threads_in_launch + owner.slot);
    };
    std::size_t k = 0;
    while (k < times.size() && owner.past.of(slot_of(k)) < times[k]) {
        ++k;
    }
    if (k == times.size()) {
        times.push_back(0);
    }
    Clocks copy;
    copy.slot = slot_of(k);
    copy.time = ++times[k];
    copy.block = owner.block;
    copy.thread = owner.thread;
    copy.arena = owner.arena;
    owner.past.set(owner.slot, owner.time);
    copy.past = owner.past;
    ++owner.time;
    return copy;
}

// Those of the running thread of which `is_meant` is true: it follows them from now on.
template <typename Predicate>
void finish_some(const Predicate& is_meant) {
    const auto found = run.now.block->copies.find(run.now.thread);
    if (found == run.now.block->copies.end()) {
        return;
    }
    std::vector<Copy>& copies = found->second;  // of a map: it stays where it is
    for (Copy& copy : copies) {
        if (is_meant(copy)) {
            make(copy);
            join(running->past, copy);
        }
    }
    copies.erase(std::remove_if(copies.begin(), copies.end(), is_meant), copies.end());
}

}  // namespace

const BarrierObject* barrier_with_phase(const void* phase) {
    const auto found = barrier_objects.find(phase);
    return found == barrier_objects.end() ? nullptr : &found->second;
}

void forget_barriers() {
    barrier_objects.clear();
}

void make_some_copy() {
    for (const auto& block : run.launch->resident) {
        for (auto& [thread, copies] : block->copies) {
            const auto found = std::find_if(copies.begin(), copies.end(),
                                            [](const Copy& copy) { return copy.make != nullptr; });
            if (found != copies.end() && run.schedule.draws_one_of(2)) {
                make(*found);
                return;
            }
        }
    }
}

void begin_copy_of_thread(const void* barrier, std::function<void()> copy, Place place) {
    std::vector<Copy>& copies = run.now.block->copies[run.now.thread];
    copies.push_back({barrier, std::move(copy), place, ++batches, false,
                      begin_clocks(*run.now.block, run.now.thread, *running)});
    ++copies_to_make;
    if (plan == nullptr && run.schedule.draws_one_of(4)) {
        make(copies.back());
    }
}

void check_copies(const ResidentBlock& block, unsigned thread) {
    const auto found = block.copies.find(thread);
    if (found == block.copies.end()) {
        return;
    }
    const auto begun = std::find_if(found->second.begin(), found->second.end(),
                                    [](const Copy& copy) { return copy.clocks.time != 0; });
    copies_to_make -=
        static_cast<unsigned>(std::count_if(found->second.begin(), found->second.end(),
                                            [](const Copy& copy) { return copy.make != nullptr; }));
    if (begun == found->second.end()) {
        return;
    }
    const Place& place = begun->place;
    const std::string where = place_of({place.file, place.line});
    const bool of_thread = begun->barrier == &pipeline_of_thread;
    const char* const wait =
        of_thread
            ? "  Only after the wait are the bytes there: cp.async.wait_all, or for what is\n"
              "  committed cp.async.wait_group or __pipeline_wait_prior().\n"
            : "  Only after the wait are the bytes there: wait(group) of cooperative_groups, or\n"
              "  the barrier that the copy was given.\n";
    report("COPY WITHOUT A WAIT", "copy " + where,
           "  " + where + ": " + name_of(static_cast<std::uint32_t>(block.number), thread) +
               " begins a copy, and ends without having waited for it.\n" + wait);
}

}  // namespace cpu_device::race

namespace cpu_device {

using namespace race;

// An empty batch counts as well.
void commit_copies(const void* barrier, Place place) {
    std::vector<Copy>& copies = run.now.block->copies[run.now.thread];
    const std::uint64_t batch = ++batches;
    bool empty = true;
    for (Copy& copy : copies) {
        if (copy.barrier == barrier && !copy.committed) {
            copy.batch = batch;
            copy.committed = true;
            empty = false;
        }
    }
    if (empty) {
        copies.push_back({barrier, nullptr, place, batch, true, {}});
    }
}

void meet_in_object(const std::uint32_t* phase, const std::uint32_t* left,
                    const std::uint32_t* expected) {
    if (running != nullptr) {
        note_barrier_object();
        barrier_objects[phase] = {left, expected};
    }
}

void finish_copies(const void* barrier) {
    if (running != nullptr) {
        finish_some([barrier](const Copy& copy) { return copy.barrier == barrier; });
    }
}

void finish_batches(const void* barrier, std::size_t left) {
    if (running == nullptr) {
        return;
    }
    const auto found = run.now.block->copies.find(run.now.thread);
    if (found == run.now.block->copies.end()) {
        return;
    }
    std::vector<std::uint64_t> under_way;  // the oldest first
    for (const Copy& copy : found->second) {
        if (copy.barrier == barrier && copy.committed &&
            (under_way.empty() || under_way.back() != copy.batch)) {
            under_way.push_back(copy.batch);
        }
    }
    const std::size_t done = under_way.size() - std::min(under_way.size(), left);
    for (std::size_t i = 0; i < done; ++i) {
        finish_some([&](const Copy& copy) {
            return copy.barrier == barrier && copy.committed && copy.batch == under_way[i];
        });
    }
}

void copies_arrive(const void* barrier, std::uint32_t phase) {
    if (running == nullptr) {
        return;
    }
    const auto found = run.now.block->copies.find(run.now.thread);
    if (found == run.now.block->copies.end()) {
        return;
    }
    std::vector<Copy>& copies = found->second;
    for (Copy& copy : copies) {
        if (copy.barrier == barrier) {
            make(copy);
            join(run.now.block->copied_in_phase[{barrier, phase}], copy);
        }
    }
    copies.erase(std::remove_if(copies.begin(), copies.end(),
                                [&](const Copy& copy) { return copy.barrier == barrier; }),
                 copies.end());
}

void phase_has_ended(const void* barrier, std::uint32_t phase) {
    if (running == nullptr) {
        return;
    }
    const auto found = run.now.block->copied_in_phase.find({barrier, phase});
    if (found != run.now.block->copied_in_phase.end()) {
        running->past.join(found->second);
    }
}

}  // namespace cpu_device
