#include "race/trace.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "system.hpp"

namespace cpu_device::race {
namespace {

constexpr int lines_of_context = 12;  // before a line that a step names, and after it

void write_value(Json& json, const std::optional<std::string>& value) {
    if (value) {
        json.value(*value);
    } else {
        json.null();
    }
}

void write_sizes(Json& json, const unsigned (&sizes)[3]) {
    json.open('[');
    for (const unsigned size : sizes) {
        json.value(size);
    }
    json.close(']');
}

std::vector<std::string> lines_of_file(const std::string& name) {
    std::vector<std::string> lines;
    std::ifstream file(name);
    for (std::string line; std::getline(file, line);) {
        line.erase(line.find_last_not_of('\r') + 1);
        lines.push_back(line);
    }
    return lines;
}

void write_ranges(Json& json, const std::string& file, std::vector<int> named) {
    const std::vector<std::string> lines = lines_of_file(file);
    std::sort(named.begin(), named.end());
    int written = 0;
    bool open = false;
    for (const int line : named) {
        const int begin = std::max(written + 1, line - lines_of_context);
        if (open && begin > written + 1) {
            json.close(']').close('}');
            open = false;
        }
        const int end =
            std::max(line, std::min(line + lines_of_context, static_cast<int>(lines.size())));
        for (int i = begin; i <= end; ++i) {
            if (!open) {
                json.open('{').key("first").value(i).key("lines").open('[');
                open = true;
            }
            const auto index = static_cast<std::size_t>(i - 1);
            json.line().value(index < lines.size() ? lines[index] : std::string());
        }
        written = std::max(written, end);
    }
    if (open) {
        json.close(']').close('}');
    }
}

}  // namespace

std::uint64_t new_step_id() {
    static std::uint64_t last = 0;
    return ++last;
}

std::size_t TraceLists::thread(const TraceThread& wanted) {
    const auto found = std::find_if(threads.begin(), threads.end(), [&](const TraceThread& one) {
        return one.name == wanted.name && one.launch == wanted.launch;
    });
    const std::size_t index = static_cast<std::size_t>(found - threads.begin());
    if (found == threads.end()) {
        threads.push_back(wanted);
    }
    return index;
}

void TraceSources::write_place(Json& json, const std::string& place) {
    const std::size_t colon = place.rfind(':');
    const int line = colon == std::string::npos ? 0 : std::atoi(place.c_str() + colon + 1);
    if (line <= 0) {
        json.null();
        return;
    }
    const std::string file = place.substr(0, colon);
    auto found = std::find_if(files_.begin(), files_.end(),
                              [&](const auto& one) { return one.first == file; });
    if (found == files_.end()) {
        files_.push_back({file, {}});
        found = std::prev(files_.end());
    }
    found->second.push_back(line);
    json.open('{').key("source").value(found - files_.begin()).key("line").value(line).close('}');
}

void TraceSources::write(Json& json) const {
    json.open('[');
    for (const auto& [file, named] : files_) {
        json.line().open('{').key("file").value(file).key("ranges").open('[');
        write_ranges(json, file, named);
        json.close(']').close('}');
    }
    json.close(']');
}

void write_lists(Json& json, TraceSources& sources, const TraceLists& lists) {
    json.line().key("launches").open('[');
    for (const TraceLaunch& launch : lists.launches) {
        json.line().open('{').key("kernel").value(launch.kernel).key("place");
        sources.write_place(json, launch.place);
        json.key("grid");
        write_sizes(json, launch.grid);
        json.key("block");
        write_sizes(json, launch.block);
        json.close('}');
    }
    json.close(']').line().key("threads").open('[');
    for (const TraceThread& thread : lists.threads) {
        json.line().open('{').key("kind").value(thread.kind).key("name").value(thread.name);
        if (thread.launch != none) {
            json.key("launch").value(thread.launch).key("block").value(thread.block);
            json.key("thread").value(thread.thread).key("warp").value(thread.thread / 32);
            json.key("lane").value(thread.thread % 32);
        }
        json.close('}');
    }
    json.close(']').line().key("words").open('[');
    constexpr const char* types[] = {"unknown", "float", "int", "unsigned"};
    for (const TraceWord& word : lists.words) {
        json.line().open('{').key("name").value(word.name).key("what").value(word.what);
        json.key("memory").value(word.memory).key("bytes").value(word.bytes);
        json.key("type").value(types[word.type]).key("role").value(word.role).key("first");
        write_value(json, word.first);
        if (word.owner > 0) {
            json.key("block").value(word.owner - 1);
        }
        json.close('}');
    }
    json.close(']');
}

void write_step(Json& json, TraceSources& sources, const TraceStep& step) {
    json.open('{').key("thread");
    if (step.thread == none) {
        json.null();
    } else {
        json.value(step.thread);
    }
    json.key("kind").value(step.kind).key("place");
    sources.write_place(json, step.place);
    if (!step.called_from.empty() && step.called_from != step.place) {
        json.key("called_from");
        sources.write_place(json, step.called_from);
    }
    if (!step.function.empty()) {
        json.key("function").value(step.function);
    }
    if (step.order != nullptr) {
        json.key("order").value(step.order).key("scope").value(step.scope);
    }
    if (step.is_volatile) {
        json.key("volatile").value(true);
    }
    if (step.word != none) {
        json.key("word").value(step.word).key("before");
        write_value(json, step.before);
        json.key("after");
        write_value(json, step.after);
    }
    if (step.is_stale) {
        json.key("stale").value(true);
    }
    if (step.reads) {
        json.key("got");
        write_value(json, step.is_stale ? step.got : step.before);
        json.key("reads");
        if (step.read_from == none) {
            json.null();
        } else {
            json.value(step.read_from);
        }
    }
    if (step.fault) {
        json.key("fault").value(true);
    }
    if (!step.edges.empty()) {
        json.key("edges").open('[');
        for (const TraceEdge& edge : step.edges) {
            json.open('{').key("from").value(edge.from).key("kind").value(edge.kind).close('}');
        }
        json.close(']');
    }
    if (step.meeting != none) {
        json.key("meeting").value(step.meeting);
    }
    if (step.launch != none) {
        json.key("launch").value(step.launch);
    }
    if (step.count != 0) {
        json.key("count").value(step.count);
    }
    if (step.times > 1) {
        json.key("times").value(step.times);
    }
    json.close('}');
}

// Which of its variants a program runs, for instance.
static std::vector<std::string> arguments_of_program() {
    std::ifstream file("/proc/self/cmdline");
    std::vector<std::string> all;
    for (std::string word; std::getline(file, word, '\0');) {
        all.push_back(word);
    }
    return {all.begin() + (all.empty() ? 0 : 1), all.end()};
}

std::string trace_file(const char* kind, const std::string& fields, const TraceSources& sources) {
    Json json;
    json.open('{').line().key("format").value("race-trace").key("version").value(1);
    json.key("kind").value(kind).key("program").value(std::string(program_invocation_short_name));
    json.key("arguments").open('[');
    for (const std::string& argument : arguments_of_program()) {
        json.value(argument);
    }
    json.close(']').line().key("sources");
    sources.write(json);
    return json.text() + "," + fields + "\n}\n";
}

bool wants_tree() {
    return std::getenv("RACE_TREE") != nullptr;
}

void write_trace_file(const char* variable, const char* path, const std::string& text) {
    std::FILE* const file = std::fopen(path, "w");
    const bool written =
        file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if ((file != nullptr && std::fclose(file) != 0) || !written) {
        refuse_setting(variable, path, "a file that can be written");
    }
}

}  // namespace cpu_device::race
