// The check of 28_two_locks.cu; check.hpp says what it is made of.
#include "exercises/check.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

void launch_transfer_all(const int* d_from, const int* d_to, const int* d_amount, int n,
                         int* d_locks, int* d_balance, int block_size);

namespace exercises {

// 8 to 20: how many there are hangs on the size, since `count` knows no more of a run.
static int accounts_of(int n) {
    return 8 + 2 * (n % 7);
}

// One lock for all may be taken beside another one. One thread that does all transfers is let
// through, since another row says so.
static void expect_own_locks(const Watched& watched, const int* d_locks, int accounts,
                             const std::vector<int>& from, const std::vector<int>& to) {
    std::set<int> threads;
    std::string found;
    for (int k = 0; k < accounts; ++k) {
        for (const Watched::Change& change : watched.changes_at(d_locks + k, sizeof *d_locks)) {
            const auto i = static_cast<std::size_t>(change.thread);
            threads.insert(change.thread);
            if (i >= from.size() || (from[i] != k && to[i] != k)) {
                found = "Thread " + text_of(i) + " uses the lock of account " + text_of(k) +
                        ", which has no part in its transfer.";
            }
        }
    }
    if (threads.size() > 1 && !found.empty()) {
        throw Wrong{"count", found};
    }
}

// Where there is no order of the accounts in which all threads take their locks: they may wait for
// each other in a circle. It is told by count(), since a thread that gives a lock back where it
// does not get the other one waits in no circle; that is told as such.
static std::string circle_of_locks;

// `then`: the locks that a thread has taken after that of each account.
static void note_circle(std::map<int, std::set<int>> then) {
    // Again and again, an account after whose lock nobody takes another one can be the last.
    const auto may_be_last = [](const auto& one) { return one.second.empty(); };
    auto last = then.begin();
    while ((last = std::find_if(then.begin(), then.end(), may_be_last)) != then.end()) {
        const int account = last->first;
        then.erase(last);
        for (auto& [before, after] : then) {
            after.erase(account);
        }
    }
    if (!then.empty()) {
        std::string circle = text_of(then.begin()->first);  // each has one that follows it
        std::set<int> seen;
        int account = then.begin()->first;
        while (seen.insert(account).second) {
            account = *then[account].begin();
            circle += " -> " + text_of(account);
        }
        circle_of_locks = circle;
    }
}

// A thread that changes a balance has taken the lock of this account before, and gives it back
// later; and it has taken both of its locks before it gives one back. Each change of the word of a
// lock is of one of the two kinds: so the first is the one by which the thread takes it, the last
// the one by which it gives it back. Again one thread alone is let through.
static void expect_both_held(const Watched& watched, const int* d_locks, const int* d_balance,
                             int accounts) {
    struct Time {
        std::size_t first = SIZE_MAX, last = 0;
        void add(std::size_t at) {
            first = std::min(first, at);
            last = std::max(last, at);
        }
    };
    std::map<int, std::map<int, Time>> locked, changed;  // by thread and account
    std::map<int, std::set<int>> then;  // by account, those whose lock a thread has taken later
    std::size_t at = 0;
    std::map<int, std::set<std::uintptr_t>> own_words;  // that a thread has changed before
    for (const Watched::Change& change : watched.changes()) {
        ++at;
        if (!change.is_at(d_locks, accounts * sizeof *d_locks) && locked[change.thread].empty()) {
            own_words[change.thread].insert(change.address);
        }
        for (int k = 0; k < accounts; ++k) {
            if (change.is_at(d_locks + k, sizeof *d_locks)) {
                then[k];
                for (const auto& [earlier, time] : locked[change.thread]) {
                    if (locked[change.thread].count(k) == 0) {
                        then[earlier].insert(k);
                    }
                }
                locked[change.thread][k].add(at);
            } else if (change.is_at(d_balance + k, sizeof *d_balance)) {
                changed[change.thread][k].add(at);
            }
        }
    }
    for (const auto& [thread, balances] : changed) {
        Time both{0, SIZE_MAX};  // the last lock that it takes, and the first that it gives back
        for (const auto& [k, held] : locked[thread]) {
            both.first = std::max(both.first, held.first);
            both.last = std::min(both.last, held.last);
        }
        for (const auto& [k, times] : balances) {
            const Time held = locked[thread][k];
            if (changed.size() > 1 && (times.first < held.first || times.last > held.last)) {
                throw Wrong{"one at a time", "Thread " + text_of(thread) + " changes d_balance[" +
                                                 text_of(k) +
                                                 "], and does not hold the lock of this account."};
            }
        }
        if (changed.size() > 1 && both.first >= both.last) {
            throw Wrong{"one at a time", "Thread " + text_of(thread) +
                                             " gives the one lock back before it takes the other."};
        }
    }
    // A word that each thread changes before its locks may be a lock around them: then any order of
    // these is good.
    std::set<std::uintptr_t> around;
    bool is_first = true;
    for (const auto& [thread, locks] : locked) {
        if (!locks.empty()) {
            const std::set<std::uintptr_t>& before = own_words[thread];
            std::set<std::uintptr_t> common;
            std::set_intersection(around.begin(), around.end(), before.begin(), before.end(),
                                  std::inserter(common, common.begin()));
            around = is_first ? before : common;
            is_first = false;
        }
    }
    if (changed.size() > 1 && around.empty()) {
        note_circle(then);
    }
}

// Of each lock those who change its word.
static void note_orders(const Watched& watched, const int* d_locks, int accounts) {
    for (int k = 0; k < accounts; ++k) {
        std::vector<int> who;
        for (const Watched::Change& change : watched.changes_at(d_locks + k, sizeof *d_locks)) {
            who.push_back(change.thread);
        }
        note_order(who);
    }
}

struct Transfers {
    std::vector<int> from, to, amount;
    std::vector<int> balance, expected;  // where it hangs on the order: empty
};

// Of amounts up to `most`, from the same balance everywhere. A transfer that cannot be made is one
// that finds too little: which those are depends on the order of the threads.
static Transfers any_transfers(int balance, int n, int most) {
    const int accounts = accounts_of(n);
    Transfers all = {random_numbers(n, 0, accounts - 1, 1),
                     std::vector<int>(n),
                     random_numbers(n, 1, most, 3),
                     std::vector<int>(accounts, balance),
                     {}};
    const std::vector<int> distance = random_numbers(n, 1, accounts - 1, 2);
    std::vector<int> expected = all.balance;
    for (int i = 0; i < n; ++i) {
        all.to[i] = (all.from[i] + distance[i]) % accounts;
        expected[all.from[i]] -= all.amount[i];
        expected[all.to[i]] += all.amount[i];
    }
    if (balance >= most * n) {  // enough for all
        all.expected = expected;
    }
    return all;
}

// Half of the accounts give, each to one other account and the same amount each time, which is
// there for some of the transfers; of the next one nothing is there, or all but 1. So the end is
// known whatever the order.
static Transfers transfers_in_pairs(int n, int most) {
    const int accounts = accounts_of(n), pairs = accounts / 2;
    const std::vector<int> drawn = random_numbers(3, 0, most - 1, 4);
    const int distance = drawn[1] % pairs, givers_are = drawn[2] % 2;
    const bool has_rest = n == 1 ? most > 100 : in_turn(2, 6) == 0;
    // One transfer alone: as floats, the amount and the rest are the same number.
    const int amount = has_rest && n == 1 ? (most + drawn[0]) / 512 * 256 + 1 : 1 + drawn[0];
    const int rest = has_rest ? amount - 1 : 0;
    const std::vector<int> of_pair = random_numbers(n, 0, pairs - 1, 1);
    Transfers all = {{},
                     {},
                     std::vector<int>(n, amount),
                     std::vector<int>(accounts, 0),
                     std::vector<int>(accounts, 0)};
    for (int pair = 0; pair < pairs; ++pair) {
        const int giver = 2 * pair + givers_are;
        const int taker = 2 * ((pair + distance) % pairs) + 1 - givers_are;
        const auto wanted = static_cast<int>(std::count(of_pair.begin(), of_pair.end(), pair));
        const int made = wanted - (wanted + (rest > 0 ? 2 : 0)) / 3;
        all.balance[giver] = made * amount + rest;
        all.expected[giver] = rest;
        all.expected[taker] = made * amount;
    }
    for (const int pair : of_pair) {
        all.from.push_back(2 * pair + givers_are);
        all.to.push_back(2 * ((pair + distance) % pairs) + 1 - givers_are);
    }
    return all;
}

static void run_one(const Transfers& all, int n, int block_size) {
    const int accounts = accounts_of(n);
    const Input<int> d_from("d_from", all.from);
    const Input<int> d_to("d_to", all.to);
    const Input<int> d_amount("d_amount", all.amount);
    const DeviceArray<int> d_locks(std::vector<int>(accounts, 0));
    const DeviceArray<int> d_balance(all.balance);
    const Watched watched([&] {
        call_answer(launch_transfer_all, d_from.data(), d_to.data(), d_amount.data(), n,
                    d_locks.data(), d_balance.data(), block_size);
    });
    refuse_atomics_on("data", "d_balance: the locks protect it", d_balance.data(),
                      accounts * sizeof(int));
    const std::vector<int> got = d_balance.to_host();
    for (int k = 0; k < accounts; ++k) {
        if (got[k] < 0) {
            throw Wrong{"value", "d_balance[" + text_of(k) + "] is " + text_of(got[k]) +
                                     ": more was taken than there was."};
        }
    }
    if (!all.expected.empty()) {
        expect_equal("d_balance", got, all.expected);
    }
    expect_equal("The sum of all balances", std::accumulate(got.begin(), got.end(), 0),
                 std::accumulate(all.balance.begin(), all.balance.end(), 0));
    expect_own_locks(watched, d_locks.data(), accounts, all.from, all.to);
    expect_both_held(watched, d_locks.data(), d_balance.data(), accounts);
    note_orders(watched, d_locks.data(), accounts);
}

static void run(int n, int block_size) {
    // In some runs as large as the sum of all balances allows.
    const int most = in_turn(2, 9) == 0
                         ? std::numeric_limits<int>::max() / accounts_of(n) / std::max(n, 1)
                         : 100;
    run_one(any_transfers(most * n, n, most), n, block_size);
    const bool in_pairs = n == 1 || in_turn(2, 5) == 0;
    run_one(in_pairs ? transfers_in_pairs(n, most) : any_transfers(most / 5 * 3, n, most), n,
            block_size);
}

// Each account is in some transfer. One lock for all may be two words here: each launch has arrays
// of its own.
static void count(const Counts& counts, int n, int) {
    const auto accounts = static_cast<std::size_t>(accounts_of(n));
    if (counts.atomic_words > 2 * accounts) {
        throw Wrong{"data", "There are " + text_of(accounts) + " locks. But the atomics of two " +
                                "launches use " + text_of(counts.atomic_words) + " words."};
    }
    if (counts.atomic_words < accounts) {
        throw Wrong{"count", "There are " + text_of(accounts) +
                                 " accounts with a lock each, but the transfers use fewer locks."};
    }
    if (counts.most_words_held == 1) {
        throw Wrong{"one at a time", "No thread has held two locks at a time."};
    }
    const std::uint64_t transfers = 2 * static_cast<std::uint64_t>(n);  // two launches
    if (counts.words_taken > 2 * transfers) {
        throw Wrong{"too many locks",
                    text_of(transfers) + " transfers, in two launches, have taken " +
                        text_of(counts.words_taken) + " locks, where each needs two."};
    }
    if (!circle_of_locks.empty()) {
        throw Wrong{"deadlock", "The threads take the locks of accounts in no common order: " +
                                    circle_of_locks +
                                    ". So they may wait for each other in a circle."};
    }
}

// All threads wait for a few locks, so 300 of them are enough.
static Exercise make() {
    Exercise one = {run, "right for all sizes (up to 300) and blocks", {0, 1, 31, 33, 300}};
    one.count = count;
    one.waits = true;
    one.come_in_any_order = "had the locks";
    one.max_launches = 2;  // of each check
    one.counted = "a lock of its own for each account";
    return one;
}
const Exercise exercise = make();

}  // namespace exercises
