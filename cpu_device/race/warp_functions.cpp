#include "race/warp_functions.hpp"

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "race/counts.hpp"
#include "race/places.hpp"
#include "race/report.hpp"
#include "race/report_log.hpp"
#include "race/test_hooks.hpp"
#include "race/threads.hpp"
#include "race/tracing.hpp"
#include "race/words.hpp"

namespace cpu_device::race {
namespace {

// A lane that takes no part gives nothing to a shuffle. One that is as far away for all lanes may
// be that of a shuffle up or down, whose last lanes often do not use what they get; or that of a
// butterfly in a warp that is not whole, if the mask names it.
void check_shuffle(const ResidentBlock& block, unsigned warp_number, unsigned group) {
    const Thread* const lanes = &block.threads[0] + warp_number * 32;
    int distance = 0;
    bool same_distance = true;
    const Thread* reader = nullptr;
    for (unsigned left = group; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const int source = static_cast<int>(lanes[lane].source);
        const bool is_butterfly = lanes[lane].op == WarpOp::shuffle_xor &&
                                  (lanes[lane].mask >> lanes[lane].source & 1) != 0;
        const int away = is_butterfly ? source ^ lane : source - lane;
        same_distance = same_distance && (away == 0 || distance == 0 || away == distance);
        distance = away == 0 ? distance : away;
        if ((group >> lanes[lane].source & 1) == 0) {
            reader = reader == nullptr ? &lanes[lane] : reader;
        }
    }
    if (reader == nullptr || same_distance) {
        return;
    }
    char mask[16];
    std::snprintf(mask, sizeof mask, "0x%08x", reader->mask);
    const std::string place = place_of({reader->place.file, reader->place.line});
    report(
        "UNDEFINED SHUFFLE", "shuffle " + place,
        Text().say("warp.shuffle",
                   {{"place", place},
                    {"thread", name_of(static_cast<std::uint32_t>(block.number), reader->number)},
                    {"lane", std::to_string(reader->source)},
                    {"mask", mask}}));
}

bool complete_warp_function(ResidentBlock& block, unsigned warp_number, unsigned mask) {
    Thread* const lanes = &block.threads[0] + warp_number * 32;
    const unsigned group =
        cpu_device::complete_warp_function(block.warps[warp_number], mask, lanes);
    if (group == 0) {
        return false;
    }
    if (counting) {
        const std::size_t rest = block.threads.size() - warp_number * 32;
        const unsigned existing = rest >= 32 ? ~0u : (1u << rest) - 1;
        count_warp_function(static_cast<unsigned>(__builtin_popcount(mask & existing & ~group)));
    }
    const WarpOp op = lanes[__builtin_ctz(group)].op;
    if (is_shuffle(op)) {
        check_shuffle(block, warp_number, group);
    }
    // Where each ballot is as the one before, its lanes do the same each time.
    std::uint64_t& last_ballot = block.last_ballots[warp_number];
    const std::uint64_t ballot = lanes[__builtin_ctz(group)].result;
    const bool learns =
        is_vote(op) ? std::exchange(last_ballot, ballot) != ballot : op != WarpOp::sync;
    static std::vector<Clocks*>& clocks = *new std::vector<Clocks*>;
    clocks.clear();
    for (unsigned left = group; left != 0; left &= left - 1) {
        const unsigned thread = warp_number * 32 + static_cast<unsigned>(__builtin_ctz(left));
        clocks.push_back(&block.clocks[thread]);
        wake(block, thread, learns);
    }
    if (op == WarpOp::sync) {  // shuffles, votes and matches exchange values, and order nothing
        synchronize(clocks);
    }
    pass_late_store_on(clocks);
    if (is_traced()) {
        tracing->met(clocks);
    }
    note_progress();
    return true;
}

// Two lanes that wait for each other in two different warp functions, or with two masks, would do
// so without end. Ends the program.
void check_masks(const ResidentBlock& block, const Thread& me) {
    const unsigned lane = me.number % 32;
    const Thread* const lanes = &block.threads[me.number - lane];
    bool together = (me.mask >> lane & 1) != 0;
    for (unsigned left = me.mask & block.warps[me.number / 32].waiting; left != 0;
         left &= left - 1) {
        const Thread& other = lanes[__builtin_ctz(left)];
        together = together &&
                   ((other.mask >> lane & 1) == 0 || (other.mask == me.mask && other.op == me.op));
    }
    if (!together) {
        Text text(describe_threads(block.index, block.threads.data(), block.threads.size()));
        if (me.mask == 0) {
            text.say("warp.no mask");
        }
        report_the_end("DIVERGENT WARP FUNCTION", text.say("warp.divergent"));
    }
}

}  // namespace

void leave_warp(ResidentBlock& block, unsigned thread) {
    Warp& warp = block.warps[thread / 32];
    warp.ended |= 1u << thread % 32;
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((warp.waiting >> lane & 1) != 0) {
            complete_warp_function(block, thread / 32, block.threads[thread / 32 * 32 + lane].mask);
        }
    }
}

}  // namespace cpu_device::race

namespace cpu_device {

using namespace race;

std::uint64_t warp_function(WarpOp op, unsigned mask, std::uint64_t value, unsigned source,
                            const char* file, int line, const char* function) {
    Thread& me = caller("a warp function", file, line);
    ResidentBlock& block = *run.now.block;
    may_switch();
    const unsigned lane = me.number % 32;
    me.op = op;
    me.mask = mask;
    me.value = value;
    me.source = source % 32;
    me.state = State::in_warp_function;
    me.place = Place(file, line, function);
    if (is_traced()) {
        tracing->entered(__builtin_frame_address(0));
        tracing->note(StepKind::warp, {file, line});
    }
    block.warps[me.number / 32].waiting |= 1u << lane;
    check_masks(block, me);
    if (complete_warp_function(block, me.number / 32, mask)) {
        may_switch();
    } else {
        wait_for_turn();
    }
    return me.result;
}

unsigned active_mask(Place place) {
    Thread& me = caller("__activemask()", place.file, place.line);
    me.state = State::in_active_mask;
    me.place = place;
    run.launch->in_active_mask.push_back(run.now);
    wait_for_turn();
    me.state = State::running;
    return static_cast<unsigned>(me.result);
}

void check_tiles(unsigned tile_size, Place place) {
    const Thread& me = caller("tiled_partition", place.file, place.line);
    const std::size_t threads = run.now.block->threads.size();
    if (threads % tile_size == 0) {
        return;
    }
    const std::string where = place_of({place.file, place.line});
    const auto block = static_cast<std::uint32_t>(run.now.block->number);
    report("PARTIAL TILE", "tile " + where,
           Text().say("warp.tile", {{"place", where},
                                    {"thread", name_of(block, me.number)},
                                    {"threads", std::to_string(threads)},
                                    {"size", std::to_string(tile_size)}}));
}

}  // namespace cpu_device
