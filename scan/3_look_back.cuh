// Variant 3: decoupled look-back. Each block says the sum of its own tile at once, before it waits.
// Then it looks back over the tiles before it, and adds up what they have said so far.
//
// Source of the idea: Merrill and Garland, Single-pass parallel prefix scan with decoupled
// look-back.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cuda/atomic>

#include "../common/error.cuh"
#include "2_chained.cuh"
#include "tile.cuh"

// What a tile has said: nothing yet; the sum of itself; or the sum of all tiles up to itself.
enum TileState : unsigned { nothing = 0, own_sum = 1, whole_prefix = 2 };

__device__ inline unsigned bits_of(float value) {
    return __float_as_uint(value);
}
__device__ inline unsigned bits_of(unsigned value) {
    return value;
}
__device__ inline void set_bits(float& value, unsigned bits) {
    value = __uint_as_float(bits);
}
__device__ inline void set_bits(unsigned& value, unsigned bits) {
    value = bits;
}

// State and value in one word: one access reads or writes both. So a state and a value that do not
// belong together are never seen, and no other word hangs on this one: relaxed accesses are enough.
// T: a type of 32 bits.
using TileWord = unsigned long long;
template <typename T>
__device__ void say(TileWord& word, TileState state, T value) {
    cuda::atomic_ref<TileWord, cuda::thread_scope_device> ref(word);
    ref.store(TileWord{state} << 32 | bits_of(value), cuda::memory_order_relaxed);
}
template <typename T>
__device__ TileState hear(TileWord& word, T& value) {
    cuda::atomic_ref<TileWord, cuda::thread_scope_device> ref(word);
    const TileWord both = ref.load(cuda::memory_order_relaxed);
    set_bits(value, static_cast<unsigned>(both));
    return static_cast<TileState>(both >> 32);
}

// The sum of all tiles before this one. The walk ends at the first tile that has its whole prefix.
template <typename T>
__device__ T look_back(TileWord* d_words, std::size_t tile) {
    T before = 0;
    while (tile > 0) {
        T value = 0;
        const TileState state = hear(d_words[tile - 1], value);
        if (state != nothing) {
            before = value + before;
            tile = state == whole_prefix ? 0 : tile - 1;
        }
    }
    return before;
}

// d_x, d_y: n elements. d_words: gridDim.x words, 0 before the launch, and so is *d_ticket.
template <typename T>
__global__ void scan_look_back(const T* d_x, std::size_t n, T* d_y, unsigned* d_ticket,
                               TileWord* d_words) {
    __shared__ T s_before;
    const std::size_t tile = tile_by_ticket(d_ticket);
    T items[items_per_thread];
    const T total = scan_tile(d_x, n, tile, items);
    if (threadIdx.x == 0) {
        say(d_words[tile], own_sum, total);
        s_before = look_back<T>(d_words, tile);
        say(d_words[tile], whole_prefix, s_before + total);
    }
    __syncthreads();
    store_tile(d_y, n, tile, items, s_before);
}

// d_words: tiles_of(n, block_size) words.
template <typename T>
void launch_look_back(const T* d_x, std::size_t n, T* d_y, unsigned* d_ticket, TileWord* d_words,
                      int block_size) {
    const int tiles = tiles_of(n, block_size);
    CHECK(cudaMemsetAsync(d_ticket, 0, sizeof(unsigned)));
    CHECK(cudaMemsetAsync(d_words, 0, tiles * sizeof(TileWord)));
    scan_look_back<<<tiles, block_size>>>(d_x, n, d_y, d_ticket, d_words);
    CHECK_LAUNCH();
}
