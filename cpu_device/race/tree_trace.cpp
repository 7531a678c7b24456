#include "race/tree_trace.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "race/launch_trace.hpp"
#include "race/run_trace.hpp"
#include "race/trace_words.hpp"

namespace cpu_device::race {
namespace {

bool same_step(const TraceStep& a, const TraceStep& b) {
    return a.thread == b.thread && a.place == b.place && std::string(a.kind) == b.kind &&
           a.word == b.word && a.before == b.before && a.after == b.after && a.got == b.got &&
           a.read_from == b.read_from;
}

// Of a list, the index of what `is_same` knows; it is added if it is not there.
template <typename Member, typename Same>
std::size_t index_in(std::vector<Member>& list, const Member& wanted, Same is_same) {
    const auto found = std::find_if(list.begin(), list.end(), is_same);
    if (found != list.end()) {
        return static_cast<std::size_t>(found - list.begin());
    }
    list.push_back(wanted);
    return list.size() - 1;
}

}  // namespace

void clear_tree_file() {
    write_trace_file("RACE_TREE", std::getenv("RACE_TREE"), "");
}

void record_for_tree() {
    if (tracing == nullptr) {
        tracing = new Tracing;
    }
}

void add_steps_of_launch(TreePath& path, const std::function<bool(std::size_t word)>& is_step,
                         bool with_fences) {
    Story story;
    for (std::uint64_t number = record.first(); number <= record.count(); ++number) {
        const Detail& detail = tracing->detail(number);
        if (detail.kind == StepKind::access ? is_step(detail.word)
                                            : with_fences && detail.kind == StepKind::fence) {
            story.steps.push_back(number);
        }
    }
    path.lists.launches.push_back(last_traced_launch());
    const std::size_t launch = path.lists.launches.size() - 1;
    const std::vector<TraceStep> steps = tell_launch(*tracing, story, path.lists, launch, 0).steps;
    std::copy_if(steps.begin(), steps.end(), std::back_inserter(path.steps),
                 [](const TraceStep& step) { return step.thread != none; });
}

std::size_t TreeTrace::child(std::size_t parent, const TraceStep& step) {
    for (const std::size_t node : nodes_[parent].next) {
        if (same_step(nodes_[node].step, step)) {
            return node;
        }
    }
    nodes_.push_back({step, {}, none, {}});
    nodes_[parent].next.push_back(nodes_.size() - 1);
    return nodes_.size() - 1;
}

// The path names threads and words by the lists of the tree from here on. Launches have the same
// numbers on each path.
void TreeTrace::take_lists(TreePath& path) {
    std::vector<std::size_t> threads, words;
    for (std::size_t i = lists_.launches.size(); i < path.lists.launches.size(); ++i) {
        lists_.launches.push_back(path.lists.launches[i]);
    }
    for (const TraceThread& thread : path.lists.threads) {
        threads.push_back(lists_.thread(thread));
    }
    for (const TraceWord& word : path.lists.words) {
        words.push_back(index_in(lists_.words, word, [&](const TraceWord& one) {
            return one.begin == word.begin && one.owner == word.owner && one.bytes == word.bytes;
        }));
    }
    for (TraceStep& step : path.steps) {
        step.thread = threads[step.thread];
        step.word = step.word == none ? none : words[step.word];
    }
    for (std::size_t& thread : path.waiting) {
        thread = threads[thread];
    }
}

// A word that is not on this way keeps the first value that another way has found.
std::vector<TraceStep> TreeTrace::replayed(const std::vector<TraceStep>& steps) {
    const std::vector<TraceWord> known = lists_.words;
    std::vector<TraceStep> all = replay(steps, lists_.words);
    for (std::size_t word = 0; word < known.size(); ++word) {
        if (std::none_of(steps.begin(), steps.end(),
                         [&](const TraceStep& step) { return step.word == word; })) {
            lists_.words[word].first = known[word].first;
        }
    }
    return all;
}

bool TreeTrace::add(TreePath taken, TreeOutcome outcome) {
    take_lists(taken);
    std::vector<TraceStep> steps = replayed(taken.steps);
    if (steps.size() > taken.steps.size()) {
        return false;
    }
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
    if (nodes_[at].outcome != none) {
        return true;  // this way is there
    }
    const std::size_t before = outcomes_.size();
    nodes_[at].waiting = std::move(taken.waiting);
    nodes_[at].outcome = index_in(outcomes_, outcome, [&](const TreeOutcome& one) {
        return one.lines == outcome.lines && one.is_right == outcome.is_right &&
               one.is_stuck == outcome.is_stuck && one.status == outcome.status;
    });
    outcomes_[nodes_[at].outcome].times += outcomes_.size() == before ? 1 : 0;
    ++orders_;
    return true;
}

void TreeTrace::write(bool is_complete) const {
    static TraceSources& sources = *new TraceSources;
    static std::string& trees = *new std::string;
    Json json;
    json.open('{').key("name").value(name_);
    std::vector<TraceStep> steps;  // of all ways, which together show what a word is for
    std::transform(nodes_.begin() + 1, nodes_.end(), std::back_inserter(steps),
                   [](const Node& node) { return node.step; });
    TraceLists lists = lists_;
    find_roles(steps, lists.words);
    write_lists(json, sources, lists);
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
        if (!node.waiting.empty()) {
            json.key("waiting").open('[');
            for (const std::size_t thread : node.waiting) {
                json.value(thread);
            }
            json.close(']');
        }
        json.close('}');
    }
    json.close(']').line().key("outcomes").open('[');
    for (const TreeOutcome& outcome : outcomes_) {
        json.line().open('{').key("lines").open('[');
        for (const std::string& line : outcome.lines) {
            json.value(line);
        }
        json.close(']').key("right");
        if (outcome.is_right) {
            json.value(*outcome.is_right);
        } else {
            json.null();
        }
        json.key("times").value(outcome.times);
        if (outcome.status != 0) {
            json.key("status").value(outcome.status);
        }
        if (outcome.is_stuck) {
            json.key("stuck").value(true);
        }
        if (outcome.only_stale) {
            json.key("only_stale").value(true);
        }
        json.close('}');
    }
    json.close(']')
        .line()
        .key("orders")
        .value(orders_)
        .key("complete")
        .value(is_complete)
        .close('}');
    trees += (trees.empty() ? "\n" : ",\n") + json.text();
    write_trace_file("RACE_TREE", std::getenv("RACE_TREE"),
                     trace_file("trees", "\n\"trees\": [" + trees + "]", sources));
}

}  // namespace cpu_device::race
