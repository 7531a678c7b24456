// The check of 32_last_gpu.cu; check.hpp says what it is made of.
#include <algorithm>
#include <limits>
#include <numeric>

#include "common/error.cuh"
#include "exercises/check.hpp"

void launch_add_both(const int* d_x0, int n0, const int* d_x1, int n1, int* d_sums,
                     unsigned* d_count, int* d_total, int block_size);

namespace exercises {

static void run(int n, int block_size) {
    refuse("volatile", {"volatile"});
    refuse_waiting_host();
    // In some runs as large as the total allows. No sum of several elements is 0, so that no atomic
    // changes nothing: those of a half are all positive, or all negative.
    const int most = in_turn(2, 9) == 0 ? std::numeric_limits<int>::max() / std::max(n, 1) : 1000;
    std::vector<int> x = random_numbers(n, 1, most);
    const std::vector<int> is_negative = random_numbers(2, 0, 1, 2);
    for (int i = 0; i < n; ++i) {
        x[i] = is_negative[i < n / 2 ? 0 : 1] == 1 ? -x[i] : x[i];
    }
    const std::vector<int> x0(x.begin(), x.begin() + n / 2), x1(x.begin() + n / 2, x.end());
    const std::vector<int> sums = {std::accumulate(x0.begin(), x0.end(), 0),
                                   std::accumulate(x1.begin(), x1.end(), 0)};
    CHECK(cudaSetDevice(1));
    const DeviceArray<int> d_x1(x1);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaSetDevice(0));
    const DeviceArray<int> d_x0(x0), d_sums(std::vector<int>{0, 0}), d_total = output_array<int>(1);
    const DeviceArray<unsigned> d_count(std::vector<unsigned>{0});
    CHECK(cudaDeviceSynchronize());
#ifdef CPU_DEVICE_RACE
    cpu_device::race::count_news_of(d_sums.data(), 2 * sizeof(int));
#endif
    const Watched watched([&] {
        call_answer(launch_add_both, d_x0.data(), n / 2, d_x1.data(), n - n / 2, d_sums.data(),
                    d_count.data(), d_total.data(), block_size);
        wait_for_two_gpus(false, true);
    });
    expect_equal("d_sums", d_sums.to_host(), sums);
    expect_equal("*d_total", d_total.to_host()[0], sums[0] + sums[1]);
    expect_by_last_block(watched, d_count.data(), d_total.data());
}

// More would be atomics that read the sums: they make no report where the order is missing. So do
// those that add 0, which only a warp without elements needs.
static void count(const Counts& counts, int n, int block_size) {
    int blocks = 0, idle_warps = 0;
    for (const int half : {n / 2, n - n / 2}) {
        const int warps = (block_size + 31) / 32;  // of a block
        const int last = half % block_size;        // the elements of the last block
        blocks += half / block_size + 1;
        idle_warps += warps - (last + 31) / 32;
    }
    expect_at_most("atomics in global memory", counts.atomics, n + blocks);
    expect_at_most("atomics that change nothing", counts.unchanging_atomics, idle_warps);
    expect_news_of_others(counts, 1);  // the sum of the other GPU at least
}

static Exercise made() {
    Exercise exercise = {run};
    exercise.devices = 2;
    exercise.max_launches = 2;
    exercise.count = count;
    exercise.counted = "one atomic per element and one per block";
    return exercise;
}
const Exercise exercise = made();

}  // namespace exercises
