// The check of 23_chain_head.cu; check.hpp says what it is made of.
#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "exercises/check.hpp"

#ifdef CPU_DEVICE_RACE
#include "cpu_device/race.h"
#endif

void launch_push_all(int* d_head, int* d_next, int n, int block_size);

namespace exercises {

#ifdef CPU_DEVICE_RACE
// Each atomic that changes the head puts in an entry, or the first of several that the threads of a
// warp or a block have linked before.
static void expect_put_in(const Watched& watched, const int* d_head, const std::vector<int>& order,
                          int block_size) {
    std::map<int, std::size_t> place;
    for (std::size_t k = 0; k < order.size(); ++k) {
        place[order[k]] = k;
    }
    std::size_t before = order.size();
    std::size_t parts = 0;
    for (const Watched::Change& change : watched.changes_at(d_head, sizeof *d_head)) {
        const auto found = place.find(static_cast<int>(change.value));
        if (found != place.end() && found->second < before) {
            before = found->second;
            ++parts;
        }
    }
    if (parts * static_cast<std::size_t>(std::max(block_size, 64)) < order.size()) {
        throw Wrong{"no atomics", "Of " + text_of(order.size()) + " entries, " + text_of(parts) +
                                      " have come into the chain by an atomic access to *d_head."};
    }
}
#endif

static void run(int n, int block_size) {
    // The chain is empty, or has three or five entries already, in any order.
    std::vector<int> chain;
    if (in_turn(3, 2) > 0) {
        const int old = 3 + 2 * in_turn(2, 4);
        const int most_gap = in_turn(4, 5) == 0 ? 70'000 : 2;  // more than 16 bits hold
        for (const int gap : random_numbers(old, 0, most_gap, 3)) {
            chain.push_back((chain.empty() ? n : chain.back() + 1) + gap);
        }
        for (int k = in_turn(6, 3) * (old == 3 ? 1 : 20); k > 0; --k) {
            std::next_permutation(chain.begin(), chain.end());
        }
    }
    // The largest number of one, from n on, and 1.
    const int most_old = chain.empty() ? 1 : *std::max_element(chain.begin(), chain.end()) + 1 - n;
    const auto is_entry = [&](int entry) {
        return (entry >= 0 && entry < n) ||
               std::find(chain.begin(), chain.end(), entry) != chain.end();
    };
    const int size = n + static_cast<int>(chain.size());
    const DeviceArray<int> d_head(std::vector<int>{chain.empty() ? -1 : chain[0]}),
        d_next = output_array<int>(n + most_old);
    std::vector<int> old_entries(most_old, -1);
    for (std::size_t k = 1; k < chain.size(); ++k) {
        old_entries[chain[k - 1] - n] = chain[k];
    }
    CHECK(cudaMemcpy(d_next.data() + n, old_entries.data(), most_old * sizeof(int),
                     cudaMemcpyHostToDevice));
    const Watched watched(
        [&] { call_answer(launch_push_all, d_head.data(), d_next.data(), n, block_size); });
    const std::vector<int> next = d_next.to_host();
    std::vector<bool> found(n + most_old);
    int entries = 0;
    std::vector<int> order;        // of the new entries
    std::string link = "*d_head";  // that leads to the entry
    for (int entry = d_head.to_host()[0]; entry != -1; entry = next[entry]) {
        if (is_unwritten(entry)) {
            throw Wrong{"never written", link + " was never written."};
        }
        if (!is_entry(entry)) {
            throw Wrong{"value", link + " is " + text_of(entry) + ": there is no such entry."};
        }
        if (found[entry]) {
            throw Wrong{"value", "The chain has no end: " + link + " leads back to entry " +
                                     text_of(entry) + ", which is in the chain already."};
        }
        found[entry] = true;
        ++entries;
        if (entry < n) {
            order.push_back(entry);
        }
        link = "d_next[" + text_of(entry) + "]";
    }
    if (entries < size) {
        int missing = 0;
        while (found[missing] || !is_entry(missing)) {
            ++missing;
        }
        throw Wrong{"value", "The chain has " + text_of(entries) + " of the " + text_of(size) +
                                 " entries. Entry " + text_of(missing) + " is missing" +
                                 (missing < n ? "." : ": it was there at the beginning.")};
    }
    note_order(order);
#ifdef CPU_DEVICE_RACE
    expect_put_in(watched, d_head.data(), order, block_size);
#endif
}

#ifdef CPU_DEVICE_RACE
// The new entries from `first` on, up to the one that `end` follows; none if the links do not lead
// there.
static std::vector<int> way(int first, int end, const std::vector<int>& next) {
    std::vector<int> entries;
    for (int entry = first;
         entry >= 0 && entry < static_cast<int>(next.size()) && entries.size() < next.size();
         entry = next[entry]) {
        entries.push_back(entry);
        if (next[entry] == end) {
            return entries;
        }
    }
    return {};
}

// The entries that the kernel has put in, where its k-th change of the head has made it `heads[k]`
// and has found `before[k]` there. The latter may be one of those that it puts in, where a rival
// was first with it.
static std::set<int> entries_put_in(const std::vector<int>& heads, const std::vector<int>& before,
                                    const std::vector<int>& next) {
    std::set<int> found;
    for (std::size_t k = 0; k < heads.size(); ++k) {
        for (const int first : {heads[k], before[k]}) {
            const std::vector<int> entries = way(first, before[k], next);
            found.insert(entries.begin(), entries.end());
        }
    }
    return found;
}

// The thread that puts in the entry, as in a run before.
static int thread_with_entry(int n, int entry, int block_size) {
    const DeviceArray<int> d_head(std::vector<int>{n + 1}), d_next = output_array<int>(n + 3);
    return thread_that_leaves(
        static_cast<std::uint32_t>(entry), d_head.data(),
        [&] { call_answer(launch_push_all, d_head.data(), d_next.data(), n, block_size); }, entry);
}

// The rivals put in other entries and those that were there before, which are all that the head can
// be without them.
static void run_with_rivals(int n, int own_entry, int block_size) {
    const int thread = thread_with_entry(n, own_entry, block_size);
    const DeviceArray<int> d_head(std::vector<int>{n + 2}), d_next = output_array<int>(n + 3);
    std::vector<int> of_rivals(n + 3);
    std::iota(of_rivals.begin(), of_rivals.end(), 0);
    of_rivals.erase(of_rivals.begin() + own_entry);
    std::minstd_rand generator(
        static_cast<unsigned>(random_numbers(1, 1, std::numeric_limits<int>::max())[0]));
    std::shuffle(of_rivals.begin(), of_rivals.end() - 3, generator);  // the old ones come last
    std::size_t next_rival = 0;
    std::map<std::size_t, int> left;  // by the last rival before the k-th change of the kernel
    cpu_device::race::watch_changes(d_head.data(), sizeof(int));
    const int times = with_rivals(
        d_head.data(), thread,
        [&](std::uint32_t old) {
            int entry = of_rivals[next_rival++ % of_rivals.size()];
            if (entry == static_cast<int>(old)) {
                entry = of_rivals[next_rival++ % of_rivals.size()];
            }
            left[cpu_device::race::changes().size()] = entry;
            return static_cast<std::uint32_t>(entry);
        },
        [&] { call_answer(launch_push_all, d_head.data(), d_next.data(), n, block_size); });
    std::vector<int> heads, before = {n + 2};
    for (const cpu_device::race::Change& change : cpu_device::race::changes()) {
        const auto rival = left.find(heads.size());
        before.back() = rival == left.end() ? before.back() : rival->second;
        heads.push_back(static_cast<int>(change.value));
        before.push_back(heads.back());
    }
    cpu_device::race::watch_changes(nullptr);
    std::vector<int> next = d_next.to_host();
    next.resize(n);
    std::set<int> in_the_chain = entries_put_in(heads, before, next);
    // A rival may have left there the first of the entries that other threads are to put in. They
    // find it, and change nothing.
    for (int entry = 0; entry < n; ++entry) {
        const std::vector<int> ring = way(entry, entry, next);
        if (std::find(ring.begin(), ring.end(), own_entry) == ring.end()) {
            in_the_chain.insert(ring.begin(), ring.end());
        }
    }
    if (in_the_chain.size() < static_cast<std::size_t>(n)) {
        throw Wrong{"gives up", "Others were first " + text_of(times) +
                                    " times, and then an entry is missing."};
    }
}
#endif

const Exercise exercise = [] {
    Exercise one = {run, "each entry is in the chain, once"};
    one.come_in_any_order = "came into the chain";
#ifdef CPU_DEVICE_RACE
    one.run_with_rivals = run_with_rivals;
#endif
    return one;
}();

}  // namespace exercises
