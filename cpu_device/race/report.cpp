#include "race/report.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <deque>

#include "race/advice.hpp"
#include "race/lost_updates.hpp"
#include "race/places.hpp"
#include "race/report_log.hpp"
#include "race/report_memory.hpp"
#include "race/run.hpp"
#include "race/shared_names.hpp"
#include "race/tracing.hpp"
#include "race/turns.hpp"
#include "scheduler.hpp"

namespace cpu_device::race {
namespace {

constexpr std::size_t most_lines = 6;  // of the steps of a race, and the first that matters

std::deque<Race>& pending = *new std::deque<Race>;  // of this launch

std::string what_it_did(const Race& race, const Access& access, std::uint64_t found_after) {
    const std::string before = race.text(access.before);
    const std::string after = race.text(found_after);
    switch (access.kind) {
        case Access::read:
            return sentence("step.reads", {{"does", verb(access)}, {"value", before}});
        case Access::write:
            return sentence("step.writes",
                            {{"does", verb(access)}, {"value", after}, {"before", before}});
        default:
            return sentence("step.updates", {{"before", before}, {"value", after}});
    }
}

void print(const Race& race) {
    const Access& a = race.earlier;
    const Access& b = race.now;
    const std::string first = place_of(a.where);
    const std::string second = place_of(b.where);
    const std::string what = name_of_element(race.bytes, race.type);
    const std::string bare = what.substr(what.compare(0, 2, "a ") == 0 ? 2 : 0);
    Text out;
    out.say("race.first", {{"place", first},
                           {"thread", name_of(a)},
                           {"does", verb(a)},
                           {"element", what},
                           {"kind of memory", kind_of_memory(race.offset)}});
    out += first == second ? "" : source_line(first);
    out.say("race.second",
            {{"place", second}, {"thread", name_of(b)}, {"does", verb(b)}, {"element", bare}});
    out += source_line(second);
    out.say(bare.back() == 's' ? "race.words" : "race.word",
            {{"element", bare}, {"where", race.memory}});
    out.say("race.unordered").say("race.steps");

    std::vector<Access> steps = race.steps;
    steps.push_back(b);
    std::vector<std::string> lines;
    std::size_t key_line = 0;  // the read whose update gets lost; else the earlier access
    bool between = false;      // that read and its write
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Access& access = steps[i];
        const bool theirs = (access.slot == a.slot && access.block == a.block) ||
                            (access.slot == b.slot && access.block == b.block);
        const bool is_lost = race.lost != nullptr && &race.steps[0] + i == race.lost;
        between = between || is_lost;
        if (theirs || (between && access.kind != Access::read)) {
            const bool is_earlier = access.slot == a.slot && access.where == a.where;
            if (race.lost != nullptr ? is_lost : is_earlier) {
                key_line = lines.size();
            }
            const std::uint64_t after = i + 1 < steps.size() ? steps[i + 1].before : race.after;
            lines.push_back("    " + name_of(access) + " " + what_it_did(race, access, after) +
                            "   (" + place_of(access.where) + ")\n");
        }
    }
    const std::size_t shown = lines.size() - std::min(lines.size(), most_lines);
    if (key_line < shown) {
        out += lines[key_line] + (key_line + 1 < shown ? "    ...\n" : "");
    }
    for (std::size_t i = shown; i < lines.size(); ++i) {
        out += lines[i];
    }
    if (race.lost != nullptr) {
        out.say("race.lost", {{"thread", name_of(b)},
                              {"read", race.text(race.lost->before)},
                              {"found", race.text(b.before)},
                              {"written", race.text(race.after)}});
    }
    const Advice advice = advice_for(race);
    note_advice(advice.rows);
    if (is_traced()) {
        std::vector<std::uint32_t> slots;
        if (race.has_signal) {
            const std::uint32_t threads = launched->block.x * launched->block.y * launched->block.z;
            slots = {a.block * threads + race.missing.signalling_thread,
                     b.block * threads + race.missing.answering_thread};
        }
        tracing->about_race(race.earlier_step, race.now_step, slots, is_wanted(race));
    }
    out += "  ";
    out += advice.text;
    out += "\n";
    const bool is_told = report(advice.kind.c_str(), key_of(a, b), out);
    if (turn_record != nullptr && is_told) {
        turn_record->write(race);
        end_with_66();  // the rest of the run tells nothing of this race
    }
}

}  // namespace

void report_the_end(const char* kind, const Text& text) {
    print_reports();
    stop_being_quiet();  // what was found before is often the reason
    report(kind, text.all(), text);
    end_with_66();
    _exit(66);
}

void report_too_large(const Text& text) {
    print_reports();
    end_with_66();  // what was found before that
    std::fflush(stdout);
    std::fprintf(stderr, "\nTOO LARGE FOR RACE MODE: kernel %s, launched at %s\n%s",
                 launched->kernel,
                 place_of(Where{launched->place.file, launched->place.line}).c_str(),
                 relative(text.all()).c_str());
    std::fflush(nullptr);
    _exit(67);
}

bool is_known(const Access& earlier, const Access& now) {
    for (const Race& known : pending) {
        if (known.earlier.where == earlier.where && known.now.where == now.where) {
            return known.lost != nullptr || now.kind != Access::write;
        }
    }
    return false;
}

// Of the races of one pair of places, the launch's first is kept, unless a later one loses an
// update before one's eyes.
void report_race(const Access& earlier, const Access& now, const Clocks& me, std::size_t word,
                 std::uint64_t last_step) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    // The element is as large as the narrower access; one of more than 8 bytes, or none that is a
    // size of anything, is told by its word.
    const unsigned narrower = std::min(earlier.bytes, now.bytes);
    const bool is_size = narrower == 1 || narrower == 2 || narrower == 8;
    const unsigned element = is_size ? narrower : 4;
    const auto byte = word * 4 + static_cast<unsigned>(__builtin_ctz(earlier.mask & now.mask)) /
                                     element * element;
    const LaunchConfig& launch = run.launch->config;
    const Element::Kind kind = kind_at(byte, element, launch.kernel, launch.place.file);
    Race race{earlier, now, record.on_word(last_step), byte, element, kind};
    race.earlier_step = record.find(earlier, last_step);
    race.now_step = record.count() + 1;
    race.turns = turn_record != nullptr ? turn_record->size() : 0;
    const auto same_thread = [&](const Access& step) { return step.slot == now.slot; };
    const auto last = std::find_if(race.steps.rbegin(), race.steps.rend(), same_thread);
    if (now.kind == Access::write && last != race.steps.rend() && last->kind == Access::read &&
        race.value(last->before) != race.value(now.before) && !last->atomic) {
        race.lost = &*last;
    }
    const auto known = std::find_if(pending.begin(), pending.end(), [&](const Race& other) {
        return other.earlier.where == earlier.where && other.now.where == now.where;
    });
    if (known != pending.end() && race.lost == nullptr) {
        return;
    }
    if (!was_reported(key_of(earlier, now))) {
        race.memory = describe(race.offset, race.bytes);
        look_for_signal(race, me);
    }
    report_is_unfinished = true;
    if (known != pending.end()) {
        *known = std::move(race);  // moving a vector moves no element: `lost` stays valid
    } else {
        pending.push_back(std::move(race));
    }
}

// Called at the next step of anybody: the access has been made, and left its value.
void finish_reports() {
    look_at_stored_value();
    if (is_traced()) {
        tracing->finish();
    }
    if (!report_is_unfinished) {
        return;
    }
    report_is_unfinished = false;
    finish_lost_updates();
    bool found = false;
    for (Race& race : pending) {
        if (!race.finished) {
            found = found || is_wanted(race);
            race.finished = true;
            if (is_traced()) {
                tracing->keep(race.earlier_step, race.now_step);
            }
            race.after = value_at(race.offset / 4 * 4, 8);
        }
    }
    if (found) {
        print_reports();
        end_with_66();
    }
}

void print_races() {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    finish_reports();
    std::stable_sort(pending.begin(), pending.end(), [](const Race& a, const Race& b) {
        const bool a_is_wanted = is_wanted(a), b_is_wanted = is_wanted(b);
        return a_is_wanted != b_is_wanted  // else a trace may have no room for its threads
                   ? a_is_wanted
                   : a.lost != nullptr && b.lost == nullptr;  // what can be seen
    });
    print_lost_updates();
    for (const Race& race : pending) {
        // By PTX volatile accesses do not race, and where one of the threads has a fence they may
        // be those of a flag.
        const bool may_be_a_flag = race.earlier.is_volatile && race.now.is_volatile &&
                                   (has_ordered(race.earlier.slot) || has_ordered(race.now.slot));
        if (!may_be_a_flag && !is_told_as_lost_update(race) &&
            !was_reported(key_of(race.earlier, race.now))) {
            print(race);
        }
        // Memory that another thread writes too late is that race, and no matter of its own.
        read_unwritten.erase(place_of(race.earlier.where));
    }
    pending.clear();
}

void print_reports() {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    print_races();
    for (const auto& [place, read] : read_unwritten) {
        if (is_traced()) {
            tracing->about({read.step});
        }
        report("UNWRITTEN MEMORY", "unwritten " + place, read.text);
    }
    read_unwritten.clear();
}

}  // namespace cpu_device::race
