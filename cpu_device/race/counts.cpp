// Counts what cpu_device/counts.h names. Loads and stores are kept as requests of a warp until the
// launch has ended, since only all lanes together say how many sectors and passes a request needs.
#include "race/counts.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
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

using Slot = std::uint32_t;

// Of the launch that runs.
struct Request {
    bool shared;
    std::vector<std::pair<std::size_t, std::size_t>> lanes;  // offset and bytes of each
};
std::set<std::size_t> atomic_words, updated_words;  // of all launches
using LaunchNumber = std::uint64_t;                 // how many there were before it
using Block = std::pair<LaunchNumber, std::uint32_t>;
struct Readers {
    Block block;  // the first one, and its thread
    Slot thread;
    bool other_threads = false, other_blocks = false;
};
std::map<std::size_t, Readers> readers;                // of each word that has been read
std::unordered_map<std::size_t, Slot> shared_writers;  // of each word of shared memory
// The changes of a word, which are numbered from 1 on.
struct Writers {
    Block last;                                // the block of the last change
    std::uint64_t number = 0, of_another = 0;  // of the last change; of the last by another block
    std::map<Block, std::uint64_t> seen;       // by each block that has loaded the word
};
std::unordered_map<std::size_t, Writers> writers;
std::size_t news_begin = 0, news_words = unchecked;  // the words whose news count
std::unordered_map<Slot, std::uint64_t> by_thread;
std::unordered_map<Slot, std::uint64_t> work_of_thread, work_of_block;
std::set<std::pair<Slot, std::size_t>> atomic_words_of_thread;
std::unordered_map<Slot, std::set<std::size_t>> held_words;
// The places that a thread has loaded since its last look at a word that it waits for, and between
// that look and the one before.
struct Looks {
    std::vector<std::size_t> since, before;
};
std::unordered_map<Slot, Looks> looks;
constexpr std::size_t most_loads_of_look = 16;
bool is_first_atomic = false;  // of its thread on its word: the latest atomic

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

// Of the passes, those that its words would not need in other banks.
std::uint64_t passes_too_many(const Request& request) {
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
    return *std::max_element(in_bank, in_bank + banks) - (words.size() + banks - 1) / banks;
}

// Is this load one that its thread also made before its last look? Then it tells nothing new.
bool repeats_look(Slot thread, std::size_t offset) {
    const auto found = looks.find(thread);
    if (found == looks.end()) {
        return false;
    }
    auto& [since, before] = found->second;
    if (since.size() < most_loads_of_look) {
        since.push_back(offset);
    }
    return std::find(before.begin(), before.end(), offset) != before.end();
}

Block block_of(const Clocks& me) {
    return {counts.launches, me.block};
}

void note_reader(const Clocks& me, Slot thread, std::size_t word, bool is_atomic) {
    const Block block = block_of(me);
    Readers& of_word = readers.insert({word, {block, thread}}).first->second;
    if (of_word.block.first != block.first) {
        of_word = {block, thread};
    }
    of_word.other_threads |= of_word.thread != thread;
    of_word.other_blocks |= of_word.block != block;
    const auto changed = writers.find(word);
    if (!is_atomic && changed != writers.end() && word - news_begin < news_words) {
        const Writers& all = changed->second;
        const std::uint64_t by_others = all.last != block ? all.number : all.of_another;
        std::uint64_t& seen = changed->second.seen[block];
        counts.news_of_other_blocks += by_others > seen ? 1 : 0;
        seen = all.number;
    }
}

void note_writer(const Clocks& me, std::size_t word) {
    const Block block = block_of(me);
    Writers& of_word = writers.insert({word, {block, 0, 0, {}}}).first->second;
    if (of_word.last != block) {
        of_word.of_another = of_word.number;
        of_word.last = block;
    }
    ++of_word.number;
}

// Of this memory, the words with such readers.
std::uint64_t number_with(bool Readers::*what, const void* memory, std::size_t bytes) {
    if (bytes == 0) {
        return 0;
    }
    const std::size_t begin = offset_of(memory);
    const auto last = readers.lower_bound((begin + bytes + word_bytes - 1) / word_bytes);
    return static_cast<std::uint64_t>(
        std::count_if(readers.lower_bound(begin / word_bytes), last, [&](const auto& word) {
            const LaunchNumber launch = word.second.block.first;
            return launch + 1 == counts.launches && word.second.*what;
        }));
}

std::uint64_t number_in(const std::set<std::size_t>& words, const void* memory, std::size_t bytes) {
    if (bytes == 0) {  // an empty array lies nowhere
        return 0;
    }
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
    readers.clear();
    writers.clear();
    return counts;
}

void count_news_of(const void* memory, std::size_t bytes) {
    news_begin = offset_of(memory) / word_bytes;
    news_words = (bytes + word_bytes - 1) / word_bytes;
}

std::uint64_t news_of_other_blocks() {
    return counts.news_of_other_blocks;
}

std::uint64_t atomic_words_in(const void* memory, std::size_t bytes) {
    return number_in(atomic_words, memory, bytes);
}
std::uint64_t updated_words_in(const void* memory, std::size_t bytes) {
    return number_in(updated_words, memory, bytes);
}
std::uint64_t words_of_several_threads_in(const void* memory, std::size_t bytes) {
    return number_with(&Readers::other_threads, memory, bytes);
}
std::uint64_t words_of_several_blocks_in(const void* memory, std::size_t bytes) {
    return number_with(&Readers::other_blocks, memory, bytes);
}

void count_access(const Clocks& me, std::size_t offset, std::size_t bytes, Counted kind,
                  Where where, bool by_words) {
    if (bytes > (by_words ? word_bytes : widest_access)) {
        for (std::size_t at = 0; at < bytes; at += word_bytes) {
            count_access(me, offset + at, std::min(word_bytes, bytes - at), kind, where);
        }
        return;
    }
    const Code code{where.at, where.line};
    const bool shared = is_shared(offset);
    const std::uint32_t slot = me.slot % threads_in_launch;  // a copy's counts for its thread
    const bool is_atomic = kind == Counted::atomic || kind == Counted::update;
    const std::size_t first_word = offset / word_bytes,
                      last_word = (offset + bytes - 1) / word_bytes;
    for (std::size_t word = first_word; !shared && word <= last_word; ++word) {
        if (kind == Counted::store) {
            note_writer(me, word);
        } else {
            note_reader(me, slot, word, is_atomic);
        }
    }
    for (std::size_t word = first_word; shared && !is_atomic && word <= last_word; ++word) {
        if (kind == Counted::store) {
            shared_writers[word] = slot;
        } else {
            const auto writer = shared_writers.find(word);
            counts.shared_words_of_others +=
                writer != shared_writers.end() && writer->second != slot ? 1 : 0;
        }
    }
    is_first_atomic =
        is_atomic && atomic_words_of_thread.insert({slot, offset / word_bytes}).second;
    const bool is_poll = kind == Counted::load && repeats_look(slot, offset);
    counts.polls += is_poll ? 1 : 0;
    if (kind == Counted::store) {
        looks.erase(slot);
    }
    by_thread[slot] += is_atomic || is_poll ? 0 : 1;
    if (is_atomic ? is_first_atomic : !is_poll) {
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
    const std::uint32_t thread = me.slot % threads_in_launch;
    if (changed) {
        looks.erase(thread);
    } else if (!is_first_atomic) {
        ++counts.polls;
        Looks& of_thread = looks[thread];
        of_thread.before = std::move(of_thread.since);
        of_thread.since.clear();
    }
    if (is_shared(offset)) {
        return;
    }
    counts.unchanging_atomics += changed ? 0 : 1;
    if (changed) {
        note_writer(me, offset / word_bytes);
    }
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

void count_launch(std::uint64_t blocks, std::uint64_t threads) {
    const auto most_of = [](const std::unordered_map<Slot, std::uint64_t>& each,
                            std::uint64_t& most) {
        for (const auto& [slot, number] : each) {
            most = std::max(most, number);
        }
    };
    ++counts.launches;
    counts.blocks += blocks;
    counts.threads += threads;
    counts.working_threads += by_thread.size();
    most_of(by_thread, counts.most_by_one_thread);
    most_of(work_of_thread, counts.most_work_of_thread);
    most_of(work_of_block, counts.most_work_of_block);
    std::unordered_map<Slot, std::uint64_t> atomic_words_of;
    for (const auto& [slot, word] : atomic_words_of_thread) {
        atomic_words_of[slot] += is_shared(word * word_bytes) ? 0 : 1;
    }
    most_of(atomic_words_of, counts.most_atomic_words_of_thread);
    for (const auto& [key, request] : requests) {
        if (request.shared) {
            ++counts.shared_requests;
            counts.bank_conflicts += passes_too_many(request);
        } else {
            ++counts.requests;
            counts.sectors += sectors_of(request);
        }
    }
    by_thread.clear();
    work_of_thread.clear();
    work_of_block.clear();
    atomic_words_of_thread.clear();
    looks.clear();
    held_words.clear();
    shared_writers.clear();
    times.clear();
    requests.clear();
}

}  // namespace cpu_device::race
