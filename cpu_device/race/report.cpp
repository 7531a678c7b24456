#include "race/report.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <deque>

#include "race/advice.hpp"
#include "race/places.hpp"
#include "race/report_log.hpp"
#include "race/report_memory.hpp"
#include "race/tracing.hpp"
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
            return verb(access) + (" " + before);
        case Access::write:
            return verb(access) + (" " + after) + ", where " + before + " was";
        default:
            return "changes " + before + " to " + after + " in one atomic step";
    }
}

void print(const Race& race) {
    const Access& a = race.earlier;
    const Access& b = race.now;
    const std::string first = place_of(a.where);
    const std::string second = place_of(b.where);
    const std::string what = name_of_element(race.bytes, race.type);
    const std::string bare = what.substr(what.compare(0, 2, "a ") == 0 ? 2 : 0);
    std::string out = "  " + first + ": " + name_of(a) + " " + verb(a) + " " + what + " of " +
                      kind_of_memory(race.offset) + " memory\n" +
                      (first == second ? "" : source_line(first));
    out += "  " + second + ": " + name_of(b) + " " + verb(b) + " the same " + bare + "\n" +
           source_line(second);
    out += "  The " + bare + (bare.back() == 's' ? " are " : " is ") + race.memory + ".\n";
    out += "  Nothing orders the two: on a GPU they may happen in either order, or at once.\n";
    out += "  What the two did there last, and what others wrote in between:\n";

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
        out += "  An update is lost: " + name_of(b) + " had read " + race.text(race.lost->before) +
               ", the value has become " + race.text(b.before) + " since, and " +
               race.text(race.after) + " is written over it.\n";
    }
    const Advice advice = advice_for(race);
    note_advice(advice.rows);
    if (tracing != nullptr) {
        std::vector<std::uint32_t> slots;
        if (race.has_signal) {
            const std::uint32_t threads = launched->block.x * launched->block.y * launched->block.z;
            slots = {a.block * threads + race.missing.signalling_thread,
                     b.block * threads + race.missing.answering_thread};
        }
        tracing->about_race(race.earlier_step, race.now_step, slots);
    }
    report(advice.kind.c_str(), key_of(a, b), out + "  " + advice.text + "\n");
}

}  // namespace

void report_the_end(const char* kind, const std::string& text) {
    print_reports();
    stop_being_quiet();  // what was found before is often the reason
    report(kind, text, text);
    end_with_66();
    _exit(66);
}

void report_too_large(const std::string& text) {
    print_reports();
    end_with_66();  // what was found before that
    std::fflush(stdout);
    std::fprintf(stderr, "\nTOO LARGE FOR RACE MODE: kernel %s, launched at %s\n%s",
                 launched->kernel,
                 place_of(Where{launched->place.file, launched->place.line}).c_str(),
                 relative(text).c_str());
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
    const Piece* const piece = byte < reserved_bytes ? piece_near(byte) : nullptr;
    const bool typed = piece != nullptr && piece->element.bytes == element;
    Race race{earlier, now,     record.on_word(last_step),
              byte,    element, typed ? piece->element.kind : Element::unknown};
    race.earlier_step = record.find(earlier, last_step);
    race.now_step = record.count() + 1;
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
    if (known != pending.end()) {
        *known = std::move(race);  // moving a vector moves no element: `lost` stays valid
    } else {
        pending.push_back(std::move(race));
    }
}

// Called at the next step of anybody: the access has been made, and left its value.
void finish_reports() {
    look_at_stored_value();
    if (tracing != nullptr) {
        tracing->finish();
    }
    for (Race& race : pending) {
        if (!race.finished) {
            race.finished = true;
            race.after = value_at(race.offset / 4 * 4, 8);
        }
    }
}

void print_reports() {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    finish_reports();
    std::stable_sort(pending.begin(), pending.end(), [](const Race& a, const Race& b) {
        return a.lost != nullptr && b.lost == nullptr;  // what can be seen comes first
    });
    for (const Race& race : pending) {
        // By PTX volatile accesses do not race, and where there are fences one may be a flag.
        const bool may_be_a_flag =
            race.earlier.is_volatile && race.now.is_volatile && has_ordered();
        if (!may_be_a_flag && !was_reported(key_of(race.earlier, race.now))) {
            print(race);
        }
        // Memory that another thread writes too late is that race, and no matter of its own.
        read_unwritten.erase(place_of(race.earlier.where));
    }
    for (const auto& [place, text] : read_unwritten) {
        report("UNWRITTEN MEMORY", "unwritten " + place, text);
    }
    read_unwritten.clear();
    pending.clear();
}

}  // namespace cpu_device::race
