// A hash table that all threads of the grid fill at once. In the order of the lesson:
//
//   warp_turns       a lock per bucket; the lanes of a warp take turns (the book's loop)
//   each_thread      a lock per bucket; each thread takes it for itself
//   classic_lock     the same with atomicCAS, two fences and atomicExch as the lock
//   lock_free_push   no lock: one atomicExch puts an entry at the head of a chain
//   open_addressing  no chains: atomicCAS takes the first free slot of an array
//
// Searching is in hash_table_find.cuh.
//
// d_keys, d_values: n keys and the value of each, 32 bits, any alignment of 4 bytes. Keys may
// repeat: every (key, value) is kept (a multimap). The order within a bucket is any.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/block_reduce.cuh"
#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/lock.cuh"
#include "common/stream.cuh"
#include "common/variant.cuh"
#include "hash_table/hash_table_check.hpp"
#include "hash_table/hash_table_cpu.hpp"
#include "hash_table/hash_table_types.cuh"

namespace {

// The calling thread's first element in a grid-stride loop, and the step to its next. 64 bits: an
// int would wrap around at 2^31 keys.
__device__ std::size_t first_index() {
    return std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
}
__device__ std::size_t index_step() {
    return std::size_t{gridDim.x} * blockDim.x;
}

// Puts entry i at the head of a bucket's chain: two steps that belong together. A thread that does
// them while another stands between its own two makes that one's entry vanish from the chain.
__device__ void push_front(const ChainedTable& table, unsigned bucket, unsigned i) {
    table.d_pool[i].next = table.d_heads[bucket];
    table.d_heads[bucket] = i;
}

// --- warp_turns ---------------------------------------------------------------------------------

// All threads share the heads, and each bucket's head is changed only under the bucket's lock:
// threads meet only if their keys fall into one bucket. Key, value and entry i belong to the thread
// alone and need no lock.
//
// The loop over turns comes from GPUs whose warps went in lockstep (before compute capability 7.0):
// a lane that spins on a lock kept the lane that holds it from going on, for ever. With turns, no
// lane waits while another of its warp holds a lock. The lock itself stays: it keeps out the other
// warps. (Threads of newer GPUs need no turns, see each_thread, nor do they keep to them strictly.)
__global__ void insert_warp_turns(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                                  ChainedTable table, int* d_locks) {
    const int lane = static_cast<int>(threadIdx.x) % warp_size;
    for (std::size_t i = first_index(); i < n; i += index_step()) {
        const unsigned bucket = bucket_of(d_keys[i], table.buckets);
        table.d_pool[i].key = d_keys[i];
        table.d_pool[i].value = d_values[i];
        for (int turn = 0; turn < warp_size; ++turn) {
            if (lane == turn) {
                lock(d_locks[bucket]);
                push_front(table, bucket, static_cast<unsigned>(i));
                unlock(d_locks[bucket]);
            }
        }
    }
}

}  // namespace

// The blocks of a kernel with locks: 15 threads for each lock, which is what the book's 60 blocks
// of 256 are for 1024 locks. All of them stand at the locks all the time, and the more threads ask
// for a lock, the more slowly it is handed on: with 8 blocks for each multiprocessor of an H200 the
// book's kernel took 39 times as long as with 60 blocks.
constexpr std::size_t threads_a_lock = 15;

inline int blocks_at_locks(std::size_t n, unsigned buckets, int block_size) {
    const std::size_t wanted = threads_a_lock * buckets / static_cast<std::size_t>(block_size);
    const auto most = static_cast<std::size_t>(blocks_to_fill_device(n, block_size));
    return static_cast<int>(std::clamp<std::size_t>(wanted, 1, most));
}

// The whole trip by hand: allocate, copy, set up, launch, check, copy back, free. Everything else
// in this project does these steps through DeviceArray and the harness. Returns the finished table;
// its `next` are indices into the pool and hold on the host as they are.
inline HostTable build_by_hand(const std::vector<unsigned>& h_keys,
                               const std::vector<unsigned>& h_values, unsigned buckets,
                               int block_size) {
    const std::size_t n = h_keys.size();
    const std::size_t some = std::max<std::size_t>(n, 1);
    unsigned* d_keys = nullptr;
    unsigned* d_values = nullptr;
    int* d_locks = nullptr;
    ChainedTable table{nullptr, nullptr, buckets};
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_keys), some * sizeof(unsigned)));
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_values), some * sizeof(unsigned)));
    CHECK(cudaMalloc(reinterpret_cast<void**>(&d_locks), buckets * sizeof(int)));
    CHECK(cudaMalloc(reinterpret_cast<void**>(&table.d_heads), buckets * sizeof(unsigned)));
    CHECK(cudaMalloc(reinterpret_cast<void**>(&table.d_pool), some * sizeof(Entry)));
    CHECK(cudaMemcpy(d_keys, h_keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_values, h_values.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_locks, 0, buckets * sizeof(int)));                // free
    CHECK(cudaMemset(table.d_heads, 0xff, buckets * sizeof(unsigned)));  // end_of_chain

    const int grid_size = blocks_at_locks(n, buckets, block_size);
    insert_warp_turns<<<grid_size, block_size>>>(d_keys, d_values, n, table, d_locks);
    CHECK_LAUNCH();

    HostTable h_table{std::vector<unsigned>(buckets), std::vector<Entry>(n)};
    CHECK(cudaMemcpy(h_table.heads.data(), table.d_heads, buckets * sizeof(unsigned),
                     cudaMemcpyDeviceToHost));  // waits for the kernel
    CHECK(cudaMemcpy(h_table.pool.data(), table.d_pool, n * sizeof(Entry), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(table.d_pool));
    CHECK(cudaFree(table.d_heads));
    CHECK(cudaFree(d_locks));
    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_keys));
    return h_table;
}

// A chained table's memory.
struct ChainedStorage {
    DeviceArray<unsigned> heads;
    DeviceArray<Entry> pool;

    ChainedStorage() = default;
    ChainedStorage(std::size_t n, unsigned buckets) : heads(buckets), pool(n) {}
    ChainedTable view() const {
        return {heads.data(), pool.data(), static_cast<unsigned>(heads.size())};
    }
};

// How a multimap in parts is cut. One step makes all parts; or, if that would be too many, one step
// makes `regions`, and another for each region makes its parts.
//
// Region r holds the parts from r * parts_a_region on: the part of a key is the whole number in
// h * parts, for a fraction h, and its region the one in h * regions. That is the part divided by
// parts_a_region, without the rest.
struct PartShape {
    unsigned regions;
    unsigned parts_a_region;
    unsigned buckets;   // in each part
    unsigned capacity;  // pairs of a part that fit shared memory, beside the buckets' counters

    unsigned parts() const { return regions * parts_a_region; }
};

// The memory of a multimap in parts.
struct PartStorage {
    DeviceArray<unsigned> keys;
    DeviceArray<unsigned> values;
    DeviceArray<unsigned> offsets;
    unsigned parts = 0;
    unsigned buckets = 0;

    PartStorage() = default;
    PartStorage(std::size_t n, unsigned number_of_parts, unsigned buckets_a_part)
        : keys(n),
          values(n),
          offsets(std::size_t{number_of_parts} * (buckets_a_part + 1)),
          parts(number_of_parts),
          buckets(buckets_a_part) {}
    PartTable view() const { return {keys.data(), values.data(), offsets.data(), parts, buckets}; }
};

// Where work is queued one after the other: a stream, and scratch memory for it. Work on different
// tracks may run at the same time.
struct Track {
    std::optional<Stream> own;  // none: the default stream
    DeviceArray<unsigned char> scratch;

    cudaStream_t stream() const { return own.has_value() ? own->get() : nullptr; }
    // Scratch memory of at least this many bytes. Who asks next gets the same: what is queued in
    // this stream then comes after all that uses it now. It grows in a variant's first run, which
    // is not timed. (What is queued still uses the old one, and cudaFree waits for that.)
    void* d_scratch(std::size_t bytes) {
        if (scratch.size() < bytes) {
            scratch = DeviceArray<unsigned char>(bytes);
        }
        return scratch.data();
    }
};

// Regions take turns on as many tracks: where a kernel's last blocks leave multiprocessors idle,
// another region's take them. On 2, 4, 8 and 16 tracks an H200 built a table of 10^9 pairs in
// 20.7, 20.3, 20.0 and 20.3 ms. (On one, regions had to be large and few, and 21.2 ms were the
// best.)
constexpr unsigned region_tracks = 8;

// The problem that all variants solve: put all keys into a table; or, for those whose name begins
// with find_, look up all queries in one that was built before.
class HashProblem : public Problem {
  public:
    // What a launcher has made; check() looks there.
    enum class Made { nothing, chains, slots, sorted_pairs, parts, answers };

    // `shift`: leave this many elements free before the keys and the values on the device, so that
    // they are not aligned to more than one element.
    HashProblem(std::vector<unsigned> h_keys, unsigned number_of_buckets, int threads_a_block,
                std::vector<unsigned> h_queries = {}, std::size_t shift = 0)
        : n(h_keys.size()),
          queries(h_queries.size()),
          buckets(number_of_buckets),
          block_size(threads_a_block),
          h_keys_(std::move(h_keys)),
          h_queries_(std::move(h_queries)),
          keys_(n + shift),
          values_(n + shift),
          queries_(h_queries_),
          locks_(std::vector<int>(buckets, 0)),
          chains_(n, buckets),
          slots_(n + n / 4 + 1),  // load at most 0.8, and always an empty slot
          sorted_keys_(n),
          sorted_values_(n),
          found_(queries),
          used_(1) {
        d_keys = keys_.data() + shift;
        d_values = values_.data() + shift;
        d_queries = queries_.data();
        if (n > 0) {
            const std::vector<unsigned> h_values = values_for(n);
            const std::size_t bytes = n * sizeof(unsigned);
            CHECK(cudaMemcpy(keys_.data() + shift, h_keys_.data(), bytes, cudaMemcpyHostToDevice));
            CHECK(
                cudaMemcpy(values_.data() + shift, h_values.data(), bytes, cudaMemcpyHostToDevice));
        }
    }

    // What the launchers use.
    std::size_t n;
    std::size_t queries;
    unsigned buckets;
    int block_size;
    // Of the table in parts, set before the first run; no regions: the launchers choose.
    PartShape shape{};
    const unsigned* d_keys = nullptr;
    const unsigned* d_values = nullptr;
    const unsigned* d_queries = nullptr;

    int* d_locks() { return locks_.data(); }  // free before every launch, and again after it
    ChainedTable chains() { return chains_.view(); }
    Slot* d_slots() { return slots_.data(); }
    std::size_t slots() const { return slots_.size(); }
    unsigned* d_sorted_keys() { return sorted_keys_.data(); }
    unsigned* d_sorted_values() { return sorted_values_.data(); }
    unsigned* d_found() { return found_.data(); }
    // The multimap in parts. Its memory is taken in a variant's first run, which is not timed.
    PartTable part_table(unsigned parts, unsigned buckets) {
        if (parts_.parts != parts || parts_.buckets != buckets) {
            parts_ = PartStorage(n, parts, buckets);
        }
        return parts_.view();
    }
    // Pairs in the table in parts so far; a launcher sets it to 0.
    unsigned* d_used() { return used_.data(); }
    // The default stream's track; and the one whose turn it is to work on a region of a table that
    // is cut in two steps. (Most problems have no regions, and their tracks no stream.)
    Track& track() { return track_; }
    Track& region_track(unsigned region) {
        Track& turn = region_tracks_[region % region_tracks];
        if (!turn.own.has_value()) {
            turn.own.emplace();
        }
        return turn;
    }
    void* d_scratch(std::size_t bytes) { return track_.d_scratch(bytes); }
    // The tables that are searched, empty until a launcher's first run has built them. They are no
    // output: poison() leaves them alone.
    ChainedStorage searched_chains;
    DeviceArray<Slot> searched_slots;
    PartStorage searched_parts;

    void set_made(Made made) { made_ = made; }

    // About how many pairs of equal keys there are: so many steps does linear probing take in
    // excess. Counted by pairs in the same of 65536 hash bins, less those that chance puts there.
    double equal_pairs() const {
        std::vector<double> bins(65536, 0);
        for (const unsigned key : h_keys_) {
            ++bins[mix_bits(key) >> 16];
        }
        double pairs = 0;
        for (const double count : bins) {
            pairs += count * (count - 1) / 2;
        }
        const auto all = static_cast<double>(n);
        return pairs - all * (all - 1) / 2 / static_cast<double>(bins.size());
    }

    const std::vector<unsigned>& h_keys() const { return h_keys_; }
    HostTable host_chains() const { return {chains_.heads.to_host(), chains_.pool.to_host()}; }
    std::vector<Slot> host_slots() const { return slots_.to_host(); }
    std::vector<unsigned> host_found() const { return found_.to_host(); }
    // How many entries each bucket has, if the last check found chains and all of them right.
    const std::vector<unsigned>& lengths() const { return lengths_; }

    // With `searching`, inputs() names what a search has to read at least.
    void set_searching(bool searching) { searching_ = searching; }
    std::vector<Span> inputs() const override {
        if (searching_) {
            return {{queries_.data(), queries_.bytes()}};
        }
        return {{keys_.data(), keys_.bytes()}, {values_.data(), values_.bytes()}};
    }
    void poison() override {
        chains_.heads.poison();
        chains_.pool.poison();
        slots_.poison();
        sorted_keys_.poison();
        sorted_values_.poison();
        parts_.keys.poison();
        parts_.values.poison();
        parts_.offsets.poison();
        found_.poison();
        made_ = Made::nothing;
    }
    Verdict check() override {
        lengths_.clear();
        switch (made_) {
            case Made::nothing:
                break;
            case Made::chains: {
                const HostTable table = host_chains();
                const Verdict verdict = check_chains(table.heads, table.pool, h_keys_, lengths_);
                if (!verdict.holds()) {
                    lengths_.clear();
                }
                return verdict;
            }
            case Made::slots:
                return check_slots(host_slots(), h_keys_);
            case Made::sorted_pairs:
                return check_sorted(sorted_keys_.to_host(), sorted_values_.to_host(), h_keys_);
            case Made::parts:
                return check_parts(parts_.keys.to_host(), parts_.values.to_host(),
                                   parts_.offsets.to_host(), parts_.view(), h_keys_);
            case Made::answers:
                return check_found(host_found(), h_queries_, h_keys_);
        }
        return {Outcome::wrong, "nothing was made"};
    }

  private:
    std::vector<unsigned> h_keys_;
    std::vector<unsigned> h_queries_;
    DeviceArray<unsigned> keys_;
    DeviceArray<unsigned> values_;
    DeviceArray<unsigned> queries_;
    DeviceArray<int> locks_;
    ChainedStorage chains_;
    DeviceArray<Slot> slots_;
    DeviceArray<unsigned> sorted_keys_;
    DeviceArray<unsigned> sorted_values_;
    DeviceArray<unsigned> found_;
    PartStorage parts_;
    DeviceArray<unsigned> used_;
    Track track_;
    Track region_tracks_[region_tracks];
    std::vector<unsigned> lengths_;
    Made made_ = Made::nothing;
    bool searching_ = false;
};

// What every build of a chained table begins with: all chains empty.
inline void empty_chains(HashProblem& p) {
    const ChainedTable table = p.chains();
    CHECK(cudaMemsetAsync(table.d_heads, 0xff, table.buckets * sizeof(unsigned)));
    p.set_made(HashProblem::Made::chains);
}

inline void run_warp_turns(HashProblem& p) {
    empty_chains(p);
    const int grid_size = blocks_at_locks(p.n, p.buckets, p.block_size);
    insert_warp_turns<<<grid_size, p.block_size>>>(p.d_keys, p.d_values, p.n, p.chains(),
                                                   p.d_locks());
    CHECK_LAUNCH();
}

namespace {

// --- each_thread --------------------------------------------------------------------------------

// Since compute capability 7.0 each thread goes on by itself (independent thread scheduling): while
// a lane waits, the lane of its warp that holds the lock gets its time, too. So the loop over turns
// can go, and lanes with different buckets need not wait for each other.
__global__ void insert_each_thread(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                                   ChainedTable table, int* d_locks) {
    for (std::size_t i = first_index(); i < n; i += index_step()) {
        const unsigned bucket = bucket_of(d_keys[i], table.buckets);
        table.d_pool[i].key = d_keys[i];
        table.d_pool[i].value = d_values[i];
        lock(d_locks[bucket]);
        push_front(table, bucket, static_cast<unsigned>(i));
        unlock(d_locks[bucket]);
    }
}

}  // namespace

inline void run_each_thread(HashProblem& p) {
    empty_chains(p);
    const int grid_size = blocks_at_locks(p.n, p.buckets, p.block_size);
    insert_each_thread<<<grid_size, p.block_size>>>(p.d_keys, p.d_values, p.n, p.chains(),
                                                    p.d_locks());
    CHECK_LAUNCH();
}

namespace {

// --- classic_lock -------------------------------------------------------------------------------

// The same kernel with the lock as it was written before there was cuda::atomic_ref. Its fences
// order every access of the thread, where acquire and release order no more than they have to.
__global__ void insert_classic_lock(const unsigned* d_keys, const unsigned* d_values, std::size_t n,
                                    ChainedTable table, int* d_locks) {
    for (std::size_t i = first_index(); i < n; i += index_step()) {
        const unsigned bucket = bucket_of(d_keys[i], table.buckets);
        table.d_pool[i].key = d_keys[i];
        table.d_pool[i].value = d_values[i];
        lock_classic(d_locks[bucket]);
        push_front(table, bucket, static_cast<unsigned>(i));
        unlock_classic(d_locks[bucket]);
    }
}

}  // namespace

inline void run_classic_lock(HashProblem& p) {
    empty_chains(p);
    const int grid_size = blocks_at_locks(p.n, p.buckets, p.block_size);
    insert_classic_lock<<<grid_size, p.block_size>>>(p.d_keys, p.d_values, p.n, p.chains(),
                                                     p.d_locks());
    CHECK_LAUNCH();
}

namespace {

// --- lock_free_push -----------------------------------------------------------------------------

// One atomicExch does what the lock guarded: it puts the entry at the head and returns the head
// that was there, and no other thread can come between. Nobody waits for anybody, so all threads of
// the device may take part.
//
// The price: between the exchange and the store of `next` the chain ends in an entry that leads
// nowhere yet. A thread that followed it now would go astray, so the chains may be read only after
// the launch, whose end orders all of its writes before whatever comes next.
__global__ void insert_lock_free_push(const unsigned* d_keys, const unsigned* d_values,
                                      std::size_t n, ChainedTable table) {
    for (std::size_t i = first_index(); i < n; i += index_step()) {
        const unsigned bucket = bucket_of(d_keys[i], table.buckets);
        const unsigned next = atomicExch(&table.d_heads[bucket], static_cast<unsigned>(i));
        table.d_pool[i] = {d_keys[i], d_values[i], next};
    }
}

}  // namespace

inline void run_lock_free_push(HashProblem& p) {
    empty_chains(p);
    const int grid_size = blocks_to_fill_device(p.n, p.block_size);
    insert_lock_free_push<<<grid_size, p.block_size>>>(p.d_keys, p.d_values, p.n, p.chains());
    CHECK_LAUNCH();
}

namespace {

// --- open_addressing ----------------------------------------------------------------------------

// No pool, no chains: a pair stands in the first free slot from its key's home slot on. atomicCAS
// takes a slot only if it is still empty, key and value in one step, since both are in one 64-bit
// word. There are more slots than keys, so the loop ends; it goes on at slot 0 behind the last.
//
// A key that comes m times fills m slots in a row, and the last of them is found after m steps:
// m * m / 2 steps for that key. Chains do not mind; here such input is refused (see below).
__global__ void insert_open_addressing(const unsigned* d_keys, const unsigned* d_values,
                                       std::size_t n, Slot* d_slots, std::size_t slots) {
    for (std::size_t i = first_index(); i < n; i += index_step()) {
        const Slot pair = pack(d_keys[i], d_values[i]);
        std::size_t at = home_slot(d_keys[i], slots);
        while (atomicCAS(&d_slots[at], empty_slot, pair) != empty_slot) {
            at = at + 1 < slots ? at + 1 : 0;
        }
    }
}

}  // namespace

// Refuses input on which linear probing would take more than a few seconds.
inline std::string why_not_open(const HashProblem& p) {
    constexpr double most_steps = on_cpu_device ? 1e8 : 2e9;
    const double steps = p.equal_pairs();
    return steps <= most_steps
               ? ""
               : format("keys repeat too often: %.1e steps past slots with an equal key", steps);
}

inline void run_open_addressing(HashProblem& p) {
    CHECK(cudaMemsetAsync(p.d_slots(), 0xff, p.slots() * sizeof(Slot)));  // empty_slot
    const int grid_size = blocks_to_fill_device(p.n, p.block_size);
    insert_open_addressing<<<grid_size, p.block_size>>>(p.d_keys, p.d_values, p.n, p.d_slots(),
                                                        p.slots());
    CHECK_LAUNCH();
    p.set_made(HashProblem::Made::slots);
}
