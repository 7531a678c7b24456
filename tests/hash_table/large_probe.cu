// Those variants of hash_table that need many keys, for scripts/mutate: see probe.cuh.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "hash_table/variants.cuh"
#include "tests/mutants/probe.cuh"

using namespace common;
using namespace harness;

namespace {

constexpr unsigned buckets = 7;

// The variants that do all that is their own only with many keys.
template <typename P>
std::vector<harness::Variant<P>> with_many_keys(const std::vector<harness::Variant<P>>& table) {
    std::vector<harness::Variant<P>> found;
    for (const harness::Variant<P>& variant : table) {
        if (variant.smallest_n > 1000) {
            found.push_back(variant);
        }
    }
    return found;
}

// Every thread appends a chain of one entry. Race mode runs blocks of 1024 threads one at a time,
// so in the variants no block ever waits for another.
template <typename Append>
__global__ void append_single_entries(ChainedTable table, Append append) {
    const unsigned entry = blockIdx.x * blockDim.x + threadIdx.x;
    append(table, bucket_of(table.d_pool[entry].key, table.buckets), entry, entry);
}

template <typename Append>
void probe_append(Append append) {
    const std::vector<unsigned> keys = random_keys(4 * 40, 0, 1);
    const std::vector<unsigned> values = values_for(keys.size());
    std::vector<Entry> pool;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        pool.push_back({keys[i], values[i], end_of_chain});
    }
    const common::DeviceArray<Entry> d_pool(pool);
    const common::DeviceArray<unsigned> d_heads(std::vector<unsigned>(2, end_of_chain));
    append_single_entries<<<4, 40>>>(ChainedTable{d_heads.data(), d_pool.data(), 2}, append);
    CHECK_LAUNCH();
    std::vector<unsigned> lengths;
    const harness::Verdict verdict =
        check_chains(d_heads.to_host(), d_pool.to_host(), keys, lengths);
    if (cpu_device::race::reports() > 0 || !verdict.holds()) {
        std::printf("chains appended by many threads: %s\n", verdict.detail.c_str());
        std::exit(EXIT_FAILURE);
    }
}

// `plan`: of the partitioned table; of no partitions: the variants' own.
void probe_tables(std::size_t n, const PartitionPlan& plan) {
    probe(with_many_keys(build_variants()), {{n, 64}}, [&](ProbeSize size) {
        BuildProblem problem(random_keys(size.n, 1000, 1), buckets);
        problem.plan = plan.coarse_partitions > 0 ? plan : problem.plan;
        return problem;
    });
    probe(with_many_keys(find_variants()), {{n, 64}}, [&](ProbeSize size) {
        FindProblem problem(random_keys(size.n, 0, 1), random_keys(size.n / 2, 0, 2));
        problem.plan = plan.coarse_partitions > 0 ? plan : problem.plan;
        return problem;
    });
}

}  // namespace

int main() {
    const common::DeviceArray<int> d_locks(std::vector<int>{0, 0});
    for (const unsigned seed : {1, 2, 3}) {
        cpu_device::race::set_seed(seed);
        probe_append(AppendUnderLock{d_locks.data()});
        probe_append(AppendToLockedHead{});
        probe_append(AppendByExchange{});
    }
    probe_tables(two_blocks_of_chains, PartitionPlan{});
    // In two passes: three coarse partitions of two each, some of them too full.
    probe_tables(250, PartitionPlan{3, 2, 4, 45});
    probe_tables(34000, PartitionPlan{});
}
