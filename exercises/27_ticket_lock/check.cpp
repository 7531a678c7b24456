// The check of 27_ticket_lock.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <numeric>

void launch_serve_all(int n, unsigned* d_next, unsigned* d_serving, unsigned* d_served, int* d_size,
                      int block_size);

namespace exercises {

#ifdef CPU_DEVICE_RACE
// Whether in many runs with many threads none of them has ever had a ticket before its turn.
static void refuse_without_queue(const Watched& watched, int n, const unsigned* d_next,
                                 const unsigned* d_serving) {
    constexpr int many_threads = 100, many_runs = 20;
    static int runs = 0;
    static bool has_waited = false;
    if (n < many_threads) {
        return;
    }
    unsigned next = 0, serving = 0;
    for (const Watched::Change& change : watched.changes()) {
        next = change.is_at(d_next, sizeof *d_next) ? change.value : next;
        serving = change.is_at(d_serving, sizeof *d_serving) ? change.value : serving;
        has_waited = has_waited || next > serving + 1;
    }
    if (++runs >= many_runs && !has_waited) {
        throw Wrong{"no queue",
                    "In " + text_of(runs) +
                        " runs, no thread has had a ticket while another one was served.",
                    true};
    }
}

// The ticket k belongs to the thread that has changed *d_next from k; or to any thread of its
// block, if this one has taken several.
static void expect_own_turns(const Watched& watched, const unsigned* d_next,
                             const std::vector<Watched::Change>& turns) {
    unsigned next = 0;
    for (const Watched::Change& change : watched.changes_at(d_next, sizeof *d_next)) {
        const bool one_ticket = change.value == next + 1;
        for (; next < change.value && next < turns.size(); ++next) {
            const Watched::Change& served = turns[next];
            if (one_ticket ? served.thread != change.thread : served.block != change.block) {
                throw Wrong{"turn", "Thread " + text_of(change.thread) + " has taken the ticket " +
                                        text_of(next) + ", and thread " + text_of(served.thread) +
                                        " is served with it."};
            }
        }
    }
}
#endif

static void run(int n, int block_size) {
    refuse("notify_one", {"notify_one"});
    refuse("volatile",
           {"volatile"});  // race mode takes it for an atomic access that orders nothing
    const std::vector<unsigned> zero = {0};
    const DeviceArray<unsigned> d_next(zero), d_serving(zero), d_served = output_array<unsigned>(n);
    const DeviceArray<int> d_size(std::vector<int>{0});
    const Watched watched([&] {
        call_answer(launch_serve_all, n, d_next.data(), d_serving.data(), d_served.data(),
                    d_size.data(), block_size);
    });
    const auto all = static_cast<unsigned>(n);
    expect_equal("*d_next at the end", d_next.to_host()[0], all);
    expect_equal("*d_serving at the end", d_serving.to_host()[0], all);
    expect_equal("*d_size", d_size.to_host()[0], n);
    std::vector<unsigned> expected(n);
    std::iota(expected.begin(), expected.end(), 0u);
    expect_equal("d_served", d_served.to_host(), expected);
    const std::vector<Watched::Change> turns = watched.changes_at(d_size.data(), sizeof(int));
    std::vector<int> order;
    for (const Watched::Change& turn : turns) {
        order.push_back(turn.thread);
    }
    note_order(order);
#ifdef CPU_DEVICE_RACE
    for (std::size_t k = 0; k < expected.size(); ++k) {
        const std::vector<Watched::Change> who =
            watched.changes_at(d_served.data() + k, sizeof *d_served.data());
        if (k >= turns.size() || who.empty() || who.back().thread != turns[k].thread) {
            throw Wrong{"turn", "d_served[" + text_of(k) +
                                    "] is not written by the thread that makes *d_size " +
                                    text_of(k + 1) + "."};
        }
    }
    expect_own_turns(watched, d_next.data(), turns);
    refuse_without_queue(watched, n, d_next.data(), d_serving.data());
#endif
}

// A thread waits for all before it, so 200 of them are enough.
const Exercise exercise = [] {
    Exercise exercise = {run, "each thread is served, in order", {0, 1, 31, 33, 200}};
    exercise.count = [](const Counts& counts, int, int) {
        expect_atomic_words(counts, 2, "those of the lock");
    };
    exercise.counted = "no atomic words but the two of the lock";
    exercise.waits = true;
    exercise.come_in_any_order = "were served";
    exercise.race_cases = {{33, 32}, {100, 32}};
    return exercise;
}();

}  // namespace exercises
