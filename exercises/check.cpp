// The program that checks one exercise. Usage: PROGRAM SOURCE [VERDICT [WORDS]]: the learner's
// file, the file for the verdict, and a file with the words of the learner's code, each on a line
// with its line's number before it. Without VERDICT the verdict goes to the standard output, as do
// prints of kernels. Without WORDS no word is refused. VERDICT may be &N, for the socket with that
// number: there the program first reads a line with a secret, which it tells with the verdict
// "solved", with a number by which the data of the check are drawn, and with how many words of
// arguments the learner's function gets on the stack: -1 if it must not be confined to its own
// memory.
//
// The verdict has a row for each thing that must hold, and for the first that does not what was
// found. The last line is then "verdict: KIND", for scripts/learn. The program ends with 0 if all
// holds, with 1 if not, and with 77 if it was built for a GPU and there is none; a report after
// which a kernel cannot go on ends it earlier.
#include "exercises/check.hpp"

#include <fcntl.h>
#include <printf.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <random>

#ifdef CPU_DEVICE_RACE
#include "cpu_device/race.h"
#endif

namespace exercises {

namespace {

const char* source_name = "";
const char* words_name = "";
std::FILE* verdict = stdout;
std::string secret;
std::uint32_t data_seed = 0;
bool has_data_seed = false;
int stack_arguments = -1;
std::uint32_t runs = 0;  // of the learner's function
std::vector<int> noted_order;
bool starts_with_least = false;  // each of them is turned so

// Of &N; returns false if there is no such socket, or no line in it.
bool open_socket(const char* number) {
    const int socket = std::atoi(number);
    char line[128];
    ssize_t bytes = 0;
    for (; bytes < static_cast<ssize_t>(sizeof line) - 1; ++bytes) {
        if (::read(socket, line + bytes, 1) != 1 || line[bytes] == '\n') {
            break;
        }
    }
    line[bytes] = '\0';
    char word[64] = "";
    has_data_seed = std::sscanf(line, "%63s %u %d", word, &data_seed, &stack_arguments) == 3;
    secret = std::string(" ") + word;
    verdict = has_data_seed ? ::fdopen(socket, "w") : nullptr;
    return verdict != nullptr;
}

void begin_row(const std::string& what) {
    std::fprintf(verdict, "  %-52s", what.c_str());
    std::fflush(verdict);
}
void end_row(const char* said = "yes") {
    std::fprintf(verdict, " %s\n", said);
}

std::string case_text(int n, int block_size) {
    return exercise.sizes.size() == 1 && exercise.block_sizes.size() == 1
               ? ""
               : "n = " + std::to_string(n) + ", blocks of " + std::to_string(block_size) +
                     (block_size == 1 ? " thread: " : " threads: ");
}

#ifdef CPU_DEVICE_RACE
namespace race = cpu_device::race;

// The sections that scripts/grade makes of the learner's object, by the linker.
extern "C" {
#define ANSWER_SECTION(name)                                 \
    [[gnu::weak]] extern const char __start_answer_##name[]; \
    [[gnu::weak]] extern const char __stop_answer_##name[];
ANSWER_SECTION(code)
ANSWER_SECTION(data)
ANSWER_SECTION(bss)
ANSWER_SECTION(constants)
}

void confine_answer() {
    if (stack_arguments >= 0) {
        race::confine({__start_answer_code, __stop_answer_code},
                      {{__start_answer_data, __stop_answer_data},
                       {__start_answer_bss, __stop_answer_bss},
                       {__start_answer_constants, __stop_answer_constants}},
                      static_cast<unsigned>(stack_arguments));
    }
}

// Throws if race mode has reported anything since the last case; `wrong`: what the check says too.
void throw_report(const std::string& wrong) {
    if (race::reports() == 0) {
        return;
    }
    std::string text = race::reports_text();
    text.erase(0, text.find_first_not_of('\n'));
    text.erase(std::min(text.size(), text.find("\n\n")));  // the first report is enough
    std::string kind = text.substr(0, text.find(" in "));
    std::transform(kind.begin(), kind.end(), kind.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    throw Wrong{kind, wrong + (wrong.empty() ? "" : "\n\n") + text};
}
#endif

// One case, with all that can be said of it.
void run_case(int n, int block_size) {
    Wrong wrong;
    ++runs;
    noted_order.clear();
    try {
        exercise.run(n, block_size);
    } catch (const Wrong& found) {
        wrong = found;
    }
    // A refused launch is the reason for all that the comparison finds.
    if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
        wrong = {"launch", std::string("A launch or another call of CUDA was refused: ") +
                               cudaGetErrorString(error) + "."};
    }
    if (!wrong.kind.empty() && !wrong.of_any_case) {
        wrong.text = case_text(n, block_size) + wrong.text;
    }
#ifdef CPU_DEVICE_RACE
    throw_report(wrong.text);
#endif
    if (!wrong.kind.empty()) {
        throw Wrong{wrong.kind, wrong.text};
    }
}

int largest_size() {
    return *std::max_element(exercise.sizes.begin(), exercise.sizes.end());
}

// Other ones at each check.
int draw(int low, int high) {
    static std::mt19937 generator(
        has_data_seed
            ? data_seed
            : static_cast<unsigned>(std::chrono::system_clock::now().time_since_epoch().count()));
    return low + static_cast<int>(generator() % static_cast<unsigned>(high - low + 1));
}

// The same size by fewer blocks, if they were more than the exercise allows.
Case with_no_more_blocks(const Case& one) {
    return {one.n, std::max(one.block_size, (one.n - 1) / exercise.most_blocks + 1)};
}

// So that no answer is right for the sizes of the list alone.
Case draw_case(int least_n, int most_n) {
    const std::vector<int>& listed = exercise.block_sizes;
    const auto [least, most] = std::minmax_element(listed.begin(), listed.end());
    const auto all = [&](const std::function<bool(int)>& hold) {
        return std::all_of(listed.begin(), listed.end(), hold);
    };
    const int step = all([](int size) { return size % 32 == 0; }) ? 32 : 1;
    const bool any = !all([](int size) { return (size & (size - 1)) == 0; });
    const int n = draw(least_n, most_n);
    const int place = draw(0, static_cast<int>(listed.size()) - 1);
    return with_no_more_blocks(
        {n, any ? step * draw(*least / step, *most / step) : listed[static_cast<unsigned>(place)]});
}

int most_drawn() {
    const int largest = largest_size();
    return largest >= 1000 ? 2200 : largest;  // more than a block can have threads
}

// At most `most`, unless all that may be are larger; more than `least`, and odd, if some may be.
int draw_block_size(int most, int least = 0, bool odd = false) {
    for (int attempt = 0; attempt < 100; ++attempt) {
        const int any = draw_case(2, 2).block_size;
        const bool fits = any > least && (!odd || any % 2 == 1);
        if (any <= most && (fits || attempt >= 50)) {
            return any;
        }
    }
    return *std::min_element(exercise.block_sizes.begin(), exercise.block_sizes.end());
}

std::vector<Case> drawn_cases() {
    if (exercise.sizes.size() == 1) {
        return {};
    }
    const int half = std::min(largest_size(), most_drawn()) / 2;
    const Case small = draw_case(2, half), large = draw_case(half, most_drawn());
    // More blocks than those of the list; of 32 threads, more than two for each lane of a warp.
    const std::vector<int>& listed = exercise.block_sizes;
    const auto [least, most] = std::minmax_element(listed.begin(), listed.end());
    const int nearly_all = most_drawn() - most_drawn() / 15;
    std::vector<Case> cases = {small, large,
                               with_no_more_blocks({draw(nearly_all, most_drawn()), *least})};
    if (*most <= nearly_all) {  // and blocks that are as large as can be, and full
        cases.push_back({draw(nearly_all, most_drawn()), *most});
    }
    // One block that is full, and two.
    const int block_size = draw_block_size(most_drawn() / 2);
    for (const int n : {block_size, 2 * block_size}) {
        if (n <= most_drawn()) {
            cases.push_back(with_no_more_blocks({n, block_size}));
        }
    }
    return cases;
}

#ifdef CPU_DEVICE_RACE
// One of those that are tried in other rows: so an answer that knows them does not know in which of
// them it must be patient.
Case draw_known_case(int least_n) {
    std::vector<Case> known = exercise.race_cases;
    for (const int n : exercise.sizes) {
        for (const int block_size : exercise.block_sizes) {
            known.push_back({n, block_size});
        }
    }
    known.erase(std::remove_if(known.begin(), known.end(),
                               [=](const Case& one) { return one.n < least_n; }),
                known.end());
    const int last = static_cast<int>(known.size()) - 1;
    return known[static_cast<unsigned>(draw(0, last))];
}
#endif

// Of a crowded case one block may do all before the next one starts.
enum class CaseKind { listed, drawn, crowded };

#ifdef CPU_DEVICE_RACE
// What the cases have cost.
struct CountedCase {
    Case one;
    Counts counts;
    CaseKind kind;
    bool is_large;
};
std::vector<CountedCase> counted_cases;

bool is_large(int n) {
    return n == largest_size() || n >= 1000;
}

// So that what a run costs is mostly what its elements cost.
bool is_counted(int n) {
    return exercise.count && 2 * n >= largest_size();
}

void run_and_count(int n, int block_size, CaseKind kind = CaseKind::listed) {
    race::begin_counting();
    run_case(n, block_size);
    counted_cases.push_back(
        {{n, block_size}, race::end_counting(), kind, kind == CaseKind::listed && is_large(n)});
}

// Says of which case the counts are.
template <typename Look>
void look_at_counts(const Look& look, const Counts& counts, const Case& one) {
    try {
        look(counts, one.n, one.block_size);
    } catch (const Wrong& wrong) {
        throw Wrong{wrong.kind, case_text(one.n, one.block_size) + wrong.text};
    }
}

// A row of the verdict and the runs that it is about. An answer may count its calls, and be right
// in some alone: so the grader makes these runs at drawn places. What one has found is kept until
// the row is told.
struct Row {
    std::string name;
    bool wants_patience = false;  // an answer must be right however long others are first
    std::vector<std::function<void()>> runs = {};
    std::size_t done = 0;
    std::exception_ptr wrong = nullptr;
};

void run_next(Row& row) {
    if (row.wrong) {
        return;
    }
    try {
        row.runs[row.done++]();
    } catch (const Wrong&) {
        race::make_last_slow(false);
        race::let_others_be_first(nullptr, 0);
        row.wrong = std::current_exception();
    }
}

// What follows the results: see look_for_races().
std::vector<Row> rows;
bool is_early = false;  // then no counts of the cases are there

// For places of runs.
std::mt19937& secret_generator() {
    static std::seed_seq secret_number{data_seed,
                                       std::uint32_t{0x706c6163}};  // not that of the data
    static std::mt19937 generator(secret_number);
    return generator;
}

// Some runs of the rows that want patience come while the results are looked at, one before all.
void run_some_early() {
    if (!has_data_seed) {
        return;
    }
    is_early = true;
    for (Row& row : rows) {
        if (row.wants_patience && 2 * row.done < row.runs.size() &&
            (row.done == 0 || secret_generator()() % 6 == 0)) {
            run_next(row);
        }
    }
    race::set_seed(1);
    is_early = false;
}

// Calls `look` with the counts of each large case of the list; with `more` of the large drawn ones,
// too, or of all.
enum class More { none, drawn, all };
template <typename Look>
void for_each_count(const Look& look, More more = More::none) {
    for (const CountedCase& counted : counted_cases) {
        const bool is_drawn =
            counted.kind == CaseKind::drawn && 2 * counted.one.n >= largest_size();
        if (counted.is_large || more == More::all || (more == More::drawn && is_drawn)) {
            look_at_counts(look, counted.counts, counted.one);
        }
    }
}
#else
void run_some_early() {}

void run_and_count(int n, int block_size, CaseKind = CaseKind::listed) {
    run_case(n, block_size);
}
#endif

#ifdef CPU_DEVICE_RACE
constexpr std::uint64_t first_block_first = 1, last_block_first = 8;  // so is it with this seed

// No block may wait for one that has not started. Here one block has a place, or two have: so also
// one block that waits for all others is found.
void let_few_blocks_have_a_place() {
    const auto run_here = [](int n, int block_size, std::uint64_t seed) {
        race::set_seed(seed);
        race::begin_counting();
        run_case(n, block_size);
        race::end_counting();
    };
    // A kernel that knows how many blocks there are, and of which size, may wait in some grids
    // alone.
    std::vector<Case> cases;
    for (const int n : exercise.sizes) {
        for (const int block_size : exercise.block_sizes) {
            if (n > block_size || exercise.sizes.size() == 1) {
                cases.push_back({n, block_size});
            }
        }
    }
    const int smallest =
        *std::min_element(exercise.block_sizes.begin(), exercise.block_sizes.end());
    struct Blocks {
        int least, most;
    };
    for (const Blocks blocks : {Blocks{2, 2}, {3, 8}, {9, 20}, {21, 33}, {34, most_drawn()}}) {
        const int largest = (most_drawn() - 1) / (blocks.least - 1);  // with one thread in the last
        for (const int block_size :
             {draw_block_size(largest, largest / 2), draw_block_size(largest, 0, true), smallest}) {
            const int most = std::min(blocks.most * block_size, most_drawn());
            cases.push_back(
                {draw(std::min((blocks.least - 1) * block_size + 1, most), most), block_size});
        }
    }
    // With two places a block that waits for its neighbor goes on; with one, it does not: with that
    // one the first block may wait for the last, or the last for the first.
    for (std::size_t i = 0; i < cases.size(); ++i) {
        race::set_room_for_blocks(1);
        run_here(cases[i].n, cases[i].block_size, first_block_first);
        run_here(cases[i].n, cases[i].block_size, last_block_first);
        race::set_room_for_blocks(2);
        run_here(cases[i].n, cases[i].block_size,
                 i % 2 == 0 ? first_block_first : last_block_first);
    }
    race::set_room_for_blocks(0);
}

// Where blocks may wait, it is for those that have started. With blocks of more than 512 threads
// race mode starts a block when the one before has ended, or waits; and it has room for 15 blocks
// that wait. With every eighth order of the threads the last block starts first.
void look_for_blocks_without_place() {
    if (!exercise.blocks_wait) {
        return;
    }
    const int block_size = draw(513, 600);
    begin_row("right whichever block starts first");
    race::set_seed(last_block_first);
    race::forget();
    run_and_count(random_numbers(1, 90 * block_size, 100 * block_size)[0], block_size,
                  CaseKind::crowded);
    let_few_blocks_have_a_place();
    end_row();
}
#endif

template <typename Run>
void run_drawn(const Case& one, const Run& run) {
    try {
        run();
    } catch (const Wrong& wrong) {
        throw Wrong{wrong.kind, "Drawn for this check: n = " + std::to_string(one.n) +
                                    ", blocks of " + std::to_string(one.block_size) + ".\n\n" +
                                    wrong.text};
    }
}

void check_results() {
    begin_row(exercise.what);
    refuse("__activemask", {"__activemask"});
    for (const int n : exercise.sizes) {
        for (const int block_size : exercise.block_sizes) {
            run_some_early();
            run_and_count(n, block_size);
        }
    }
    for (const Case& one : drawn_cases()) {
        run_some_early();
        run_drawn(one, [&] { run_and_count(one.n, one.block_size, CaseKind::drawn); });
    }
#ifdef CPU_DEVICE_RACE
    const bool may_meet = exercise.most_blocks < std::numeric_limits<int>::max();
    if (!exercise.blocks_wait && !may_meet && exercise.devices == 1 && largest_size() >= 100) {
        let_few_blocks_have_a_place();
    }
#endif
    end_row();
}

#ifdef CPU_DEVICE_RACE
// All threads of a block must come to each barrier, and all lanes that a mask names to the warp
// function: also those that have nothing to do, and could end.
void check_presence() {
    const auto look = [](const Counts& counts, int, int) {
        const char* const what = "all threads come to barriers and warp functions";
        if (counts.absent_threads > 0) {
            begin_row(what);
            throw Wrong{"absent threads",
                        std::to_string(counts.absent_threads) +
                            " times, a thread had ended when the others of its block met at a "
                            "barrier."};
        }
        if (counts.absent_lanes > 0) {
            begin_row(what);
            throw Wrong{"absent lanes", std::to_string(counts.absent_lanes) +
                                            " times, a lane had ended when the mask of a warp "
                                            "function named it."};
        }
    };
    for_each_count(look, More::all);
}

void expect_few_launches(const Counts& counts, int, int) {
    if (counts.launches > static_cast<std::uint64_t>(exercise.max_launches)) {
        throw Wrong{"launches", "Kernels are started " + std::to_string(counts.launches) +
                                    " times, where " + std::to_string(exercise.max_launches) +
                                    " is enough."};
    }
}

// The launches of a case, where it has several, are alike.
std::uint64_t working_threads(const Counts& counts) {
    return counts.working_threads / std::max<std::uint64_t>(counts.launches, 1);
}

void refuse_one_thread(std::uint64_t working) {
    throw Wrong{"one thread", working == 1
                                  ? "Only 1 thread accesses memory."
                                  : "Only " + std::to_string(working) + " threads access memory."};
}

double share_of(std::uint64_t work, const Counts& counts) {
    return static_cast<double>(work * counts.launches) / static_cast<double>(counts.work);
}

void expect_shared_work(const Counts& counts, int n, int) {
    const auto elements = static_cast<std::uint64_t>(exercise.elements(n));
    if (4 * counts.accesses() < elements) {  // int4 is one access
        throw Wrong{"host work", "For " + std::to_string(elements) + " elements the kernels make " +
                                     std::to_string(counts.accesses()) + " accesses to memory."};
    }
    const std::uint64_t working = working_threads(counts);
    constexpr std::uint64_t two_warps = 64;
    const std::uint64_t least = exercise.lane_may_serve_warp ? (elements + 31) / 32 : two_warps;
    if (exercise.needs_many_threads && working < least &&
        working < counts.threads / counts.launches / 2) {
        refuse_one_thread(working);
    }
    constexpr std::uint64_t most_per_element = 250;
    if (n >= 1000 && counts.accesses_of_work() > most_per_element * static_cast<unsigned>(n)) {
        throw Wrong{"quadratic", "For " + std::to_string(n) + " elements the kernels make " +
                                     std::to_string(counts.accesses_of_work()) +
                                     " accesses to memory."};
    }
    // Loads that nothing needs, by all others, would hide much work from the share.
    constexpr std::uint64_t work_of_a_warp = 256;  // which one lane may do for all
    if (counts.most_work_of_thread > work_of_a_warp &&
        (share_of(counts.most_work_of_thread, counts) > exercise.max_share ||
         4 * counts.most_work_of_thread > elements)) {
        throw Wrong{"one thread", "For " + std::to_string(elements) +
                                      " elements one thread reads and writes " +
                                      std::to_string(counts.most_work_of_thread) + " words."};
    }
}

void expect_several_blocks(const Counts& counts, int n, int block_size) {
    constexpr double most_of_block = 0.7;
    constexpr int most_of_thread = 8;  // elements: then the last block may have few
    if (exercise.needs_many_threads && exercise.elements(n) > 2 * most_of_thread * block_size &&
        share_of(counts.most_work_of_block, counts) > most_of_block) {
        throw Wrong{"one block", "One block reads and writes " +
                                     std::to_string(counts.most_work_of_block) + " of the " +
                                     std::to_string(counts.work) + " words."};
    }
}

void check_counts() {
    if (exercise.max_share < 1) {
        begin_row("the threads share the work");
        for_each_count(expect_few_launches, More::all);
        for_each_count(expect_shared_work, More::drawn);
        for_each_count(expect_several_blocks, More::drawn);
        end_row();
    }
    if (exercise.count) {
        begin_row(exercise.counted);
        for (const CountedCase& counted : counted_cases) {
            if (counted.is_large ||
                (counted.kind != CaseKind::listed && is_counted(counted.one.n))) {
                look_at_counts(exercise.count, counted.counts, counted.one);
            }
        }
        end_row();
    }
}

// Of the large cases, the smallest number of working threads per element.
double least_threads_per_element() {
    double least = 1;
    for (const auto& [one, counts, kind, is_large] : counted_cases) {
        if (is_large) {
            least = std::min(
                least, static_cast<double>(working_threads(counts)) / exercise.elements(one.n));
        }
    }
    return least;
}

// As many threads work as in the large cases, or half as many: else an answer that knows which
// sizes are tried here would have no race, and nothing that waits, since one thread does it all.
void expect_as_many_threads(const Counts& counts, int n, int) {
    const std::uint64_t working = working_threads(counts);
    if (2 * static_cast<double>(working) < least_threads_per_element() * exercise.elements(n)) {
        refuse_one_thread(working);
    }
}

// With one order of the threads.
void run_in_order(std::uint64_t seed, const Case& one, bool is_drawn = false) {
    race::set_seed(seed);
    race::forget();
    race::begin_counting();
    run_case(one.n, one.block_size);
    const Counts counts = race::end_counting();
    if (exercise.max_share < 1 && !is_early) {
        look_at_counts(expect_few_launches, counts, one);
        look_at_counts(expect_as_many_threads, counts, one);
        if (is_drawn) {
            look_at_counts(expect_shared_work, counts, one);
        }
    }
    if (is_counted(one.n)) {
        look_at_counts(exercise.count, counts, one);
    }
}

Row without_races() {
    Row row = {"no race, with " + std::to_string(exercise.seeds) + " orders of the threads"};
    for (int seed = 1; seed <= exercise.seeds && !exercise.race_cases.empty(); ++seed) {
        const auto order = static_cast<std::uint64_t>(seed);
        for (const Case& one : exercise.race_cases) {
            row.runs.push_back([order, one] { run_in_order(order, one); });
        }
        if (seed % 5 == 0 && exercise.sizes.size() > 1) {
            row.runs.push_back([order] {
                const Case one = draw_case(largest_size() / 2, largest_size());
                run_drawn(one, [&] { run_in_order(order, one, true); });
            });
        }
    }
    return row;
}

void run_with_last_slow(std::uint64_t seed, const Case& one) {
    race::make_last_slow(true);
    run_in_order(seed, one);
    race::make_last_slow(false);
}

// In cases of the other rows, too, and in some that an answer does not know.
Row without_haste() {
    Row row = {"waits for a slow thread, too", true};
    if (!exercise.waits) {
        return row;
    }
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        for (const Case& one : {Case{2, 1}, Case{8, 32}}) {
            row.runs.push_back([seed, one] { run_with_last_slow(seed, one); });
        }
        row.runs.push_back([seed] { run_with_last_slow(seed, {random_numbers(1, 9, 40)[0], 32}); });
    }
    const int largest = largest_size();
    const auto add = [&row](std::uint64_t order, const std::function<Case()>& draw_one) {
        row.runs.push_back([order, draw_one] {
            Case one = {0, 0};
            while (one.n <= one.block_size) {  // one block may have no other to wait for
                one = draw_one();
            }
            run_drawn(one, [&] { run_with_last_slow(order, one); });
        });
    };
    const std::uint64_t by_priority = 7;  // an order in which who waits looks often
    add(3, [=] { return draw_case(largest / 2, most_drawn()); });
    add(by_priority, [=] { return draw_known_case(largest); });
    add(by_priority, [=] { return draw_case(9, largest / 2); });
    if (largest < 1000) {  // little time each, and by priority half of them find nothing
        for (const std::uint64_t order : {1, 2, 3, 4, 5}) {
            add(order, [=] { return draw_case(largest / 7, largest / 2); });
        }
        for (const std::uint64_t order : {1, 4}) {
            add(order, [=] { return draw_case(2 * largest / 3, largest); });
        }
    }
    return row;
}

// A child process runs one case, so that whatever an answer counts is the same in the next child:
// the same call, of the same data, by another order of the threads. Returns the order in which the
// threads came, or nothing if the child found something wrong.
std::vector<int> order_in_child(std::uint64_t seed, const Case& one) {
    int ends[2] = {-1, -1};
    const pid_t child = ::pipe(ends) == 0 ? ::fork() : -1;
    if (child < 0) {
        throw Wrong{"machine", std::string("no process: ") + std::strerror(errno), true};
    }
    if (child == 0) {
        const rlimit seconds = {20, 20};  // of a processor: each child has a limit of its own
        ::setrlimit(RLIMIT_CPU, &seconds);
        // What the kernel prints is printed by other runs. Here it goes nowhere, and an answer
        // cannot tell by a function that fails.
        const int nowhere = ::open("/dev/null", O_WRONLY);
        ::dup2(nowhere, STDOUT_FILENO);
        ::dup2(nowhere, STDERR_FILENO);
        try {
            run_in_order(seed, one);
            const auto* const bytes = reinterpret_cast<const char*>(noted_order.data());
            const std::size_t size = noted_order.size() * sizeof(int);
            for (std::size_t sent = 0; sent < size;) {
                const ssize_t now = ::write(ends[1], bytes + sent, size - sent);
                sent = now > 0 ? sent + static_cast<std::size_t>(now) : size;
            }
        } catch (const Wrong&) {  // the parent finds it, too
        }
        ::_exit(0);
    }
    ::close(ends[1]);
    std::vector<int> order;
    for (int thread = 0; ::read(ends[0], &thread, sizeof thread) == sizeof thread;) {
        order.push_back(thread);
    }
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return order;
}

// `in_a_circle`: where the order is the same but for the place at which it begins, it is fixed,
// too.
void refuse_fixed_order(const Case& one, bool in_a_circle) {
    constexpr std::uint64_t orders = 8;  // one of each kind; most answers need the first two
    starts_with_least = in_a_circle;
    std::vector<int> first;
    std::size_t threads = 0;
    for (std::uint64_t seed = 1; seed <= orders; ++seed) {
        const std::vector<int> who = order_in_child(seed, one);
        if (who.empty()) {
            noted_order.clear();
            run_in_order(seed, one);
            if (!noted_order.empty()) {
                throw Wrong{"fixed order",
                            "A run in a process of its own does not do what the others do.", true};
            }
            return;
        }
        threads = std::set<int>(who.begin(), who.end()).size();
        // A few threads that come once or twice each may do so in one order by chance.
        constexpr std::size_t few = 5, few_turns = 12;
        std::vector<int> turns = who;
        turns.erase(std::unique(turns.begin(), turns.end()), turns.end());
        if ((threads <= few && turns.size() <= few_turns) || (seed > 1 && who != first)) {
            return;
        }
        first = who;
    }
    throw Wrong{"fixed order",
                "In " + text_of(orders) + " runs, with many orders of the threads, " +
                    text_of(threads) + " threads " + exercise.come_in_any_order +
                    " in one and the same order.",
                true};
}

// One thread may serve all of a block, in the order of their numbers: so there are several blocks.
Row without_fixed_order() {
    Row row = {"the threads come in no fixed order"};
    if (exercise.come_in_any_order.empty()) {
        return row;
    }
    for (const Case& one : exercise.race_cases) {
        row.runs.push_back([one] { refuse_fixed_order(one, false); });
    }
    row.runs.push_back([] {
        const int n = draw(largest_size() / 2, largest_size());
        const Case one = {n, draw(n / 12, n / 6)};
        run_drawn(one, [&] { refuse_fixed_order(one, true); });
    });
    return row;
}

Row without_resignation() {
    Row row = {"goes on while others are first, too", true};
    if (exercise.run_with_rivals) {
        const auto run = [](int n, int thread, int block_size) {
            race::set_seed(1);
            race::forget();
            ++runs;  // it has data of its own, as all runs have
            exercise.run_with_rivals(n, thread, block_size);
            throw_report("");
        };
        row.runs.push_back([run] { run(1, 0, 32); });
        const auto run_any_thread = [run](const Case& one) {
            run(one.n, random_numbers(1, 0, one.n - 1)[0], one.block_size);
        };
        for (int time = 0; time < 3; ++time) {
            row.runs.push_back([run_any_thread] { run_any_thread(draw_case(2, largest_size())); });
            row.runs.push_back([run_any_thread] { run_any_thread(draw_known_case(2)); });
        }
    }
    return row;
}

void run_all(const Row& row) {
    if (!row.runs.empty()) {
        begin_row(row.name);
        for (const auto& run : row.runs) {
            run();
        }
        end_row();
    }
}

// The runs that are left, in one order. The rows are told one after another all the same.
void run_mixed() {
    std::vector<Row*> order;
    for (Row& row : rows) {
        order.insert(order.end(), row.runs.size() - row.done, &row);
    }
    std::shuffle(order.begin(), order.end(), secret_generator());
    const Row& first = rows.front();
    if (!first.runs.empty()) {
        begin_row(first.name);
    }
    for (Row* const row : order) {
        if (!first.wrong) {
            run_next(*row);
        }
    }
    for (const Row& row : rows) {
        if (!row.runs.empty()) {
            if (&row != &first) {
                begin_row(row.name);
            }
            if (row.wrong) {
                std::rethrow_exception(row.wrong);
            }
            end_row();
        }
    }
}

void prepare_rows() {
    rows = {without_races(), without_fixed_order(), without_haste(), without_resignation()};
    if (has_data_seed) {
        for (Row& row : rows) {
            if (row.wants_patience) {
                std::shuffle(row.runs.begin(), row.runs.end(), secret_generator());
            }
        }
    }
}

// A learner's check is the same each time, and each row is there when its runs have begun.
void look_for_races() {
    if (has_data_seed) {
        run_mixed();
    } else {
        for (const Row& row : rows) {
            run_all(row);
        }
    }
}
#endif

}  // namespace

static std::vector<const AnyInput*>& inputs() {
    static std::vector<const AnyInput*> all;
    return all;
}
AnyInput::AnyInput() {
    inputs().push_back(this);
}
AnyInput::~AnyInput() {
    inputs().erase(std::find(inputs().begin(), inputs().end(), this));
}
void expect_same_inputs() {
    for (const AnyInput* const input : inputs()) {
        input->expect_same();
    }
}

// With a frame of its own below that of the caller, which calls the learner's function next.
[[gnu::noinline]] void wipe_stack() {
    unsigned char below[256 * 1024];
    std::memset(below, 0xfe, sizeof below);
    asm volatile("" : : "r"(below) : "memory");  // so that the compiler leaves it
}

std::vector<std::string> source_lines() {
    std::ifstream file(source_name);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) {
        // Some editors put a mark, the bytes of U+FEFF, before a file in UTF-8.
        const bool has_mark = lines.empty() && line.rfind("\xef\xbb\xbf", 0) == 0;
        lines.push_back(has_mark ? line.substr(3) : line);
    }
    return lines;
}

void refuse_waiting_host() {
    refuse("waiting host",
           {"cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize",
            "cudaStreamWaitEvent", "cudaMalloc", "cudaFree", "cudaMemset", "cudaMemcpy"});
}

void wait_for_two_gpus(bool gpu_0_may, bool gpu_1_may) {
    const cudaError_t error = cudaGetLastError();
    bool has_too_much = false;
    for (const int gpu : {1, 0}) {
        cudaSetDevice(gpu);
        cudaDeviceSynchronize();
        const bool had_access = cudaDeviceDisablePeerAccess(1 - gpu) == cudaSuccess;
        has_too_much = has_too_much || (had_access && !(gpu == 0 ? gpu_0_may : gpu_1_may));
    }
    cudaGetLastError();  // there may have been no access to take back
    if (error != cudaSuccess) {
        throw Wrong{"launch", std::string("A call or a launch of yours has failed: ") +
                                  cudaGetErrorString(error) + "."};
    }
    if (has_too_much) {
        throw Wrong{"one GPU", "A GPU has access to the memory of the other, and needs none.",
                    true};
    }
}

// (line, word) of all words of the learner's code.
static std::vector<std::pair<std::string, std::string>> words_of_code() {
    std::ifstream file(words_name);
    if (*words_name != '\0' && !file) {
        throw Wrong{"machine", std::string("no words: ") + words_name, true};
    }
    std::vector<std::pair<std::string, std::string>> words;
    for (std::string line, word; file >> line >> word;) {
        words.push_back({line, word});
    }
    return words;
}

void refuse(const std::string& kind, const std::vector<std::string>& words) {
    for (const auto& [line, word] : words_of_code()) {
        if (std::find(words.begin(), words.end(), word) != words.end()) {
            throw Wrong{
                kind,
                "Line " + line + " has the word " + word + ", which this exercise does without.",
                true};
        }
    }
}

void expect_loop() {
    const auto words = words_of_code();
    if (*words_name != '\0' && std::none_of(words.begin(), words.end(), [](const auto& one) {
            return one.second == "while" || one.second == "for" || one.second == "do" ||
                   one.second == "wait";
        })) {
        throw Wrong{"no loop", "There is no loop in your file.", true};
    }
}

std::vector<int> random_numbers(std::size_t n, int low, int high, std::uint32_t seed) {
    std::seed_seq seeds{data_seed, runs, seed};
    std::mt19937 generator(seeds);
    std::vector<int> numbers(n);
    for (int& number : numbers) {
        const unsigned first = static_cast<unsigned>(low), last = static_cast<unsigned>(high);
        number = static_cast<int>(first + generator() % (last - first + 1));
    }
    return numbers;
}

int in_turn(int kinds, std::uint32_t seed) {
    static std::map<std::uint32_t, std::uint32_t> calls;
    const std::uint32_t call = calls[seed]++, count = static_cast<std::uint32_t>(kinds);
    std::seed_seq seeds{data_seed, call / count, seed};
    std::mt19937 generator(seeds);
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), generator);
    return order[call % count];
}

int unwritten_byte() {
    static int byte = 0xa5;
    static auto run = runs;
    if (has_data_seed && run != runs) {
        byte = random_numbers(1, 0x90, 0xf0, 0x66696c6c)[0];
        run = runs;
    }
    return byte;
}

std::string text_of(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

void expect_in_any_order(const std::string& name, std::vector<int> got, std::vector<int> expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (is_unwritten(got[i])) {
            expect_equal(name + "[" + std::to_string(i) + "]", got[i], expected[i]);
        }
    }
    got.resize(expected.size());
    std::sort(got.begin(), got.end());
    std::sort(expected.begin(), expected.end());
    expect_equal("After sorting, " + name, got, expected);
}

void expect_at_most(const std::string& what, std::uint64_t counted, std::uint64_t max) {
    if (counted > max) {
        throw Wrong{"count", std::to_string(counted) + " " + what + ", at most " +
                                 std::to_string(max) + " are allowed."};
    }
}

// One thread may do for its warp, or for its block, what all threads want to do.
static std::uint64_t threads_of_one_taker(int block_size) {
    return static_cast<std::uint64_t>(std::max(block_size, 64));
}

Exercise with_one_lock(const std::function<void(int, int)>& run, const std::string& what) {
    Exercise one = {run, what, {0, 1, 31, 33, 300}};
    one.count = [](const Counts& counts, int n, int block_size) {
        expect_atomic_words(counts, 1, "that of the lock");
        if (counts.words_taken * threads_of_one_taker(block_size) < static_cast<std::uint64_t>(n)) {
            throw Wrong{"count", text_of(n) + " threads need the lock, and it was taken " +
                                     text_of(counts.words_taken) + " times."};
        }
    };
    one.counted = "no atomic word but the lock";
    one.waits = true;
    one.come_in_any_order = "had the lock";
    one.lane_may_serve_warp = true;
    return one;
}

static int parts_of(int n, int block_size) {
    return (n + block_size - 1) / block_size;
}

void expect_by_last_block(const Watched& watched, const void* count, const void* result) {
    // On a GPU nothing is watched, so there is no change.
    const std::vector<Watched::Change> counted = watched.changes_at(count, sizeof(int));
    const std::vector<Watched::Change> stored = watched.changes_at(result, sizeof(int));
    if (!stored.empty() && (counted.empty() || counted.back().block != stored.back().block)) {
        throw Wrong{"not the last",
                    "Block " + text_of(stored.back().block) + " stores the total, and " +
                        (counted.empty() ? "no block counts itself."
                                         : "block " + text_of(counted.back().block) +
                                               " is the last one that counts itself.")};
    }
}

void expect_news_of_others(const Counts& counts, std::uint64_t least) {
    if (counts.news_of_other_blocks < least) {
        throw Wrong{"not the last", "Blocks load " + text_of(counts.news_of_other_blocks) +
                                        " words that other blocks have changed, and not by an "
                                        "atomic; at least " +
                                        text_of(least) + " are expected."};
    }
}

void expect_parts_of_blocks(const std::string& name, const void* memory, std::size_t bytes) {
#ifdef CPU_DEVICE_RACE
    const std::uint64_t words = race::words_of_several_blocks_in(memory, bytes);
    if (words > 1) {  // one may be where all begin, such as with the first element
        throw Wrong{"quadratic", "Several blocks read the same elements of " + name + ": " +
                                     text_of(words) + " of them."};
    }
#else
    static_cast<void>(name), static_cast<void>(memory), static_cast<void>(bytes);
#endif
}

void expect_read_by_several_blocks(const std::string& names, const std::vector<const int*>& words,
                                   int n, int block_size) {
#ifdef CPU_DEVICE_RACE
    if (n > 2 * block_size && std::none_of(words.begin(), words.end(), [](const int* word) {
            return race::words_of_several_blocks_in(word, sizeof *word) > 0;
        })) {
        throw Wrong{"one block", "Not even two blocks read " + names + "."};
    }
#else
    static_cast<void>(names), static_cast<void>(words), static_cast<void>(n),
        static_cast<void>(block_size);
#endif
}

void expect_few_loads(const Counts& counts, int n, int block_size) {
    const int most = exercise.max_launches * (4 * n + 2 * parts_of(n, block_size));
    if (counts.loads > static_cast<std::uint64_t>(most)) {
        throw Wrong{"quadratic", "For " + text_of(n) + " elements the kernel loads " +
                                     text_of(counts.loads) + " words from global memory."};
    }
}

void expect_shared_memory(const Counts& counts, int n, int block_size, int loads) {
    const int parts = parts_of(n, block_size);
    // A cuda::barrier is made of atomics in shared memory.
    const auto words = words_of_code();
    const bool has_others = std::any_of(words.begin(), words.end(),
                                        [](const auto& one) { return one.second == "barrier"; });
    const std::uint64_t barriers = counts.barriers + (has_others ? counts.shared_atomics : 0);
    if (barriers < static_cast<std::uint64_t>(parts)) {
        throw Wrong{"count", text_of(parts) + " parts of the array have " +
                                 text_of(counts.barriers) +
                                 " barriers of a block in all, at least one each is expected."};
    }
    if (counts.shared_loads < static_cast<std::uint64_t>(loads)) {
        throw Wrong{"count", "Of " + text_of(n) + " elements, threads read " +
                                 text_of(counts.shared_loads) + " from shared memory."};
    }
}

void expect_atomics(const Counts& counts, int n, int block_size) {
    constexpr int most_of_thread = 8;  // elements that a thread of a right answer may take
    if (n > most_of_thread * block_size && counts.atomics < 2 * counts.launches) {
        throw Wrong{"no atomics", "For " + text_of(n) + " elements the kernels make " +
                                      text_of(counts.atomics) + " atomics in global memory."};
    }
}

void expect_atomic_words(const Counts& counts, std::uint64_t words, const std::string& which) {
    if (counts.atomic_words != words) {
        throw Wrong{"count", "There are atomic accesses to " + text_of(counts.atomic_words) +
                                 " words of memory, expected " + text_of(words) + ": " + which +
                                 "."};
    }
}

int with_rivals(const void* word, int thread,
                const std::function<std::uint32_t(std::uint32_t)>& change,
                const std::function<void()>& run) {
    int times = 0;
#ifdef CPU_DEVICE_RACE
    constexpr unsigned most = 1'100'000;
    constexpr auto seconds_allowed = std::chrono::seconds(8);
    const auto begin = std::chrono::steady_clock::now();
    const auto slot = static_cast<unsigned>(thread);
    race::let_others_be_first(word, most, slot, [&](std::uint32_t old) {
        if (++times % 1024 == 0 && std::chrono::steady_clock::now() - begin > seconds_allowed) {
            race::let_others_be_first(nullptr, 0);  // a thread that sleeps between two attempts
        }
        return change(old);
    });
    run();
    race::let_others_be_first(nullptr, 0);
#else
    static_cast<void>(word), static_cast<void>(thread), static_cast<void>(change);
    run();
#endif
    return times;
}

int thread_that_leaves(std::uint32_t value, const void* word, const std::function<void()>& run,
                       int otherwise) {
    int thread = otherwise;
    const Watched watched(run);
    for (const Watched::Change& change : watched.changes_at(word, sizeof value)) {
        thread = change.value == value ? change.thread : thread;
    }
    return thread;
}

void note_order(std::vector<int> who) {
    if (starts_with_least) {
        who.erase(std::unique(who.begin(), who.end()), who.end());
        std::rotate(who.begin(), std::min_element(who.begin(), who.end()), who.end());
    }
    noted_order.insert(noted_order.end(), who.begin(), who.end());
}

Watched run_with_lock(const void* word, int takers, int block_size,
                      const std::function<void()>& run) {
    Watched watched(run);
#ifdef CPU_DEVICE_RACE
    std::vector<int> who;
    std::uint64_t at_the_end = 0;
    for (const Watched::Change& change : watched.changes_at(word, sizeof(int))) {
        who.push_back(change.thread);
        at_the_end = change.value;
        if (change.value > 1) {
            throw Wrong{"value", "A thread has made the word of the lock " + text_of(change.value) +
                                     ", expected at most 1."};
        }
    }
    if (at_the_end != 0) {
        throw Wrong{"value", "At the end the word of the lock is 1, expected 0."};
    }
    if (takers > 1 &&
        who.size() * threads_of_one_taker(block_size) < static_cast<std::uint64_t>(takers)) {
        throw Wrong{"count", text_of(takers) + " threads need the lock, and its word was changed " +
                                 text_of(who.size()) + " times."};
    }
    note_order(who);
#else
    static_cast<void>(word), static_cast<void>(takers), static_cast<void>(block_size);
#endif
    return watched;
}

void expect_from_several_blocks(const Watched& watched, const std::string& name, const void* word,
                                const void* lock, int n, int block_size) {
#ifdef CPU_DEVICE_RACE
    const auto blocks_at = [&](const void* memory) {
        std::set<unsigned> blocks;
        for (const Watched::Change& change : watched.changes_at(memory, sizeof(int))) {
            blocks.insert(change.block);
        }
        return blocks;
    };
    const std::set<unsigned> blocks = blocks_at(word), takers = blocks_at(lock);
    if (n > 2 * block_size && blocks.size() == 1) {
        throw Wrong{"one block",
                    "Only block " + text_of(*blocks.begin()) + " changes " + name + "."};
    }
    std::vector<unsigned> in_vain;
    std::set_difference(takers.begin(), takers.end(), blocks.begin(), blocks.end(),
                        std::back_inserter(in_vain));
    if (n > 2 * block_size && in_vain.size() > 1) {
        throw Wrong{"one block",
                    text_of(in_vain.size()) + " blocks, such as block " + text_of(in_vain.front()) +
                        ", change the word of the lock, and do not change " + name + "."};
    }
#else
    static_cast<void>(watched), static_cast<void>(name), static_cast<void>(word),
        static_cast<void>(lock), static_cast<void>(n), static_cast<void>(block_size);
#endif
}

Writers::Writers(const void* begin, std::size_t element_bytes, std::size_t size,
                 const std::function<void()>& run) {
#ifdef CPU_DEVICE_RACE
    race::watch_changes(begin, size * element_bytes);
    run();
    for (const race::Change& change : race::changes()) {
        const auto* const address = static_cast<const volatile char*>(change.address);
        const std::ptrdiff_t first = address - static_cast<const volatile char*>(begin);
        const auto end = first + static_cast<std::ptrdiff_t>(change.bytes);
        for (std::ptrdiff_t at = std::max(first, std::ptrdiff_t{0});
             at < std::min(end, static_cast<std::ptrdiff_t>(size * element_bytes));
             at += element_bytes) {
            of_element_[at / element_bytes] = {change.x, change.y};
        }
        several_ = several_ || change.thread != race::changes().front().thread;
    }
    race::watch_changes(nullptr);
#else
    static_cast<void>(begin), static_cast<void>(element_bytes), static_cast<void>(size);
    run();
#endif
}
void Writers::expect(const std::function<Place(std::size_t)>& place,
                     const std::function<std::string(std::size_t)>& name) const {
    for (const auto& [element, got] : of_element_) {
        const Place expected = place(element);
        if (several_ && (got.x != expected.x || got.y != expected.y)) {
            const bool in_a_row = got.y == 0 && expected.y == 0;
            const auto thread = [&](const Place& at) {
                return in_a_row ? "thread " + text_of(at.x)
                                : "the thread in row " + text_of(at.y) + " and column " +
                                      text_of(at.x) + " of the grid";
            };
            throw Wrong{"order of the threads", name(element) + " is written by " + thread(got) +
                                                    ", expected " + thread(expected) + "."};
        }
    }
}

Watched::Watched(const std::function<void()>& run) {
#ifdef CPU_DEVICE_RACE
    char* const all = nullptr;
    race::watch_changes(all + 1, SIZE_MAX - 1);
    run();
    for (const race::Change& change : race::changes()) {
        changes_.push_back({reinterpret_cast<std::uintptr_t>(change.address), change.bytes,
                            static_cast<int>(change.thread), change.block, change.value});
    }
    race::watch_changes(nullptr);
#else
    run();
#endif
}

bool Watched::Change::is_at(const void* memory, std::size_t size) const {
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    return address < begin + size && address + bytes > begin;
}

std::vector<Watched::Change> Watched::changes_at(const void* memory, std::size_t bytes) const {
    std::vector<Change> found;
    std::copy_if(changes_.begin(), changes_.end(), std::back_inserter(found),
                 [&](const Change& change) { return change.is_at(memory, bytes); });
    return found;
}

void refuse_atomics_on(const std::string& kind, const std::string& name, const void* memory,
                       std::size_t bytes) {
#ifdef CPU_DEVICE_RACE
    if (cpu_device::race::atomic_words_in(memory, bytes) > 0) {
        throw Wrong{kind, "There are atomic accesses to " + name + "."};
    }
#else
    static_cast<void>(kind), static_cast<void>(name), static_cast<void>(memory),
        static_cast<void>(bytes);
#endif
}

void refuse_updates_on(const std::string& kind, const std::string& name, const void* memory,
                       std::size_t bytes) {
#ifdef CPU_DEVICE_RACE
    if (cpu_device::race::updated_words_in(memory, bytes) > 0) {
        throw Wrong{kind, "There are atomics that read and write " + name + "."};
    }
#else
    static_cast<void>(kind), static_cast<void>(name), static_cast<void>(memory),
        static_cast<void>(bytes);
#endif
}

void expect_answer(const std::vector<int>& given, const std::set<int>& possible) {
    for (const int value : given) {
        if (possible.count(value) == 0) {
            throw Wrong{"answer", "Your answer has " + std::to_string(value) +
                                      ", but no order of the threads gives that."};
        }
    }
    const std::size_t missing = possible.size() - std::set<int>(given.begin(), given.end()).size();
    if (missing > 0) {
        throw Wrong{"answer", "All values of your answer are possible. But " +
                                  (missing == 1 ? "one is" : std::to_string(missing) + " are") +
                                  " missing."};
    }
}

#ifdef CPU_DEVICE_RACE
std::set<int> results_of_all_orders(const std::function<void()>& run,
                                    const std::function<int()>& result) {
    std::set<int> results;
    race::for_each_interleaving(run,
                                [&](const std::vector<race::Step>&) { results.insert(result()); });
    race::forget();
    return results;
}
#endif

}  // namespace exercises

#ifdef CPU_DEVICE_RACE
// What scripts/grade lets a learner's object call in place of the functions without "confined_": an
// address that it gives must be its own, and no kernel may call it.
#define EXPECT_OWN(address, bytes) \
    cpu_device::race::expect_own(address, bytes, static_cast<void**>(__builtin_frame_address(0)))
#define EXPECT_HOST() cpu_device::race::expect_host(static_cast<void**>(__builtin_frame_address(0)))
extern "C" {
cudaError_t confined_cudaFree(void* pointer) {
    EXPECT_HOST();
    return cudaFree(pointer);
}
cudaError_t confined_cudaGetLastError() {
    EXPECT_HOST();
    return cudaGetLastError();
}
cudaError_t confined_cudaPeekAtLastError() {
    EXPECT_HOST();
    return cudaPeekAtLastError();
}
cudaError_t confined_cudaDeviceSynchronize() {
    EXPECT_HOST();
    return cudaDeviceSynchronize();
}
cudaError_t confined_cudaSetDevice(int device) {
    EXPECT_HOST();
    return cudaSetDevice(device);
}
cudaError_t confined_cudaDeviceEnablePeerAccess(int device, unsigned flags) {
    EXPECT_HOST();
    return cudaDeviceEnablePeerAccess(device, flags);
}
cudaError_t confined_cudaMalloc(void** pointer, std::size_t bytes) {
    EXPECT_OWN(pointer, sizeof *pointer);
    return cudaMalloc(pointer, bytes);
}
cudaError_t confined_cudaMemset(void* pointer, int byte, std::size_t bytes) {
    EXPECT_OWN(pointer, bytes);
    return cudaMemset(pointer, byte, bytes);
}
// An answer has no stream of its own.
cudaError_t confined_cudaMemsetAsync(void* pointer, int byte, std::size_t bytes,
                                     cudaStream_t stream) {
    EXPECT_OWN(pointer, bytes);
    return stream == nullptr ? cudaMemsetAsync(pointer, byte, bytes)
                             : cudaErrorInvalidResourceHandle;
}
cudaError_t confined_cudaGetDevice(int* device) {
    EXPECT_OWN(device, sizeof *device);
    return cudaGetDevice(device);
}
cudaError_t confined_cudaGetDeviceCount(int* count) {
    EXPECT_OWN(count, sizeof *count);
    return cudaGetDeviceCount(count);
}
cudaError_t confined_cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    EXPECT_OWN(can, sizeof *can);
    return cudaDeviceCanAccessPeer(can, device, peer);
}
cudaError_t confined_cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    EXPECT_OWN(properties, sizeof *properties);
    return cudaGetDeviceProperties(properties, device);
}
cudaError_t confined_occupancy(int* blocks, int block_size, std::size_t dynamic_shared) {
    EXPECT_OWN(blocks, sizeof *blocks);
    return cpu_device::occupancy(blocks, block_size, dynamic_shared);
}
cudaError_t confined_dynamic_shared_left(std::size_t* bytes, int blocks, int block_size) {
    EXPECT_OWN(bytes, sizeof *bytes);
    return cpu_device::dynamic_shared_left(bytes, blocks, block_size);
}
cudaError_t confined_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    EXPECT_OWN(value, sizeof *value);
    return cudaDeviceGetAttribute(value, attribute, device);
}
// What the library reads at the address counts as loads of the answer. The names of errors lie in
// the library.
//
// Returns a copy: while this looks, other threads may run, and change the text.
static std::string own_text(const char* text, void* const* frame) {
    for (int error = 0; error < 1000; ++error) {
        if (text == cudaGetErrorString(static_cast<cudaError_t>(error)) ||
            text == cudaGetErrorName(static_cast<cudaError_t>(error))) {
            return text;
        }
    }
    return cpu_device::race::own_text(text, frame);
}
int confined_puts(const char* text) {
    return std::puts(own_text(text, static_cast<void**>(__builtin_frame_address(0))).c_str());
}
// What the list of the types that a format asks for does not tell. `numbers`: as in "%1$d"; then
// two conversions may take the same argument. `wide_text`: as in "%ls".
struct Spelling {
    bool numbers = false, wide_text = false;
};
static Spelling spelling_of(const char* format) {
    Spelling found;
    for (const char* at = std::strchr(format, '%'); at != nullptr; at = std::strchr(at, '%')) {
        at += 1 + std::strspn(at + 1, "0123456789-+ #'.*I");
        found.numbers = found.numbers || *at == '$';
        const std::size_t size = std::strspn(at, "hlLqjzZtw0123456789");
        at += size;
        found.wide_text = found.wide_text || *at == 'S' || (*at == 's' && size > 0);
        at += *at == '%';
    }
    return found;
}
// Whether an argument of this kind (cpu_device/race_print.h) is what a conversion takes. %n writes,
// and a long double or a wide text is none of the kinds.
static bool fits(int type, char kind) {
    switch (type & ~PA_FLAG_MASK) {
        case PA_INT:
        case PA_CHAR:
        case PA_POINTER:
            return (type & PA_FLAG_PTR) == 0 && (kind == 'i' || kind == 'p');
        case PA_FLOAT:
        case PA_DOUBLE:
            return (type & (PA_FLAG_PTR | PA_FLAG_LONG_DOUBLE)) == 0 && kind == 'd';
        case PA_STRING:
            return (type & PA_FLAG_PTR) == 0 && kind == 'p';
        default:
            return false;
    }
}
// A kernel that says something in each thread does so in all runs. The first lines are enough. What
// comes without end is to fill the place that there is for it.
static std::uint64_t prints = 0;
constexpr std::uint64_t most_prints = 2'000;
constexpr std::uint64_t endless_prints = 4'000'000;
// The C library itself says what the format asks for, since it has more spellings of it from
// version to version.
static int print_own(const char* given_format, const char* kinds, std::va_list arguments,
                     void* const* frame) {
    const std::string text_of_format = own_text(given_format, frame);
    const char* const format = text_of_format.c_str();
    std::vector<int> types(parse_printf_format(format, 0, nullptr));
    parse_printf_format(format, types.size(), types.data());
    const Spelling spelling = spelling_of(format);
    if (spelling.numbers) {
        cpu_device::race::refuse_call(frame, "the format of a printf has a $");
        return -1;
    }
    if (types.size() > std::strlen(kinds)) {
        cpu_device::race::refuse_call(
            frame, "the format of a printf asks for an argument that is not there");
        return -1;
    }
    std::va_list values;
    va_copy(values, arguments);
    bool all_fit = !spelling.wide_text;
    std::vector<std::pair<const char*, std::size_t>> texts;  // each with its length
    for (std::size_t i = 0; i < types.size() && all_fit; ++i) {
        all_fit = fits(types[i], kinds[i]);
        if (kinds[i] == 'd') {
            va_arg(values, double);
        } else if (kinds[i] == 'i') {
            va_arg(values, long long);
        } else if (const char* const text = va_arg(values, const char*);
                   all_fit && (types[i] & ~PA_FLAG_MASK) == PA_STRING) {
            texts.emplace_back(text, own_text(text, frame).size());
        }
    }
    va_end(values);
    for (const auto& [text, length] : texts) {  // others may have changed it since
        all_fit = all_fit && std::memchr(text, '\0', length + 1) != nullptr;
    }
    if (++prints > most_prints && prints < endless_prints) {
        return all_fit ? std::vsnprintf(nullptr, 0, format, arguments) : -1;
    }
    // %m prints it: by an error of a function of mathematics, a kernel could tell the host a value.
    errno = 0;
    return all_fit ? std::vprintf(format, arguments) : -1;
}
// That of cpu_device/race_print.h, whose caller is the one to look at.
int confined_print(const char* format, const char* kinds, ...) {
    std::va_list arguments;
    va_start(arguments, kinds);
    void* const* const of_template = static_cast<void**>(__builtin_frame_address(0));
    const int printed =
        print_own(format, kinds, arguments, static_cast<void* const*>(*of_template));
    va_end(arguments);
    return printed;
}
// That of C: none of its arguments is known.
int confined_printf(const char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    const int printed =
        print_own(format, "", arguments, static_cast<void**>(__builtin_frame_address(0)));
    va_end(arguments);
    return printed;
}
}
#endif

#ifndef CPU_DEVICE_RACE
// Are there as many GPUs as the exercise needs, and do atomics of each work in the memory of GPU 0?
static bool are_enough(int devices) {
    for (int gpu = 1; gpu < exercises::exercise.devices; ++gpu) {
        int atomics = 0;
        if (devices <= gpu ||
            cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, gpu, 0) !=
                cudaSuccess ||
            atomics == 0) {
            return false;
        }
    }
    return true;
}
#endif

int main(int count, char** arguments) {
    using namespace exercises;
    source_name = count > 1 ? arguments[1] : "";
    if (count > 2) {
        const bool is_open = arguments[2][0] == '&'
                                 ? open_socket(arguments[2] + 1)
                                 : (verdict = std::fopen(arguments[2], "w")) != nullptr;
        if (!is_open) {
            std::perror(arguments[2]);
            return 1;
        }
    }
    words_name = count > 3 ? arguments[3] : "";
    try {
#ifdef CPU_DEVICE_RACE
        setenv("CPU_DEVICES", std::to_string(exercise.devices).c_str(), 1);
        confine_answer();
        race::be_quiet(true);
        race::set_seed(1);
        race::let_weak_fail(true);
        race::look_at_shared_reads(exercise.orders_shared_reads);
        prepare_rows();
        check_results();
        look_for_blocks_without_place();
        check_counts();
        check_presence();
        look_for_races();
        race::forget();
#else
        int devices = 0;
        if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
            std::printf("no CUDA device found\n");
            return 77;
        }
        if (!are_enough(devices)) {
            std::printf("this exercise needs %d GPUs with atomics between them\n",
                        exercise.devices);
            return 77;
        }
        check_results();
#endif
    } catch (const Wrong& wrong) {
        end_row("NO");
        std::fprintf(verdict, "\n%s\nverdict: %s%s\n", wrong.text.c_str(), wrong.kind.c_str(),
                     secret.c_str());
#ifdef CPU_DEVICE_RACE
        cpu_device::race::forget();
#endif
        return 1;
    }
    // So an exit() in the learner's file is no solution.
    std::fprintf(verdict, "verdict: solved%s\n", secret.c_str());
    return 0;
}
