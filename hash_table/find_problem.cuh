// The search in a finished hash table as the harness sees it. The tables that are searched are
// built before the clock starts.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "common/device_array.cuh"
#include "harness/poison.cuh"
#include "harness/variant.cuh"
#include "hash_table/3_lock_free_push.cuh"
#include "hash_table/4_linear_probing.cuh"
#include "hash_table/check.hpp"
#include "hash_table/cpu.hpp"
#include "hash_table/fast/partitioned.cuh"
#include "hash_table/problem.cuh"

// Looks up all queries in a table that holds all keys.
class FindProblem : public harness::Problem {
  public:
    FindProblem(std::vector<unsigned> h_keys, std::vector<unsigned> h_queries,
                const std::string& words = "", std::size_t shift = 0)
        : plan(partition_plan(h_keys.size())),
          pairs_(std::move(h_keys), shift),
          h_queries_(std::move(h_queries)),
          words_(words),
          queries_(h_queries_),
          found_(h_queries_.size()) {}

    // Of the partitioned table; may be changed before build_partitions().
    PartitionPlan plan;

    // What the table's rows use.
    std::size_t queries() const { return h_queries_.size(); }
    const InputPairs& pairs() const { return pairs_; }
    const unsigned* d_queries() const { return queries_.data(); }
    unsigned* d_found() { return found_.data(); }
    ChainedTable chains() const { return chains_.table(); }
    const Slot* d_slots() const { return slots_.data(); }
    std::size_t slots() const { return slots_.size(); }
    const PartitionedTable& partitions() const { return partitions_.table; }
    Workspaces& workspaces() { return workspaces_; }

    // Build a table to search in, unless it is there: for the rows' prepare steps. The chained
    // table has as many buckets as keys: with 1024 buckets for 26 million keys each search would
    // follow a chain of thousands of entries.
    void build_chains() {
        if (chains_.heads.size() == 0) {
            chains_ = ChainedStorage(pairs_.n(), buckets());
            launch_lock_free_push(pairs_.d_keys(), pairs_.d_values(), pairs_.n(), chains_.table(),
                                  build_block_size);
        }
    }
    void build_slots() {
        if (slots_.size() == 0) {
            slots_ = common::DeviceArray<Slot>(slots_for(pairs_.n()));
            launch_linear_probing(pairs_.d_keys(), pairs_.d_values(), pairs_.n(), slots_.data(),
                                  slots_.size(), build_block_size);
        }
    }
    // Returns whether it is new.
    bool build_partitions() {
        const bool is_new = partitions_.table.partitions == 0;
        if (is_new) {
            partitions_ = PartitionedStorage(pairs_.n(), plan);
            launch_partitioned(pairs_.d_keys(), pairs_.d_values(), pairs_.n(), plan,
                               partitions_.table, partitions_.used.data(), workspaces_);
        }
        return is_new;
    }

    // What the tests ask for.
    std::vector<unsigned> host_found() const { return found_.to_host(); }

    std::string input() const override { return "a search for each of " + words_; }
    std::vector<Span> inputs() const override { return {{queries_.data(), queries_.bytes()}}; }
    bool run_on_cpu() override {
        if (pairs_.n() > max_keys_on_cpu) {
            return false;
        }
        if (cpu_table_.heads.empty()) {
            cpu_table_ = {std::vector<unsigned>(buckets()), std::vector<Entry>(pairs_.n())};
            build_cpu(pairs_.h_keys(), pairs_.h_values(), cpu_table_);
            cpu_found_.resize(queries());
        }
        find_cpu(h_queries_, cpu_table_, cpu_found_);
        return true;
    }
    harness::Verdict check_cpu() override {
        return check_found(cpu_found_, h_queries_, pairs_.h_keys());
    }
    void poison() override { harness::poison(found_); }
    harness::Verdict check(double) override {
        return check_found(host_found(), h_queries_, pairs_.h_keys());
    }

  private:
    static constexpr int build_block_size = 256;

    unsigned buckets() const { return static_cast<unsigned>(std::max<std::size_t>(pairs_.n(), 1)); }

    InputPairs pairs_;
    std::vector<unsigned> h_queries_;
    std::string words_;
    common::DeviceArray<unsigned> queries_;
    common::DeviceArray<unsigned> found_;
    ChainedStorage chains_;
    common::DeviceArray<Slot> slots_;
    PartitionedStorage partitions_;
    Workspaces workspaces_;
    HostTable cpu_table_;
    std::vector<unsigned> cpu_found_;
};
