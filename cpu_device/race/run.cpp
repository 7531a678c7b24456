#include "race/run.hpp"

#include <sys/resource.h>

#include <algorithm>

#include "cpu_device/race.h"
#include "race/memory.hpp"

namespace cpu_device::race {
namespace {

constexpr unsigned alive_threads = 1024;
constexpr std::size_t max_alive_threads = 8192;
std::size_t most_blocks = arenas;

// Under a limit of memory, such as a grader's, a quarter of it is for stacks: what the threads know
// of each other takes more than that when many wait.
std::size_t threads_with_stacks() {
    std::size_t threads = max_alive_threads;
    for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
        rlimit limit = {};
        if (getrlimit(resource, &limit) == 0) {
            threads = std::min<std::size_t>(threads, limit.rlim_cur / 4 / bytes_per_stack);
        }
    }
    return threads;
}

}  // namespace

void set_room_for_blocks(std::size_t blocks) {
    most_blocks = blocks == 0 ? arenas : blocks;
}

Run& run = *new Run;
__thread Clocks* running = nullptr;

Launch::Launch(const LaunchConfig& config_, void (*thread_)(const void*), const void* closure_)
    : config(config_),
      thread(thread_),
      closure(closure_),
      threads_per_block(config.block.x * config.block.y * config.block.z),
      blocks(std::size_t{config.grid.x} * config.grid.y * config.grid.z),
      resident_limit(std::min(
          {most_blocks, arenas, std::max<std::size_t>(1, alive_threads / threads_per_block)})),
      max_resident(
          std::min({most_blocks, arenas,
                    std::max<std::size_t>(1, threads_with_stacks() / threads_per_block)})) {
    for (std::size_t i = max_resident; i > 0; --i) {
        free_arenas.push_back(i - 1);
    }
}

}  // namespace cpu_device::race
