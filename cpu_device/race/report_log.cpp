#include "race/report_log.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>
#include <vector>

#include "cpu_device/race.h"
#include "race/json.hpp"
#include "race/outcome_plan.hpp"
#include "race/places.hpp"
#include "race/run_trace.hpp"
#include "scheduler.hpp"
#include "system.hpp"

namespace cpu_device::race {

std::recursive_mutex reports_mutex;
const LaunchConfig* launched = nullptr;

namespace {

bool quiet = false;
unsigned count = 0;
unsigned muted = 0;
unsigned forgotten = 0;
std::string& text_so_far = *new std::string;
std::set<std::string>& reported = *new std::set<std::string>;
std::set<std::string>& advice = *new std::set<std::string>;

// Does an access of this report, as "  PLACE: ...", lie at a line that RACE_MUTE names?
bool is_muted(const std::string& text) {
    const char* const setting = std::getenv("RACE_MUTE");
    if (setting == nullptr) {
        return false;
    }
    std::istringstream entries(setting);
    bool found = false;
    for (std::string entry; std::getline(entries, entry, ',');) {
        const std::size_t colon = entry.rfind(':');
        unsigned long line = 0;
        if (colon == std::string::npos || colon == 0 || entry.find(' ') != std::string::npos ||
            !read_whole_number(entry.c_str() + colon + 1, line)) {
            refuse_setting("RACE_MUTE", setting, "FILE:LINE, or several with commas between them");
        }
        for (std::size_t at = 0; (at = text.find(entry + ":", at)) != std::string::npos; ++at) {
            found = found || (at > 0 && (text[at - 1] == '/' || text[at - 1] == ' '));
        }
    }
    return found;
}

// FILE:LINE, if the text begins with that and ": "; else "". A file's name may hold blanks.
std::string place_at_begin(const std::string& text) {
    for (std::size_t end = text.find(": "); end != std::string::npos;
         end = text.find(": ", ++end)) {
        const std::size_t digits = text.find_last_not_of("0123456789", end - 1) + 1;
        if (digits < end && digits >= 2 && text[digits - 1] == ':') {
            return text.substr(0, end);
        }
    }
    return "";
}

// The places of the accesses: they begin the lines that are indented by two blanks.
std::vector<std::string> places_in(const std::string& text) {
    std::vector<std::string> places;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const bool indented = line.compare(0, 2, "  ") == 0 && line.compare(0, 3, "   ") != 0;
        const std::string place = indented ? place_at_begin(line.substr(2)) : "";
        if (!place.empty()) {
            places.push_back(place);
        }
    }
    return places;
}

std::vector<std::pair<std::string, std::string>> cures_of(const Text& text) {
    std::vector<std::pair<std::string, std::string>> cures;
    const std::string end = ".cure";
    for (const auto& [key, said] : text.sentences()) {
        if (key.size() > end.size() && key.compare(key.size() - end.size(), end.size(), end) == 0) {
            cures.emplace_back(key, said);
        }
    }
    return cures;
}

// One line of JSON for each report, in the file that RACE_JSON names.
void write_json(const char* kind, const std::string& where, const std::string& text) {
    const char* const path = std::getenv("RACE_JSON");
    std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "a");
    if (file != nullptr) {
        std::string places;
        for (const std::string& place : places_in(text)) {
            places += (places.empty() ? "" : ", ") + json_string(place);
        }
        std::fprintf(file, "{\"kind\": %s, \"where\": %s, \"places\": [%s], \"text\": %s}\n",
                     json_string(kind).c_str(), json_string(where).c_str(), places.c_str(),
                     json_string(text).c_str());
        std::fclose(file);
    }
}

}  // namespace

void end_with_66() {
    if (muted > 0) {
        std::fprintf(stderr, "race mode: %u report%s muted (RACE_MUTE)\n", muted,
                     muted == 1 ? "" : "s");
        muted = 0;
    }
    if (count > 0) {
        std::fprintf(stderr, "race mode: %u report%s\n", count, count == 1 ? "" : "s");
        write_trace(66);
        end_outcomes_launch();
        std::fflush(nullptr);
        _exit(66);
    }
}

std::string key_of(const std::string& first, const std::string& second) {
    return std::min(first, second) + " " + std::max(first, second);
}
std::string key_of(const Access& a, const Access& b) {
    return key_of(place_of(a.where), place_of(b.where));
}

bool report_at(const char* kind, const std::string& where, const std::string& key,
               const Text& said) {
    const std::string text = relative(said.all());
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    if (!reported.insert(key).second) {
        return false;
    }
    static const bool registered = std::atexit(end_with_66) == 0;
    static_cast<void>(registered);
    if (is_muted("  " + text)) {
        ++muted;
        return false;
    }
    ++count;
    write_json(kind, relative(where), text);
    const std::vector<std::string> places = places_in(text);
    trace_report({kind, relative(where), text, said.sentences(), cures_of(said), false, {}, {}},
                 places.empty() ? "" : places.front());
    const std::string out = std::string("\n") + kind + " in " + where + "\n" + text;
    text_so_far += out;
    if (!quiet) {
        std::fflush(stdout);
        std::fputs(out.c_str(), stderr);
    }
    return true;
}

void note_advice(const std::vector<std::string>& rows) {
    advice.insert(rows.begin(), rows.end());
}
std::set<std::string> advice_given() {
    return advice;
}

bool was_reported(const std::string& key) {
    return reported.count(key) > 0;
}

void stop_being_quiet() {
    if (quiet) {
        quiet = false;
        std::fflush(stdout);
        std::fputs(text_so_far.c_str(), stderr);
    }
}

void begin_json() {
    static bool begun = false;
    const char* const path = std::getenv("RACE_JSON");
    if (path != nullptr && !begun) {
        begun = true;
        std::FILE* const file = std::fopen(path, "w");
        if (file == nullptr) {
            refuse_setting("RACE_JSON", path, "a file that can be written");
        }
        std::fclose(file);
    }
}

void name_launch(const LaunchConfig* config) {
    launched = config;
}

bool report(const char* kind, const std::string& key, const Text& text) {
    return report_at(kind,
                     std::string("kernel ") + launched->kernel + ", launched at " +
                         place_of({launched->place.file, launched->place.line}),
                     key, text);
}

unsigned reports() {
    return count;
}
std::string reports_text() {
    return text_so_far;
}
unsigned times_forgotten() {
    return forgotten;
}
void forget() {
    ++forgotten;
    count = 0;
    muted = 0;
    text_so_far.clear();
    reported.clear();
    advice.clear();
}
void be_quiet(bool quiet_) {
    quiet = quiet_;
}

}  // namespace cpu_device::race
