#include "race/blocks.hpp"

#include <algorithm>

#include "race/memory.hpp"
#include "race/word_history.hpp"

namespace cpu_device::race {
namespace {

uint3 index_in(const dim3& size, std::size_t number) {
    return {static_cast<unsigned>(number % size.x), static_cast<unsigned>(number / size.x % size.y),
            static_cast<unsigned>(number / size.x / size.y)};
}

std::unique_ptr<ResidentBlock> new_block(const Launch& launch, std::size_t number,
                                         std::size_t arena_number) {
    auto block = std::make_unique<ResidentBlock>();
    const unsigned threads = launch.threads_per_block;
    block->number = number;
    block->index = index_in(launch.config.grid, number);
    block->live = threads;
    block->threads.resize(threads);
    block->clocks.resize(threads);
    block->polling.resize(threads);
    block->rounds.resize(threads);
    block->plain_accesses.resize(threads);
    block->recent_loads.resize(threads);
    block->barrier_calls.resize(threads);
    block->bottom.resize(threads);
    for (unsigned t = 0; t < threads; ++t) {
        Thread& thread = block->threads[t];
        thread.fiber = nullptr;
        thread.number = static_cast<std::uint16_t>(t);
        const uint3 index = index_in(launch.config.block, t);
        thread.index[0] = static_cast<std::uint16_t>(index.x);
        thread.index[1] = static_cast<std::uint16_t>(index.y);
        thread.index[2] = static_cast<std::uint16_t>(index.z);
        thread.state = State::running;
        begin(block->clocks[t], static_cast<std::uint32_t>(number * threads + t),
              static_cast<std::uint32_t>(number), t);
        block->clocks[t].arena = static_cast<std::uint32_t>(arena_number);
    }
    if (threads % 32 != 0) {
        block->warps[threads / 32].ended = ~0u << threads % 32;  // lanes that do not exist
    }
    block->arena_number = arena_number;
    block->arena_used = launch.config.dynamic_shared;
    return block;
}

}  // namespace

void start_blocks() {
    Launch& launch = *run.launch;
    while (launch.next_block < launch.blocks && launch.resident.size() < launch.resident_limit) {
        const std::size_t number = run.schedule.block_to_start(launch.next_block++);
        const std::size_t arena_number = launch.free_arenas.back();
        launch.free_arenas.pop_back();
        launch.resident.push_back(new_block(launch, number, arena_number));
        run.schedule.add_block(*launch.resident.back());
        add_shared(arena_number * arena_bytes, launch.config.dynamic_shared,
                   name_of_dynamic_shared);
    }
}

void end_block(const ResidentBlock& block) {
    Launch& launch = *run.launch;
    release_shared_memory(block);
    launch.free_arenas.push_back(block.arena_number);
    const auto found = std::find_if(launch.resident.begin(), launch.resident.end(),
                                    [&](const auto& one) { return one.get() == &block; });
    launch.resident.erase(found);
    launch.forecast.block_ended(launch.config, launch.blocks, launch.next_block);
}

void release_shared_memory(const ResidentBlock& block) {
    history.forget(block.arena_number * arena_bytes, block.arena_used);
    drop_shared(block.arena_number * arena_bytes, block.arena_used);
}

}  // namespace cpu_device::race
