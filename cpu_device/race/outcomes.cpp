// All outcomes of a program with small kernels: RACE_OUTCOMES=SECONDS in the environment.
//
// Runs the program again and again, each time in a process of its own that is forked before main(),
// and repeats the choices of the run before it up to the last point at which another choice is
// left: who goes on, and which store an access takes. Sleep sets (Godefroid, "Partial-Order Methods
// for the Verification of Concurrent Systems", 1996) leave out orders that differ in independent
// steps only, which are those on different words.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "race/outcome_plan.hpp"
#include "race/tree_trace.hpp"

namespace cpu_device::race {
namespace {

int file_of_path = -1;  // where a run leaves its path of the tree

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
        explore_here(state, file_of_path);
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
// that are not in `usual` get a story. `done` is told each output, and whether to go on. True in a
// child.
bool search(
    Shared& state, const Search* usual, double seconds, Search& result,
    const std::function<bool(const std::string&)>& done = [](const std::string&) { return true; }) {
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
            if (!done(output)) {
                result.is_complete = false;
                return false;
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

// Of what is_child() gives as a run's output.
TreeOutcome outcome_of(const std::string& output) {
    TreeOutcome outcome;
    for (std::size_t begin = 0; begin < output.size();) {
        const std::size_t end = std::min(output.find('\n', begin), output.size());
        outcome.lines.push_back(output.substr(begin, end - begin));
        begin = end + 1;
    }
    if (!outcome.lines.empty() &&
        std::sscanf(outcome.lines.back().c_str(), "(ended with status %d)", &outcome.status) == 1) {
        outcome.lines.pop_back();
    }
    return outcome;
}

// All executions once more, now each order of the steps, with the path of each: RACE_TREE gets the
// tree. It is complete if it has each outcome that was found before. True in a child.
bool grow_tree(Shared& state, const Search& all, const Search& whole_steps, double seconds) {
    constexpr std::size_t most_nodes = 20000;
    std::FILE* const file = std::tmpfile();
    if (file == nullptr) {
        std::perror("RACE_TREE: no temporary file");
        _exit(1);
    }
    file_of_path = fileno(file);
    state.for_tree = true;
    TreeTrace tree(program_invocation_short_name);
    std::set<std::string> found;
    bool lacks = false;
    Search orders;
    const auto grow = [&](const std::string& output) {
        if (orders.runs == 1) {  // the search has begun, maybe anew
            tree = TreeTrace(program_invocation_short_name);
            found.clear();
            lacks = false;
        }
        TreePath path;
        TreeOutcome outcome = outcome_of(output);
        outcome.only_stale = whole_steps.outcomes.count(output) == 0 && whole_steps.is_complete;
        const bool is_there = take_over(file_of_path, path);
        outcome.is_stuck = !path.waiting.empty();
        if (is_there && tree.add(std::move(path), std::move(outcome))) {
            found.insert(output);
        } else {
            lacks = true;
        }
        return tree.nodes() < most_nodes;
    };
    if (search(state, &all, seconds, orders, grow)) {
        return true;
    }
    if (tree.nodes() == 1) {
        std::fprintf(
            stderr,
            "RACE_TREE: there is no tree: no threads share a word, or the host changes one "
            "between two launches\n");
        _exit(1);
    }
    const bool has_all = std::all_of(all.outcomes.begin(), all.outcomes.end(),
                                     [&](const auto& one) { return found.count(one.first) > 0; });
    tree.write(orders.is_complete && all.is_complete && !lacks && has_all);
    return false;
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
    if (wants_tree()) {
        clear_tree_file();
    }
    Shared& state = *static_cast<Shared*>(memory);
    Search all, whole_steps;
    if (search(state, nullptr, seconds, whole_steps) || search(state, &whole_steps, seconds, all)) {
        return;
    }
    print(all, whole_steps);
    if (wants_tree() && grow_tree(state, all, whole_steps, seconds)) {
        return;
    }
    _exit(0);
}

}  // namespace
}  // namespace cpu_device::race
