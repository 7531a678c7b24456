// Which steps of a launch a trace shows: those of the threads of its reports.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "race/tracing.hpp"

namespace cpu_device::race {

struct Story {
    std::vector<std::uint64_t> steps;            // in the record, in their order
    std::map<std::uint64_t, std::size_t> times;  // of a step that ends a row of the same: how many
    std::vector<Told> reports;  // those that are told: their steps are among `steps`
    std::size_t steps_left_out = 0, reports_left_out = 0;
};

// At most this many steps. Of a launch without a report: of threads that share a word, if there
// are any.
Story choose_story(const Tracing& traced, const std::vector<Told>& reports, std::size_t most);

}  // namespace cpu_device::race
