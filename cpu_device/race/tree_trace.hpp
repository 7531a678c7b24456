// The executions of a tiny program as a tree of steps: what RACE_TREE=FILE writes (docs/trace.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "race/trace.hpp"
#include "race/tree_path.hpp"

namespace cpu_device::race {

// A file that cannot be written is refused before anything has run.
void clear_tree_file();
// What a trace needs is recorded from here on.
void record_for_tree();
// Adds the steps of the launch that has ended last to the path: the fences, if they are wanted, and
// the accesses for which `is_step` holds. Is this word, by its number, one on which the order
// counts?
void add_steps_of_launch(TreePath& path, const std::function<bool(std::size_t word)>& is_step,
                         bool with_fences);

struct TreeOutcome {
    std::vector<std::string> lines;
    std::optional<bool> is_right;  // none: not known
    bool is_stuck = false;         // threads wait without end
    int status = 0;                // with which the program ends
    bool only_stale = false;       // no order of whole steps gives it
    std::size_t times = 1;
};

class TreeTrace {
  public:
    explicit TreeTrace(std::string name) : name_(std::move(name)) {}

    // An execution took this path to this outcome. False, and nothing is added, where something
    // that is no step has changed a word on the way.
    bool add(TreePath path, TreeOutcome outcome);
    std::size_t nodes() const { return nodes_.size(); }
    // Adds the tree to those in the file.
    void write(bool is_complete) const;

  private:
    struct Node {
        TraceStep step;
        std::vector<std::size_t> next;
        std::size_t outcome = none;
        std::vector<std::size_t> waiting;
    };
    std::size_t child(std::size_t parent, const TraceStep& step);
    void take_lists(TreePath& path);
    std::vector<TraceStep> replayed(const std::vector<TraceStep>& steps);

    std::string name_;
    TraceLists lists_;
    std::vector<Node> nodes_ = std::vector<Node>(1);
    std::vector<TreeOutcome> outcomes_;
    std::size_t orders_ = 0;
};

}  // namespace cpu_device::race
