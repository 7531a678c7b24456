// Variant 4: decoupled look-back with the state in a word of its own. Then a value may have any
// size, and release and acquire have to keep state and value together.
//
// Source of the idea: Merrill and Garland, Single-pass parallel prefix scan with decoupled
// look-back.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cuda/atomic>

#include "common/error.cuh"
#include "scan/2_chained.cuh"
#include "scan/3_look_back.cuh"
#include "scan/tile.cuh"

// Of each tile. A tile's own sum and its whole prefix have a place each: someone may still read the
// one while the other is written.
template <typename T>
struct TileValues {
    unsigned* d_state;  // TileState, 0 (nothing) before the launch
    T* d_own;           // to be read when the state is own_sum
    T* d_prefix;        // to be read when the state is whole_prefix
};

__device__ inline void set_state(unsigned& word, TileState state) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ref(word);
    ref.store(state, cuda::memory_order_release);  // the value comes before the state
}
__device__ inline unsigned state_of(unsigned& word) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> ref(word);
    return ref.load(cuda::memory_order_acquire);  // the value comes after the state
}

template <typename T>
__device__ T look_back(const TileValues<T>& tiles, std::size_t tile) {
    T before = 0;
    while (tile > 0) {
        const unsigned state = state_of(tiles.d_state[tile - 1]);
        if (state == own_sum) {
            before = tiles.d_own[tile - 1] + before;
            --tile;
        } else if (state == whole_prefix) {
            before = tiles.d_prefix[tile - 1] + before;
            tile = 0;
        }
    }
    return before;
}

// d_x, d_y: n elements. tiles: gridDim.x of each. *d_ticket: 0 before the launch.
template <typename T>
__global__ void scan_two_words(const T* d_x, std::size_t n, T* d_y, unsigned* d_ticket,
                               TileValues<T> tiles) {
    __shared__ T s_before;
    const std::size_t tile = tile_by_ticket(d_ticket);
    T items[items_per_thread];
    const T total = scan_tile(d_x, n, tile, items);
    if (threadIdx.x == 0) {
        tiles.d_own[tile] = total;
        set_state(tiles.d_state[tile], own_sum);
        s_before = look_back(tiles, tile);
        tiles.d_prefix[tile] = s_before + total;
        set_state(tiles.d_state[tile], whole_prefix);
    }
    __syncthreads();
    store_tile(d_y, n, tile, items, s_before);
}

template <typename T>
void launch_two_words(const T* d_x, std::size_t n, T* d_y, unsigned* d_ticket, TileValues<T> tiles,
                      int block_size) {
    const int count = tiles_of(n, block_size);
    CHECK(cudaMemsetAsync(d_ticket, 0, sizeof(unsigned)));
    CHECK(cudaMemsetAsync(tiles.d_state, 0, count * sizeof(unsigned)));
    scan_two_words<<<count, block_size>>>(d_x, n, d_y, d_ticket, tiles);
    CHECK_LAUNCH();
}
