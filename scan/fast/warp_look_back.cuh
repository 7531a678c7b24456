// Variant 3, made fast: vectorized loads and stores, a scan that needs no exchange in shared
// memory, and a whole warp that looks back, at 32 tiles at a time.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include "common/block_reduce.cuh"
#include "common/error.cuh"
#include "common/launch.cuh"
#include "common/vector_load.cuh"
#include "scan/2_chained.cuh"
#include "scan/3_look_back.cuh"

constexpr int fast_scan_block = 256;
constexpr int fast_scan_vectors = 12;  // of 16 bytes, per thread
constexpr int fast_scan_resident = 3;  // blocks per multiprocessor, if registers allow
constexpr int fast_scan_tile =
    fast_scan_block * fast_scan_vectors * common::elements_per_vector<unsigned>;

// Each lane's value becomes the sum over the lanes up to its own.
template <typename T>
__device__ T inclusive_in_warp(T value) {
    const int lane = static_cast<int>(threadIdx.x) % common::warp_size;
#pragma unroll
    for (int offset = 1; offset < common::warp_size; offset *= 2) {
        const T before = __shfl_up_sync(0xffffffffu, value, offset);
        if (lane >= offset) {
            value += before;
        }
    }
    return value;
}

// The same for the lanes before its own. No subtraction: it would round, and of infinities make a
// NaN.
template <typename T>
__device__ T exclusive_of_inclusive(T inclusive) {
    const T before = __shfl_up_sync(0xffffffffu, inclusive, 1);
    return threadIdx.x % common::warp_size == 0 ? T(0) : before;
}

// 16 bytes by one access, and a hint that they are not needed again: else what is written might
// push the tiles' words out of the cache.
template <typename T>
using Vector4 = std::conditional_t<std::is_same<T, float>::value, float4, uint4>;
template <typename T>
__device__ void load_once(const T* d_x, T (&values)[4]) {
    const Vector4<T> four = __ldcs(reinterpret_cast<const Vector4<T>*>(d_x));
    values[0] = four.x;
    values[1] = four.y;
    values[2] = four.z;
    values[3] = four.w;
}
template <typename T>
__device__ void store_once(T* d_y, const T (&values)[4]) {
    const Vector4<T> four{values[0], values[1], values[2], values[3]};
    __stcs(reinterpret_cast<Vector4<T>*>(d_y), four);
}

// The sum of all tiles before this one, for all lanes of the calling warp. Lane l hears the tile
// l + 1 before. Of the lanes up to the first whole prefix, all must have heard something. Each lane
// adds up what it has heard, and the warp adds that up once, at the end.
template <typename T>
__device__ T look_back_by_warp(TileWord* d_words, std::size_t tile) {
    const unsigned lane = threadIdx.x % common::warp_size;
    T before = 0;
    bool walking = true;
    while (walking) {
        T value = 0;
        TileState state = whole_prefix;  // before tile 0: a prefix of 0
        if (lane < tile) {
            state = hear(d_words[tile - 1 - lane], value);
        }
        const unsigned heard = __ballot_sync(0xffffffffu, state != nothing);
        const unsigned whole = __ballot_sync(0xffffffffu, state == whole_prefix);
        const unsigned first = whole & (0u - whole);               // the lowest bit, or 0
        const unsigned needed = first == 0 ? ~0u : 2 * first - 1;  // all lanes up to that one
        if ((heard & needed) == needed) {
            before = (needed >> lane & 1) != 0 ? value + before : before;
            tile -= common::warp_size;  // used only where no prefix was whole: there are more
            walking = whole == 0;
        }
    }
#pragma unroll
    for (int offset = common::warp_size / 2; offset > 0; offset /= 2) {
        before += __shfl_xor_sync(0xffffffffu, before, offset);
    }
    return before;
}

// d_x, d_y: n elements of 32 bits; where `aligned`, both begin at a 16-byte boundary. d_words:
// gridDim.x words, 0 before the launch, and so is *d_ticket. Blocks of fast_scan_block threads.
//
// A warp takes fast_scan_vectors * 128 consecutive elements, in rows of 128: 4 for each lane. So
// each load and store of a warp is 512 consecutive bytes, and the elements need not be exchanged.
template <typename T, bool aligned>
__global__ void __launch_bounds__(fast_scan_block, fast_scan_resident)
    scan_warp_look_back(const T* d_x, std::size_t n, T* d_y, unsigned* d_ticket,
                        TileWord* d_words) {
    constexpr int width = common::elements_per_vector<T>;
    constexpr int row = common::warp_size * width;
    constexpr int warps = fast_scan_block / common::warp_size;
    __shared__ T s_warp_sums[warps];
    __shared__ T s_starts[warps];  // the sum of all before the warp's elements

    const std::size_t tile = tile_by_ticket(d_ticket);
    const int lane = static_cast<int>(threadIdx.x) % common::warp_size;
    const int warp = static_cast<int>(threadIdx.x) / common::warp_size;
    const std::size_t begin = tile * fast_scan_tile;
    const std::size_t first = begin + warp * fast_scan_vectors * row + lane * width;
    const bool whole = aligned && begin + fast_scan_tile <= n;

    T vectors[fast_scan_vectors][width];
    if (whole) {
#pragma unroll
        for (int v = 0; v < fast_scan_vectors; ++v) {
            load_once(d_x + first + v * row, vectors[v]);
        }
    } else {
#pragma unroll
        for (int v = 0; v < fast_scan_vectors; ++v) {
#pragma unroll
            for (int j = 0; j < width; ++j) {
                const std::size_t i = first + v * row + j;
                vectors[v][j] = i < n ? d_x[i] : T(0);
            }
        }
    }

    // The warp's elements: in each vector, then in each row, then over the rows.
    T starts[fast_scan_vectors];
    T warp_sum = 0;
#pragma unroll
    for (int v = 0; v < fast_scan_vectors; ++v) {
#pragma unroll
        for (int j = 1; j < width; ++j) {
            vectors[v][j] += vectors[v][j - 1];
        }
        const T inclusive = inclusive_in_warp(vectors[v][width - 1]);
        starts[v] = warp_sum + exclusive_of_inclusive(inclusive);
        warp_sum += __shfl_sync(0xffffffffu, inclusive, common::warp_size - 1);
    }
    if (lane == 0) {
        s_warp_sums[warp] = warp_sum;
    }
    __syncthreads();

    // One warp for the block: it says the tile's sum, looks back, and says the whole prefix.
    if (warp == 0) {
        const T inclusive = inclusive_in_warp(lane < warps ? s_warp_sums[lane] : T(0));
        const T total = __shfl_sync(0xffffffffu, inclusive, common::warp_size - 1);
        if (lane == 0) {
            say(d_words[tile], own_sum, total);
        }
        const T before = look_back_by_warp<T>(d_words, tile);
        if (lane == 0) {
            say(d_words[tile], whole_prefix, before + total);
        }
        const T start = before + exclusive_of_inclusive(inclusive);
        if (lane < warps) {
            s_starts[lane] = start;
        }
    }
    __syncthreads();

    const T start = s_starts[warp];
#pragma unroll
    for (int v = 0; v < fast_scan_vectors; ++v) {
        const T row_start = start + starts[v];
#pragma unroll
        for (int j = 0; j < width; ++j) {
            vectors[v][j] += row_start;
        }
    }
    if (whole) {
#pragma unroll
        for (int v = 0; v < fast_scan_vectors; ++v) {
            store_once(d_y + first + v * row, vectors[v]);
        }
    } else {
#pragma unroll
        for (int v = 0; v < fast_scan_vectors; ++v) {
#pragma unroll
            for (int j = 0; j < width; ++j) {
                const std::size_t i = first + v * row + j;
                if (i < n) {
                    d_y[i] = vectors[v][j];
                }
            }
        }
    }
}

// Tiles of n elements, at least one.
inline int fast_scan_tiles(std::size_t n) {
    return common::blocks_to_cover(n, fast_scan_tile);
}

// d_words: fast_scan_tiles(n) + 1 words. The first one holds the ticket, so that one memset sets
// all.
template <typename T>
void launch_warp_look_back(const T* d_x, std::size_t n, T* d_y, TileWord* d_words) {
    const int tiles = fast_scan_tiles(n);
    CHECK(cudaMemsetAsync(d_words, 0, (tiles + std::size_t{1}) * sizeof(TileWord)));
    auto* const d_ticket = reinterpret_cast<unsigned*>(d_words);
    if (common::misalignment(d_x) == 0 && common::misalignment(d_y) == 0) {
        scan_warp_look_back<T, true>
            <<<tiles, fast_scan_block>>>(d_x, n, d_y, d_ticket, d_words + 1);
    } else {
        scan_warp_look_back<T, false>
            <<<tiles, fast_scan_block>>>(d_x, n, d_y, d_ticket, d_words + 1);
    }
    CHECK_LAUNCH();
}
