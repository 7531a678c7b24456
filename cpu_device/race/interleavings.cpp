// All interleavings of a tiny launch, by depth-first search: each run repeats the choices of the
// one before it up to the last point at which another thread is left to be tried.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cpu_device/race.h"
#include "race/plan.hpp"
#include "race/run.hpp"
#include "race/tracing.hpp"
#include "race/tree_trace.hpp"

namespace cpu_device::race {
namespace {

// Accesses are told apart by the 4-byte word in which they begin.
using WordAddress = std::uintptr_t;

WordAddress word_of(const volatile void* address) {
    return reinterpret_cast<std::uintptr_t>(address) / 4;
}

class OrderSearch : public Plan {
  public:
    void begin_run() {
        next_choice_ = 0;
        steps_.clear();
        words_.clear();
        waits_.clear();
    }

    // Sets the choices for the next run; false if all have been tried.
    bool advance() {
        while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().of) {
            choices_.pop_back();
        }
        if (choices_.empty()) {
            return false;
        }
        ++choices_.back().taken;
        return true;
    }

    // Has the run shown a word to be shared that was not known to be? Then threads have passed it
    // without a choice, and the search begins anew.
    bool found_shared_words() {
        const std::size_t known = shared_.size();
        for (const auto& [address, word] : words_) {
            if (word.users.size() > 1 && word.writes > 0) {
                shared_.insert(address);
            }
        }
        if (shared_.size() == known) {
            return false;
        }
        choices_.clear();
        return true;
    }

    const std::vector<Step>& steps() const { return steps_; }
    bool is_shared(std::size_t word) const {
        return shared_.count(word_of(address_of(word * 4))) > 0;
    }

    bool stops_before(const volatile void* address) override {
        stopped_at_[running->slot] = word_of(address);
        return shared_.count(word_of(address)) > 0;
    }

    void accesses(const volatile void* address, AtomicKind kind) override {
        Word& word = words_[word_of(address)];
        word.users.insert(running->slot);
        word.writes += kind == AtomicKind::load ? 0 : 1;
        if (shared_.count(word_of(address)) > 0) {
            constexpr char letters[] = {'R', 'W', 'U'};
            steps_.push_back({running->slot, letters[static_cast<int>(kind)], address});
        }
    }

    void reads_in_vain(const volatile void* address) override {
        Wait& wait = waits_[running->slot];
        const std::size_t writes = words_[word_of(address)].writes;
        wait.waits = wait.word == word_of(address) && wait.writes == writes;  // found the same
        wait.word = word_of(address);
        wait.writes = writes;
    }

    void gives_way() override { waits_[running->slot].waits = true; }

    std::size_t choose(const std::vector<const Clocks*>& stopped) override {
        std::map<unsigned, std::size_t> can_go;  // by slot, so that the order is always the same
        for (std::size_t i = 0; i < stopped.size(); ++i) {
            const unsigned slot = stopped[i]->slot;
            const Wait& wait = waits_[slot];
            if (!wait.waits || wait.word != stopped_at_[slot] ||
                wait.writes != words_[wait.word].writes) {
                can_go[slot] = i;
            }
        }
        if (can_go.empty()) {
            return none;
        }
        if (next_choice_ == choices_.size()) {
            choices_.push_back({0, can_go.size()});
        }
        auto taken = can_go.begin();
        std::advance(taken, choices_[next_choice_++].taken);
        waits_[taken->first].waits = false;
        return taken->second;
    }

  private:
    struct Choice {
        std::size_t taken, of;
    };
    struct Word {
        std::set<unsigned> users;
        std::size_t writes = 0;
    };
    // A thread has read a word in vain, when it had been written so often; it comes back when that
    // has changed.
    struct Wait {
        bool waits = false;
        WordAddress word = 0;
        std::size_t writes = 0;
    };

    std::vector<Choice> choices_;
    std::size_t next_choice_ = 0;
    std::set<WordAddress> shared_;
    std::map<WordAddress, Word> words_;  // of this run
    std::map<unsigned, Wait> waits_;
    std::map<unsigned, WordAddress> stopped_at_;
    std::vector<Step> steps_;
};

struct Outcome {
    std::vector<std::string> lines;
    bool is_right = true;
};
Outcome& outcome = *new Outcome;  // of the order that was told last

}  // namespace

void tell_outcome(const std::vector<std::string>& lines, bool is_right) {
    outcome = {lines, is_right};
}

std::size_t for_each_interleaving(const std::function<void()>& launch,
                                  const std::function<void(const std::vector<Step>&)>& done,
                                  const std::string& name) {
    const bool with_tree = wants_tree();
    if (with_tree && tracing == nullptr) {
        clear_tree_file();
        record_for_tree();
    }
    TreeTrace tree(name);
    OrderSearch search;
    plan = &search;
    const auto run_once = [&] {
        search.begin_run();
        launch();
    };
    // First until no run shows a new shared word, then once more to tell of them.
    bool more = true;
    while (more) {
        run_once();
        more = search.found_shared_words() || search.advance();
    }
    std::size_t count = 0;
    do {
        run_once();
        ++count;
        done(search.steps());
        if (with_tree) {
            TreePath path;
            add_steps_of_launch(
                path, [&](std::size_t word) { return search.is_shared(word); }, false);
            tree.add(std::move(path), {outcome.lines, outcome.is_right});
        }
    } while (search.advance());
    plan = nullptr;
    if (with_tree) {
        tree.write(true);
    }
    return count;
}

}  // namespace cpu_device::race
