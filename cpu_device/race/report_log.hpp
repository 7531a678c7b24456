// The reports that were made: each is printed once, counted, and written to RACE_JSON.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "race/access.hpp"
#include "race/sentences.hpp"

namespace cpu_device {
namespace types {
struct LaunchConfig;
}
using namespace types;
}  // namespace cpu_device

namespace cpu_device::race {

extern std::recursive_mutex reports_mutex;  // another thread of the host may copy meanwhile
extern const LaunchConfig* launched;        // the launch that runs; null between launches

void name_launch(const LaunchConfig* config);
void begin_json();  // makes the file that RACE_JSON names
// A report: its kind in capitals, where it is, what happened, what would help. Of each key the
// first one counts. False: it is muted, or not the first.
bool report_at(const char* kind, const std::string& where, const std::string& key,
               const Text& text);
// The same, in the launch that runs.
bool report(const char* kind, const std::string& key, const Text& text);
// The rows of the table that this report goes by.
void note_advice(const std::vector<std::string>& rows);
bool was_reported(const std::string& key);
unsigned times_forgotten();  // by forget(), from cpu_device/race.h
std::string key_of(const std::string& first, const std::string& second);
std::string key_of(const Access& a, const Access& b);
// Prints what was kept quiet, if anything was.
void stop_being_quiet();
// Says how many reports there are, and ends the program with 66 if there is one.
void end_with_66();

}  // namespace cpu_device::race
