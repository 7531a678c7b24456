// The check of 33_ticket_for_each_block.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <limits>

void launch_sum_tiles(const int* d_x, int n, unsigned* d_ticket, unsigned* d_ready, int* d_prefix,
                      int block_size);

namespace exercises {

#ifdef CPU_DEVICE_RACE
// The first fault that was found in any run; "" if there was none.
std::string other_tile;

// Whether the blocks have come to the tiles in the order in which they have changed *d_ticket. A
// block may take several tickets, and one may set the ticket back after the last one was taken. Not
// of a single tile: an atomicInc leaves the only ticket at 0.
void note_tiles(const Watched& watched, const unsigned* d_ticket, const int* d_prefix, int tiles) {
    const std::vector<Watched::Change> tickets = watched.changes_at(d_ticket, sizeof *d_ticket);
    for (int tile = 0; tile < tiles && tiles > 1 && other_tile.empty(); ++tile) {
        const std::vector<Watched::Change> sums =
            watched.changes_at(d_prefix + tile, sizeof *d_prefix);
        const auto ticket = static_cast<std::size_t>(tile);
        if (!sums.empty() && ticket >= tickets.size()) {
            other_tile = "No block has taken the ticket " + text_of(tile) + ", and block " +
                         text_of(sums.back().block) + " has stored d_prefix[" + text_of(tile) +
                         "].";
        } else if (!sums.empty() && tickets[ticket].block != sums.back().block) {
            other_tile = "Block " + text_of(tickets[ticket].block) + " has taken the ticket " +
                         text_of(tile) + ", and block " + text_of(sums.back().block) +
                         " has stored d_prefix[" + text_of(tile) + "].";
        }
    }
}
#endif

static void run(int n, int block_size) {
    refuse("volatile",
           {"volatile"});  // race mode takes it for an atomic access that orders nothing
    const int tiles = (n + block_size - 1) / block_size;
    const DeviceArray<unsigned> d_ticket(std::vector<unsigned>{0});
    const DeviceArray<unsigned> d_ready(std::vector<unsigned>(tiles, 0));
    const DeviceArray<int> d_prefix = output_array<int>(tiles);
    for (std::uint32_t call = 1; call <= 2; ++call) {
        // In some calls as large as their sum allows; and in some the first prefixes are 0, so a
        // sum alone does not tell whether it has been stored.
        // None is below 0: the sum and 1 may serve as a flag.
        const int most = in_turn(2, 2 + call) == 0 ? std::numeric_limits<int>::max() / n : 1000;
        std::vector<int> x = random_numbers(n, 0, most, call);
        if (in_turn(2, 4 + call) == 0) {
            std::fill(x.begin(), x.begin() + std::min(n, 2 * block_size), 0);
        }
        std::vector<int> expected(tiles, 0);
        int sum = 0;
        for (int i = 0; i < n; ++i) {
            sum += x[i];
            expected[i / block_size] = sum;
        }
        const Input<int> d_x("d_x", x);
        const Watched watched([&] {
            call_answer(launch_sum_tiles, d_x.data(), n, d_ticket.data(), d_ready.data(),
                        d_prefix.data(), block_size);
        });
        try {
            expect_equal("d_prefix", d_prefix.to_host(), expected);
        } catch (const Wrong& wrong) {
            throw Wrong{wrong.kind,
                        (call == 1 ? "In the first call: " : "In the second call: ") + wrong.text};
        }
#ifdef CPU_DEVICE_RACE
        note_tiles(watched, d_ticket.data(), d_prefix.data(), tiles);
#endif
    }
    // Atomics on the sums make no report where the order is missing.
    refuse_atomics_on("data", "d_prefix: the words of d_ready put it in order", d_prefix.data(),
                      tiles * sizeof(int));
}

const Exercise exercise = [] {
    Exercise one = {run, "right in both calls, for all sizes and blocks", {1, 31, 33, 1000, 1009}};
    one.max_launches = 2;
    one.waits = true;
    one.blocks_wait = true;
    one.count = [](const Counts& counts, int n, int block_size) {
        expect_few_loads(counts, n, block_size);
#ifdef CPU_DEVICE_RACE
        if (!other_tile.empty()) {
            throw Wrong{"ticket", other_tile, true};
        }
#endif
    };
    one.counted = "each block takes its tile by a ticket";
    return one;
}();

}  // namespace exercises
