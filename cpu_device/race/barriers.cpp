#include "race/barriers.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "race/checker.hpp"
#include "race/counts.hpp"
#include "race/places.hpp"
#include "race/report_log.hpp"
#include "race/test_hooks.hpp"
#include "race/threads.hpp"
#include "race/tracing.hpp"
#include "race/words.hpp"

namespace cpu_device::race {
namespace {

void report_divergence(ResidentBlock& block, const Place& place, const Text& text) {
    if (!block.divergent) {
        block.divergent = true;
        print_races();  // one of them may be the cause
        report("DIVERGENT BARRIER", "barrier " + place_of({place.file, place.line}), text);
    }
}

BarrierLine& barrier_line_at(ResidentBlock& block, const Place& place) {
    for (BarrierLine& line : block.barrier_lines) {
        if (same_line(line.place, place)) {
            return line;
        }
    }
    block.barrier_lines.push_back({place, std::vector<std::uint32_t>(block.threads.size())});
    return block.barrier_lines.back();
}

std::string so_often(std::uint32_t times) {
    return sentence(times == 1 ? "times.once" : "times.many", {{"times", std::to_string(times)}});
}

// The threads at a barrier stand at one line: have the same calls led all of them there, and is it
// for all of them the same time?
void check_barrier_line(ResidentBlock& block, const Place& place) {
    const unsigned first = block.at_barrier.front();
    BarrierLine& line = barrier_line_at(block, place);
    for (const unsigned thread : block.at_barrier) {
        ++line.times[thread];
    }
    const auto name = [&](unsigned thread) {
        return name_of(static_cast<std::uint32_t>(block.number), thread);
    };
    for (const unsigned thread : block.at_barrier) {
        if (line.times[thread] != line.times[first]) {
            report_divergence(
                block, place,
                Text()
                    .say("barrier.times", {{"place", place_of({place.file, place.line})},
                                           {"thread", name(first)},
                                           {"times", std::to_string(line.times[first])},
                                           {"other", name(thread)},
                                           {"other times", std::to_string(line.times[thread])}})
                    .say("barrier.rule"));
            return;
        }
        const std::vector<const void*>& a = block.barrier_calls[first];
        const std::vector<const void*>& b = block.barrier_calls[thread];
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
            if (a[i] != b[i]) {
                report_divergence(
                    block, place,
                    Text()
                        .say("barrier.calls", {{"place", place_of({place.file, place.line})},
                                               {"thread", name(first)},
                                               {"call", place_of(Where{a[i], 0})},
                                               {"other", name(thread)},
                                               {"other call", place_of(Where{b[i], 0})}})
                        .say("barrier.rule"));
                return;
            }
        }
    }
}

void complete_barrier(ResidentBlock& block) {
    block.barrier_result = block.predicates;
    block.predicates = 0;
    static std::vector<Clocks*>& clocks = *new std::vector<Clocks*>;
    clocks.clear();
    const Place place = block.threads[block.at_barrier.front()].place;
    bool together = true;
    for (const unsigned thread : block.at_barrier) {
        together = together && same_line(block.threads[thread].place, place);
        clocks.push_back(&block.clocks[thread]);
    }
    if (together) {
        check_barrier_line(block, place);
    } else {
        Text text(describe_threads(block.index, block.threads.data(), block.threads.size()));
        report_divergence(block, place, text.say("barrier.rule"));
    }
    if (counting) {
        count_barrier(block.threads.size() - block.at_barrier.size());
    }
    for (const unsigned thread : block.at_barrier) {
        wake(block, thread, block.barrier_result != 0);
    }
    block.at_barrier.clear();
    synchronize(clocks);
    pass_late_store_on(clocks);
    if (is_traced()) {
        tracing->met(clocks);
    }
    note_progress();
}

}  // namespace

// A thread ends: those that have passed a barrier at all must have passed it equally often. One
// that has never come to it may have left the kernel early, which all GPUs allow since Volta.
void check_barriers_passed(ResidentBlock& block, unsigned thread) {
    for (BarrierLine& line : block.barrier_lines) {
        const std::uint32_t times = line.times[thread];
        if (times == 0 || times == line.ended_times) {
            continue;
        }
        if (line.ended_times == 0) {
            line.ended_times = times;
            line.ended_thread = thread;
            continue;
        }
        const auto number = static_cast<std::uint32_t>(block.number);
        report_divergence(
            block, line.place,
            Text()
                .say("barrier.passed", {{"place", place_of({line.place.file, line.place.line})},
                                        {"thread", name_of(number, line.ended_thread)},
                                        {"times", so_often(line.ended_times)},
                                        {"other", name_of(number, thread)},
                                        {"other times", so_often(times)}})
                .say("barrier.rule")
                .say("barrier.since Volta"));
    }
}

void barrier_without(ResidentBlock& block) {
    if (!block.at_barrier.empty() && block.at_barrier.size() == block.live) {
        complete_barrier(block);
    }
}

}  // namespace cpu_device::race

namespace cpu_device {

using namespace race;

unsigned block_barrier(bool predicate, const char* file, int line, const char* function) {
    Thread& me = caller("__syncthreads()", file, line);
    ResidentBlock& block = *run.now.block;
    may_switch();
    block.predicates += predicate ? 1 : 0;
    block.at_barrier.push_back(me.number);
    all_frames_from(__builtin_frame_address(0), block.bottom[me.number],
                    block.barrier_calls[me.number]);
    me.state = State::at_barrier;
    me.place = Place(file, line, function);
    if (is_traced()) {
        tracing->entered(__builtin_frame_address(0));
        tracing->note(StepKind::barrier, {file, line});
    }
    if (block.at_barrier.size() == block.live) {
        complete_barrier(block);
        may_switch();
    } else {
        wait_for_turn();
    }
    return block.barrier_result;
}

}  // namespace cpu_device
