#include "race/outcome_plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "race/places.hpp"
#include "race/plan.hpp"
#include "race/run.hpp"
#include "race/tracing.hpp"
#include "race/tree_trace.hpp"
#include "race/words.hpp"

namespace cpu_device::race {
namespace {

int path_file = -1;        // where the run leaves its path of a tree
Shared* shared = nullptr;  // null: outcomes are not explored, or this is the process that counts

[[noreturn]] void end_run(bool& why) {
    why = true;
    _exit(0);
}

class Explorer : public Plan {
  public:
    Explorer() : shared_words_(shared->word, shared->word + shared->words) {}

    void begin_launch() {
        waits_.clear();
        asleep_.clear();
    }

    bool stops_before(const volatile void* address) override {
        stopped_at_[running->slot] = word_of(address);
        return shared_words_.count(word_of(address)) > 0;
    }

    void accesses(const volatile void* address, AtomicKind kind) override {
        Word& word = words_[word_of(address)];
        word.users.insert(running->slot);
        word.writes += kind == AtomicKind::load ? 0 : 1;
        if (word.users.size() > 1 && word.writes > 0 &&
            shared_words_.count(word_of(address)) == 0) {
            // Threads have passed it without a choice: the search begins anew.
            if (shared->words == Shared::most_words) {
                end_run(shared->is_too_large);
            }
            shared->word[shared->words++] = word_of(address);
            end_run(shared->has_new_word);
        }
    }

    // A load in a loop: after two that found the same the next one reads the newest store.
    void reads_in_vain(const volatile void* address) override {
        Wait& wait = waits_[running->slot];
        const std::size_t writes = words_[word_of(address)].writes;
        const bool again = wait.word == word_of(address) && wait.writes == writes;
        wait.times = again ? wait.times + 1 : 1;
        wait.waits = wait.times > 1 && wait.found_newest;
        wait.word = word_of(address);
        wait.writes = writes;
    }
    void gives_way() override {
        Wait& wait = waits_[running->slot];
        wait.waits = wait.found_newest;
    }

    // In a tree each store comes after all that were made before it, so that a word has one value.
    std::size_t choose_value(std::size_t count, AtomicKind kind) override {
        Wait& wait = waits_[running->slot];
        const bool loops = wait.times > 1 && wait.word == stopped_at_[running->slot] &&
                           wait.writes == words_[wait.word].writes;
        std::size_t taken = 0;
        const bool may_choose = kind == AtomicKind::load || !shared->for_tree;
        if (count > 1 && !loops && may_choose && shared->with_old_values) {
            Choice& choice = next_choice(false, std::min(count, Choice::most));
            taken = choice.taken;
        }
        wait.found_newest = taken == 0;
        return taken;
    }

    std::size_t choose(const std::vector<const Clocks*>& stopped) override {
        std::map<unsigned, std::size_t> can_go;
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
        if (can_go.size() > Choice::most) {
            end_run(shared->is_too_large);
        }
        const bool is_new = at_ == shared->choices;
        Choice& choice = next_choice(true, can_go.size());
        if (is_new) {
            fill(choice, can_go);
        }
        const std::size_t taken = choice.taken;
        for (std::size_t i = 0; i < taken && !shared->for_tree; ++i) {
            asleep_[choice.slots[i]] = choice.words[i];
        }
        asleep_.erase(choice.slots[taken]);
        for (auto it = asleep_.begin(); it != asleep_.end();) {
            it = it->second == choice.words[taken] ? asleep_.erase(it) : std::next(it);
        }
        waits_[choice.slots[taken]].waits = false;
        return can_go.at(choice.slots[taken]);
    }

    // The launch that has ended last goes into the tree.
    void hand_over_launch() {
        add_steps_of_launch(
            path_,
            [&](std::size_t word) {
                return shared_words_.count(word_of(address_of(word * 4))) > 0;
            },
            true);
        if (run.launch != nullptr && run.launch->is_stuck) {
            add_waiting();
        }
        hand_over(path_file, path_);
    }

  private:
    struct Word {
        std::set<unsigned> users;
        std::size_t writes = 0;
    };
    struct Wait {
        bool waits = false, found_newest = true;
        WordAddress word = 0;
        std::size_t writes = 0, times = 0;
    };

    void add_waiting() {
        for (const auto& block : run.launch->resident) {
            for (const Thread& thread : block->threads) {
                const Clocks& one = block->clocks[thread.number];
                if (thread.state != State::ended) {
                    path_.waiting.push_back(path_.lists.thread(
                        {"kernel", name_of(one.block, one.thread), path_.lists.launches.size() - 1,
                         one.block, one.thread}));
                }
            }
        }
    }

    static WordAddress word_of(const volatile void* address) {
        return reinterpret_cast<std::uintptr_t>(address) / 4;
    }

    Choice& next_choice(bool of_threads, std::size_t count) {
        if (at_ == Shared::most_choices) {
            end_run(shared->is_too_large);
        }
        Choice& choice = shared->choice[at_];
        if (at_++ == shared->choices) {
            ++shared->choices;
            choice.of_threads = of_threads;
            choice.count = static_cast<std::uint8_t>(count);
            choice.taken = 0;
            choice.asleep = 0;
        }
        return choice;
    }

    void fill(Choice& choice, const std::map<unsigned, std::size_t>& can_go) {
        std::size_t i = 0;
        for (const auto& [slot, index] : can_go) {
            choice.slots[i] = slot;
            choice.words[i] = stopped_at_[slot];
            if (asleep_.count(slot) != 0) {
                choice.asleep = static_cast<std::uint16_t>(choice.asleep | 1u << i);
            }
            ++i;
        }
        while (choice.taken < choice.count && (choice.asleep >> choice.taken & 1) != 0) {
            ++choice.taken;
        }
        if (choice.taken == choice.count) {
            --shared->choices;
            end_run(shared->is_asleep);
        }
    }

    const std::set<WordAddress> shared_words_;
    std::map<WordAddress, Word> words_;
    std::map<unsigned, Wait> waits_;
    std::map<unsigned, WordAddress> stopped_at_, asleep_;
    std::size_t at_ = 0;
    TreePath path_;
};
Explorer* explorer = nullptr;  // of the process, until it ends
bool launch_is_open = false;   // its steps have not been handed over

}  // namespace

void explore_here(Shared& state, int file) {
    shared = &state;
    path_file = file;
}

bool explores_outcomes() {
    return shared != nullptr;
}

void begin_outcomes_launch() {
    if (shared != nullptr) {
        explorer = explorer == nullptr ? new Explorer : explorer;
        explorer->begin_launch();
        plan = explorer;
        if (shared->for_tree) {
            record_for_tree();
            launch_is_open = true;
        }
    }
}

void end_outcomes_launch() {
    if (launch_is_open) {
        launch_is_open = false;
        tracing->finish();
        explorer->hand_over_launch();
    }
}

void tell_step(const Clocks& me, AtomicKind kind, std::uint64_t found, std::size_t newer,
               Where where) {
    if (!shared->is_told) {
        return;
    }
    constexpr const char* verbs[] = {" reads ", " writes", " updates "};
    std::string line = "    " + name_of(me.block, me.thread) + verbs[static_cast<int>(kind)];
    line += kind == AtomicKind::store ? "" : std::to_string(static_cast<std::int64_t>(found));
    if (newer > 0) {
        line += kind == AtomicKind::load
                    ? ", an old value (" + std::to_string(newer) +
                          (newer == 1 ? " newer store" : " newer stores") + ")"
                    : ", ordered before " + std::to_string(newer) +
                          (newer == 1 ? " store" : " stores") + " made earlier";
    }
    line += "   (" + place_of(where) + ")\n";
    const std::size_t bytes = std::min(Shared::most_text - shared->text_bytes, line.size());
    std::memcpy(shared->text + shared->text_bytes, line.data(), bytes);
    shared->text_bytes += bytes;
}

}  // namespace cpu_device::race
