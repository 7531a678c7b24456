#include "race/tree_trace.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "race/launch_trace.hpp"
#include "race/run_trace.hpp"
#include "race/trace_words.hpp"

namespace cpu_device::race {
namespace {

bool same_step(const TraceStep& a, const TraceStep& b) {
    return a.thread == b.thread && a.place == b.place && std::string(a.kind) == b.kind &&
           a.word == b.word && a.before == b.before && a.after == b.after;
}

}  // namespace

bool wants_tree() {
    static const char* const path = std::getenv("RACE_TREE");
    if (path != nullptr && tracing == nullptr) {
        write_trace_file("RACE_TREE", path, "");  // refused before anything has run
        tracing = new Tracing;
    }
    return path != nullptr;
}

std::size_t TreeTrace::child(std::size_t parent, const TraceStep& step) {
    for (const std::size_t node : nodes_[parent].next) {
        if (same_step(nodes_[node].step, step)) {
            return node;
        }
    }
    nodes_.push_back({step, {}, none});
    nodes_[parent].next.push_back(nodes_.size() - 1);
    return nodes_.size() - 1;
}

void TreeTrace::add_order(const std::function<bool(std::size_t word)>& is_step,
                          const std::vector<std::string>& lines, bool is_right) {
    Story story;
    for (std::uint64_t number = record.first(); number <= record.count(); ++number) {
        const Detail& detail = tracing->detail(number);
        if (detail.kind == StepKind::access && is_step(detail.word)) {
            story.steps.push_back(number);
        }
    }
    lists_.launches.assign(1, last_traced_launch());
    std::vector<TraceStep> steps = tell_launch(*tracing, story, lists_, 0, 0).steps;
    find_roles(steps, lists_.words);
    steps = replay(steps, lists_.words);

    std::vector<std::size_t> path;   // nodes, as long as `steps`
    std::vector<std::uint64_t> ids;  // of the steps
    std::size_t at = 0;
    for (TraceStep& step : steps) {
        ids.push_back(step.id);
        step.read_from = step.read_from == none ? none : path[step.read_from];
        std::vector<TraceEdge> edges;
        for (const TraceEdge& edge : step.edges) {
            const auto from = std::find(ids.begin(), ids.end(), edge.from);
            if (from != ids.end() && edge.from != 0) {
                edges.push_back({path[static_cast<std::size_t>(from - ids.begin())], edge.kind});
            }
        }
        step.edges = std::move(edges);
        at = child(at, step);
        path.push_back(at);
    }
    auto outcome = std::find_if(outcomes_.begin(), outcomes_.end(), [&](const Outcome& one) {
        return one.lines == lines && one.is_right == is_right;
    });
    if (outcome == outcomes_.end()) {
        outcomes_.push_back({lines, is_right, 0});
        outcome = std::prev(outcomes_.end());
    }
    ++outcome->times;
    nodes_[at].outcome = static_cast<std::size_t>(outcome - outcomes_.begin());
    ++orders_;
}

void TreeTrace::write() const {
    static TraceSources& sources = *new TraceSources;
    static std::string& trees = *new std::string;
    Json json;
    json.open('{').key("name").value(name_);
    write_lists(json, sources, lists_);
    json.line().key("nodes").open('[');
    for (const Node& node : nodes_) {
        json.line().open('{');
        if (&node != &nodes_.front()) {
            json.key("step");
            write_step(json, sources, node.step);
        }
        json.key("next").open('[');
        for (const std::size_t next : node.next) {
            json.value(next);
        }
        json.close(']');
        if (node.outcome != none) {
            json.key("outcome").value(node.outcome);
        }
        json.close('}');
    }
    json.close(']').line().key("outcomes").open('[');
    for (const Outcome& outcome : outcomes_) {
        json.line().open('{').key("lines").open('[');
        for (const std::string& line : outcome.lines) {
            json.value(line);
        }
        json.close(']').key("right").value(outcome.is_right);
        json.key("times").value(outcome.times).close('}');
    }
    json.close(']').line().key("orders").value(orders_).key("complete").value(true).close('}');
    trees += (trees.empty() ? "\n" : ",\n") + json.text();
    write_trace_file("RACE_TREE", std::getenv("RACE_TREE"),
                     trace_file("trees", "\n\"trees\": [" + trees + "]", sources));
}

}  // namespace cpu_device::race
