// All outcomes of litmus programs by race mode's machine (race/views.hpp), in the form in which
// axioms.cpp prints those of PTX's axioms: the two are compared. litmus/README.md has the form of
// the programs.
//
// A depth-first search over who makes the next step, which store a load reads, and which place a
// store takes. Sleep sets (Godefroid, "Partial-Order Methods for the Verification of Concurrent
// Systems", 1996) leave out orders of independent steps.
//
//     machine < FILE      prints "NAME: OUTCOME ..." for each program
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "machine_text.hpp"
#include "race/views.hpp"

using namespace cpu_device;
using namespace cpu_device::race;
using namespace machine;

namespace {

// For the check for races, which in race mode the checker makes.
struct Done {
    Moment when;
    unsigned block;
    bool reads_only, strong;
    Scope scope;
};

struct Word {
    Stores stores{0};
    std::vector<Done> accesses;
};

struct State {
    std::vector<std::size_t> at;  // the next instruction of each thread
    std::vector<bool> waits;      // at a barrier
    std::vector<Clocks> clocks;
    std::map<char, std::uint64_t> registers;
    std::map<char, Word> words;
    SeqCstFences fences;
};

class Search {
  public:
    explicit Search(const Litmus& litmus) : litmus_(litmus) {}

    std::set<std::string> outcomes() {
        State start;
        const std::size_t count = litmus_.threads.size();
        start.at.assign(count, 0);
        start.waits.assign(count, false);
        start.clocks.resize(count);
        forget_order();
        for (unsigned t = 0; t < count; ++t) {
            begin(start.clocks[t], t, litmus_.blocks[t], t);
            for (const Instruction& step : litmus_.threads[t]) {
                if (step.is_access()) {
                    start.words[step.word];
                }
                if (step.into != 0 && registers_.find(step.into) == std::string::npos) {
                    registers_ += step.into;
                }
            }
        }
        for (const char word : litmus_.seen) {
            start.words[word];
        }
        explore(start, {});
        return outcomes_.count("race") != 0 ? std::set<std::string>{"race"} : outcomes_;
    }

  private:
    const Instruction* next(const State& state, unsigned thread) const {
        const std::vector<Instruction>& steps = litmus_.threads[thread];
        return state.at[thread] < steps.size() ? &steps[state.at[thread]] : nullptr;
    }

    bool dependent(const Instruction& one, const Instruction& other) const {
        const bool both_fence = (one.order == Order::seq_cst && other.order == Order::seq_cst);
        return both_fence ||
               (one.word == other.word && one.is_access() && !(one.is_load() && other.is_load()));
    }

    void make_local_steps(State& state) const {
        for (bool more = true; more;) {
            more = false;
            for (unsigned t = 0; t < state.at.size(); ++t) {
                const Instruction* step = next(state, t);
                if (step == nullptr || state.waits[t]) {
                    continue;
                }
                if (step->guard != 0) {
                    const auto known = state.registers.find(step->guard);
                    if (known == state.registers.end() ||
                        known->second != static_cast<std::uint64_t>(step->guard_digit - '0')) {
                        ++state.at[t];
                        more = true;
                        continue;
                    }
                }
                if (!step->is_local()) {
                    continue;
                }
                more = true;
                if (step->name == "fence") {
                    fence(state.clocks[t], step->order, step->scope);
                    ++state.at[t];
                } else {
                    state.waits[t] = true;
                    meet_if_all_wait(state, t, step->name);
                }
            }
        }
    }

    void meet_if_all_wait(State& state, unsigned thread, const std::string& barrier) const {
        std::vector<Clocks*> meeting;
        std::vector<unsigned> members;
        for (unsigned t = 0; t < state.at.size(); ++t) {
            const std::vector<Instruction>& steps = litmus_.threads[t];
            bool takes_part = litmus_.blocks[t] == litmus_.blocks[thread];
            if (barrier == "warp") {
                takes_part = takes_part && litmus_.warps[t] == litmus_.warps[thread];
            }
            bool has = false;
            for (const Instruction& step : steps) {
                has = has || step.name == barrier;
            }
            if (!takes_part || !has) {
                continue;
            }
            if (!state.waits[t] || next(state, t)->name != barrier) {
                return;
            }
            meeting.push_back(&state.clocks[t]);
            members.push_back(t);
        }
        synchronize(meeting);
        for (const unsigned t : members) {
            state.waits[t] = false;
            ++state.at[t];
        }
    }

    void explore(State state, std::set<unsigned> asleep) {
        make_local_steps(state);
        bool any = false;
        for (unsigned t = 0; t < state.at.size(); ++t) {
            const Instruction* const step = next(state, t);
            if (step == nullptr || state.waits[t]) {
                continue;
            }
            any = true;
            if (asleep.count(t) != 0) {
                continue;
            }
            std::set<unsigned> still;
            for (const unsigned other : asleep) {
                if (!dependent(*next(state, other), *step)) {
                    still.insert(other);
                }
            }
            if (step->is_access()) {
                access(state, t, *step, still);
            } else {
                State after = state;
                after.fences.pass(after.clocks[t], step->scope);
                ++after.at[t];
                explore(after, still);
            }
            asleep.insert(t);
        }
        if (!any) {
            note_outcome(state);
        }
    }

    std::uint64_t operand(const State& state, const std::string& text) const {
        std::uint64_t sum = 0;
        std::istringstream terms(text);
        for (std::string term; std::getline(terms, term, '+');) {
            if (term[0] >= 'a') {
                const auto known = state.registers.find(term[0]);
                sum += known == state.registers.end() ? 0 : known->second;
            } else {
                sum += std::stoul(term);
            }
        }
        return sum;
    }

    // Goes on with each way in which the access can be made.
    void access(const State& state, unsigned t, const Instruction& step,
                const std::set<unsigned>& asleep) {
        const Word& word = state.words.at(step.word);
        const std::size_t newest = word.stores.size() - 1;
        const std::size_t oldest = step.weak ? newest : word.stores.oldest_for(state.clocks[t]);
        for (std::size_t i = oldest; i <= newest && outcomes_.count("race") == 0; ++i) {
            State after = state;
            if (make_access(after, t, step, i)) {
                ++after.at[t];
                explore(after, asleep);
            }
        }
    }

    // The access with the store at `index`, which it reads or follows; false if it cannot.
    bool make_access(State& state, unsigned t, const Instruction& step, std::size_t index) {
        Word& word = state.words.at(step.word);
        Stores& stores = word.stores;
        Clocks& me = state.clocks[t];
        const Object object = static_cast<Object>(step.word);
        const std::uint64_t found = stores[index].value;
        const bool swaps = step.name != "cas" || found == operand(state, step.operands[0]);
        Done done{
            {t, me.time}, litmus_.blocks[t], step.is_load() || !swaps, !step.weak, step.scope};
        if (step.name == "=") {
            const std::uint64_t value = operand(state, step.operands[0]);
            if (!stores.can_store_after(index)) {
                return false;
            }
            look_for_race(word, me, done);
            if (step.weak) {
                stores.plain_store(me, object, value);
            } else {
                stores.store(me, object, index, value, step.order, step.scope, {});
            }
        } else if (step.is_load() || !swaps) {
            if (!step.weak) {
                stores.load(me, object, index, step.order, step.scope, {});
            }
            look_for_race(word, me, done);
        } else {
            if (!stores.can_update(index)) {
                return false;
            }
            stores.acquire(me, object, index, step.order, step.scope);
            look_for_race(word, me, done);
            const std::uint64_t value =
                operand(state, step.operands.back()) + (step.name == "add" ? found : 0);
            stores.update(me, object, index, value, step.order, step.scope, {});
        }
        if (step.into != 0) {
            state.registers[step.into] = found;
        }
        word.accesses.push_back(done);
        return true;
    }

    void look_for_race(const Word& word, const Clocks& me, const Done& now) {
        for (const Done& before : word.accesses) {
            const Scope needed = before.block == now.block ? Scope::block : Scope::device;
            const bool may_meet =
                before.strong && now.strong && before.scope >= needed && now.scope >= needed;
            bool ordered = me.knows(before.when.slot, before.when.time);
            for (std::size_t i = 0; i < word.stores.size() && !before.reads_only; ++i) {
                const Moment made = word.stores[i].made;
                ordered = ordered ||
                          (!word.stores[i].is_initial && made.slot == before.when.slot &&
                           made.time == before.when.time && word.stores.knows(me, word.stores[i]));
            }
            if (!may_meet && !ordered && !(before.reads_only && now.reads_only)) {
                outcomes_.insert("race");
            }
        }
    }

    void note_outcome(const State& state) {
        std::string text;
        for (const char name : registers_) {
            const auto known = state.registers.find(name);
            text += known == state.registers.end() ? "-" : std::to_string(known->second);
        }
        for (const char name : litmus_.seen) {
            const Stores& stores = state.words.at(name).stores;
            text += std::to_string(stores[stores.size() - 1].value);
        }
        outcomes_.insert(text);
    }

    const Litmus& litmus_;
    std::string registers_;
    std::set<std::string> outcomes_;
};

}  // namespace

int main() {
    std::string line, header;
    while (std::getline(std::cin, line)) {
        if (line.empty() || line[0] == '#') {
            continue;
        }
        if (line[0] != ' ') {
            header = line;
        } else if (!header.empty()) {
            const Litmus litmus = litmus_of(header, line);
            std::printf("%s:", litmus.name.c_str());
            for (const std::string& outcome : Search(litmus).outcomes()) {
                std::printf(" %s", outcome.c_str());
            }
            std::printf("\n");
            header.clear();
        }
    }
    return 0;
}
