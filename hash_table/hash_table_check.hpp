// How a finished table is judged. Entries may stand in any order, so there is no one right array to
// compare with; instead every check proves that the table holds each (key, value) of the input
// exactly once, in a place where a search will find it. Counting the entries, as the book does, is
// not enough: a lost entry and a doubled one make up for each other, and values go unread.
//
// The tables come from kernels that may be wrong: every index is checked before it is used, and
// every walk ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/check.hpp"
#include "hash_table/hash_table_cpu.hpp"

// Counts the pairs that a table holds against those that were put in.
class Census {
  public:
    explicit Census(const std::vector<unsigned>& keys) : keys_(keys), seen_(keys.size(), false) {}

    // Counts a pair. What is wrong with it, or null.
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

    // What is missing, or empty.
    std::string missing() const {
        if (count_ == keys_.size()) {
            return "";
        }
        const std::size_t first = std::find(seen_.begin(), seen_.end(), false) - seen_.begin();
        return std::to_string(keys_.size() - count_) + " of " + std::to_string(keys_.size()) +
               " keys are missing; the first is key " + std::to_string(keys_[first]) +
               " with value " + std::to_string(value_at(first, keys_.size()));
    }

  private:
    const std::vector<unsigned>& keys_;
    std::vector<bool> seen_;
    std::size_t count_ = 0;
};

inline std::string describe(unsigned key, unsigned value) {
    return "key " + std::to_string(key) + " with value " + std::to_string(value);
}

// Walks every chain. `lengths` receives the number of entries in each. A chain that runs in a
// circle comes to an entry for the second time, and ends there.
inline Verdict check_chains(const std::vector<unsigned>& heads, const std::vector<Entry>& pool,
                            const std::vector<unsigned>& keys, std::vector<unsigned>& lengths) {
    const auto buckets = static_cast<unsigned>(heads.size());
    lengths.assign(buckets, 0);
    Census census(keys);

    // Each step waits for memory, so several chains are walked at once.
    struct Walker {
        unsigned bucket;
        unsigned at;
    };
    constexpr std::size_t most_walkers = 16;
    std::vector<Walker> walkers;
    for (unsigned bucket = 0; bucket < buckets || !walkers.empty();) {
        if (bucket < buckets && walkers.size() < most_walkers) {
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
                return {Outcome::wrong, "bucket " + std::to_string(walker.bucket) +
                                            ": the chain goes on at entry " +
                                            std::to_string(walker.at) + ", there are " +
                                            std::to_string(pool.size())};
            }
            const Entry& entry = pool[walker.at];
            const char* wrong = bucket_of(entry.key, buckets) == walker.bucket
                                    ? census.add(entry.key, entry.value)
                                    : "the key belongs to another bucket";
            if (wrong != nullptr) {
                return {Outcome::wrong, "bucket " + std::to_string(walker.bucket) + ", entry " +
                                            std::to_string(walker.at) + ", " +
                                            describe(entry.key, entry.value) + ": " + wrong};
            }
            ++lengths[walker.bucket];
            walker.at = entry.next;
        }
    }
    const std::string missing = census.missing();
    if (!missing.empty()) {
        return {Outcome::wrong, missing};
    }
    const auto [shortest, longest] = std::minmax_element(lengths.begin(), lengths.end());
    return {Outcome::ok, format("%zu entries in %u chains of %u to %u", pool.size(), buckets,
                                *shortest, *longest)};
}

// A table with open addressing: from a key's home slot to where it stands there must be no gap,
// since a search ends at the first empty slot.
inline Verdict check_slots(const std::vector<Slot>& slots, const std::vector<unsigned>& keys) {
    const auto gap = std::find(slots.begin(), slots.end(), empty_slot);
    if (gap == slots.end()) {
        return {Outcome::wrong, "there is no empty slot; a search might never end"};
    }
    Census census(keys);
    std::size_t farthest = 0;
    std::size_t run = 0;  // full slots in a row up to here; it begins behind the first gap
    for (std::size_t k = 1; k <= slots.size(); ++k) {
        const std::size_t at = (gap - slots.begin() + k) % slots.size();
        if (slots[at] == empty_slot) {
            run = 0;
            continue;
        }
        ++run;
        const unsigned key = key_in(slots[at]);
        const std::size_t home = home_slot(key, slots.size());
        const std::size_t steps = (at + slots.size() - home) % slots.size();
        const char* wrong = census.add(key, value_in(slots[at]));
        if (wrong == nullptr && steps >= run) {
            wrong = "an empty slot stands between it and its home slot";
        }
        if (wrong != nullptr) {
            return {Outcome::wrong, "slot " + std::to_string(at) + ", " +
                                        describe(key, value_in(slots[at])) + ": " + wrong};
        }
        farthest = std::max(farthest, steps);
    }
    const std::string missing = census.missing();
    if (!missing.empty()) {
        return {Outcome::wrong, missing};
    }
    return {Outcome::ok, format("%zu entries in %zu slots, at most %zu from home", keys.size(),
                                slots.size(), farthest)};
}

// A multimap in parts: each bucket's offsets name pairs that belong there. (That every pair is in
// some bucket, and none in two, the census sees.) Of `table` only the numbers count, its pointers
// are the device's.
inline Verdict check_parts(const std::vector<unsigned>& table_keys,
                           const std::vector<unsigned>& table_values,
                           const std::vector<unsigned>& offsets, const PartTable& table,
                           const std::vector<unsigned>& keys) {
    Census census(keys);
    unsigned fullest = 0;
    for (unsigned part = 0; part < table.parts; ++part) {
        for (unsigned bucket = 0; bucket < table.buckets; ++bucket) {
            const std::size_t offset = std::size_t{part} * (table.buckets + 1) + bucket;
            const unsigned begin = offsets[offset];
            const unsigned end = offsets[offset + 1];
            const auto fail = [&](const std::string& what) {
                return Verdict{Outcome::wrong, "part " + std::to_string(part) + ", bucket " +
                                                   std::to_string(bucket) + what};
            };
            if (begin > end || end > keys.size()) {
                return fail(" goes from " + std::to_string(begin) + " to " + std::to_string(end) +
                            ", there are " + std::to_string(keys.size()) + " pairs");
            }
            for (unsigned at = begin; at < end; ++at) {
                const unsigned key = table_keys[at];
                const char* wrong =
                    part_of_key(key, table.parts) == part && bucket_in_part(key, table) == bucket
                        ? census.add(key, table_values[at])
                        : "the key belongs to another bucket";
                if (wrong != nullptr) {
                    return fail(", place " + std::to_string(at) + ", " +
                                describe(key, table_values[at]) + ": " + wrong);
                }
            }
            fullest = std::max(fullest, end - begin);
        }
    }
    const std::string missing = census.missing();
    if (!missing.empty()) {
        return {Outcome::wrong, missing};
    }
    return {Outcome::ok, format("%zu pairs in %u parts of %u buckets, at most %u in one",
                                keys.size(), table.parts, table.buckets, fullest)};
}

// Pairs in the order of their keys: a multimap for binary search.
inline Verdict check_sorted(const std::vector<unsigned>& sorted_keys,
                            const std::vector<unsigned>& sorted_values,
                            const std::vector<unsigned>& keys) {
    Census census(keys);
    for (std::size_t i = 0; i < sorted_keys.size(); ++i) {
        const char* wrong = i > 0 && sorted_keys[i] < sorted_keys[i - 1]
                                ? "smaller than the key before"
                                : census.add(sorted_keys[i], sorted_values[i]);
        if (wrong != nullptr) {
            return {Outcome::wrong, "place " + std::to_string(i) + ", " +
                                        describe(sorted_keys[i], sorted_values[i]) + ": " + wrong};
        }
    }
    const std::string missing = census.missing();
    return missing.empty() ? Verdict{Outcome::ok, std::to_string(keys.size()) + " pairs in order"}
                           : Verdict{Outcome::wrong, missing};
}

// Answers of a search: for each query a value that was put in with that key; no_value only if the
// key was not put in at all.
inline Verdict check_found(const std::vector<unsigned>& found, const std::vector<unsigned>& queries,
                           const std::vector<unsigned>& keys) {
    std::vector<unsigned> sorted;  // made when the first answer says "not found"
    std::size_t absent = 0;
    for (std::size_t q = 0; q < queries.size(); ++q) {
        const auto fail = [&](const std::string& what) {
            return Verdict{Outcome::wrong, "query " + std::to_string(q) + ", key " +
                                               std::to_string(queries[q]) + ": " + what};
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
    return {Outcome::ok, format("%zu found, %zu absent", queries.size() - absent, absent)};
}
