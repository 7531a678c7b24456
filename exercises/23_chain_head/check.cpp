// The check of 23_chain_head.cu; check.hpp says what it is made of.
#include <algorithm>

#include "exercises/check.hpp"

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
    // The chain has the entries n + 2, n + 1 and n already.
    const int size = n + 3;
    const DeviceArray<int> d_head(std::vector<int>{n + 2}), d_next = output_array<int>(size);
    const std::vector<int> old_entries = {-1, n, n + 1};
    CHECK(
        cudaMemcpy(d_next.data() + n, old_entries.data(), 3 * sizeof(int), cudaMemcpyHostToDevice));
    const Watched watched([&] { launch_push_all(d_head.data(), d_next.data(), n, block_size); });
    const std::vector<int> next = d_next.to_host();
    std::vector<bool> found(size);
    int entries = 0;
    std::vector<int> order;        // of the new entries
    std::string link = "*d_head";  // that leads to the entry
    for (int entry = d_head.to_host()[0]; entry != -1; entry = next[entry]) {
        if (is_unwritten(entry)) {
            throw Wrong{"never written", link + " was never written."};
        }
        if (entry < 0 || entry >= size) {
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
        while (found[missing]) {
            ++missing;
        }
        throw Wrong{"value", "The chain has " + text_of(entries) + " of the " + text_of(size) +
                                 " entries. Entry " + text_of(missing) + " is missing" +
                                 (missing < n ? "." : ": it was there at the beginning.")};
    }
    refuse_fixed_order(order, "came into the chain");
#ifdef CPU_DEVICE_RACE
    expect_put_in(watched, d_head.data(), order, block_size);
#endif
}

static void run_with_rivals(int n, int thread, int block_size) {
    const DeviceArray<int> d_head(std::vector<int>{-1}), d_next = output_array<int>(n);
    std::vector<int> next_of_rival;  // rivals put in the entries n, n + 1, ...
    const int times = with_rivals(
        d_head.data(), thread,
        [&](std::uint32_t old) {
            next_of_rival.push_back(static_cast<int>(old));
            return static_cast<std::uint32_t>(n + static_cast<int>(next_of_rival.size()) - 1);
        },
        [&] { launch_push_all(d_head.data(), d_next.data(), n, block_size); });
    std::vector<int> next = d_next.to_host();
    next.resize(n);
    next.insert(next.end(), next_of_rival.begin(), next_of_rival.end());
    std::size_t entries = 0;
    for (int entry = d_head.to_host()[0];
         entry >= 0 && entry < static_cast<int>(next.size()) && entries <= next.size();
         entry = next[entry]) {
        ++entries;
    }
    if (entries != next.size()) {
        throw Wrong{"gives up", "Others were first " + text_of(times) +
                                    " times, and then an entry is missing."};
    }
}

const Exercise exercise = [] {
    Exercise one = {run, "each entry is in the chain, once"};
    one.run_with_rivals = run_with_rivals;
    return one;
}();

}  // namespace exercises
