// Those of hash_table that need many keys, for scripts/mutate: see probe.cuh. The splices have
// blocks of 1024 threads with four keys each, and a part of the table in parts takes 20,000 pairs.
#include <string>

#include "hash_table/hash_table_variants.cuh"
#include "tests/mutants/probe.cuh"

namespace {

std::vector<Variant<HashProblem>> whose_name_has(const std::string& text) {
    std::vector<Variant<HashProblem>> found;
    for (const Variant<HashProblem>& variant : hash_variants()) {
        if (variant.name.find(text) != std::string::npos) {
            found.push_back(variant);
        }
    }
    return found;
}

// Every thread splices a chain of one entry. Blocks that splice fill race mode, one at a time, so
// in the variants none ever waits for another.
template <typename Splice>
__global__ void splice_single_entries(ChainedTable table, Splice splice) {
    const unsigned entry = blockIdx.x * blockDim.x + threadIdx.x;
    splice(table, bucket_of(table.d_pool[entry].key, table.buckets), entry, entry);
}

template <typename Splice>
void probe_splice(Splice splice) {
    constexpr unsigned buckets = 2;
    const std::vector<unsigned> keys = random_keys(4 * 40, 0, 1);
    const std::vector<unsigned> values = values_for(keys.size());
    std::vector<Entry> pool;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        pool.push_back({keys[i], values[i], end_of_chain});
    }
    const DeviceArray<Entry> d_pool(pool);
    const DeviceArray<unsigned> d_heads(std::vector<unsigned>(buckets, end_of_chain));
    const ChainedTable table{d_heads.data(), d_pool.data(), buckets};
    splice_single_entries<<<4, 40>>>(table, splice);
    CHECK_LAUNCH();
    std::vector<unsigned> lengths;
    const Verdict verdict = check_chains(d_heads.to_host(), d_pool.to_host(), keys, lengths);
    if (cpu_device::race::reports() > 0 || !verdict.holds()) {
        std::printf("a splice by many threads: %s\n", verdict.detail.c_str());
        std::exit(EXIT_FAILURE);
    }
}

}  // namespace

int main() {
    const DeviceArray<int> d_locks(std::vector<int>{0, 0});
    for (const unsigned seed : {1, 2, 3}) {
        cpu_device::race::set_seed(seed);
        probe_splice(SpliceUnderLock{d_locks.data()});
        probe_splice(SpliceByLockedHead{});
        probe_splice(SpliceByPush{});
    }
    probe(whose_name_has("splice"), {{4 * splice_block_size + 51, 64}}, [](ProbeSize size) {
        return HashProblem(random_keys(size.n, 1000, 1), 7, size.block_size, {}, 0);
    });
    probe(whose_name_has("parts"), {{34000, 64}}, [](ProbeSize size) {
        return HashProblem(random_keys(size.n, 0, 1), 7, size.block_size, random_keys(20000, 0, 2),
                           0);
    });
    // And in two steps: three regions of two parts each, some of them too full.
    probe(whose_name_has("parts"), {{250, 64}}, [](ProbeSize size) {
        HashProblem problem(random_keys(size.n, 0, 1), 7, size.block_size, random_keys(300, 0, 2),
                            0);
        problem.shape = {3, 2, 4, 45};
        return problem;
    });
}
