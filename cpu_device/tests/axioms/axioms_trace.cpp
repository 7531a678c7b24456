#include "axioms_trace.hpp"

#include <algorithm>

namespace axioms {
namespace {

void run_thread(const Program& program, unsigned number, std::size_t at, const Trace& done,
                std::map<char, std::vector<unsigned>> origin, std::vector<unsigned> control,
                const std::set<int>& values, std::vector<Trace>& traces) {
    const Thread& thread = program.threads[number];
    if (at == thread.steps.size()) {
        traces.push_back(done);
        return;
    }
    const Step& step = thread.steps[at];
    if (step.guard != 0) {
        const auto known = done.registers.find(step.guard);
        const std::vector<unsigned>& from = origin[step.guard];
        control.insert(control.end(), from.begin(), from.end());
        if (known == done.registers.end() || known->second != step.guard_value) {
            run_thread(program, number, at + 1, done, origin, control, values, traces);
            return;
        }
    }
    Event event;
    event.thread = static_cast<int>(number);
    event.block = thread.block;
    event.warp = thread.warp;
    event.place = step.place;
    event.strong = !step.weak;
    event.acquires = step.acquires;
    event.releases = step.releases;
    event.scope = step.scope;
    event.needs = control;
    Trace next = done;
    if (step.action == Action::block_barrier || step.action == Action::warp_barrier) {
        event.kind = Event::arrives;
        event.of_warp = step.action == Action::warp_barrier;
        event.barrier = static_cast<unsigned>(
            std::count_if(done.events.begin(), done.events.end(), [&](const Event& other) {
                return other.kind == Event::arrives && other.of_warp == event.of_warp;
            }));
        next.events.push_back(event);
        event.kind = Event::leaves;
        next.events.push_back(event);
        run_thread(program, number, at + 1, next, origin, control, values, traces);
        return;
    }
    if (step.action == Action::fence || step.seq_cst) {
        // A sequentially consistent access has a fence before it (libcu++'s mapping to PTX).
        Event fence = event;
        fence.kind = Event::fence;
        fence.place = 0;
        fence.seq_cst = step.seq_cst;
        fence.acquires = fence.acquires || step.seq_cst;
        fence.releases = fence.releases || step.seq_cst;
        next.events.push_back(fence);
        if (step.action == Action::fence) {
            run_thread(program, number, at + 1, next, origin, control, values, traces);
            return;
        }
    }
    if (step.source != 0) {
        const std::vector<unsigned>& from = origin[step.source];
        event.needs.insert(event.needs.end(), from.begin(), from.end());
    }
    if (step.action == Action::store) {
        const auto known = done.registers.find(step.source);
        event.writes = true;
        event.value_written = step.value + (known == done.registers.end() ? 0 : known->second);
        next.events.push_back(event);
        run_thread(program, number, at + 1, next, origin, control, values, traces);
        return;
    }
    origin[step.target] = {static_cast<unsigned>(next.events.size())};
    event.reads = true;
    for (const int value : values) {
        Event read = event;
        read.value_read = value;
        read.writes =
            step.action != Action::load && (step.action != Action::swap || value == step.compare);
        read.releases = read.releases && read.writes;
        read.value_written = step.action == Action::add ? value + step.value : step.value;
        Trace with = next;
        with.events.push_back(read);
        with.registers[step.target] = value;
        run_thread(program, number, at + 1, with, origin, control, values, traces);
    }
}

}  // namespace

std::vector<Trace> traces_of(const Program& program, unsigned number, const std::set<int>& values) {
    std::vector<Trace> traces;
    run_thread(program, number, 0, {}, {}, {}, values, traces);
    return traces;
}

std::set<int> values_of(const Program& program) {
    std::set<int> values = {0};
    for (const Thread& thread : program.threads) {
        for (const Step& step : thread.steps) {
            values.insert(step.value);
        }
    }
    // Values that sums can give: as many rounds as there are sums.
    for (const Thread& thread : program.threads) {
        for (const Step& step : thread.steps) {
            if (step.action == Action::add || step.source != 0) {
                const std::set<int> known = values;
                for (const int value : known) {
                    for (const Thread& other : program.threads) {
                        for (const Step& sum : other.steps) {
                            if (sum.action == Action::add || sum.source != 0) {
                                values.insert(value + sum.value);
                            }
                        }
                    }
                }
            }
        }
    }
    return values;
}

}  // namespace axioms
