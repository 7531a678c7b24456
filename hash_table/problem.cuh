// The build of a hash table as the harness sees it: the memory of all variants, the reference, and
// the check.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "common/device.cuh"
#include "common/device_array.cuh"
#include "common/error.cuh"
#include "harness/check.hpp"
#include "harness/poison.cuh"
#include "harness/variant.cuh"
#include "hash_table/check.hpp"
#include "hash_table/cpu.hpp"
#include "hash_table/fast/partitioned_table.cuh"
#include "hash_table/keys.hpp"

// n keys with their values, on the host and on the device: the input of both problems.
class InputPairs {
  public:
    // `shift`: leave this many elements free before the keys and the values on the device, so that
    // they are not aligned to more than one element.
    InputPairs(std::vector<unsigned> h_keys, std::size_t shift)
        : h_keys_(std::move(h_keys)),
          h_values_(values_for(h_keys_.size())),
          shift_(shift),
          keys_(h_keys_.size() + shift),
          values_(h_keys_.size() + shift) {
        if (n() > 0) {
            const std::size_t bytes = n() * sizeof(unsigned);
            CHECK(cudaMemcpy(keys_.data() + shift, h_keys_.data(), bytes, cudaMemcpyHostToDevice));
            CHECK(cudaMemcpy(values_.data() + shift, h_values_.data(), bytes,
                             cudaMemcpyHostToDevice));
        }
    }

    std::size_t n() const { return h_keys_.size(); }
    const std::vector<unsigned>& h_keys() const { return h_keys_; }
    const std::vector<unsigned>& h_values() const { return h_values_; }
    const unsigned* d_keys() const { return keys_.data() + shift_; }
    const unsigned* d_values() const { return values_.data() + shift_; }
    std::vector<harness::ByteSpan> spans() const {
        return {{keys_.data(), keys_.bytes()}, {values_.data(), values_.bytes()}};
    }

  private:
    std::vector<unsigned> h_keys_;
    std::vector<unsigned> h_values_;
    std::size_t shift_;
    common::DeviceArray<unsigned> keys_;
    common::DeviceArray<unsigned> values_;
};

// A chained table's memory on the device.
struct ChainedStorage {
    common::DeviceArray<unsigned> heads;
    common::DeviceArray<Entry> pool;

    ChainedStorage() = default;
    ChainedStorage(std::size_t n, unsigned buckets) : heads(buckets), pool(n) {}
    ChainedTable table() const {
        return {heads.data(), pool.data(), static_cast<unsigned>(heads.size())};
    }
    HostTable to_host() const { return {heads.to_host(), pool.to_host()}; }
};

// Slots of a table with open addressing for n pairs: at most 0.8 of them are full, and one is
// always empty.
inline std::size_t slots_for(std::size_t n) {
    return n + n / 4 + 1;
}

// Beyond this many keys the tables have no row for the CPU: it would take minutes.
constexpr std::size_t max_keys_on_cpu = 50'000'000;

// Says no to input on which linear probing would take more than a few seconds.
inline std::string skip_reason_linear_probing(const InputPairs& pairs) {
    constexpr double max_probes = common::on_cpu_device ? 1e8 : 2e9;
    const double probes = expected_extra_probes(pairs.h_keys());
    return probes <= max_probes
               ? ""
               : harness::format("keys repeat too often: %.1e steps past slots with an equal key",
                                 probes);
}

// Puts all keys, each with its value, into a table.
class BuildProblem : public harness::Problem {
  public:
    BuildProblem(std::vector<unsigned> h_keys, unsigned buckets, const std::string& words = "",
                 std::size_t shift = 0)
        : plan(partition_plan(h_keys.size())),
          pairs_(std::move(h_keys), shift),
          words_(words),
          locks_(std::vector<int>(buckets, 0)),
          chains_(n(), buckets) {}

    // Of the partitioned table; may be changed before prepare_partitions().
    PartitionPlan plan;

    // What the table's rows use.
    std::size_t n() const { return pairs_.n(); }
    unsigned buckets() const { return chains_.table().buckets; }
    const InputPairs& pairs() const { return pairs_; }
    const unsigned* d_keys() const { return pairs_.d_keys(); }
    const unsigned* d_values() const { return pairs_.d_values(); }
    int* d_locks() { return locks_.data(); }  // free before every launch, and again after it
    Workspaces& workspaces() { return workspaces_; }
    void* d_storage() { return workspaces_.whole().storage.data(); }
    std::size_t storage_bytes() { return workspaces_.whole().storage.size(); }
    unsigned* d_used() { return partitions_.used.data(); }

    // The memory of outputs that only some rows have: for their prepare steps.
    void reserve(std::size_t bytes) { workspaces_.whole().reserve(bytes); }
    void prepare_slots() {
        if (slots_.size() == 0) {
            slots_ = common::DeviceArray<Slot>(slots_for(n()));
        }
    }
    void prepare_sorted_pairs() {
        if (sorted_keys_.size() == 0) {
            sorted_keys_ = common::DeviceArray<unsigned>(n());
            sorted_values_ = common::DeviceArray<unsigned>(n());
        }
    }
    // Returns whether it is new.
    bool prepare_partitions() {
        const bool is_new = partitions_.table.partitions == 0;
        if (is_new) {
            partitions_ = PartitionedStorage(n(), plan);
        }
        return is_new;
    }

    // Where a variant leaves its result. check() judges the output that the run has asked for.
    ChainedTable chains() {
        output_ = Output::chains;
        return chains_.table();
    }
    Slot* d_slots() {
        output_ = Output::slots;
        return slots_.data();
    }
    std::size_t slots() const { return slots_.size(); }
    unsigned* d_sorted_keys() {
        output_ = Output::sorted_pairs;
        return sorted_keys_.data();
    }
    unsigned* d_sorted_values() { return sorted_values_.data(); }
    const PartitionedTable& partitions() {
        output_ = Output::partitions;
        return partitions_.table;
    }

    // What the tests ask for.
    HostTable host_chains() const { return chains_.to_host(); }
    std::vector<int> host_locks() const { return locks_.to_host(); }
    // The number of entries of each bucket, if the last check has found right chains.
    const std::vector<unsigned>& lengths() const { return lengths_; }

    std::string input() const override {
        return words_ + "; " + std::to_string(buckets()) + " buckets";
    }
    std::vector<Span> inputs() const override { return pairs_.spans(); }
    bool run_on_cpu() override {
        if (n() > max_keys_on_cpu) {
            return false;
        }
        cpu_table_.heads.resize(buckets());
        cpu_table_.pool.resize(n());
        build_cpu(pairs_.h_keys(), pairs_.h_values(), cpu_table_);
        return true;
    }
    harness::Verdict check_cpu() override {
        std::vector<unsigned> lengths;
        return check_chains(cpu_table_.heads, cpu_table_.pool, pairs_.h_keys(), lengths);
    }
    void poison() override {
        harness::poison(chains_.heads);
        harness::poison(chains_.pool);
        harness::poison(slots_);
        harness::poison(sorted_keys_);
        harness::poison(sorted_values_);
        harness::poison(partitions_.keys);
        harness::poison(partitions_.values);
        harness::poison(partitions_.offsets);
        harness::poison(partitions_.used);
        output_ = Output::none;
        lengths_.clear();
    }
    harness::Verdict check(double) override {
        const std::vector<unsigned>& keys = pairs_.h_keys();
        switch (output_) {
            case Output::none:
                break;
            case Output::chains: {
                const HostTable table = host_chains();
                const harness::Verdict verdict =
                    check_chains(table.heads, table.pool, keys, lengths_);
                if (!verdict.holds()) {
                    lengths_.clear();
                }
                return verdict;
            }
            case Output::slots:
                return check_slots(slots_.to_host(), keys);
            case Output::sorted_pairs:
                return check_sorted(sorted_keys_.to_host(), sorted_values_.to_host(), keys);
            case Output::partitions:
                return check_partitions(partitions_.keys.to_host(), partitions_.values.to_host(),
                                        partitions_.offsets.to_host(), partitions_.table, keys);
        }
        return {harness::Outcome::wrong, "no table was built"};
    }
    // The number of entries of each bucket, one bucket per line.
    void write(std::ostream& out) const override {
        for (std::size_t bucket = 0; bucket < lengths_.size(); ++bucket) {
            out << bucket << ' ' << lengths_[bucket] << '\n';
        }
    }

  private:
    enum class Output { none, chains, slots, sorted_pairs, partitions };

    InputPairs pairs_;
    std::string words_;
    common::DeviceArray<int> locks_;
    ChainedStorage chains_;
    common::DeviceArray<Slot> slots_;
    common::DeviceArray<unsigned> sorted_keys_;
    common::DeviceArray<unsigned> sorted_values_;
    PartitionedStorage partitions_;
    Workspaces workspaces_;
    HostTable cpu_table_;
    std::vector<unsigned> lengths_;
    Output output_ = Output::none;
};
