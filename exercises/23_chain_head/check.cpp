// The check of 23_chain_head.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

void launch_push_all(int* d_head, int* d_next, int n, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    // The chain has the entries n + 2, n + 1 and n already.
    const int size = n + 3;
    const DeviceArray<int> d_head(std::vector<int>{n + 2}), d_next = output_array<int>(size);
    const std::vector<int> old_entries = {-1, n, n + 1};
    CHECK(
        cudaMemcpy(d_next.data() + n, old_entries.data(), 3 * sizeof(int), cudaMemcpyHostToDevice));
    launch_push_all(d_head.data(), d_next.data(), n, block_size);
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
}

static void run_with_rivals() {
    const DeviceArray<int> d_head(std::vector<int>{-1}), d_next = output_array<int>(1);
    int last = 0;  // that a rival has put in: rivals put in entries 1, 2, ... each before the last
    const int times = with_rivals(
        d_head.data(), [&](std::uint32_t) { return static_cast<std::uint32_t>(++last); },
        [&] { launch_push_all(d_head.data(), d_next.data(), 1, 1); });
    // The thread is the last one.
    if (d_head.to_host()[0] != 0 || d_next.to_host()[0] != (times == 0 ? -1 : last)) {
        throw Wrong{"gives up", "Others were first " + text_of(times) +
                                    " times, and then the thread's entry is missing."};
    }
}

const Exercise exercise = [] {
    Exercise one = {run, "each entry is in the chain, once"};
    one.run_with_rivals = run_with_rivals;
    return one;
}();

}  // namespace exercises
