// The orders of a tiny launch as a tree of steps: what RACE_TREE=FILE writes (docs/trace.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "race/trace.hpp"

namespace cpu_device::race {

// Does RACE_TREE ask for it? Then what a trace needs is recorded from here on.
bool wants_tree();

class TreeTrace {
  public:
    explicit TreeTrace(std::string name) : name_(std::move(name)) {}

    // The launch that has ended last took another order. is_step: is this word, by its number, one
    // on which the order counts?
    void add_order(const std::function<bool(std::size_t word)>& is_step,
                   const std::vector<std::string>& lines, bool is_right);
    // Adds the tree to those in the file.
    void write() const;

  private:
    struct Node {
        TraceStep step;
        std::vector<std::size_t> next;
        std::size_t outcome = none;
    };
    struct Outcome {
        std::vector<std::string> lines;
        bool is_right;
        std::size_t times;
    };
    std::size_t child(std::size_t parent, const TraceStep& step);

    std::string name_;
    TraceLists lists_;
    std::vector<Node> nodes_ = std::vector<Node>(1);
    std::vector<Outcome> outcomes_;
    std::size_t orders_ = 0;
};

}  // namespace cpu_device::race
