#include "race/run_trace.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "race/launch_trace.hpp"
#include "race/places.hpp"
#include "race/run.hpp"
#include "race/story.hpp"
#include "race/story_text.hpp"
#include "race/trace_words.hpp"
#include "race/turns.hpp"

namespace cpu_device::race {
namespace {

constexpr std::size_t most_steps = 2000;         // of a trace
constexpr std::size_t most_of_report = 660;      // of a launch with reports
constexpr std::size_t most_without_report = 60;  // of one without
constexpr std::size_t most_quiet_launches = 20;  // that are told at all
const TraceThread the_host{"host", "the host"};

struct RunTrace {
    TraceLists lists;
    std::vector<LaunchTrace> parts;  // launches, and what the host did between them
    std::uint64_t launched = 0;      // the id of the step that has begun the launch
    bool in_launch = false;
    std::vector<Argument> arguments;      // of the launch that is to come
    std::vector<std::size_t> about_host;  // ids
    bool about_race = false;
    std::size_t quiet_launches = 0;
    std::size_t steps_left_out = 0, reports_left_out = 0;
    std::size_t threads_left_out = 0;   // of the launches that are told,
    std::size_t with_others = 0;        // of which so many have such threads
    std::size_t launches_left_out = 0;  // after the last report
};
RunTrace& trace = *new RunTrace;

const char* trace_path() {
    return std::getenv("RACE_TRACE");
}

// A file that cannot be written is refused before the program has run.
void begin_tracing() {
    if (tracing == nullptr && trace_path() != nullptr) {
        write_trace_file("RACE_TRACE", trace_path(), "");
        tracing = new Tracing;
    }
}

LaunchTrace& part() {
    if (trace.parts.empty()) {
        trace.parts.emplace_back();
    }
    return trace.parts.back();
}

std::string count_of(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string left_out_text() {
    std::string text;
    const auto add = [&text](std::size_t count, const char* one, const char* many) {
        text += count == 0 ? "" : (text.empty() ? "" : ", ") + count_of(count, one, many);
    };
    add(trace.reports_left_out, "report", "reports");
    add(trace.launches_left_out, "launch after the last report", "launches after the last report");
    add(trace.steps_left_out, "step", "steps");
    if (text.empty()) {
        return "";
    }
    text = "Left out: " + text;
    if (trace.threads_left_out > 0) {
        text += "; " + count_of(trace.threads_left_out, "thread", "threads") +
                (trace.with_others > 1 ? " of " + std::to_string(trace.with_others) + " launches"
                                       : "") +
                " not shown at all";
    }
    return text + ".";
}

// The parts that fit, those with reports first, and only the threads and words that they use.
std::vector<TraceStep> choose_parts(std::vector<TraceReport>& reports) {
    std::vector<bool> taken(trace.parts.size());
    std::size_t steps = 0;
    std::size_t end = trace.parts.size();  // of the story: what comes after the last report is none
    while (end > 0 && trace.parts[end - 1].reports.empty()) {
        --end;
    }
    for (std::size_t i = end; end > 0 && i < trace.parts.size(); ++i) {
        const std::vector<TraceStep>& its = trace.parts[i].steps;
        if (std::any_of(its.begin(), its.end(),
                        [](const TraceStep& step) { return step.launch != none; })) {
            ++trace.launches_left_out;
            trace.steps_left_out += its.size();
            trace.parts[i].steps.clear();
        }
    }
    for (const bool with_reports : {true, false}) {
        for (std::size_t i = 0; i < trace.parts.size(); ++i) {
            const LaunchTrace& one = trace.parts[i];
            if (!taken[i] && one.reports.empty() != with_reports) {
                // What has changed since a word was told last is a step more, or two: before the
                // launch and in it.
                taken[i] = steps + 3 * one.steps.size() <= most_steps;
                steps += taken[i] ? 3 * one.steps.size() : 0;
                trace.steps_left_out += taken[i] ? 0 : one.steps.size();
                trace.reports_left_out += taken[i] ? 0 : one.reports.size();
            }
        }
    }
    std::vector<TraceStep> all;
    for (std::size_t i = 0; i < trace.parts.size(); ++i) {
        const LaunchTrace& one = trace.parts[i];
        if (taken[i]) {
            all.insert(all.end(), one.steps.begin(), one.steps.end());
            reports.insert(reports.end(), one.reports.begin(), one.reports.end());
        }
    }
    return all;
}

// Of a list, the members that `index_of` names in any step, in the order of their first use.
template <typename Member>
void keep_used(std::vector<Member>& list, std::vector<TraceStep>& steps,
               std::size_t TraceStep::*index_of) {
    std::map<std::size_t, std::size_t> new_index;
    std::vector<Member> used;
    for (TraceStep& step : steps) {
        if (step.*index_of != none) {
            const auto [place, is_new] = new_index.emplace(step.*index_of, used.size());
            if (is_new) {
                used.push_back(list[step.*index_of]);
            }
            step.*index_of = place->second;
        }
    }
    list = std::move(used);
}

// The threads of the launches among these steps that make none of them.
void count_other_threads(const std::vector<TraceStep>& steps) {
    for (const TraceStep& step : steps) {
        if (step.launch == none) {
            continue;
        }
        const TraceLaunch& launch = trace.lists.launches[step.launch];
        std::size_t threads = 1;
        for (const unsigned size : {launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0],
                                    launch.block[1], launch.block[2]}) {
            threads *= size;
        }
        threads -= static_cast<std::size_t>(std::count_if(
            trace.lists.threads.begin(), trace.lists.threads.end(), [&](const TraceThread& one) {
                return one.launch == step.launch && std::strcmp(one.kind, "kernel") == 0;
            }));
        trace.threads_left_out += threads;
        trace.with_others += threads > 0 ? 1 : 0;
    }
}

// In place of the ids of steps, their indices; what is left out is dropped.
void find_indices(std::vector<TraceStep>& steps, std::vector<TraceReport>& reports) {
    std::map<std::size_t, std::size_t> index_of;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].id != 0) {
            index_of[steps[i].id] = i;
        }
    }
    for (TraceStep& step : steps) {
        std::vector<TraceEdge> known;
        for (const TraceEdge& edge : step.edges) {
            const auto found = index_of.find(edge.from);
            if (found != index_of.end()) {
                known.push_back({found->second, edge.kind});
            }
        }
        step.edges = std::move(known);
    }
    for (TraceReport& report : reports) {
        for (std::size_t& step : report.steps) {
            step = index_of[step];
        }
    }
}

void write_sentences(Json& json, const std::vector<std::pair<std::string, std::string>>& all) {
    json.open('[');
    for (const auto& [key, text] : all) {
        json.open('{').key("key").value(key).key("text").value(text).close('}');
    }
    json.close(']');
}

void write_report(Json& json, const TraceReport& report) {
    json.line().open('{').key("kind").value(report.kind).key("where").value(report.where);
    json.key("text").value(report.text).key("sentences");
    write_sentences(json, report.sentences);
    json.key("steps").open('[');
    for (const std::size_t step : report.steps) {
        json.value(step);
    }
    json.close(']').key("missing");
    if (report.is_race && report.steps.size() == 2) {
        json.open('{').key("from").value(report.steps[0]).key("to").value(report.steps[1]);
        json.key("cures");
        write_sentences(json, report.cures);
        json.close('}');
    } else {
        json.null();
    }
    json.close('}');
}

// For a program that ends without a report, or without a launch: after all that may report.
int exit_status = 0;
void at_exit(int status, void*) {
    exit_status = status;
}
const bool registered = trace_path() != nullptr && on_exit(at_exit, nullptr) == 0;
[[gnu::destructor(101)]] void write_trace_at_exit() {
    if (registered) {
        write_trace(exit_status);
    }
}

}  // namespace

void trace_launch(const LaunchConfig& config) {
    begin_tracing();
    if (tracing == nullptr) {
        return;
    }
    tracing->begin_launch();
    const std::string place = place_of(Where{config.place.file, config.place.line});
    trace.lists.launches.push_back({config.kernel,
                                    place,
                                    {config.grid.x, config.grid.y, config.grid.z},
                                    {config.block.x, config.block.y, config.block.z},
                                    std::exchange(trace.arguments, {})});
    trace.parts.emplace_back();
    TraceStep step;
    step.kind = "launch";
    step.place = place;
    step.launch = trace.lists.launches.size() - 1;
    trace.launched = trace_host_step(step, the_host);
    trace.in_launch = true;
}

void trace_argument(unsigned number, const void* argument, std::size_t bytes) {
    if (tracing != nullptr || trace_path() != nullptr || wants_tree()) {
        trace.arguments.push_back({offset_of(argument), number, "", bytes, "", {}, 0});
    }
}

void trace_object(unsigned number, const void* object, std::size_t bytes) {
    if (tracing == nullptr && trace_path() == nullptr && !wants_tree()) {
        return;
    }
    // Whatever may be a pointer to the device's memory; the declaration says what is one.
    for (std::size_t at = 0; at + sizeof(void*) <= bytes; at += alignof(void*)) {
        const void* pointer = nullptr;
        std::memcpy(&pointer, static_cast<const char*>(object) + at, sizeof pointer);
        if (offset_of(pointer) != unchecked) {
            trace.arguments.push_back({offset_of(pointer), number, "", 0, "", at, bytes});
        }
    }
}

const TraceLaunch& last_traced_launch() {
    return trace.lists.launches.back();
}

void trace_end_of_launch() {
    if (tracing == nullptr || !trace.in_launch) {
        return;
    }
    trace.in_launch = false;
    tracing->finish();
    if (trace_path() == nullptr) {
        return;  // a tree takes what it needs from the record
    }
    const std::vector<Told>& told = tracing->told();
    const bool is_quiet = told.empty();
    if (is_quiet && ++trace.quiet_launches > most_quiet_launches) {
        trace.steps_left_out += record.count() + 1 - record.first();
        return;
    }
    Story story;
    LaunchTrace launch;
    std::size_t most = is_quiet ? most_without_report : most_of_report;
    do {  // a step on several words counts as several
        story = choose_story(*tracing, told, most);
        launch = tell_launch(*tracing, story, trace.lists, trace.lists.launches.size() - 1,
                             trace.launched);
        most /= 2;
    } while (launch.steps.size() > most_of_report && most > 0);
    LaunchTrace& here = part();
    here.steps.insert(here.steps.end(), launch.steps.begin(), launch.steps.end());
    here.reports.insert(here.reports.end(), launch.reports.begin(), launch.reports.end());
    trace.steps_left_out += story.steps_left_out;
    trace.reports_left_out += story.reports_left_out;
    trace.parts.emplace_back();  // what comes after it
}

void trace_report(Told report, const std::string& place) {
    begin_tracing();
    if (tracing == nullptr) {
        return;
    }
    if (trace.in_launch && trace.about_host.empty()) {
        tracing->reported(std::move(report), place);
        return;
    }
    if (trace.about_host.empty()) {
        TraceStep step;
        step.kind = "host";
        step.place = place;
        step.fault = true;
        trace.about_host.push_back(trace_host_step(step, the_host));
    }
    part().reports.push_back({report.kind, report.where, report.text, report.sentences,
                              report.cures, std::exchange(trace.about_host, {}),
                              std::exchange(trace.about_race, false)});
}

std::uint64_t trace_host_step(TraceStep step, const TraceThread& thread, const char* kernel) {
    TraceThread who = thread;
    for (std::size_t i = trace.lists.launches.size(); i-- > 0 && who.launch == none;) {
        if (trace.lists.launches[i].kernel == kernel) {
            who.launch = i;
        }
    }
    step.thread = trace.lists.thread(who);
    step.id = new_step_id();
    part().steps.push_back(step);
    return step.id;
}

void trace_about_host(const std::vector<std::uint64_t>& ids, bool is_race) {
    trace.about_host.assign(ids.begin(), ids.end());
    trace.about_race = is_race;
}

void write_trace(int status) {
    static bool written = false;
    begin_tracing();
    if (trace_path() == nullptr || tracing == nullptr || std::exchange(written, true)) {
        return;
    }
    trace_end_of_launch();
    std::vector<TraceReport> reports;
    std::vector<TraceStep> steps = choose_parts(reports);
    keep_used(trace.lists.threads, steps, &TraceStep::thread);
    keep_used(trace.lists.words, steps, &TraceStep::word);
    count_other_threads(steps);
    steps = replay(steps, trace.lists.words);
    find_roles(steps, trace.lists.words);
    find_indices(steps, reports);
    if (story_path() != nullptr) {
        const Text story = story_text(steps, reports, trace.lists);
        write_trace_file("RACE_STORY", story_path(), relative(story.all()));
    }

    Json json;
    TraceSources sources;
    json.line().key("seed").value(run.schedule.seed());
    write_lists(json, sources, trace.lists);
    json.line().key("steps").open('[');
    for (const TraceStep& step : steps) {
        json.line();
        write_step(json, sources, step);
    }
    json.close(']').line().key("reports").open('[');
    for (const TraceReport& report : reports) {
        write_report(json, report);
    }
    json.close(']').line().key("outcome").open('{').key("status").value(status);
    json.key("lines").null().key("right").null().close('}');
    json.line().key("left_out").open('{').key("steps").value(trace.steps_left_out);
    json.key("threads").value(trace.threads_left_out);
    json.key("reports").value(trace.reports_left_out).key("text");
    json.value(left_out_text());
    json.close('}');
    write_trace_file("RACE_TRACE", trace_path(), trace_file("run", json.text(), sources));
}

}  // namespace cpu_device::race
