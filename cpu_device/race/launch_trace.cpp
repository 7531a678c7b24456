#include "race/launch_trace.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "race/places.hpp"
#include "race/trace_words.hpp"
#include "race/words.hpp"

namespace cpu_device::race {
namespace {

const char* text_of(Order order) {
    switch (order) {
        case Order::relaxed:
            return "relaxed";
        case Order::acquire:
            return "acquire";
        case Order::release:
            return "release";
        case Order::acq_rel:
            return "acq_rel";
        default:
            return "seq_cst";
    }
}

const char* text_of(Scope scope) {
    constexpr const char* names[] = {"thread", "block", "device", "system"};
    return names[static_cast<int>(scope)];
}

const char* kind_of(const Detail& detail, const Access& access, const std::string& function) {
    constexpr const char* accesses[] = {"load", "store", "atomic"};
    const bool compares = function.find("CAS") != std::string::npos ||
                          function.find("compare_exchange") != std::string::npos;
    switch (detail.kind) {
        case StepKind::fence:
            return "fence";
        case StepKind::barrier:
            return "barrier";
        case StepKind::warp:
            return "warp";
        case StepKind::end:
            return "end";
        case StepKind::fault:
            return detail.is_write ? "store" : "load";
        default:  // a compare-and-swap that has failed is a load in the record
            return access.atomic && compares ? "atomic" : accesses[access.kind];
    }
}

// The function of an atomic, a fence, a barrier or a warp, by its line in the source.
std::string function_at(const std::string& place) {
    const std::string line = source_line(place);
    constexpr const char* beginnings[] = {
        "atomic", "fetch_",        "compare_exchange", "exchange", "test_and_set",
        "__sync", "__threadfence", "__shfl",           "__ballot", "__any",
        "__all",  "__match",       "__reduce",         "sync",     "store",
        "load"};
    const auto is_part = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    };
    for (const char* const beginning : beginnings) {
        for (std::size_t at = line.find(beginning); at != std::string::npos;
             at = line.find(beginning, at + 1)) {
            std::size_t end = at;
            while (end < line.size() && is_part(line[end])) {
                ++end;
            }
            if ((at == 0 || !is_part(line[at - 1])) && end < line.size() && line[end] == '(') {
                return line.substr(at, end - at);
            }
        }
    }
    return "";
}

// Where a step was made, and the line of the kernel that has led there.
void place_step(TraceStep& step, const Detail& detail, const Access& access,
                const std::string& launched) {
    std::vector<std::string> lines = lines_in_program(detail.frames.code, detail.frames.depth);
    while (!lines.empty() && lines.back() == launched) {
        lines.pop_back();  // the launch's own line calls the kernel
    }
    step.place = !detail.place.empty()        ? detail.place
                 : access.where.at != nullptr ? place_of(access.where)
                                              : std::string();
    if (!lines.empty()) {
        step.called_from = lines.back();
        step.place = is_of_the_program(step.place) ? step.place : lines.front();
    }
}

void look_up_lines(const Tracing& traced, const Story& story) {
    std::set<const void*> code;
    for (const std::uint64_t number : story.steps) {
        const Frames& frames = traced.detail(number).frames;
        code.insert(frames.code, frames.code + frames.depth);
        const Where& where = traced.step(number).access.where;
        if (where.line == 0 && where.at != nullptr) {
            code.insert(where.at);
        }
    }
    look_up({code.begin(), code.end()});
}

// The last changes of the words of the story, where they are not told: with them the words end as
// the launch has left them. Shared memory ends with its block.
std::vector<std::uint64_t> last_changes(const Tracing& traced, const Story& story) {
    std::map<std::size_t, std::uint64_t> last_told;  // of each word
    for (const std::uint64_t number : story.steps) {
        const Detail& detail = traced.detail(number);
        if (detail.kind == StepKind::access && !is_shared(detail.begin)) {
            last_told[detail.word] = number;
        }
    }
    std::vector<std::uint64_t> changes;
    for (std::uint64_t number = record.count();
         number >= record.first() && !last_told.empty() && number > 0; --number) {
        const Detail& detail = traced.detail(number);
        const auto told = last_told.find(detail.word);
        if (detail.kind != StepKind::access || told == last_told.end()) {
            continue;
        }
        const Detail& known = traced.detail(told->second);
        if (number <= told->second) {
            last_told.erase(told);
        } else if (traced.has_changed(number) && detail.begin == known.begin &&
                   detail.bytes == known.bytes) {
            changes.push_back(number);
            last_told.erase(told);
        }
    }
    std::reverse(changes.begin(), changes.end());
    return changes;
}

// What has put a step of one thread in order after one of another: what its past knows of the
// other at this step, and did not know before.
class Edges {
  public:
    explicit Edges(const Tracing& traced) : tracing_(traced) {}

    void add(TraceStep& step, std::uint64_t number) {
        const Detail& detail = tracing_.detail(number);
        const Access access = tracing_.step(number).access;
        for (const auto& [slot, steps] : steps_of_) {
            if (slot == access.slot) {
                continue;
            }
            std::uint32_t& known = known_[{access.slot, slot}];
            const std::uint32_t now = detail.past.of(slot);
            const auto after = std::find_if(steps.rbegin(), steps.rend(),
                                            [&](const auto& one) { return one.first <= now; });
            if (now > known && after != steps.rend() && after->first > known) {
                const bool meets = detail.meeting != 0;
                step.edges.push_back({after->second, meets ? "barrier" : "release-acquire"});
            }
            known = std::max(known, now);
        }
        steps_of_[access.slot].push_back({access.time, step.id});
    }

  private:
    const Tracing& tracing_;
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint64_t>>> steps_of_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known_;
};

}  // namespace

LaunchTrace tell_launch(const Tracing& traced, const Story& story, TraceLists& lists,
                        std::size_t launch, std::uint64_t launched) {
    look_up_lines(traced, story);
    LaunchTrace told;
    TraceLaunch& here = lists.launches[launch];
    std::string line;  // of the kernel
    for (const std::uint64_t number : story.steps) {
        TraceStep step;
        if (line.empty() && traced.detail(number).kind == StepKind::access) {
            place_step(step, traced.detail(number), traced.step(number).access, here.place);
            line = step.called_from;
        }
    }
    const std::string file = line.substr(0, line.rfind(':'));
    const Declarations& declarations = Declarations::of(file);
    name_parameters(here.arguments, here.kernel, file);
    name_members(here.arguments, declarations);
    TraceWords words(traced, story, lists, here, declarations);
    Edges edges(traced);
    std::map<std::uint64_t, std::size_t> ids;  // of the first step for each of the record
    std::set<std::size_t> started;             // threads
    for (const std::uint64_t number : story.steps) {
        const Detail& detail = traced.detail(number);
        const Access& access = traced.step(number).access;
        TraceStep step;
        step.id = new_step_id();
        ids[number] = step.id;
        step.thread =
            lists.thread({"kernel", name_of(access), launch, access.block, access.thread});
        if (detail.kind != StepKind::end) {
            place_step(step, detail, access, lists.launches[launch].place);
        }
        if (access.atomic || (detail.kind != StepKind::access && detail.kind != StepKind::end)) {
            step.function = function_at(step.place);
        }
        step.kind = kind_of(detail, access, step.function);
        step.is_volatile = access.atomic && detail.is_volatile;
        if ((access.atomic && !detail.is_volatile) || detail.kind == StepKind::fence) {
            step.order = text_of(detail.order);
            step.scope = text_of(access.scope);
        }
        step.fault = detail.kind == StepKind::fault;
        const auto row = story.times.find(number);
        step.times = row == story.times.end() ? 1 : row->second;
        step.meeting = detail.meeting != 0 ? detail.meeting - 1 : none;
        if (started.insert(step.thread).second) {
            step.edges.push_back({launched, "launch"});
        }
        edges.add(step, number);
        if (detail.kind != StepKind::access) {
            told.steps.push_back(step);
        } else {
            words.add_steps(told.steps, step, number);
        }
    }
    for (const std::uint64_t number : last_changes(traced, story)) {
        TraceStep step;
        step.kind = "others";
        words.add_steps(told.steps, step, number);
    }
    for (const Told& report : story.reports) {
        TraceReport one{report.kind,  report.where, report.text,    report.sentences,
                        report.cures, {},           report.is_race, report.is_wanted};
        for (const std::uint64_t number : report.steps) {
            one.steps.push_back(ids[number]);
        }
        told.reports.push_back(std::move(one));
    }
    return told;
}

}  // namespace cpu_device::race
