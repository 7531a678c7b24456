// A hash table that all threads fill at once: chains with a lock per bucket, and without a lock.
// The notes are in README.md beside this file.
//
//     nvcc -O3 -std=c++17 -arch=native -I. hash_table/hash_table.cu -o hash_table_example
//
// hash_table [N]      the lesson: N keys (default: 26214400; 10^6 without a GPU) in 1024 buckets
// hash_table --help   all variants, timed and checked, with their flags
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "common/argument.hpp"
#include "common/error.cuh"
#include "common/timer.cuh"
#include "hash_table/1_lock_per_bucket.cuh"
#include "hash_table/3_lock_free_push.cuh"
#include "hash_table/cpu.hpp"

#if __has_include(<nlohmann/json.hpp>) && !defined(LESSON_ONLY)
#include "hash_table/flags.cuh"
#define HAS_FLAGS 1
#endif

// Walks all chains. True if each key is in its bucket's chain exactly once, with its own value. Key
// i was put in with the value n - 1 - i, so a value leads back to its key.
bool holds_all_pairs(const HostTable& table, const std::vector<unsigned>& h_keys) {
    const auto buckets = static_cast<unsigned>(table.heads.size());
    const std::size_t n = h_keys.size();
    std::vector<bool> seen(n, false);
    std::size_t count = 0;
    for (unsigned bucket = 0; bucket < buckets; ++bucket) {
        for (unsigned at = table.heads[bucket]; at != end_of_chain; at = table.pool[at].next) {
            if (at >= n) {
                return false;  // the chain leads out of the pool
            }
            const Entry& entry = table.pool[at];
            const std::size_t i = n - 1 - entry.value;
            if (entry.value >= n || entry.key != h_keys[i] || seen[i] ||
                bucket_of(entry.key, buckets) != bucket) {
                return false;
            }
            seen[i] = true;
            ++count;
        }
    }
    return count == n;
}

int main(int argc, char** argv) {
#ifdef HAS_FLAGS
    if (common::first_is_flag(argc, argv)) {
        return run_with_flags(argc, argv);
    }
#endif
    const unsigned buckets = 1024;
    const int grid_size = 60;  // with 256 threads per block: 15 threads per bucket
    const int block_size = 256;
    const int repeats = 5;  // the first launch of a kernel also loads it, so the best time counts

    // 1. The input: n random keys, and a value for each.
    const std::size_t n =
        common::size_argument(argc, argv, common::on_cpu_device ? 1000000 : 26214400);
    if (n > max_keys) {
        std::fprintf(stderr, "%zu keys: expected at most %zu\n", n, max_keys);
        return 2;
    }
    std::vector<unsigned> h_keys(n);
    std::vector<unsigned> h_values(n);
    std::mt19937 generator(1);
    for (std::size_t i = 0; i < n; ++i) {
        h_keys[i] = static_cast<unsigned>(generator());
        h_values[i] = static_cast<unsigned>(n - 1 - i);
    }
    common::print_device();
    std::printf("input: %zu random keys, %u buckets\n\n", n, buckets);
    const auto report = [&](const char* name, double ms, const HostTable& table) {
        const bool ok = holds_all_pairs(table, h_keys);
        std::printf("%-16s %10.3f ms   every key in its chain, with its value: %s\n", name, ms,
                    ok ? "ok" : "WRONG");
        return ok;
    };

    // 2. The table on one core of the CPU.
    HostTable host_table{std::vector<unsigned>(buckets), std::vector<Entry>(n)};
    common::CpuTimer cpu_timer;
    double cpu_ms = INFINITY;
    for (int i = 0; i < repeats; ++i) {
        cpu_timer.start();
        build_cpu(h_keys, h_values, host_table);
        cpu_ms = std::min(cpu_ms, cpu_timer.stop_ms());
    }
    const bool cpu_ok = report("cpu", cpu_ms, host_table);

    // 3. Memory on the device: keys, values, the table, and a lock per bucket.
    const std::size_t bytes = n * sizeof(unsigned);
    const std::size_t heads_bytes = buckets * sizeof(unsigned);
    unsigned* d_keys = nullptr;
    unsigned* d_values = nullptr;
    int* d_locks = nullptr;
    ChainedTable table{nullptr, nullptr, buckets};
    CHECK(cudaMalloc(&d_keys, bytes + sizeof(unsigned)));  // never 0 bytes
    CHECK(cudaMalloc(&d_values, bytes + sizeof(unsigned)));
    CHECK(cudaMalloc(&d_locks, buckets * sizeof(int)));
    CHECK(cudaMalloc(&table.d_heads, heads_bytes));
    CHECK(cudaMalloc(&table.d_pool, (n + 1) * sizeof(Entry)));
    CHECK(cudaMemcpy(d_keys, h_keys.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_values, h_values.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_locks, 0, buckets * sizeof(int)));  // 0: free

    // 4. A lock per bucket. Byte 0xff: all heads are end_of_chain.
    common::GpuTimer gpu_timer;
    double lock_ms = INFINITY;
    for (int i = 0; i < repeats; ++i) {
        CHECK(cudaMemset(table.d_heads, 0xff, heads_bytes));
        gpu_timer.start();
        insert_lock_per_bucket<<<grid_size, block_size>>>(d_keys, d_values, n, table, d_locks);
        CHECK_LAUNCH();
        lock_ms = std::min(lock_ms, gpu_timer.stop_ms());
    }
    const auto copy_table = [&] {
        CHECK(cudaMemcpy(host_table.heads.data(), table.d_heads, heads_bytes,
                         cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(host_table.pool.data(), table.d_pool, n * sizeof(Entry),
                         cudaMemcpyDeviceToHost));
    };
    copy_table();
    const bool lock_ok = report("lock_per_bucket", lock_ms, host_table);

    // 5. No lock: one atomicExch per key, with as many threads as the device can hold.
    const int push_blocks = common::blocks_to_fill_device(n, block_size);
    double push_ms = INFINITY;
    for (int i = 0; i < repeats; ++i) {
        CHECK(cudaMemset(table.d_heads, 0xff, heads_bytes));
        gpu_timer.start();
        insert_lock_free_push<<<push_blocks, block_size>>>(d_keys, d_values, n, table);
        CHECK_LAUNCH();
        push_ms = std::min(push_ms, gpu_timer.stop_ms());
    }
    copy_table();
    const bool push_ok = report("lock_free_push", push_ms, host_table);
    CHECK(cudaFree(table.d_pool));
    CHECK(cudaFree(table.d_heads));
    CHECK(cudaFree(d_locks));
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_keys));
    return cpu_ok && lock_ok && push_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
