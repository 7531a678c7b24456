// The check of 30_your_own_lock.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <limits>

void launch_pay_all(const int* d_amount, int n, int* d_lock, int* d_balance, int* d_lines,
                    int* d_who, int* d_after, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    refuse("fence",
           {"__threadfence", "__threadfence_block", "__threadfence_system", "atomic_thread_fence"});
    refuse("own lock", {"common"});
    refuse("volatile",
           {"volatile"});  // race mode takes it for an atomic access that orders nothing
    // So large that the balance and the number of the line do not fit into one word.
    const int most =
        in_turn(2, 9) == 0 ? std::numeric_limits<int>::max() / std::max(n, 1) : 1'000'000;
    const int least = in_turn(2, 8) == 0 ? -most : 1;
    std::vector<int> amount = random_numbers(n, least, most);
    const std::vector<int> zero = {0};
    if (n > 1 && least < 0) {
        amount[n / 2] = 0;  // has a line, too
    }
    const Input<int> d_amount("d_amount", amount);
    const DeviceArray<int> d_lock(zero), d_balance(zero), d_lines(zero);
    const DeviceArray<int> d_who = output_array<int>(n), d_after = output_array<int>(n);
    const Watched watched([&] {
        call_answer(launch_pay_all, d_amount.data(), n, d_lock.data(), d_balance.data(),
                    d_lines.data(), d_who.data(), d_after.data(), block_size);
    });
    expect_equal("*d_lines", d_lines.to_host()[0], n);
    const std::vector<int> who = d_who.to_host(), after = d_after.to_host();
    std::vector<bool> has_paid(n);
    int balance = 0;
    for (int k = 0; k < n; ++k) {
        const std::string line = "[" + text_of(k) + "]";
        if (is_unwritten(who[k])) {
            throw Wrong{"never written", "d_who" + line + " was never written."};
        }
        if (who[k] < 0 || who[k] >= n || has_paid[who[k]]) {
            throw Wrong{"value", "d_who" + line + " is " + text_of(who[k]) +
                                     (who[k] < 0 || who[k] >= n ? ": there is no such thread."
                                                                : ", for the second time.")};
        }
        has_paid[who[k]] = true;
        if (after[k] != balance + amount[who[k]] && !is_unwritten(after[k])) {
            throw Wrong{"value", "Line " + text_of(k) + " does not follow from the line before: " +
                                     "the balance was " + text_of(balance) + ", thread " +
                                     text_of(who[k]) + " pays " + text_of(amount[who[k]]) +
                                     ", and d_after" + line + " is " + text_of(after[k]) + "."};
        }
        balance += amount[who[k]];
        expect_equal("d_after" + line, after[k], balance);
    }
    expect_equal("*d_balance", d_balance.to_host()[0], balance);
    note_order(who);
    std::set<int> threads;
    for (const Watched::Change& change : watched.changes_at(d_who.data(), n * sizeof(int))) {
        threads.insert(change.thread);
    }
    if (threads.size() > 1) {  // of one thread that does all another row tells
        const std::size_t changes = watched.changes_at(d_lock.data(), sizeof(int)).size();
        if (changes == 0) {
            throw Wrong{"count", text_of(threads.size()) +
                                     " threads need the lock, and its word was changed " +
                                     text_of(changes) + " times."};
        }
        expect_from_several_blocks(watched, "*d_lines", d_lines.data(), d_lock.data(), n,
                                   block_size);
    }
}

const Exercise exercise = [] {
    Exercise one = with_one_lock(run, "each line follows from the line before");
    one.come_in_any_order = "have paid";
    // How often it is taken says nothing of a lock that is handed on: that is found by the order.
    one.count = [](const Counts& counts, int, int) {
        expect_atomic_words(counts, 1, "that of the lock");
    };
    return one;
}();

}  // namespace exercises
