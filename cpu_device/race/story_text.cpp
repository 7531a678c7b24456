#include "race/story_text.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "race/places.hpp"
#include "race/words.hpp"

namespace cpu_device::race {
namespace {

constexpr std::size_t most_story_lines = 10;

bool is_kind(const TraceStep& step, const char* kind) {
    return std::string(step.kind) == kind;
}
bool is_access(const TraceStep& step) {
    return is_kind(step, "load") || is_kind(step, "store") || is_kind(step, "atomic");
}

// 0: the race itself; then what happens to its word, what may put threads in order, and the rest,
// which is not told.
enum Rank { of_race, of_word, of_order, of_nothing };
// `meets`: it is a barrier that another thread of the story passes with it, or uses a word that
// another one uses, or a lock.
Rank rank_of(const TraceStep& step, std::size_t index, const TraceReport& race, std::size_t word,
             bool meets) {
    const bool is_told = std::find(race.steps.begin(), race.steps.end(), index) != race.steps.end();
    if (is_told) {
        return of_race;
    }
    if ((is_access(step) || is_kind(step, "others")) && step.word == word) {
        return of_word;
    }
    if (step.thread == none) {
        return of_nothing;
    }
    const bool may_order =
        is_kind(step, "atomic") || is_kind(step, "barrier") || step.order != nullptr;
    return is_kind(step, "fence") || (may_order && meets) ? of_order : of_nothing;
}

void say_step(Text& text, const TraceStep& step, std::size_t number, const TraceLists& lists) {
    if (is_kind(step, "others")) {
        text.say("story.others", {{"number", std::to_string(number)},
                                  {"word", lists.words[step.word].name},
                                  {"value", step.after.value_or(never_written)}});
        return;
    }
    Words words = {{"number", std::to_string(number)},
                   {"thread", lists.threads[step.thread].name},
                   {"place", step.place}};
    if (!is_access(step)) {
        words.emplace_back("name", step.function.empty() ? step.kind : step.function);
        text.say("story.calls", words);
        return;
    }
    const std::string before = step.before.value_or(never_written);
    words.emplace_back("word", step.word == none ? "?" : lists.words[step.word].name);
    words.emplace_back("before", before);
    words.emplace_back("value", step.is_stale           ? step.got.value_or(before)
                                : is_kind(step, "load") ? before
                                                        : step.after.value_or(before));
    const bool changes = step.before != step.after;
    text.say(is_kind(step, "load") || (is_kind(step, "atomic") && !changes) ? "story.reads"
             : is_kind(step, "store")                                       ? "story.writes"
                                                                            : "story.updates",
             words);
}

}  // namespace

Text story_text(const std::vector<TraceStep>& steps, const std::vector<TraceReport>& reports,
                const TraceLists& lists) {
    Text text;
    const auto race = std::find_if(reports.begin(), reports.end(), [](const TraceReport& one) {
        return one.is_wanted && one.is_race && one.steps.size() == 2;
    });
    if (race == reports.end()) {
        return text;
    }
    const std::size_t last = std::max(race->steps[0], race->steps[1]);
    struct Line {
        Rank rank;
        std::size_t from_end, step;
        bool operator<(const Line& other) const {
            return std::tie(rank, from_end) < std::tie(other.rank, other.from_end);
        }
    };
    std::map<std::size_t, std::set<std::size_t>> met;    // threads, by meeting
    std::map<std::size_t, std::set<std::size_t>> users;  // threads, by word
    for (const TraceStep& step : steps) {
        if (step.word != none && step.thread != none) {
            users[step.word].insert(step.thread);
        }
        if (step.meeting != none) {
            met[step.meeting].insert(step.thread);
        }
    }
    std::vector<Line> lines;
    for (std::size_t i = 0; i <= last; ++i) {
        const TraceStep& step = steps[i];
        const bool has_word = step.word != none && step.thread != none;
        const bool meets = (step.meeting != none && met[step.meeting].size() > 1) ||
                           (has_word && (users[step.word].size() > 1 ||
                                         std::string(lists.words[step.word].role) == "lock"));
        const Rank rank = rank_of(steps[i], i, *race, steps[last].word, meets);
        if (rank != of_nothing) {
            lines.push_back({rank, last - i, i});
        }
    }
    const std::size_t left_out = lines.size() - std::min(lines.size(), most_story_lines);
    std::sort(lines.begin(), lines.end());
    lines.resize(lines.size() - left_out);
    std::sort(lines.begin(), lines.end(),
              [](const Line& a, const Line& b) { return a.step < b.step; });

    text.say("story.title");
    std::size_t number = 0;
    for (const Line& line : lines) {
        say_step(text, steps[line.step], ++number, lists);
    }
    if (left_out > 0) {
        text.say("story.left out", {{"count", std::to_string(left_out)}});
    }
    return text;
}

}  // namespace cpu_device::race
