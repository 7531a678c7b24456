// A hash table that all threads fill at once: chains with a lock per bucket, and without a lock.
// The notes are in README.md beside this file.
//
//     nvcc -O3 -arch=native hash_table.cu -o hash_table
//
// hash_table [N]      the lesson: N keys (default: 26214400; 10^6 without a GPU) in 1024 buckets
// hash_table --help   all variants, timed and checked, with their flags
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../common/argument.hpp"
#include "../common/error.cuh"
#include "../common/timer.cuh"
#include "1_lock_per_bucket.cuh"
#include "3_lock_free_push.cuh"
#include "cpu.hpp"
#include "lesson_check.hpp"

#ifdef WITH_FLAGS  // defined by CMake: the table of all variants too
#include "flags.cuh"
#endif

int main(int argc, char** argv) {
    if (common::first_is_flag(argc, argv)) {
        return run_with_flags(argc, argv);
    }
    const unsigned buckets = 1024;
    const int grid_size = 60;  // with 256 threads per block: 15 threads per bucket
    const int block_size = 256;

    // 1. The input: n random keys, and a value for each.
    const std::size_t n =
        common::size_argument(argc, argv, common::on_cpu_device ? 1000000 : 26214400, max_keys);
    std::vector<unsigned> h_keys(n);
    std::vector<unsigned> h_values(n);
    srand48(1);
    for (std::size_t i = 0; i < n; ++i) {
        h_keys[i] = static_cast<unsigned>(mrand48());  // 32 random bits
        h_values[i] = static_cast<unsigned>(n - 1 - i);
    }
    common::print_device();
    std::printf("input: %zu random keys, %u buckets\n\n", n, buckets);

    // 2. The table on one core of the CPU.
    HostTable h_table{std::vector<unsigned>(buckets), std::vector<Entry>(n)};
    const double cpu_ms = common::best_cpu_ms([&] { build_cpu(h_keys, h_values, h_table); });
    const bool cpu_ok = report("cpu", cpu_ms, h_table, h_keys);

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
    const double lock_ms = common::best_gpu_ms([&](auto& timer) {
        CHECK(cudaMemset(table.d_heads, 0xff, heads_bytes));
        timer.start();
        insert_lock_per_bucket<<<grid_size, block_size>>>(d_keys, d_values, n, table, d_locks);
        CHECK_LAUNCH();
    });
    const auto copy_table = [&] {
        CHECK(cudaMemcpy(h_table.heads.data(), table.d_heads, heads_bytes, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(h_table.pool.data(), table.d_pool, n * sizeof(Entry),
                         cudaMemcpyDeviceToHost));
    };
    copy_table();
    const bool lock_ok = report("lock_per_bucket", lock_ms, h_table, h_keys);

    // 5. No lock: one atomicExch per key, with as many threads as the device can hold.
    const int push_blocks = common::blocks_to_fill_device(n, block_size);
    const double push_ms = common::best_gpu_ms([&](auto& timer) {
        CHECK(cudaMemset(table.d_heads, 0xff, heads_bytes));
        timer.start();
        insert_lock_free_push<<<push_blocks, block_size>>>(d_keys, d_values, n, table);
        CHECK_LAUNCH();
    });
    copy_table();
    const bool push_ok = report("lock_free_push", push_ms, h_table, h_keys);
    CHECK(cudaFree(table.d_pool));
    CHECK(cudaFree(table.d_heads));
    CHECK(cudaFree(d_locks));
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_keys));
    return cpu_ok && lock_ok && push_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
