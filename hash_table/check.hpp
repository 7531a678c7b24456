// How a finished table is judged. Entries may be in any order, so there is no single right array to
// compare with. Instead every check proves that the table holds each pair (key, value) of the input
// exactly once, in a place where a search finds it. To count the entries, as CUDA by Example does,
// is not enough: a lost entry and a doubled one cancel out, and no value is looked at.
//
// The tables come from kernels that may be wrong: every index is checked before it is used, and
// every walk ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "harness/check.hpp"
#include "hash_table/chained_table.cuh"
#include "hash_table/fast/partitioned_table.cuh"
#include "hash_table/keys.hpp"
#include "hash_table/slots.cuh"

inline harness::Verdict fault(const std::string& detail) {
    return {harness::Outcome::wrong, detail};
}

inline std::string describe(unsigned key, unsigned value) {
    return "key " + std::to_string(key) + " with value " + std::to_string(value);
}

// The pairs that a table holds, compared with those that were put in.
class SeenPairs {
  public:
    explicit SeenPairs(const std::vector<unsigned>& keys)
        : keys_(keys), seen_(keys.size(), false) {}

    // Notes a pair. Returns what is wrong with it, or null.
    const char* add(unsigned key, unsigned value) {
        if (value >= keys_.size()) {
            return "no key was put in with this value";
        }
        const std::size_t position = position_of(value, keys_.size());
        if (keys_[position] != key) {
            return "this value was put in with another key";
        }
        if (seen_[position]) {
            return "it comes a second time";
        }
        seen_[position] = true;
        ++count_;
        return nullptr;
    }

    // The verdict on the whole table: `summary`, or what is missing.
    harness::Verdict verdict(const std::string& summary) const {
        if (count_ == keys_.size()) {
            return {harness::Outcome::ok, summary};
        }
        const std::size_t first = std::find(seen_.begin(), seen_.end(), false) - seen_.begin();
        return fault(std::to_string(keys_.size() - count_) + " of " + std::to_string(keys_.size()) +
                     " keys are missing; the first is " +
                     describe(keys_[first], value_at(first, keys_.size())));
    }

  private:
    const std::vector<unsigned>& keys_;
    std::vector<bool> seen_;
    std::size_t count_ = 0;
};

// Walks every chain. `lengths` receives the number of entries of each. A chain that runs in a
// circle comes to an entry for the second time, and ends there.
inline harness::Verdict check_chains(const std::vector<unsigned>& heads,
                                     const std::vector<Entry>& pool,
                                     const std::vector<unsigned>& keys,
                                     std::vector<unsigned>& lengths) {
    const auto buckets = static_cast<unsigned>(heads.size());
    lengths.assign(buckets, 0);
    SeenPairs seen(keys);

    // Each step waits for memory, so several chains are walked at the same time.
    struct Walker {
        unsigned bucket;
        unsigned at;
    };
    constexpr std::size_t max_walkers = 16;
    std::vector<Walker> walkers;
    for (unsigned bucket = 0; bucket < buckets || !walkers.empty();) {
        if (bucket < buckets && walkers.size() < max_walkers) {
            walkers.push_back({bucket, heads[bucket]});
            ++bucket;
            continue;
        }
        for (std::size_t w = 0; w < walkers.size(); ++w) {
            Walker& walker = walkers[w];
            if (walker.at == end_of_chain) {
                walker = walkers.back();
                walkers.pop_back();
                break;
            }
            if (walker.at >= pool.size()) {
                return fault("bucket " + std::to_string(walker.bucket) +
                             ": the chain goes on at entry " + std::to_string(walker.at) +
                             ", there are " + std::to_string(pool.size()));
            }
            const Entry& entry = pool[walker.at];
            const char* wrong = bucket_of(entry.key, buckets) == walker.bucket
                                    ? seen.add(entry.key, entry.value)
                                    : "the key belongs to another bucket";
            if (wrong != nullptr) {
                return fault("bucket " + std::to_string(walker.bucket) + ", entry " +
                             std::to_string(walker.at) + ", " + describe(entry.key, entry.value) +
                             ": " + wrong);
            }
            ++lengths[walker.bucket];
            walker.at = entry.next;
        }
    }
    const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
    return seen.verdict(harness::format("%zu entries in %u chains of %u to %u", pool.size(),
                                        buckets, *shortest, *longest));
}

// A table with open addressing: from a key's home slot to where it stands there must be no gap,
// since a search ends at the first empty slot.
inline harness::Verdict check_slots(const std::vector<Slot>& slots,
                                    const std::vector<unsigned>& keys) {
    const auto gap = std::find(slots.begin(), slots.end(), empty_slot);
    if (gap == slots.end()) {
        return fault("there is no empty slot; a search might never end");
    }
    SeenPairs seen(keys);
    std::size_t farthest = 0;
    std::size_t run = 0;  // full slots in a row up to here; the walk begins after the first gap
    for (std::size_t k = 1; k <= slots.size(); ++k) {
        const std::size_t at = (gap - slots.begin() + k) % slots.size();
        if (slots[at] == empty_slot) {
            run = 0;
            continue;
        }
        ++run;
        const unsigned key = key_of(slots[at]);
        const std::size_t home = home_slot(key, slots.size());
        const std::size_t steps = (at + slots.size() - home) % slots.size();
        const char* wrong = seen.add(key, value_of(slots[at]));
        if (wrong == nullptr && steps >= run) {
            wrong = "an empty slot stands between it and its home slot";
        }
        if (wrong != nullptr) {
            return fault("slot " + std::to_string(at) + ", " + describe(key, value_of(slots[at])) +
                         ": " + wrong);
        }
        farthest = std::max(farthest, steps);
    }
    return seen.verdict(harness::format("%zu entries in %zu slots, at most %zu from home",
                                        keys.size(), slots.size(), farthest));
}

// A multimap in partitions: each bucket's offsets name pairs that belong there. (SeenPairs finds a
// pair that is in no bucket or in two.) Of `table` only the numbers count: its pointers are the
// device's.
inline harness::Verdict check_partitions(const std::vector<unsigned>& table_keys,
                                         const std::vector<unsigned>& table_values,
                                         const std::vector<unsigned>& offsets,
                                         const PartitionedTable& table,
                                         const std::vector<unsigned>& keys) {
    SeenPairs seen(keys);
    unsigned fullest = 0;
    for (unsigned p = 0; p < table.partitions; ++p) {
        for (unsigned bucket = 0; bucket < table.buckets; ++bucket) {
            const std::size_t offset = std::size_t{p} * (table.buckets + 1) + bucket;
            const unsigned begin = offsets[offset];
            const unsigned end = offsets[offset + 1];
            const auto fail = [&](const std::string& what) {
                return fault("partition " + std::to_string(p) + ", bucket " +
                             std::to_string(bucket) + what);
            };
            if (begin > end || end > keys.size()) {
                return fail(" goes from " + std::to_string(begin) + " to " + std::to_string(end) +
                            ", there are " + std::to_string(keys.size()) + " pairs");
            }
            for (unsigned at = begin; at < end; ++at) {
                const unsigned key = table_keys[at];
                const char* wrong = partition_of(key, table.partitions) == p &&
                                            bucket_in_partition(key, table) == bucket
                                        ? seen.add(key, table_values[at])
                                        : "the key belongs to another bucket";
                if (wrong != nullptr) {
                    return fail(", place " + std::to_string(at) + ", " +
                                describe(key, table_values[at]) + ": " + wrong);
                }
            }
            fullest = std::max(fullest, end - begin);
        }
    }
    return seen.verdict(
        harness::format("%zu pairs in %u partitions of %u buckets, at most %u in one", keys.size(),
                        table.partitions, table.buckets, fullest));
}

// Pairs in the order of their keys: a multimap for binary search.
inline harness::Verdict check_sorted(const std::vector<unsigned>& sorted_keys,
                                     const std::vector<unsigned>& sorted_values,
                                     const std::vector<unsigned>& keys) {
    SeenPairs seen(keys);
    for (std::size_t i = 0; i < sorted_keys.size(); ++i) {
        const char* wrong = i > 0 && sorted_keys[i] < sorted_keys[i - 1]
                                ? "smaller than the key before"
                                : seen.add(sorted_keys[i], sorted_values[i]);
        if (wrong != nullptr) {
            return fault("place " + std::to_string(i) + ", " +
                         describe(sorted_keys[i], sorted_values[i]) + ": " + wrong);
        }
    }
    return seen.verdict(std::to_string(keys.size()) + " pairs in order");
}

// Answers of a search: for each query a value that was put in with that key; no_value only if the
// key was not put in at all.
inline harness::Verdict check_found(const std::vector<unsigned>& found,
                                    const std::vector<unsigned>& queries,
                                    const std::vector<unsigned>& keys) {
    std::vector<unsigned> sorted;  // made when the first answer says "not found"
    std::size_t absent = 0;
    for (std::size_t q = 0; q < queries.size(); ++q) {
        const auto fail = [&](const std::string& what) {
            return fault("query " + std::to_string(q) + ", key " + std::to_string(queries[q]) +
                         ": " + what);
        };
        if (found[q] == no_value) {
            if (sorted.empty()) {
                sorted = keys;
                std::sort(sorted.begin(), sorted.end());
            }
            if (std::binary_search(sorted.begin(), sorted.end(), queries[q])) {
                return fail("not found, and it was put in");
            }
            ++absent;
        } else if (found[q] >= keys.size()) {
            return fail("the answer " + std::to_string(found[q]) + " is no value that was put in");
        } else if (keys[position_of(found[q], keys.size())] != queries[q]) {
            return fail("the answer " + std::to_string(found[q]) + " was put in with another key");
        }
    }
    return {harness::Outcome::ok,
            harness::format("%zu found, %zu absent", queries.size() - absent, absent)};
}
