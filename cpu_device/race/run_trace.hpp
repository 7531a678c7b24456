// The trace of a run, from its first launch to its end: what RACE_TRACE=FILE writes
// (docs/trace.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "race/trace.hpp"
#include "race/tracing.hpp"

namespace cpu_device::race {

// A launch begins or ends.
void trace_launch(const LaunchConfig& config);
// The next launch has this argument: its parameter of this number is a pointer, to a number of so
// many bytes; 0 if that is not known.
void trace_argument(unsigned number, const void* argument, std::size_t bytes);
// It is an object of so many bytes.
void trace_object(unsigned number, const void* object, std::size_t bytes);
void trace_end_of_launch();
const TraceLaunch& last_traced_launch();
// A report has been made, at this place.
void trace_report(Told report, const std::string& place);
// A step that no thread of the running launch has made: the host's, or one of an earlier launch.
// Returns its id. `work`: the kernel's name, for a thread of a launch.
std::uint64_t trace_host_step(TraceStep step, const TraceThread& thread, const char* kernel = "");
// The next report is about these, and about no thread of the running launch.
void trace_about_host(const std::vector<std::uint64_t>& ids, bool is_race);
// The program ends. Only the first call counts.
void write_trace(int status);

}  // namespace cpu_device::race
