// What kernels and host share: the table's parts and the hash functions. __host__ __device__ makes
// the compiler generate both versions of one source, so that the host checks with the very function
// that the kernels used.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

// A node of a chain. `next` is an index into the pool of entries, not a pointer: half the size, and
// it means the same on the host after the pool has been copied there.
struct Entry {
    unsigned key;
    unsigned value;
    unsigned next;
};

constexpr unsigned end_of_chain = 0xffffffffu;  // `next` of a chain's last entry; an empty head
constexpr unsigned no_value = 0xffffffffu;      // "not found", and the value of an empty slot
constexpr std::size_t most_keys = 0xfffffff0u;  // so that indices stay clear of such marks

// The chained table, as a kernel takes it: by value, two plain pointers that belong to somebody
// else. Nothing in it frees anything, so copies may come and go.
struct ChainedTable {
    unsigned* d_heads;  // for each bucket: its chain's first entry, or end_of_chain
    Entry* d_pool;      // entry i holds key i
    unsigned buckets;   // > 0
};

// A slot of the open table: the key in the upper half, the value in the lower. No pair has the
// value no_value, so an empty slot is told from every pair, whatever the key: 0 and 0xffffffff are
// keys like any other.
using Slot = unsigned long long;
constexpr Slot empty_slot = ~Slot{0};

__host__ __device__ inline Slot pack(unsigned key, unsigned value) {
    return Slot{key} << 32 | value;
}
__host__ __device__ inline unsigned key_in(Slot slot) {
    return static_cast<unsigned>(slot >> 32);
}
__host__ __device__ inline unsigned key_in(unsigned key) {  // of a key without a value
    return key;
}
__host__ __device__ inline unsigned value_in(Slot slot) {
    return static_cast<unsigned>(slot);
}

// The chained table's hash (CUDA by Example, appendix A.2): the bucket of a key. It spreads the
// keys evenly only if they are random; that is what the book assumes, too.
__host__ __device__ inline unsigned bucket_of(unsigned key, unsigned buckets) {
    return key % buckets;
}

// Each bit of the key changes about half of the bits of the result (the finaliser of MurmurHash3,
// Austin Appleby). Open addressing needs that: there, keys in a row would fill slots in a row.
__host__ __device__ inline unsigned mix_bits(unsigned key) {
    key ^= key >> 16;
    key *= 0x85ebca6bu;
    key ^= key >> 13;
    key *= 0xc2b2ae35u;
    key ^= key >> 16;
    return key;
}

// The slot at which the search for a key begins, for any number of slots: the mixed key as a
// fraction of 2^32, times `slots`, without a division (Lemire, Fast random integer generation in an
// interval).
__host__ __device__ inline std::size_t home_slot(unsigned key, std::size_t slots) {
    return static_cast<std::size_t>((static_cast<unsigned long long>(mix_bits(key)) * slots) >> 32);
}

// A multimap in parts. A part's pairs stand one behind the other, ordered by bucket; the parts
// follow each other in any order, without gaps.
struct PartTable {
    unsigned* d_keys;     // n
    unsigned* d_values;   // n
    unsigned* d_offsets;  // parts * (buckets + 1): where a bucket's pairs begin; and the part's end
    unsigned parts;
    unsigned buckets;  // in each part
};

// The part and, in it, the bucket of a key: the mixed key as a fraction of 2^32, times `parts`. The
// whole number is the part. What stands behind the point is a fraction again: times the buckets, it
// makes the bucket.
__host__ __device__ inline unsigned part_of_key(unsigned key, unsigned parts) {
    return static_cast<unsigned>((static_cast<unsigned long long>(mix_bits(key)) * parts) >> 32);
}
__host__ __device__ inline unsigned bucket_in_part(unsigned key, const PartTable& table) {
    const unsigned fraction = mix_bits(key) * table.parts;
    return static_cast<unsigned>((static_cast<unsigned long long>(fraction) * table.buckets) >> 32);
}
