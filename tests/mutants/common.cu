// What the examples share, for scripts/mutate, in race mode: see probe.cuh. (mutex_dot has all the
// locks, and loads vectors from arrays that lie differently.)
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#include "common/block_reduce.cuh"
#include "common/device_array.cuh"
#include "common/scan.cuh"
#include "cpu_device/race.h"
#include "harness/plain_read.cuh"

using namespace common;
using namespace harness;

namespace {

void expect(bool holds, const char* what, std::size_t n) {
    if (!holds || cpu_device::race::reports() > 0) {
        std::printf("%s, n = %zu\n", what, n);
        std::exit(EXIT_FAILURE);  // race mode makes it 66 if it has reported
    }
}

__global__ void sum_twice(const int* d_x, int* d_sums) {
    const int first = block_sum(d_x[threadIdx.x]);
    const int second = block_sum(2 * d_x[threadIdx.x]);
    if (threadIdx.x == 0) {
        d_sums[0] = first;
        d_sums[1] = second;
    }
}

void probe_block_sum(int block_size) {
    std::vector<int> h_x(block_size);
    std::iota(h_x.begin(), h_x.end(), 1);
    const DeviceArray<int> d_x(h_x);
    const DeviceArray<int> d_sums(2);
    sum_twice<<<1, block_size>>>(d_x.data(), d_sums.data());
    CHECK_LAUNCH();
    const int sum = block_size * (block_size + 1) / 2;
    expect(d_sums.to_host() == std::vector<int>{sum, 2 * sum}, "block_sum", block_size);
}

void probe_scan(std::size_t n) {
    std::vector<int> counts(n);
    std::vector<int> expected(n + 1);
    for (std::size_t i = 0; i < n; ++i) {
        counts[i] = static_cast<int>(i * i % 5);
        expected[i + 1] = expected[i] + counts[i];
    }
    const DeviceArray<int> d_counts(counts);
    const DeviceArray<int> d_tile_sums(scan_tiles(n));
    const DeviceArray<int> d_starts(n + 1);
    exclusive_scan(d_counts.data(), n, d_tile_sums.data(), d_starts.data());
    expect(d_starts.to_host() == expected, "exclusive_scan", n);
}

// More tiles than a block takes at once, which would be half a million counts.
void probe_many_tiles(std::size_t tiles) {
    const DeviceArray<int> d_tile_sums(std::vector<int>(tiles, 3));
    const DeviceArray<int> d_total(1);
    scan_tile_sums<<<1, scan_block_size>>>(d_tile_sums.data(), tiles, d_total.data());
    CHECK_LAUNCH();
    expect(d_total.to_host()[0] == static_cast<int>(3 * tiles), "scan_tile_sums", tiles);
}

// Reads two arrays; a word of the second is such that the kernel says that it has read it.
void probe_plain_read(std::size_t n, std::size_t place) {
    std::vector<uint4> h_words(n, uint4{0, 0, 0, 0});
    const DeviceArray<uint4> d_first(h_words);
    h_words[place].z = 0x9e3779b9u;
    const DeviceArray<uint4> d_second(h_words);
    const DeviceArray<unsigned> d_sink(std::vector<unsigned>{0});
    plain_read({{d_first.data(), d_first.bytes()}, {d_second.data(), d_second.bytes()}},
               d_sink.data());
    expect(d_sink.to_host()[0] == 0x9e3779b9u, "plain_read", n);
}

}  // namespace

int main() {
    for (const int block_size : {1, 31, 32, 33, 40, 64, 100, 128}) {
        probe_block_sum(block_size);
    }
    for (const std::size_t n : {1, 100, 2047, 2048, 2049, 5000}) {
        probe_scan(n);
    }
    for (const std::size_t tiles : {256, 300, 700}) {
        probe_many_tiles(tiles);
    }
    for (const std::size_t n : {100, 512, 4096, 5000}) {
        probe_plain_read(n, 0);
        probe_plain_read(n, n - 1);
    }
}
