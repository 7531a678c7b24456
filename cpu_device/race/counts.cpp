// Counts what cpu_device/counts.h names. Loads and stores are kept as requests of a warp until the
// launch has ended, since only all lanes together say how many sectors and passes a request needs.
#include "race/counts.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "cpu_device/counts.h"
#include "race/access.hpp"
#include "race/memory.hpp"

namespace cpu_device::race {

bool counting = false;

namespace {

constexpr std::size_t sector_bytes = 32, word_bytes = 4, bank_bytes = word_bytes, banks = 32;
constexpr std::size_t widest_access = 16;

Counts counts;

// Of the launch that runs.
struct Request {
    bool shared;
    std::vector<std::pair<std::size_t, std::size_t>> lanes;  // offset and bytes of each
};
using Slot = std::uint32_t;
std::set<std::size_t> atomic_words, updated_words;  // of all launches
std::unordered_map<Slot, std::uint64_t> by_thread;
std::unordered_map<Slot, std::uint64_t> work_of_thread, work_of_block;
std::set<std::pair<Slot, std::size_t>> atomic_words_of_thread;
std::unordered_map<Slot, std::set<std::size_t>> held_words;
using Code = std::pair<const void*, int>;         // as in Where
std::map<std::pair<Slot, Code>, unsigned> times;  // that a thread has come to a place
// By block, warp, place, and the how-manieth time.
std::map<std::tuple<std::uint32_t, std::uint32_t, Code, unsigned>, Request> requests;

std::uint64_t sectors_of(const Request& request) {
    std::set<std::size_t> sectors;
    for (const auto& [offset, bytes] : request.lanes) {
        for (std::size_t s = offset / sector_bytes; s <= (offset + bytes - 1) / sector_bytes; ++s) {
            sectors.insert(s);
        }
    }
    return sectors.size();
}

std::uint64_t passes_of(const Request& request) {
    std::set<std::size_t> words;
    for (const auto& [offset, bytes] : request.lanes) {
        for (std::size_t w = offset / bank_bytes; w <= (offset + bytes - 1) / bank_bytes; ++w) {
            words.insert(w);
        }
    }
    std::uint64_t in_bank[banks] = {};
    for (const std::size_t word : words) {
        ++in_bank[word % banks];
    }
    return *std::max_element(in_bank, in_bank + banks);
}

std::uint64_t number_in(const std::set<std::size_t>& words, const void* memory, std::size_t bytes) {
    const std::size_t begin = offset_of(memory);
    const auto first = words.lower_bound(begin / word_bytes);
    const auto last = words.lower_bound((begin + bytes + word_bytes - 1) / word_bytes);
    return static_cast<std::uint64_t>(std::distance(first, last));
}

}  // namespace

void begin_counting() {
    counting = true;
    counts = {};
}

Counts end_counting() {
    counting = false;
    counts.atomic_words = atomic_words.size();
    atomic_words.clear();
    updated_words.clear();
    return counts;
}

std::uint64_t atomic_words_in(const void* memory, std::size_t bytes) {
    return number_in(atomic_words, memory, bytes);
}
std::uint64_t updated_words_in(const void* memory, std::size_t bytes) {
    return number_in(updated_words, memory, bytes);
}

void count_access(const Clocks& me, std::size_t offset, std::size_t bytes, Counted kind,
                  Where where) {
    if (bytes > widest_access) {
        for (std::size_t at = 0; at < bytes; at += word_bytes) {
            count_access(me, offset + at, std::min(word_bytes, bytes - at), kind, where);
        }
        return;
    }
    const Code code{where.at, where.line};
    const bool shared = is_shared(offset);
    const std::uint32_t slot = me.slot % threads_in_launch;  // a copy's counts for its thread
    const bool is_atomic = kind == Counted::atomic || kind == Counted::update;
    by_thread[slot] += is_atomic ? 0 : 1;
    if (!is_atomic || atomic_words_of_thread.insert({slot, offset / word_bytes}).second) {
        const std::uint64_t words = (bytes + word_bytes - 1) / word_bytes;
        counts.work += words;
        work_of_thread[slot] += words;
        work_of_block[me.block] += words;
    }
    if (is_atomic) {
        ++(shared ? counts.shared_atomics : counts.atomics);
        if (!shared) {
            atomic_words.insert(offset / word_bytes);
        }
        if (!shared && kind == Counted::update) {
            updated_words.insert(offset / word_bytes);
        }
        return;
    }
    ++(kind == Counted::load ? (shared ? counts.shared_loads : counts.loads)
                             : (shared ? counts.shared_stores : counts.stores));
    const unsigned time = times[{slot, code}]++;
    Request& request = requests[{me.block, me.thread / 32, code, time}];
    request.shared = shared;
    request.lanes.push_back({offset, bytes});
}

void count_outcome(const Clocks& me, std::size_t offset, bool changed, bool from_zero,
                   bool to_zero) {
    if (is_shared(offset)) {
        return;
    }
    counts.unchanging_atomics += changed ? 0 : 1;
    if (from_zero == to_zero) {
        return;
    }
    std::set<std::size_t>& held = held_words[me.slot];
    if (from_zero) {
        held.insert(offset);
        ++counts.words_taken;
        counts.most_words_held = std::max<std::uint64_t>(counts.most_words_held, held.size());
    } else {
        held.erase(offset);
    }
}

void count_barrier(std::size_t absent_threads) {
    ++counts.barriers;
    counts.absent_threads += absent_threads;
}

void count_warp_function(unsigned absent_lanes) {
    counts.absent_lanes += absent_lanes;
}

void count_launch(std::uint64_t threads) {
    const auto most_of = [](const std::unordered_map<Slot, std::uint64_t>& each,
                            std::uint64_t& most) {
        for (const auto& [slot, number] : each) {
            most = std::max(most, number);
        }
    };
    ++counts.launches;
    counts.threads += threads;
    counts.working_threads += by_thread.size();
    most_of(by_thread, counts.most_by_one_thread);
    most_of(work_of_thread, counts.most_work_of_thread);
    most_of(work_of_block, counts.most_work_of_block);
    for (const auto& [key, request] : requests) {
        if (request.shared) {
            ++counts.shared_requests;
            // A lane with 8 or 16 bytes is served in so many passes on its own account.
            const std::size_t widest =
                std::max_element(request.lanes.begin(), request.lanes.end(),
                                 [](const auto& a, const auto& b) { return a.second < b.second; })
                    ->second;
            const std::uint64_t free_passes = (widest + bank_bytes - 1) / bank_bytes;
            const std::uint64_t passes = passes_of(request);
            counts.bank_conflicts += passes > free_passes ? passes - free_passes : 0;
        } else {
            ++counts.requests;
            counts.sectors += sectors_of(request);
        }
    }
    by_thread.clear();
    work_of_thread.clear();
    work_of_block.clear();
    atomic_words_of_thread.clear();
    held_words.clear();
    times.clear();
    requests.clear();
}

}  // namespace cpu_device::race
