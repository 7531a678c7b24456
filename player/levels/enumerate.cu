// Prints every order of the steps of the levels' kernels that race mode finds, an order a line:
// "lost_update: 0R0 1R0 0W0 1W0" is thread 0 reads word 0, and so on. A test compares them with the
// levels' trees, which the page plays. Left out are kernels in which a thread waits for another
// block or without end: of those the enumeration finds no end.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "common/device_array.cuh"
#include "common/error.cuh"
#include "cpu_device/race.h"
#include "player/levels/atomic_add.cuh"
#include "player/levels/cas_loop.cuh"
#include "player/levels/cas_no_retry.cuh"
#include "player/levels/last_block.cuh"
#include "player/levels/last_block_fenced.cuh"
#include "player/levels/lock_in_two_steps.cuh"
#include "player/levels/lock_without_fence.cuh"
#include "player/levels/lost_update.cuh"
#include "player/levels/mutex.cuh"
#include "player/levels/old_values.cuh"
#include "player/levels/tree_without_barrier.cuh"
#include "player/levels/use_then_add.cuh"

namespace {

constexpr std::size_t words = 4;  // as many as a level has at most

// `launch` gets the words, which are `first` before each run, in the order of programs.py.
void print_orders(const char* name, const std::function<void(int*)>& launch,
                  const std::vector<int>& first = std::vector<int>(words)) {
    namespace race = cpu_device::race;
    common::DeviceArray<int> memory(words);
    race::for_each_interleaving(
        [&] {
            CHECK(cudaMemcpy(memory.data(), first.data(), words * sizeof(int),
                             cudaMemcpyHostToDevice));
            launch(memory.data());
            CHECK(cudaDeviceSynchronize());
        },
        [&](const std::vector<race::Step>& steps) {
            std::printf("%s:", name);
            for (const race::Step& step : steps) {
                const auto* const word = static_cast<const volatile int*>(step.address);
                std::printf(" %u%c%td", step.thread, step.kind, word - memory.data());
            }
            std::printf("\n");
        });
}

}  // namespace

int main() {
    cpu_device::race::be_quiet(true);  // that some of them race is known
    print_orders("lost_update", [](int* w) { lost_update<<<1, 2>>>(w); });
    print_orders("three_threads", [](int* w) { lost_update<<<1, 3>>>(w); });
    print_orders("atomic_add", [](int* w) { atomic_add<<<1, 3>>>(w); });
    print_orders("cas_loop", [](int* w) { cas_loop<<<1, 2>>>(w); });
    print_orders("cas_no_retry", [](int* w) { cas_no_retry<<<1, 2>>>(w); });
    print_orders("old_values", [](int* w) { old_values<<<1, 3>>>(w, w + 1); });
    print_orders("use_then_add", [](int* w) { use_then_add<<<1, 2>>>(w, w + 1); });
    print_orders("tree_without_barrier", [](int* w) { tree_without_barrier<<<1, 2>>>(w); },
                 {1, 2, 3, 4});
    print_orders("lock_in_two_steps", [](int* w) { lock_in_two_steps<<<1, 2>>>(w, w + 1); });
    print_orders("mutex", [](int* w) { mutex<<<1, 2>>>(w, w + 1); });
    print_orders("lock_without_fence", [](int* w) { lock_without_fence<<<1, 2>>>(w, w + 1); });
    print_orders("last_block", [](int* w) { last_block<<<2, 1>>>(w, w + 2, w + 3); });
    print_orders("last_block_fenced", [](int* w) { last_block_fenced<<<2, 1>>>(w, w + 2, w + 3); });
    cpu_device::race::forget();
    return EXIT_SUCCESS;
}
