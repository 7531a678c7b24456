// The check of 34_look_back.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

void launch_sum_tiles(const int* d_x, int n, unsigned* d_ticket, unsigned* d_state, int* d_own,
                      int* d_prefix, int block_size);

namespace exercises {

constexpr unsigned whole_prefix = 2;

#ifdef CPU_DEVICE_RACE
constexpr unsigned own_sum = 1;

// In a chain each tile gets its sums after the tile before it. Here this must not hold in all runs:
// neither for the first thing that a tile says, nor for its whole prefix, of half of the tiles at
// least. And who looks at one or two tiles only, and waits for the next one, still waits in a
// chain.
void refuse_chain(const Watched& watched, const unsigned* d_state, int tiles) {
    constexpr int many_tiles = 7, many_runs = 20;
    constexpr unsigned tiles_looked_at = 10, few_back = 4;
    static int runs = 0;
    static bool has_said_early = false;
    static std::set<std::size_t> have_ended_early;  // of the first tiles
    static unsigned most_back = 0;
    std::vector<unsigned> states(tiles, 0);
    if (tiles < many_tiles) {
        return;
    }
    for (const Watched::Change& change : watched.changes_at(d_state, tiles * sizeof *d_state)) {
        const auto tile =
            (change.address - reinterpret_cast<std::uintptr_t>(d_state)) / sizeof *d_state;
        states[tile] = change.value;
        has_said_early = has_said_early || (tile > 0 && states[tile - 1] == 0);
        unsigned back = 0;  // so many tiles before it have only said their own sums
        while (change.value == whole_prefix && back < tile && states[tile - 1 - back] == own_sum) {
            ++back;
        }
        most_back = std::max(most_back, back);
        if (back > 0 && tile < tiles_looked_at) {
            have_ended_early.insert(tile);
        }
    }
    if (++runs < many_runs) {
        return;
    }
    const std::string found = "In " + text_of(runs) + " runs, with many orders of the threads, ";
    if (!has_said_early) {
        throw Wrong{"chain", found + "no tile has said a sum before the tile just before it.",
                    true};
    }
    if (2 * have_ended_early.size() < tiles_looked_at) {
        throw Wrong{
            "chain",
            found + "of the tiles 1 to 9, " + text_of(have_ended_early.size()) +
                " had the whole prefix before the tile just before had it. Half of them are "
                "expected.",
            true};
    }
    if (most_back < few_back) {
        throw Wrong{"chain",
                    found + "no tile has had its whole prefix while the " + text_of(few_back) +
                        " tiles before it had only said their own sums.",
                    true};
    }
}
#endif

// By number of elements and threads of a block: how many sums of tiles several blocks have read.
static std::map<std::pair<int, int>, std::uint64_t> shared_sums;

static void run(int n, int block_size) {
    refuse("volatile",
           {"volatile"});  // race mode takes it for an atomic access that orders nothing
    const int tiles = (n + block_size - 1) / block_size;
    // In some runs as large as their sum allows, and of one sign.
    const int kind = in_turn(3, 9);
    const int most = kind == 0 ? 1000 : std::numeric_limits<int>::max() / n;
    std::vector<int> x = random_numbers(n, kind == 1 ? most - most / 8 : -most, most);
    if (in_turn(2, 2) == 0) {  // no sum alone tells whether it has been stored
        std::fill(x.begin(), x.begin() + std::min(n, 2 * block_size), 0);
    }
    std::vector<int> sums(tiles, 0), prefixes(tiles, 0);
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += x[i];
        sums[i / block_size] += x[i];
        prefixes[i / block_size] = sum;
    }
    const Input<int> d_x("d_x", x);
    const DeviceArray<unsigned> d_ticket(std::vector<unsigned>{0});
    const DeviceArray<unsigned> d_state(std::vector<unsigned>(tiles, 0));
    const DeviceArray<int> d_own = output_array<int>(tiles), d_prefix = output_array<int>(tiles);
    const Watched watched([&] {
        call_answer(launch_sum_tiles, d_x.data(), n, d_ticket.data(), d_state.data(), d_own.data(),
                    d_prefix.data(), block_size);
    });
    expect_equal("d_prefix", d_prefix.to_host(), prefixes);
    try {
        expect_equal("d_state", d_state.to_host(), std::vector<unsigned>(tiles, whole_prefix));
    } catch (const Wrong& wrong) {
        throw Wrong{"state", wrong.text};
    }
    std::vector<int> own = d_own.to_host();
    own[0] = sums[0];  // which may say its whole prefix at once
    expect_equal("d_own", own, sums);
    // Atomics on the sums make no report where the order is missing.
    for (const auto& [name, d_sums] :
         {std::pair{"d_own", &d_own}, std::pair{"d_prefix", &d_prefix}}) {
        refuse_atomics_on("data", std::string(name) + ": the states put it in order",
                          d_sums->data(), tiles * sizeof(int));
    }
#ifdef CPU_DEVICE_RACE
    refuse_chain(watched, d_state.data(), tiles);
    shared_sums[{n, block_size}] =
        cpu_device::race::words_of_several_blocks_in(d_own.data(), tiles * sizeof(int));
#endif
}

// Of 90 blocks or more with so many threads race mode starts the next one when the one before has
// ended. So with tickets each block finds the whole prefix of the tile before it, and looks once:
// at one tile, or with the lanes of a warp at 32. Who looks at all tiles makes more atomics. All
// threads of a block may look at a time, each at a tile of its own; then the sums of the tiles
// before the whole prefix stay unread.
static void count(const Counts& counts, int n, int block_size) {
    const int tiles = (n + block_size - 1) / block_size;
    constexpr std::uint64_t few = 8;
    const bool looks_at_a_time = counts.most_atomic_words_of_thread <= few &&
                                 shared_sums[{n, block_size}] <= static_cast<unsigned>(tiles) / 4;
    if (block_size > 512 && tiles >= 90 && !looks_at_a_time) {
        expect_at_most("atomics in global memory", counts.atomics, 36 * tiles);
    }
}

const Exercise exercise = [] {
    Exercise one = {run};
    one.sizes = {1, 31, 33, 1000, 1500};     // 47 tiles of 32
    one.race_cases = {{33, 32}, {300, 32}};  // 10 tiles
    one.waits = true;
    one.blocks_wait = true;
    one.count = count;
    one.counted = "a tile with a whole prefix ends the look back";
    return one;
}();

}  // namespace exercises
