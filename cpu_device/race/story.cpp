#include "race/story.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cpu_device::race {
namespace {

constexpr std::size_t most_threads = 6;  // of a launch: beside each other they can be looked at

// The first word that two threads use and one changes: the two. Else the first two threads.
std::vector<std::uint32_t> threads_that_share(const Tracing& traced) {
    struct Users {
        std::vector<std::uint32_t> slots;
        bool changed = false;
    };
    std::map<std::size_t, Users> words;
    std::vector<std::uint32_t> first;
    const auto add = [](std::vector<std::uint32_t>& slots, std::uint32_t slot) {
        if (slots.size() < 2 && std::find(slots.begin(), slots.end(), slot) == slots.end()) {
            slots.push_back(slot);
        }
    };
    for (const std::uint64_t number : traced.numbers()) {
        const Access& access = traced.step(number).access;
        add(first, access.slot);
        if (traced.detail(number).kind == StepKind::access) {
            Users& users = words[traced.detail(number).word];
            add(users.slots, access.slot);
            users.changed = users.changed || access.kind != Access::read;
            if (users.changed && users.slots.size() == 2) {
                return users.slots;
            }
        }
    }
    return first;
}

// Who spins makes the same step again and again. Of such a row the last step is told, and how many
// there were. Returns the others; those in `told` end a row.
std::set<std::uint64_t> fold_rows(const Tracing& traced, const std::set<std::uint64_t>& told,
                                  std::map<std::uint64_t, std::size_t>& times) {
    std::set<std::uint64_t> folded;
    std::map<std::uint32_t, std::uint64_t> last_of;  // of each thread
    for (const std::uint64_t number : traced.numbers()) {
        std::uint64_t& last = last_of[traced.step(number).access.slot];
        if (last != 0 && told.count(last) == 0 && traced.is_again(last, number)) {
            folded.insert(last);
            const auto row = times.find(last);
            times[number] = row == times.end() ? 2 : row->second + 1;
            times.erase(last);
        }
        last = number;
    }
    return folded;
}

// What matters first: 0 is most.
int rank(const Detail& detail, const Access& access, const std::set<std::size_t>& words) {
    if (detail.kind == StepKind::access && words.count(detail.word) > 0) {
        return 1;
    }
    return detail.kind != StepKind::access || access.atomic ? 2 : 3;
}

}  // namespace

Story choose_story(const Tracing& traced, const std::vector<Told>& reports, std::size_t most) {
    Story story;
    std::set<std::uint32_t> slots;
    std::set<std::size_t> words;
    std::set<std::uint64_t> told;  // steps of reports
    for (const Told& report : reports) {
        std::set<std::uint32_t> with = slots;
        with.insert(report.slots.begin(), report.slots.end());
        bool held = !report.steps.empty();
        for (const std::uint64_t number : report.steps) {
            held = held && traced.holds(number);
            if (held) {
                with.insert(traced.step(number).access.slot);
            }
        }
        if (!held || (with.size() > most_threads && !slots.empty())) {
            ++story.reports_left_out;
            continue;
        }
        slots = std::move(with);
        story.reports.push_back(report);
        for (const std::uint64_t number : report.steps) {
            told.insert(number);
            if (traced.detail(number).kind == StepKind::access) {
                words.insert(traced.detail(number).word);
            }
        }
    }
    if (slots.empty()) {
        const std::vector<std::uint32_t> sharing = threads_that_share(traced);
        slots.insert(sharing.begin(), sharing.end());
    }

    struct Candidate {
        int rank;
        std::uint64_t distance, number;
        bool operator<(const Candidate& other) const {
            return std::tie(rank, distance, number) <
                   std::tie(other.rank, other.distance, other.number);
        }
    };
    const std::set<std::uint64_t> folded = fold_rows(traced, told, story.times);
    const std::uint64_t middle = told.empty() ? record.first() : *told.begin();
    std::vector<Candidate> candidates;
    for (const std::uint64_t number : traced.numbers()) {
        const Access& access = traced.step(number).access;
        if (slots.count(access.slot) == 0) {
            ++story.steps_left_out;
            continue;
        }
        if (folded.count(number) > 0) {
            continue;
        }
        const auto next = told.lower_bound(number);
        std::uint64_t distance = number > middle ? number - middle : middle - number;
        if (next != told.end()) {
            distance = std::min(distance, *next - number);
        }
        const bool is_told = next != told.end() && *next == number;
        candidates.push_back(
            {is_told ? 0 : rank(traced.detail(number), access, words), distance, number});
    }
    if (candidates.size() > most) {
        std::nth_element(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(most),
                         candidates.end());
        story.steps_left_out += candidates.size() - most;
        candidates.resize(most);
    }
    for (const Candidate& one : candidates) {
        story.steps.push_back(one.number);
    }
    std::sort(story.steps.begin(), story.steps.end());
    return story;
}

}  // namespace cpu_device::race
