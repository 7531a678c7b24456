// Cooperative groups: the threads of a grid, a block, a tile of a warp, or those that are together.
// All of it is made of the barriers, shuffles and atomics that kernels can call themselves; so race
// mode sees the order that a group gives.
//
// Tiles of more than 32 threads meet in a block_tile_memory. Clusters are not there.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "cpu_device/atomic_access.h"
#include "cuda_runtime.h"

namespace cooperative_groups {

namespace details {

inline unsigned thread_of_block() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
inline unsigned threads_of_block() {
    return blockDim.x * blockDim.y * blockDim.z;
}
inline unsigned long long block_of_grid() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                            (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
}
inline unsigned long long blocks_of_grid() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
}
inline unsigned lane() {
    return thread_of_block() % 32;
}
inline unsigned lanes_before() {
    return (1u << lane()) - 1;
}
inline unsigned count(unsigned lanes) {
    return static_cast<unsigned>(__builtin_popcount(lanes));
}
// The lane with this rank among those of the mask; some lane of it for a rank that is too large.
inline unsigned lane_of_rank(unsigned lanes, unsigned rank) {
    while (rank-- > 0 && (lanes & (lanes - 1)) != 0) {
        lanes &= lanes - 1;
    }
    return static_cast<unsigned>(__builtin_ctz(lanes));
}

// Any trivially copyable value, in pieces of 8 bytes.
template <typename T>
T shuffle(unsigned mask, const T& value, unsigned source_lane, const cpu_device::Place& place) {
    static_assert(std::is_trivially_copyable_v<T>, "a shuffle moves bits");
    std::uint64_t pieces[(sizeof(T) + 7) / 8] = {};
    std::memcpy(pieces, &value, sizeof value);
    for (std::uint64_t& piece : pieces) {
        piece =
            cpu_device::warp_function(cpu_device::WarpOp::shuffle, mask, piece, source_lane, place);
    }
    T result = value;
    std::memcpy(&result, pieces, sizeof result);
    return result;
}

// CUDA wants a block that is divided into tiles to have whole ones only.
inline void check_tiles([[maybe_unused]] unsigned tile_size,
                        [[maybe_unused]] const cpu_device::Place& place) {
#ifdef CPU_DEVICE_RACE
    const cpu_device::Place at = place;  // race mode sees no load of a class as an argument
    cpu_device::check_tiles(tile_size, at);
#endif
}

// The blocks that have come in this round, and the rounds of all launches so far, which may have
// had other numbers of blocks. The last block of a round puts the first back before it changes the
// second, which the others wait for.
inline unsigned grid_arrivals = 0;
inline unsigned grid_rounds = 0;

inline void synchronize_grid(cpu_device::Place place) {
    if (!cpu_device::in_cooperative_launch()) {
        cpu_device::misuse(
            "a grid's sync() in a kernel that cudaLaunchCooperativeKernel has not launched", place);
    }
    __syncthreads(place);
    if (thread_of_block() == 0) {
        using cpu_device::atomic_load;
        using cpu_device::atomic_store;
        using cpu_device::Order;
        using cpu_device::Scope;
        const unsigned round = atomic_load(&grid_rounds, Order::relaxed, Scope::device, place);
        const unsigned before = cpu_device::atomic_update(
            &grid_arrivals, [](unsigned arrivals) { return arrivals + 1; }, Order::acq_rel,
            Scope::device, place);
        if (before == blocks_of_grid() - 1) {
            atomic_store(&grid_arrivals, 0u, Order::relaxed, Scope::device, place);
            atomic_store(&grid_rounds, round + 1, Order::release, Scope::device, place);
        }
        while (atomic_load(&grid_rounds, Order::acquire, Scope::device, place) == round) {
        }
    }
    __syncthreads(place);
}

}  // namespace details

// Of any kind; what a function takes that does not care.
class thread_group {
  public:
    constexpr thread_group(unsigned lanes, bool is_grid) : lanes_(lanes), is_grid_(is_grid) {}
    // Word by word: race mode sees no load of a class that is an argument as a whole.
    constexpr thread_group(const thread_group& other)
        : lanes_(other.lanes_), is_grid_(other.is_grid_) {}
    thread_group& operator=(const thread_group&) = default;

    // Not CUDA's: the lanes of its warp that it has, or 0 for a block and a grid.
    unsigned lanes() const { return lanes_; }

    void sync(cpu_device::Place place = {}) const {
        if (lanes_ != 0) {
            __syncwarp(lanes_, place);
        } else if (is_grid_) {
            details::synchronize_grid(place);
        } else {
            __syncthreads(place);
        }
    }
    unsigned long long size() const {
        return lanes_ != 0
                   ? details::count(lanes_)
                   : details::threads_of_block() * (is_grid_ ? details::blocks_of_grid() : 1);
    }
    unsigned long long num_threads() const { return size(); }
    unsigned long long thread_rank() const {
        if (lanes_ != 0) {
            return details::count(lanes_ & details::lanes_before());
        }
        return details::thread_of_block() +
               (is_grid_ ? details::block_of_grid() * details::threads_of_block() : 0);
    }
    bool is_valid() const { return !is_grid_ || cpu_device::in_cooperative_launch(); }

  private:
    unsigned lanes_;
    bool is_grid_;
};

namespace details {
// Where the tiles of more than a warp meet: a place for each tile of 64, 128, 256, 512 and 1024
// threads, and 8 bytes for each warp.
struct tile_memory {
    unsigned arrivals[31], rounds[31];
    std::uint64_t values[32];
};
}  // namespace details
// In shared memory, for a block of at most so many threads.
template <unsigned most_threads = 1024>
struct block_tile_memory {
    static_assert(most_threads >= 1 && most_threads <= 1024, "a block has at most 1024 threads");
    details::tile_memory memory;
};

class thread_block : public thread_group {
  public:
    constexpr explicit thread_block(details::tile_memory* memory = nullptr)
        : thread_group(0, false), memory_(memory) {}
    constexpr thread_block(const thread_block& other)
        : thread_group(other), memory_(other.memory_) {}
    thread_block& operator=(const thread_block&) = default;

    // Not CUDA's.
    details::tile_memory* memory() const { return memory_; }

    static void sync(cpu_device::Place place = {}) { __syncthreads(place); }
    static unsigned size() { return details::threads_of_block(); }
    static unsigned num_threads() { return size(); }
    static unsigned thread_rank() { return details::thread_of_block(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }

  private:
    details::tile_memory* memory_;
};
inline thread_block this_thread_block() {
    return thread_block();
}
// All threads of the block call it.
template <unsigned most_threads>
thread_block this_thread_block(block_tile_memory<most_threads>& shared,
                               cpu_device::Place place = {}) {
    using cpu_device::atomic_store;
    using cpu_device::Order;
    using cpu_device::Scope;
    __syncthreads(place);
    if (details::thread_of_block() < 31) {
        const unsigned i = details::thread_of_block(), last = details::threads_of_block() - 1;
        for (unsigned tile = i; tile < 31; tile += last + 1) {
            atomic_store(&shared.memory.arrivals[tile], 0u, Order::relaxed, Scope::block, place);
            atomic_store(&shared.memory.rounds[tile], 0u, Order::relaxed, Scope::block, place);
        }
    }
    __syncthreads(place);
    return thread_block(&shared.memory);
}

class grid_group : public thread_group {
  public:
    constexpr grid_group() : thread_group(0, true) {}
    void sync(cpu_device::Place place = {}) const { details::synchronize_grid(place); }
    static unsigned long long num_blocks() { return details::blocks_of_grid(); }
    static unsigned long long block_rank() { return details::block_of_grid(); }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 group_dim() { return gridDim; }
    static dim3 block_index() { return blockIdx; }
};
inline grid_group this_grid() {
    return {};
}

namespace details {

// What tiles and coalesced groups share: lanes of one warp, which have ranks from 0.
class lanes_group : public thread_group {
  public:
    template <typename T>
    T shfl(const T& value, unsigned source_rank, cpu_device::Place place = {}) const {
        return shuffle(lanes(), value, lane_of_rank(lanes(), source_rank % count(lanes())), place);
    }
    template <typename T>
    T shfl_up(const T& value, unsigned delta, cpu_device::Place place = {}) const {
        const auto rank = static_cast<unsigned>(thread_rank());
        return shfl(value, rank < delta ? rank : rank - delta, place);
    }
    template <typename T>
    T shfl_down(const T& value, unsigned delta, cpu_device::Place place = {}) const {
        const auto rank = static_cast<unsigned>(thread_rank());
        return shfl(value, rank + delta < count(lanes()) ? rank + delta : rank, place);
    }
    int any(int predicate, cpu_device::Place place = {}) const {
        return __any_sync(lanes(), predicate, place);
    }
    int all(int predicate, cpu_device::Place place = {}) const {
        return __all_sync(lanes(), predicate, place);
    }
    unsigned ballot(int predicate, cpu_device::Place place = {}) const {
        return by_rank(__ballot_sync(lanes(), predicate, place));
    }
    template <typename T>
    unsigned match_any(T value, cpu_device::Place place = {}) const {
        return by_rank(__match_any_sync(lanes(), value, place));
    }
    template <typename T>
    unsigned match_all(T value, int& all_equal, cpu_device::Place place = {}) const {
        return by_rank(__match_all_sync(lanes(), value, &all_equal, place));
    }

  protected:
    constexpr explicit lanes_group(unsigned lanes) : thread_group(lanes, false) {}

    // A bit for each rank, from a bit for each lane.
    unsigned by_rank(unsigned of_lanes) const {
        unsigned result = 0;
        unsigned rank = 0;
        for (unsigned left = lanes(); left != 0; left &= left - 1, ++rank) {
            result |= (of_lanes >> __builtin_ctz(left) & 1) << rank;
        }
        return result;
    }
};

constexpr bool is_tile_size(unsigned size) {
    return size >= 1 && size <= 1024 && (size & (size - 1)) == 0;
}
// The lanes of the tile of this size to which the calling thread belongs.
inline unsigned tile_lanes(unsigned size) {
    return (size == 32 ? ~0u : (1u << size) - 1) << (lane() & ~(size - 1));
}

}  // namespace details

// Threads that are in one branch together. What was together need not stay so.
class coalesced_group : public details::lanes_group {
  public:
    constexpr explicit coalesced_group(unsigned lanes, unsigned groups = 1, unsigned number = 0)
        : lanes_group(lanes), groups_(groups), number_(number) {}

    unsigned size() const { return details::count(lanes()); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const { return details::count(lanes() & details::lanes_before()); }
    unsigned meta_group_size() const { return groups_; }
    unsigned meta_group_rank() const { return number_; }

  private:
    unsigned groups_, number_;
};
inline coalesced_group coalesced_threads(cpu_device::Place place = {}) {
    return coalesced_group(__activemask(place));
}

namespace details {

// A tile of at most 32 threads.
template <unsigned tile_size>
class tile_threads : public lanes_group {
  public:
    explicit tile_threads(const tile_memory*) : lanes_group(tile_lanes(tile_size)) {}
};

// A tile of several warps.
template <unsigned tile_size>
class warps_group {
  public:
    explicit warps_group(tile_memory* memory) : memory_(memory) {}
    warps_group(const warps_group& other) : memory_(other.memory_) {}
    warps_group& operator=(const warps_group&) = default;

    // Not CUDA's.
    tile_memory* memory() const { return memory_; }

    // As synchronize_grid().
    void sync(cpu_device::Place place = {}) const {
        using cpu_device::atomic_load;
        using cpu_device::atomic_store;
        using cpu_device::Order;
        using cpu_device::Scope;
        unsigned* const arrivals = &memory_->arrivals[tile()];
        unsigned* const rounds = &memory_->rounds[tile()];
        const unsigned round = atomic_load(rounds, Order::relaxed, Scope::block, place);
        const unsigned before = cpu_device::atomic_update(
            arrivals, [](unsigned arrived) { return arrived + 1; }, Order::acq_rel, Scope::block,
            place);
        if (before == tile_size - 1) {
            atomic_store(arrivals, 0u, Order::relaxed, Scope::block, place);
            atomic_store(rounds, round + 1, Order::release, Scope::block, place);
        }
        while (atomic_load(rounds, Order::acquire, Scope::block, place) == round) {
        }
    }

    template <typename T>
    T shfl(const T& value, unsigned source_rank, cpu_device::Place place = {}) const {
        const unsigned source = source_rank % tile_size;
        T result = value;
        exchange(
            value, thread_of_block() % tile_size == source,
            [&] { std::memcpy(&result, &memory_->values[first_warp() + source / 32], sizeof(T)); },
            place);
        return result;
    }
    int any(int predicate, cpu_device::Place place = {}) const {
        return of_warps(
            __any_sync(~0u, predicate, place), [](int a, int b) { return a | b; }, place);
    }
    int all(int predicate, cpu_device::Place place = {}) const {
        return of_warps(
            __all_sync(~0u, predicate, place), [](int a, int b) { return a & b; }, place);
    }
    // What the operation makes of one value for each warp, which all its lanes have.
    template <typename T, typename Operation>
    T of_warps(const T& value, Operation operation, cpu_device::Place place) const {
        T values[tile_size / 32];
        take_values(value, 0, values, place);
        T result = values[0];
        for (unsigned warp = 1; warp < tile_size / 32; ++warp) {
            result = operation(result, values[warp]);
        }
        return result;
    }
    // What it makes of the last lanes' values in the tile's warps before the caller's. The tile's
    // first warp has none before it: whether there is one.
    template <typename T, typename Operation>
    bool of_warps_before(const T& value, Operation operation, T* result,
                         cpu_device::Place place) const {
        T values[tile_size / 32];
        take_values(value, 31, values, place);
        const unsigned mine = thread_of_block() / 32 - first_warp();
        *result = values[0];
        for (unsigned warp = 1; warp < mine; ++warp) {
            *result = operation(*result, values[warp]);
        }
        return mine > 0;
    }

  private:
    // One value of each warp of the tile, which its lane `from` has.
    template <typename T>
    void take_values(const T& value, unsigned from, T* values, cpu_device::Place place) const {
        exchange(
            value, lane() == from,
            [&] {
                for (unsigned warp = 0; warp < tile_size / 32; ++warp) {
                    std::memcpy(&values[warp], &memory_->values[first_warp() + warp], sizeof(T));
                }
            },
            place);
    }

    // Those of 64 threads begin at 0, those of 128 at 16, ... the one of 1024 at 30.
    static unsigned tile() { return 32 - 2048 / tile_size + thread_of_block() / tile_size; }
    static unsigned first_warp() { return thread_of_block() / tile_size * (tile_size / 32); }

    // Who gives something leaves its value for all.
    template <typename T, typename Take>
    void exchange(const T& value, bool gives, const Take& take, cpu_device::Place place) const {
        static_assert(std::is_trivially_copyable_v<T>, "a shuffle moves bits");
        static_assert(sizeof(T) <= sizeof memory_->values[0],
                      "a tile of more than 32 threads hands on values of at most 8 bytes");
        if (gives) {
            std::memcpy(&memory_->values[thread_of_block() / 32], &value, sizeof(T));
        }
        sync(place);
        take();
        sync(place);
    }

    tile_memory* memory_;
};

template <unsigned tile_size>
using tile_base =
    std::conditional_t<(tile_size <= 32), tile_threads<tile_size>, warps_group<tile_size>>;

}  // namespace details

// `size` threads of a block, or of another tile, that follow each other.
template <unsigned tile_size, typename Parent = void>
class thread_block_tile : public details::tile_base<tile_size> {
    static_assert(details::is_tile_size(tile_size), "a tile has 1, 2, 4, ... 512 or 1024 threads");
    using Base = details::tile_base<tile_size>;

  public:
    explicit thread_block_tile(details::tile_memory* memory = nullptr) : Base(memory) {}
    // A tile knows its parent's type, or (Parent = void) does not.
    template <typename Other>
    thread_block_tile(const thread_block_tile<tile_size, Other>& other) : Base(other) {}

    static constexpr unsigned size() { return tile_size; }
    static constexpr unsigned num_threads() { return tile_size; }
    static unsigned thread_rank() { return details::thread_of_block() % tile_size; }
    static unsigned meta_group_rank() {
        return details::thread_of_block() % parent_size() / tile_size;
    }
    static unsigned meta_group_size() { return (parent_size() + tile_size - 1) / tile_size; }

    template <typename T>
    T shfl_xor(const T& value, unsigned lane_mask, cpu_device::Place place = {}) const {
        static_assert(tile_size <= 32, "shfl_xor is for tiles of at most 32 threads");
        const unsigned source = thread_rank() ^ lane_mask;
        return this->shfl(value, source < tile_size ? source : thread_rank(), place);
    }

  private:
    static unsigned parent_size() {
        if constexpr (std::is_same_v<Parent, thread_block> || std::is_void_v<Parent>) {
            return details::threads_of_block();
        } else {
            return Parent::size();
        }
    }
};

template <unsigned size, typename Group>
thread_block_tile<size, Group> tiled_partition([[maybe_unused]] const Group& group,
                                               [[maybe_unused]] cpu_device::Place place = {}) {
    if constexpr (std::is_same_v<Group, thread_block>) {
        details::check_tiles(size, place);
    }
    if constexpr (size > 32) {
        if (group.memory() == nullptr) {
            cpu_device::misuse(
                "a tile of more than 32 threads of a block without block_tile_memory", place);
        }
        if (details::threads_of_block() % size != 0) {
            cpu_device::misuse("tiles of more than 32 threads that are not whole", place);
        }
        return thread_block_tile<size, Group>(group.memory());
    } else {
        return thread_block_tile<size, Group>();
    }
}
namespace details {
// Of a group of lanes: those `size` ranks to which the calling thread belongs.
inline unsigned lanes_of_part(const thread_group& parent, unsigned size) {
    const auto first = static_cast<unsigned>(parent.thread_rank()) / size * size;
    unsigned lanes = 0;
    for (unsigned rank = first; rank < first + size && rank < parent.size(); ++rank) {
        lanes |= 1u << lane_of_rank(parent.lanes(), rank);
    }
    return lanes;
}
}  // namespace details
// The size may also be known only when the kernel runs.
inline thread_group tiled_partition(const thread_group& parent, unsigned size,
                                    cpu_device::Place place = {}) {
    if (parent.lanes() == 0) {
        details::check_tiles(size, place);
    }
    return thread_group(
        parent.lanes() == 0 ? details::tile_lanes(size) : details::lanes_of_part(parent, size),
        false);
}
inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
    return coalesced_group(details::lanes_of_part(parent, size), (parent.size() + size - 1) / size,
                           parent.thread_rank() / size);
}

// The threads of a group that come with the same label.
template <typename Group, typename Label>
coalesced_group labeled_partition(const Group& parent, Label label, cpu_device::Place place = {}) {
    unsigned lanes = 0;
    for (unsigned ranks = parent.match_any(label, place); ranks != 0; ranks &= ranks - 1) {
        lanes |= 1u << details::lane_of_rank(parent.lanes(),
                                             static_cast<unsigned>(__builtin_ctz(ranks)));
    }
    return coalesced_group(lanes);
}
template <typename Group>
coalesced_group binary_partition(const Group& parent, bool predicate,
                                 cpu_device::Place place = {}) {
    return labeled_partition(parent, static_cast<int>(predicate), place);
}

// Only the group's first thread calls the function. CUDA takes any one of them.
template <typename Group, typename Function, typename... Args>
void invoke_one(const Group& group, Function&& function, Args&&... args) {
    if (group.thread_rank() == 0) {
        std::forward<Function>(function)(std::forward<Args>(args)...);
    }
}
// The same, and every thread of the group, a tile or a coalesced one, gets what it returns.
template <typename Group, typename Function, typename... Args>
auto invoke_one_broadcast(const Group& group, Function&& function, Args&&... args) {
    static_assert(!std::is_void_v<std::invoke_result_t<Function, Args...>>,
                  "a function that returns nothing is for invoke_one");
    std::decay_t<std::invoke_result_t<Function, Args...>> result{};
    invoke_one(group,
               [&] { result = std::forward<Function>(function)(std::forward<Args>(args)...); });
    return group.shfl(result, 0);
}

// The same as members of the groups.
template <typename Group>
void sync(const Group& group, cpu_device::Place place = {}) {
    group.sync(place);
}
template <typename Group>
auto thread_rank(const Group& group) {
    return group.thread_rank();
}
template <typename Group>
auto group_size(const Group& group) {
    return group.size();
}

}  // namespace cooperative_groups
