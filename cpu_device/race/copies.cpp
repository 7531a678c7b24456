#include "race/copies.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cpu_device/copies.h"
#include "race/places.hpp"
#include "race/report_log.hpp"
#include "race/threads.hpp"
#include "race/words.hpp"

namespace cpu_device::race {
namespace {

// Of this launch, by their counts of phases.
std::map<const void*, BarrierObject>& barrier_objects = *new std::map<const void*, BarrierObject>;

}  // namespace

const BarrierObject* barrier_with_phase(const void* phase) {
    const auto found = barrier_objects.find(phase);
    return found == barrier_objects.end() ? nullptr : &found->second;
}

void forget_barriers() {
    barrier_objects.clear();
}

void check_copies(const ResidentBlock& block, unsigned thread) {
    const auto found = block.copies.find(thread);
    if (found == block.copies.end()) {
        return;
    }
    const auto begun = std::find_if(found->second.begin(), found->second.end(),
                                    [](const Copy& copy) { return copy.make != nullptr; });
    if (begun == found->second.end()) {
        return;
    }
    const Place& place = begun->place;
    const std::string where = place_of({place.file, place.line});
    report("COPY WITHOUT A WAIT", "copy " + where,
           "  " + where + ": " + name_of(static_cast<std::uint32_t>(block.number), thread) +
               " begins a copy, and ends without having waited for it.\n"
               "  Only after the wait are the bytes there: wait(group) of cooperative_groups, or\n"
               "  the barrier that the copy was given.\n");
}

}  // namespace cpu_device::race

namespace cpu_device {

using namespace race;

void begin_copy(const void* barrier, std::function<void()> copy, Place place) {
    caller("memcpy_async", place.file, place.line);
    run.now.block->copies[run.now.thread].push_back({barrier, std::move(copy), place});
}

void commit_copies(const void* barrier, Place place) {
    std::vector<Copy>& copies = run.now.block->copies[run.now.thread];
    std::vector<std::function<void()>> batch;
    for (auto copy = copies.begin(); copy != copies.end();) {
        if (copy->barrier == barrier && !copy->batch) {
            batch.push_back(std::move(copy->make));
            copy = copies.erase(copy);
        } else {
            ++copy;
        }
    }
    std::function<void()> make_all;  // none: a batch of nothing
    if (!batch.empty()) {
        make_all = [batch = std::move(batch)] {
            for (const std::function<void()>& make : batch) {
                make();
            }
        };
    }
    copies.push_back({barrier, std::move(make_all), place, true});
}

void meet_in_object(const std::uint32_t* phase, const std::uint32_t* left,
                    const std::uint32_t* expected) {
    if (running != nullptr) {
        note_barrier_object();
        barrier_objects[phase] = {left, expected};
    }
}

void finish_copies(const void* barrier, std::size_t left) {
    if (running == nullptr) {
        return;
    }
    const auto counts_on_it = [&](const Copy& copy) { return copy.barrier == barrier; };
    const auto found = run.now.block->copies.find(run.now.thread);
    if (found == run.now.block->copies.end()) {
        return;
    }
    std::vector<Copy>& copies = found->second;  // of a map: it stays where it is
    auto under_way =
        static_cast<std::size_t>(std::count_if(copies.begin(), copies.end(), counts_on_it));
    for (; under_way > left; --under_way) {
        const auto first = std::find_if(copies.begin(), copies.end(), counts_on_it);
        const std::function<void()> make = std::move(first->make);
        copies.erase(first);
        if (make == nullptr) {
            continue;
        }
        make();  // other threads have turns meanwhile
    }
}

}  // namespace cpu_device
