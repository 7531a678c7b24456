// A trace as docs/trace.md has it: what is written for a run, or for a tree of orders.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "race/access.hpp"
#include "race/json.hpp"
#include "race/parameters.hpp"

namespace cpu_device::race {

constexpr std::size_t none = ~std::size_t{0};  // an index that is not there

struct TraceEdge {
    std::size_t from;  // first the id of a step, at last its index
    const char* kind;
};

struct TraceStep {
    std::size_t thread = none;
    const char* kind = "";
    std::string place, called_from;  // FILE:LINE; empty: not known
    std::string function;
    const char* order = nullptr;
    const char* scope = nullptr;
    bool is_volatile = false;
    std::size_t word = none;
    std::optional<std::string> before, after;  // none: never written
    bool reads = false;                        // it got `before`, or, where it is stale, `got`
    bool is_stale = false;
    std::optional<std::string> got;
    std::size_t read_from = none;
    bool fault = false;
    std::vector<TraceEdge> edges;
    std::size_t meeting = none, launch = none, count = 0, times = 1;
    std::uint64_t id = 0;  // by which reports and edges name it, until all steps are known
    // What it has found and left of its word: some of the word's bytes, from `first_byte` on.
    std::uint64_t found = 0, left = 0;
    std::uint64_t earlier = 0;  // found by the first step of the launch that is left out before it
    unsigned first_byte = 0, bytes = 0;
};

std::uint64_t new_step_id();

struct TraceWord {
    std::string name, what;
    const char* memory;
    unsigned bytes;
    Element::Kind type;
    std::size_t begin = 0, owner = 0;  // its place in memory; of shared memory, the block from 1 on
    const char* role = "data";
    std::optional<std::string> first;
};

struct TraceThread {
    const char* kind;
    std::string name;
    std::size_t launch = none;
    std::uint32_t block = 0, thread = 0;
};

struct TraceLaunch {
    std::string kernel, place;
    unsigned grid[3], block[3];
    std::vector<Argument> arguments;
};

struct TraceReport {
    std::string kind, where, text;
    std::vector<std::pair<std::string, std::string>> sentences, cures;  // by their keys
    std::vector<std::size_t> steps;                                     // as TraceEdge::from
    bool is_race = false;                                               // of two accesses
    bool is_wanted = false;                                             // as Told::is_wanted
};

// The lists to which the steps of a run, or of a tree, refer.
struct TraceLists {
    std::vector<TraceLaunch> launches;
    std::vector<TraceThread> threads;
    std::vector<TraceWord> words;

    // The index of this thread, which is added if it is not there.
    std::size_t thread(const TraceThread& wanted);
};

// The lines of the program that a trace shows: those that it names, and some around them.
class TraceSources {
  public:
    void write_place(Json& json, const std::string& place);  // and notes its line
    void write(Json& json) const;                            // all that were noted

  private:
    std::vector<std::pair<std::string, std::vector<int>>> files_;  // and their lines
};

void write_lists(Json& json, TraceSources& sources, const TraceLists& lists);
void write_step(Json& json, TraceSources& sources, const TraceStep& step);
// The end of a file that begins with `kind`: its sources, which are known last.
std::string trace_file(const char* kind, const std::string& fields, const TraceSources& sources);
// Does RACE_TREE ask for a tree of executions?
bool wants_tree();
// To the file that a variable of the environment names; a failure ends the program.
void write_trace_file(const char* variable, const char* path, const std::string& text);

}  // namespace cpu_device::race
