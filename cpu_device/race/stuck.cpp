#include "race/stuck.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "race/copies.hpp"
#include "race/places.hpp"
#include "race/report.hpp"
#include "race/run.hpp"
#include "race/tracing.hpp"
#include "race/word_history.hpp"
#include "race/words.hpp"

namespace cpu_device::race {
namespace {

// The word for which a thread of this launch waits; 0: none.
std::uintptr_t awaited_by(std::uint32_t slot) {
    for (const auto& block : run.launch->resident) {
        const std::size_t thread = slot - block->number * run.launch->threads_per_block;
        if (thread < block->threads.size() && block->threads[thread].state == State::spinning) {
            return block->threads[thread].value;
        }
    }
    return 0;
}

// Has each of these words been changed last by a thread that waits for another one, as the locks of
// threads that wait for each other have?
bool wait_in_a_circle(const std::set<std::uintptr_t>& words) {
    return !words.empty() && std::all_of(words.begin(), words.end(), [](std::uintptr_t word) {
        const std::size_t offset = offset_of(reinterpret_cast<const void*>(word));
        const std::optional<Access> last =
            offset != unchecked ? history.last_change(offset) : std::optional<Access>();
        const std::uintptr_t awaited = last ? awaited_by(last->slot) : 0;
        return awaited != 0 && awaited != word;
    });
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
        text.replace(at, what.size(), with);
    }
}

}  // namespace

void report_stuck(const char* what, bool polling) {
    std::string threads;
    std::set<std::uintptr_t> words;
    std::vector<std::uint32_t> slots;  // of threads that wait
    for (const auto& block : run.launch->resident) {
        threads += describe_threads(block->index, block->threads.data(), block->threads.size());
        for (const Thread& thread : block->threads) {
            if (thread.state == State::spinning && thread.value != 0) {
                words.insert(thread.value);
            }
            if (thread.state != State::ended) {
                slots.push_back(block->clocks[thread.number].slot);
            }
        }
    }
    const bool circle = wait_in_a_circle(words);
    if (circle) {
        what = "stuck.circle";
    }
    Text awaited;
    for (const std::uintptr_t word : words) {
        const std::size_t offset = offset_of(reinterpret_cast<const void*>(word));
        if (offset != unchecked) {
            const std::optional<Access> last = history.last_change(offset);
            char address[32];
            std::snprintf(address, sizeof address, "the atomic at %p,",
                          reinterpret_cast<const void*>(word));
            replace_all(threads, address, describe(offset, 4) + ",");
            const BarrierObject* const barrier =
                barrier_with_phase(reinterpret_cast<const void*>(word));
            if (barrier != nullptr) {
                const std::uint32_t expected = *barrier->expected;
                awaited.say("stuck.barrier",
                            {{"arrived", std::to_string(expected - *barrier->left)},
                             {"expected", std::to_string(expected)}});
                continue;
            }
            const auto value = *reinterpret_cast<const std::uint32_t*>(word);
            awaited.say(
                "stuck.word",
                {{"where", describe(offset, 4)},
                 {"value", value_text(value, 4, Element::with_sign)},
                 {"last", !last ? sentence("stuck.unchanged")
                                : sentence("stuck.changed", {{"thread", name_of(*last)},
                                                             {"place", place_of(last->where)}})}});
        }
    }
    Text text;
    text.say("stuck.who", {{"what", sentence(what)}});
    text += threads;
    text += awaited;
    // Do they wait for blocks that race mode has no room for? Then the fault is not the program's.
    if (polling && !circle && run.launch->next_block < run.launch->blocks) {
        Text large;
        large.say("large.blocks",
                  {{"blocks", std::to_string(run.launch->blocks - run.launch->next_block)},
                   {"resident", std::to_string(run.launch->max_resident)}});
        report_too_large(large += text);
    }
    if (tracing != nullptr) {
        tracing->about(tracing->last_steps(slots));
    }
    report_the_end("DEADLOCK", text);
}

}  // namespace cpu_device::race
