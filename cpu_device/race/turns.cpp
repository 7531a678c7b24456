#include "race/turns.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "race/access.hpp"
#include "race/places.hpp"
#include "race/plan.hpp"
#include "race/run.hpp"

namespace cpu_device::race {
namespace {

// What the file says.
struct WantedRace {
    std::uint64_t launch = 0;  // counted from 1
    std::string places[2];
    bool is_lost = false;  // an update is lost before one's eyes
    std::vector<Turn> turns;
};

// The turns lead to no such race.
[[noreturn]] void end_without_race() {
    std::fflush(nullptr);
    _exit(1);
}

// Takes the turns; where a thread cannot go on, others run until it can. When the turns have been
// taken, the threads run one after another, each as far as it can.
class Replay : public Plan {
  public:
    explicit Replay(WantedRace wanted) : wanted_(std::move(wanted)) {}
    const WantedRace& wanted() const { return wanted_; }

    void begin_launch() {
        next_ = 0;
        made_.clear();
        waits_.clear();
        current_ = no_slot;
    }

    bool stops_before(const volatile void* address) override {
        const std::uint32_t slot = running->slot;
        stopped_at_[slot] = word_of(address);
        if (slot != current_ || made_[slot] >= end_ || waits_in_vain(slot) ||
            ++reads_in_a_row_ > most_reads_in_a_row) {
            return true;
        }
        ++made_[slot];
        if (next_ == wanted_.turns.size() && ++made_after_ > most_made_after) {
            end_without_race();
        }
        return false;
    }
    void accesses(const volatile void* address, AtomicKind kind) override {
        if (kind != AtomicKind::load) {
            ++writes_[word_of(address)];
            reads_in_a_row_ = rounds_in_vain_ = 0;
        }
    }
    void reads_in_vain(const volatile void* address) override {
        Wait& wait = waits_[running->slot];
        const std::size_t writes = writes_[word_of(address)];
        wait.waits = wait.word == word_of(address) && wait.writes == writes;  // found the same
        wait.word = word_of(address);
        wait.writes = writes;
    }
    void gives_way() override { waits_[running->slot].waits = true; }
    bool counts_copies() const override { return false; }  // nor did the record

    std::size_t choose(const std::vector<const Clocks*>& stopped) override {
        std::map<std::uint32_t, std::size_t>
            can_go;  // by slot, so that the order is always the same
        for (std::size_t i = 0; i < stopped.size(); ++i) {
            if (!waits_in_vain(stopped[i]->slot)) {
                can_go[stopped[i]->slot] = i;
            }
        }
        const bool reads_on = can_go.empty() || reads_in_a_row_ > most_reads_in_a_row;
        reads_in_a_row_ = 0;
        if (reads_on && ++rounds_in_vain_ > most_rounds_in_vain) {
            return none;
        }
        if (can_go.empty()) {  // one may read its word again and go on
            for (std::size_t i = 0; i < stopped.size(); ++i) {
                can_go[stopped[i]->slot] = i;
            }
        }
        std::uint32_t slot = no_slot;
        end_ = ~std::uint32_t{0};
        for (; next_ < wanted_.turns.size(); ++next_) {
            const Turn& turn = wanted_.turns[next_];
            if (made_[turn.slot] >= turn.end || has_ended(turn.slot)) {
                continue;
            }
            if (can_go.count(turn.slot) > 0 && !(reads_on && turn.slot == current_)) {
                slot = turn.slot;
                end_ = turn.end;
            } else {
                slot = helper_for(turn.slot, can_go);
            }
            break;
        }
        if (slot == no_slot) {
            slot = after_the_turns(can_go, reads_on);
        }
        current_ = slot;
        waits_[slot].waits = false;
        ++made_[slot];  // it makes the access before which it has stopped
        return can_go.at(slot);
    }

  private:
    using WordAddress = std::uintptr_t;
    struct Wait {
        bool waits = false;
        WordAddress word = 0;
        std::size_t writes = 0;
    };
    static constexpr std::uint32_t no_slot = ~std::uint32_t{0};
    static constexpr std::size_t most_made_after = 50'000;
    static constexpr std::size_t most_reads_in_a_row = 5000, most_rounds_in_vain = 5000;

    static WordAddress word_of(const volatile void* address) {
        return reinterpret_cast<std::uintptr_t>(address) / 4;
    }
    bool waits_in_vain(std::uint32_t slot) {
        const Wait& wait = waits_[slot];
        return wait.waits && wait.word == stopped_at_[slot] && wait.writes == writes_[wait.word];
    }
    static bool has_ended(std::uint32_t slot) {
        const std::size_t number = slot / run.launch->threads_per_block;
        for (const auto& block : run.launch->resident) {
            if (block->number == number) {
                return block->threads[slot % run.launch->threads_per_block].state == State::ended;
            }
        }
        return number < run.launch->next_block;
    }
    // When the turns have been taken: on with the same thread, else with another one of the story.
    std::uint32_t after_the_turns(const std::map<std::uint32_t, std::size_t>& can_go,
                                  bool reads_on) const {
        if (can_go.count(current_) > 0 && !reads_on) {
            return current_;
        }
        for (const Turn& turn : wanted_.turns) {
            if (can_go.count(turn.slot) > 0 && !reads_on) {
                return turn.slot;
            }
        }
        const auto after = can_go.upper_bound(current_);
        return reads_on && after != can_go.end() ? after->first : can_go.begin()->first;
    }
    // Who runs so that this thread can go on: rather one that has no turn yet to come, and rather
    // of its block, where it may wait in a barrier.
    std::uint32_t helper_for(std::uint32_t slot,
                             const std::map<std::uint32_t, std::size_t>& can_go) const {
        const auto worth = [&](std::uint32_t other) {
            const bool has_turn =
                std::any_of(wanted_.turns.begin() + static_cast<std::ptrdiff_t>(next_),
                            wanted_.turns.end(), [&](const Turn& t) { return t.slot == other; });
            const unsigned threads = run.launch->threads_per_block;
            return std::tuple(other == current_ ? 1 : 0, has_turn ? 1 : 0,
                              other / threads == slot / threads ? 0 : 1, other);
        };
        std::uint32_t best = can_go.begin()->first;
        for (const auto& [other, index] : can_go) {
            best = worth(other) < worth(best) ? other : best;
        }
        return best;
    }

    const WantedRace wanted_;
    std::size_t next_ = 0;        // turn
    std::size_t made_after_ = 0;  // accesses, since the last turn
    std::uint32_t current_ = no_slot, end_ = 0;
    std::size_t reads_in_a_row_ = 0, rounds_in_vain_ = 0;
    std::map<std::uint32_t, std::uint32_t> made_;  // accesses
    std::map<std::uint32_t, Wait> waits_;
    std::map<std::uint32_t, WordAddress> stopped_at_;
    std::map<WordAddress, std::size_t> writes_;
};

Replay* replayer = nullptr;
std::uint64_t launches_begun = 0;

WantedRace read_turns(const char* path) {
    WantedRace wanted;
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        std::string first;
        words >> first;
        if (first == "launch") {
            words >> wanted.launch;
        } else if (first == "place") {
            wanted.places[wanted.places[0].empty() ? 0 : 1] = line.substr(6);
        } else if (first == "lost") {
            wanted.is_lost = true;
        } else if (first == "turn") {
            Turn turn{};
            words >> turn.slot >> turn.end;
            wanted.turns.push_back(turn);
        }
    }
    return wanted;
}

}  // namespace

void TurnRecord::begin_launch() {
    ++launches_;
    turns_.clear();
    made_.clear();
}

void TurnRecord::note(std::uint32_t slot) {
    if (slot >= made_.size()) {
        made_.resize(slot + 1);
    }
    ++made_[slot];
    if (!turns_.empty() && turns_.back().slot == slot) {
        turns_.back().end = made_[slot];
    } else {
        turns_.push_back({slot, made_[slot]});
    }
}

void TurnRecord::write(const Race& race) {
    std::FILE* const file = written_ ? nullptr : std::fopen(std::getenv("RACE_TURNS"), "w");
    if (file == nullptr) {
        return;
    }
    written_ = true;
    std::fprintf(file, "launch %llu\nplace %s\nplace %s\n%sslots %u %u\n",
                 static_cast<unsigned long long>(launches_), place_of(race.earlier.where).c_str(),
                 place_of(race.now.where).c_str(), race.lost != nullptr ? "lost\n" : "",
                 race.earlier.slot % threads_in_launch, race.now.slot % threads_in_launch);
    for (std::size_t i = 0; i < std::min(race.turns, turns_.size()); ++i) {
        std::fprintf(file, "turn %u %u\n", turns_[i].slot, turns_[i].end);
    }
    std::fclose(file);
}

void begin_turns() {
    if (turn_record == nullptr && std::getenv("RACE_TURNS") != nullptr) {
        turn_record = new TurnRecord;
    }
    if (turn_record != nullptr) {
        turn_record->begin_launch();
    }
    if (replayer == nullptr && std::getenv("RACE_REPLAY") != nullptr) {
        replayer = new Replay(read_turns(std::getenv("RACE_REPLAY")));
    }
    if (replayer != nullptr && ++launches_begun == replayer->wanted().launch) {
        replayer->begin_launch();
        plan = replayer;
    }
}

void end_turns() {
    if (replayer != nullptr && plan == replayer) {
        end_without_race();  // a later launch may race at the same lines, but has other turns
    }
}

bool is_wanted(const Race& race) {
    if (replayer == nullptr || plan != replayer) {
        return false;
    }
    const WantedRace& wanted = replayer->wanted();
    const std::string first = place_of(race.earlier.where), second = place_of(race.now.where);
    const bool same = (first == wanted.places[0] && second == wanted.places[1]) ||
                      (first == wanted.places[1] && second == wanted.places[0]);
    return same && (race.lost != nullptr || !wanted.is_lost);
}

const char* story_path() {
    return std::getenv("RACE_STORY");
}

}  // namespace cpu_device::race
