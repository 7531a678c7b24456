// Runs the program again and again, each time in a process of its own that is forked before main(),
// and repeats the choices of the run before it up to the last point at which another choice is
// left: who goes on, and which store an access takes. Sleep sets (Godefroid, "Partial-Order Methods
// for the Verification of Concurrent Systems", 1996) leave out orders that differ in independent
// steps only, which are those on different words.
#include "race/outcomes.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "race/outcome_choices.hpp"
#include "race/places.hpp"
#include "race/plan.hpp"
#include "race/run.hpp"
#include "race/words.hpp"

namespace cpu_device::race {
namespace {

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

    std::size_t choose_value(std::size_t count) override {
        Wait& wait = waits_[running->slot];
        const bool loops = wait.times > 1 && wait.word == stopped_at_[running->slot] &&
                           wait.writes == words_[wait.word].writes;
        std::size_t taken = 0;
        if (count > 1 && !loops && shared->with_old_values) {
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
        for (std::size_t i = 0; i < taken; ++i) {
            asleep_[choice.slots[i]] = choice.words[i];
        }
        asleep_.erase(choice.slots[taken]);
        for (auto it = asleep_.begin(); it != asleep_.end();) {
            it = it->second == choice.words[taken] ? asleep_.erase(it) : std::next(it);
        }
        waits_[choice.slots[taken]].waits = false;
        return can_go.at(choice.slots[taken]);
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
};

// --- the process that counts ------------------------------------------------------------------

std::string contents(std::FILE* file) {
    std::string text;
    std::rewind(file);
    for (int c; (c = std::fgetc(file)) != EOF;) {
        text += static_cast<char>(c);
    }
    return text;
}

// One run in a process of its own, which returns from here into main(): then true.
bool is_child(Shared& state, std::string& output) {
    std::FILE* const file = std::tmpfile();
    state.is_asleep = state.has_new_word = false;
    state.text_bytes = 0;
    const pid_t child = file == nullptr ? -1 : fork();
    if (child == 0) {
        dup2(fileno(file), STDOUT_FILENO);
        if (std::freopen("/dev/null", "w", stderr) == nullptr) {
            _exit(1);
        }
        alarm(20);  // a run without end
        shared = &state;
        return true;
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child) {
        std::perror("RACE_OUTCOMES: cannot run the program");
        _exit(1);
    }
    output = contents(file);
    std::fclose(file);
    if (WIFSIGNALED(status)) {
        output += "(ended by signal " + std::to_string(WTERMSIG(status)) + ")\n";
    } else if (WEXITSTATUS(status) != 0) {
        output += "(ended with status " + std::to_string(WEXITSTATUS(status)) + ")\n";
    }
    return false;
}

// Of CPU time: on a busy machine as many executions are tried as on an idle one.
double seconds_of_children() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    const auto whole = used.ru_utime.tv_sec + used.ru_stime.tv_sec;
    const auto micro = used.ru_utime.tv_usec + used.ru_stime.tv_usec;
    return static_cast<double>(whole) + 1e-6 * static_cast<double>(micro);
}

struct Search {
    struct Found {
        std::size_t runs = 0;
        std::string story;
    };
    std::map<std::string, Found> outcomes;
    std::size_t runs = 0;
    bool is_complete = true;
};

// Tries all choices; without `usual`, those in which each access finds the newest store. Outcomes
// that are not in `usual` get a story. True in a child.
bool search(Shared& state, const Search* usual, double seconds, Search& result) {
    const double begin = seconds_of_children();
    state.with_old_values = usual != nullptr;
    state.choices = 0;
    for (bool more = true; more;) {
        std::string output;
        state.is_told = false;
        if (is_child(state, output)) {
            return true;
        }
        if (state.has_new_word) {
            state.choices = 0;
            result = {};
            continue;
        }
        if (state.is_too_large || seconds_of_children() - begin > seconds) {
            result.is_complete = false;
            return false;
        }
        if (!state.is_asleep) {
            ++result.runs;
            Search::Found& found = result.outcomes[output];
            if (++found.runs == 1 && (usual == nullptr || usual->outcomes.count(output) == 0)) {
                state.is_told = true;
                if (is_child(state, output)) {
                    return true;
                }
                found.story.assign(state.text, state.text_bytes);
            }
        }
        more = advance(state);
    }
    return false;
}

std::string counted(std::size_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

void print(const Search& all, const Search& whole_steps) {
    std::printf("%s in %s; there are %s\n",
                counted(all.outcomes.size(), "different outcome").c_str(),
                counted(all.runs, "execution").c_str(), all.is_complete ? "no more" : "more");
    std::size_t number = 0;
    for (const auto& [output, found] : all.outcomes) {
        const auto usual = whole_steps.outcomes.find(output);
        const bool is_usual = usual != whole_steps.outcomes.end();
        const char* const mark = is_usual ? ""
                                 : whole_steps.is_complete
                                     ? ": no order of whole steps gives it"
                                     : ": no order of whole steps tried gave it";
        std::printf("\noutcome %zu, in %s%s\n%s  %s:\n%s", ++number,
                    counted(found.runs, "execution").c_str(), mark, output.c_str(),
                    found.runs == 1 ? "this one" : "one of them",
                    (is_usual ? usual->second : found).story.c_str());
    }
    std::fflush(stdout);
}

// Before main().
__attribute__((constructor)) void explore() {
    const char* const wanted = std::getenv("RACE_OUTCOMES");
    if (wanted == nullptr) {
        return;
    }
    char* end = nullptr;
    const double seconds = std::strtod(wanted, &end);
    if (*wanted == '\0' || *end != '\0' || !(seconds > 0 && seconds <= 86400)) {
        std::fprintf(stderr, "RACE_OUTCOMES: expected a number of seconds, got '%s'\n", wanted);
        _exit(2);
    }
    void* const memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        std::perror("RACE_OUTCOMES: no memory");
        _exit(1);
    }
    Shared& state = *static_cast<Shared*>(memory);
    Search all, whole_steps;
    if (search(state, nullptr, seconds, whole_steps) || search(state, &whole_steps, seconds, all)) {
        return;
    }
    print(all, whole_steps);
    _exit(0);
}

}  // namespace

bool explores_outcomes() {
    return shared != nullptr;
}

void begin_outcomes_launch() {
    if (shared != nullptr) {
        static Explorer& explorer = *new Explorer;  // of the process, until it ends
        explorer.begin_launch();
        plan = &explorer;
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
                    ? ", an old value (" + counted(newer, "newer store") + ")"
                    : ", ordered before " + counted(newer, "store") + " made earlier";
    }
    line += "   (" + place_of(where) + ")\n";
    const std::size_t bytes = std::min(Shared::most_text - shared->text_bytes, line.size());
    std::memcpy(shared->text + shared->text_bytes, line.data(), bytes);
    shared->text_bytes += bytes;
}

}  // namespace cpu_device::race
