// What releases and acquires order: for which object, in which patterns, for whom.
#include "race_litmus.cuh"

namespace {

// --- each object has an order of its own
// ----------------------------------------------------------

template <typename T>
using Ref = cuda::atomic_ref<T, cuda::thread_scope_device>;

// Clean: block b raises byte b. A store to the byte beside it takes nothing away from that.
__global__ void byte_flag_per_block(int* d_x, int* d_y) {
    auto* const d_flags = reinterpret_cast<unsigned char*>(d_x + 8);
    if (threadIdx.x == 0) {
        d_x[blockIdx.x] = 42;
        Ref<unsigned char>(d_flags[blockIdx.x]).store(1, release);
        const unsigned next = (blockIdx.x + 1) % gridDim.x;
        while (Ref<unsigned char>(d_flags[next]).load(acquire) == 0) {
            __nanosleep(32);
        }
        d_y[blockIdx.x] = d_x[next];
    }
}
// Clean: the same with plain stores to the other bytes of the word.
__global__ void byte_flag_among_plain_bytes(int* d_x, int* d_y) {
    auto* const d_bytes = reinterpret_cast<unsigned char*>(d_x + 8);
    if (first_of(0)) {
        d_x[0] = 42;
        Ref<unsigned char>(d_bytes[0]).store(1, release);
    } else if (first_of(1)) {
        while (Ref<unsigned char>(d_bytes[0]).load(acquire) == 0) {
            __nanosleep(32);
        }
        d_y[0] = d_x[0];
    } else if (threadIdx.x == 0) {
        d_bytes[blockIdx.x] = 1;
    }
}
// Racy: the release is at byte 0, the acquire at byte 1.
__global__ void acquire_of_the_byte_beside(int* d_x, int* d_y) {
    auto* const d_flags = reinterpret_cast<unsigned char*>(d_x + 8);
    if (first_of(0)) {
        d_x[0] = 42;
        Ref<unsigned char>(d_flags[0]).store(1, release);
        set(d_x + 16, 1);
    } else if (first_of(1)) {
        await(d_x + 16, 1);
        d_y[1] = Ref<unsigned char>(d_flags[1]).load(acquire);
        d_y[0] = d_x[0];
    }
}
// Tickets of 16 bits, two to a word. Clean where both threads draw of the same ones.
template <int second>
__global__ void short_tickets(int* d_x, int* d_y) {
    auto* const d_tickets = reinterpret_cast<unsigned short*>(d_x + 8);
    if (first_of(0)) {
        d_x[0] = 42;
        Ref<unsigned short>(d_tickets[0]).fetch_add(1, release);
        set(d_x + 16, 1);
    } else if (first_of(1)) {
        await(d_x + 16, 1);
        Ref<unsigned short>(d_tickets[second]).fetch_add(1, acquire);
        d_y[0] = d_x[0];
    }
}
// Clean: a flag of 64 bits; other blocks store to the 64 bits beside it.
__global__ void long_flag_beside_others(int* d_x, int* d_y) {
    auto* const d_flags = reinterpret_cast<unsigned long long*>(d_x + 8);
    if (first_of(0)) {
        d_x[0] = 42;
        Ref<unsigned long long>(d_flags[1]).store(1, release);
    } else if (first_of(1)) {
        while (Ref<unsigned long long>(d_flags[1]).load(acquire) == 0) {
            __nanosleep(32);
        }
        d_y[0] = d_x[0];
    } else if (threadIdx.x == 0) {
        Ref<unsigned long long>(d_flags[blockIdx.x - 2 == 0 ? 0 : 2]).store(1, relaxed);
    }
}
// Racy: the release is at the whole of 64 bits, the acquire at their lower half. Atomics of two
// sizes are not atomic for each other.
__global__ void acquire_of_half_a_flag(int* d_x, int* d_y) {
    if (first_of(0)) {
        d_x[0] = 42;
        Ref<unsigned long long>(*reinterpret_cast<unsigned long long*>(d_x + 8)).store(1, release);
        set(d_x + 16, 1);
    } else if (first_of(1)) {
        await(d_x + 16, 1);
        await(d_x + 8, 1, acquire);
        d_y[0] = d_x[0];
    }
}
// Clean: a flag for each warp of the block, all in one word of shared memory.
__global__ void bool_flag_per_warp(int*, int* d_y) {
    __shared__ bool s_flags[4];
    __shared__ int s_x[4];
    using Flag = cuda::atomic_ref<bool, cuda::thread_scope_block>;
    const unsigned warp_number = threadIdx.x / 32;
    if (threadIdx.x < 4) {
        s_flags[threadIdx.x] = false;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        s_x[warp_number] = 42;
        Flag(s_flags[warp_number]).store(true, release);
        const unsigned other = 1 - warp_number;
        while (!Flag(s_flags[other]).load(acquire)) {
            __nanosleep(32);
        }
        d_y[blockIdx.x * 2 + warp_number] = s_x[other];
    }
}
// Clean: one word holds a flag of 16 bits and a flag of 8.
__global__ void flags_of_two_sizes_in_a_word(int* d_x, int* d_y) {
    auto& wide = *reinterpret_cast<unsigned short*>(d_x + 8);
    auto& narrow = *(reinterpret_cast<unsigned char*>(d_x + 8) + 2);
    if (first_of(0)) {
        d_x[0] = 42;
        Ref<unsigned short>(wide).store(1, release);
    } else if (first_of(1)) {
        while (Ref<unsigned short>(wide).load(acquire) == 0) {
            __nanosleep(32);
        }
        Ref<unsigned char>(narrow).store(1, release);
    } else if (first_of(2)) {
        while (Ref<unsigned char>(narrow).load(acquire) == 0) {
            __nanosleep(32);
        }
        d_y[0] = d_x[0];
    }
}
// Racy: a byte of a counter is cleared while others count.
__global__ void byte_of_a_counter_cleared(int* d_x, int*) {
    if (blockIdx.x == 0) {
        Ref<unsigned char>(*reinterpret_cast<unsigned char*>(d_x)).store(0, relaxed);
    } else {
        atomicAdd(d_x, 1);
    }
}

// --- patterns of release ----------------------------------------------------------------------

enum class Then { store_by_same, add_by_same, store_after_another_release, store_by_other };

// A relaxed write after a release at the same object, by the same thread: PTX counts the two as one
// release (so did C++ up to 2017). By another thread it ends the release.
template <Then then>
__global__ void release_then_relaxed(int* d_x, int* d_y) {
    int* const d_flag = d_x + 8;
    if (first_of(0)) {
        d_x[0] = 42;
        set(d_flag, 1, release);
        if (then == Then::store_after_another_release) {
            set(d_x + 9, 1, release);
        }
        if (then == Then::add_by_same) {
            DeviceAtomic(*d_flag).fetch_add(1, relaxed);
        } else if (then != Then::store_by_other) {
            set(d_flag, 2);
        }
        set(d_x + 16, 1);
    } else if (first_of(1)) {
        await(d_x + 16, 1);
        if (then == Then::store_by_other) {
            set(d_flag, 2);
        }
        set(d_x + 17, 1);
    } else if (first_of(2)) {
        await(d_x + 17, 1);
        await(d_flag, 2, acquire);
        d_y[0] = d_x[0];
    }
}
// Clean: another thread's store ends the release; a later store of the first thread brings it back.
__global__ void release_then_relaxed_after_a_stranger(int* d_x, int* d_y) {
    int* const d_flag = d_x + 8;
    if (first_of(0)) {
        d_x[0] = 42;
        set(d_flag, 1, release);
        set(d_x + 16, 1);
        await(d_x + 17, 1);
        set(d_flag, 3);
    } else if (first_of(1)) {
        await(d_x + 16, 1);
        set(d_flag, 2);
        set(d_x + 17, 1);
    } else if (first_of(2)) {
        await(d_flag, 3, acquire);
        d_y[0] = d_x[0];
    }
}
// Racy: the relaxed store comes after a release, but at an object of its own.
__global__ void release_at_another_object(int* d_x, int* d_y) {
    if (first_of(0)) {
        d_x[0] = 42;
        set(d_x + 8, 1, release);
        set(d_x + 9, 1);
    } else if (first_of(1)) {
        await(d_x + 9, 1, acquire);
        d_y[0] = d_x[0];
    }
}
// Racy: what is written between the release and the relaxed store belongs to neither.
__global__ void write_between_release_and_relaxed(int* d_x, int* d_y) {
    if (first_of(0)) {
        set(d_x + 8, 1, release);
        d_x[0] = 42;
        set(d_x + 8, 2);
    } else if (first_of(1)) {
        await(d_x + 8, 2, acquire);
        d_y[0] = d_x[0];
    }
}
// A release of block scope, then a relaxed store of device scope: too narrow for other blocks.
__global__ void block_release_then_relaxed(int* d_x, int* d_y) {
    if (first_of(0)) {
        d_x[0] = 42;
        BlockAtomic(d_x[8]).store(1, release);
        set(d_x + 8, 2);
    } else if (first_of(1)) {
        await(d_x + 8, 2, acquire);
        d_y[0] = d_x[0];
    }
}
// Clean: one fence serves all relaxed writes after it.
__global__ void one_fence_two_flags(int* d_x, int* d_y) {
    if (first_of(0)) {
        d_x[0] = 42;
        __threadfence();
        set(d_x + 8, 1);
        set(d_x + 9, 1);
    } else if (first_of(1) || first_of(2)) {
        await(d_x + 7 + blockIdx.x, 1, acquire);
        d_y[blockIdx.x] = d_x[0];
    }
}
enum class Before { seq_cst_load, acquire_load, relaxed_load, acquire_add };

// A load of sequential consistency is a fence and a load: in PTX what comes before it is released
// by the relaxed store after it. (Not in C++, where a load releases nothing.) An acquire load is no
// such fence.
template <Before before>
__global__ void load_in_place_of_a_release(int* d_x, int* d_y) {
    if (first_of(0)) {
        d_x[0] = 42;
        if (before == Before::acquire_add) {
            DeviceAtomic(d_x[9]).fetch_add(1, acquire);
        } else {
            const cuda::memory_order order = before == Before::seq_cst_load   ? seq_cst
                                             : before == Before::acquire_load ? acquire
                                                                              : relaxed;
            d_y[1] = DeviceAtomic(d_x[9]).load(order);
        }
        set(d_x + 8, 1);
    } else if (first_of(1)) {
        await(d_x + 8, 1, acquire);
        d_y[0] = d_x[0];
    }
}
// An update has two sides. Racy where the first thread's update only acquires, or the second one's
// only releases.
template <bool first_releases, bool second_acquires>
__global__ void two_updates(int* d_x, int* d_y) {
    if (first_of(0)) {
        d_x[0] = 42;
        DeviceAtomic(d_x[8]).fetch_add(1, first_releases ? release : acquire);
        set(d_x + 16, 1);
    } else if (first_of(1)) {
        await(d_x + 16, 1);
        DeviceAtomic(d_x[8]).fetch_add(1, second_acquires ? acquire : release);
        d_y[0] = d_x[0];
    }
}
// Clean: an exchange is an update, and goes on with what was released before.
__global__ void exchange_goes_on(int* d_x, int* d_y) {
    if (first_of(0)) {
        d_x[0] = 42;
        set(d_x + 8, 1, release);
    } else if (first_of(1)) {
        await(d_x + 8, 1);
        atomicExch(d_x + 8, 2);
    } else if (first_of(2)) {
        await(d_x + 8, 2, acquire);
        d_y[0] = d_x[0];
    }
}

// --- patterns of acquire ----------------------------------------------------------------------

enum class Look { before_the_store, not_before, elsewhere, at_block_scope };

// A relaxed read of the release, then an acquire at the same object: PTX counts the two as one
// acquire, even if a third thread has stored in between. (In C++ they are not.)
template <Look look>
__global__ void relaxed_then_acquire(int* d_x, int* d_y) {
    int* const d_flag = d_x + 8;
    if (first_of(0)) {
        d_x[0] = 42;
        set(d_flag, 1, release);
        set(d_x + 16, 1);
    } else if (first_of(1)) {
        await(d_x + 16, 1);
        if (look != Look::not_before) {
            await(d_flag, 1);
        }
        set(d_x + 17, 1);
        await(d_x + 18, 1);
        if (look == Look::elsewhere) {
            d_y[1] = DeviceAtomic(d_x[9]).load(acquire);
        } else if (look == Look::at_block_scope) {
            d_y[1] = BlockAtomic(*d_flag).load(acquire);
        } else {
            d_y[1] = DeviceAtomic(*d_flag).load(acquire);
        }
        d_y[0] = d_x[0];
    } else if (first_of(2)) {
        await(d_x + 17, 1);
        if (look != Look::at_block_scope) {  // else that store is one more race of scopes
            set(d_flag, 2);
        }
        set(d_x + 18, 1);
    }
}
// Clean: relaxed reads and one fence after them all.
__global__ void two_flags_one_fence(int* d_x, int* d_y) {
    if (first_of(0) || first_of(1)) {
        d_x[blockIdx.x] = 42;
        set(d_x + 8 + blockIdx.x, 1, release);
    } else if (first_of(2)) {
        await(d_x + 8, 1);
        await(d_x + 9, 1);
        __threadfence();
        d_y[0] = d_x[0] + d_x[1];
    }
}
// Racy: the fence comes before the read of the second flag.
__global__ void fence_between_two_flags(int* d_x, int* d_y) {
    if (first_of(0) || first_of(1)) {
        d_x[blockIdx.x] = 42;
        set(d_x + 8 + blockIdx.x, 1, release);
    } else if (first_of(2)) {
        await(d_x + 8, 1);
        __threadfence();
        await(d_x + 9, 1);
        d_y[0] = d_x[0] + d_x[1];
    }
}

// --- through a third thread ----------------------------------------------------------------------

enum class Middle { both, no_acquire, no_release, fence, block_release, other_thread, barrier };

// Block 0 hands over to block 1, and that to block 2. Clean if the one in the middle acquires and
// releases; its threads may share the work if a barrier lies between.
template <Middle middle>
__global__ void hand_over_twice(int* d_x, int* d_y) {
    if (first_of(0)) {
        d_x[0] = 42;
        set(d_x + 8, 1, release);
    } else if (blockIdx.x == 1) {
        const bool two = middle == Middle::other_thread || middle == Middle::barrier;
        if (threadIdx.x == 0) {
            const bool by_order = middle != Middle::no_acquire && middle != Middle::fence;
            await(d_x + 8, 1, by_order ? acquire : relaxed);
            set(d_x + 16, 1);
        }
        if (middle == Middle::barrier) {
            __syncthreads();
        }
        if (threadIdx.x == (two ? 1 : 0)) {
            await(d_x + 16, 1);
            if (middle == Middle::fence) {
                __threadfence();
            }
            if (middle == Middle::block_release) {
                BlockAtomic(d_x[9]).store(1, release);
                set(d_x + 17, 1);
            } else {
                const bool by_order = middle != Middle::no_release && middle != Middle::fence;
                set(d_x + 9, 1, by_order ? release : relaxed);
                set(d_x + 17, 1);
            }
        }
    } else if (first_of(2)) {
        await(d_x + 17, 1);
        await(d_x + 9, 1, acquire);
        d_y[0] = d_x[0];
    }
}

// --- a plain write after atomic ones ----------------------------------------------------------

enum class Reads { both, second, both_then_released, both_then_told };

// Two threads store, one after the other and in no order. A third thread that has read both values
// may write plainly, as each store comes before the read of it. It may let another do that.
template <Reads reads>
__global__ void reset_after_reading_two_stores(int* d_x, int*) {
    if (first_of(0)) {
        set(d_x, 1);
        set(d_x + 16, 1);
    } else if (first_of(2)) {
        await(d_x + (reads == Reads::second ? 16 : 17), 1);
        set(d_x, 2);
        set(d_x + 18, 1);
    } else if (first_of(1)) {
        if (reads != Reads::second) {
            await(d_x, 1);
            set(d_x + 17, 1);
        }
        await(d_x + 18, 1);
        await(d_x, 2);
        if (reads == Reads::both_then_released || reads == Reads::both_then_told) {
            set(d_x + 19, 1, reads == Reads::both_then_released ? release : relaxed);
        } else {
            d_x[0] = 0;
        }
    } else if (first_of(3) &&
               (reads == Reads::both_then_released || reads == Reads::both_then_told)) {
        await(d_x + 19, 1, acquire);
        d_x[0] = 0;
    }
}

// --- stores that may be seen late
// ------------------------------------------------------------------

// Each thread announces itself, then looks for the other. On a GPU both may find no one, unless the
// four accesses are sequentially consistent; in an order of single steps one always finds the
// other, so that only old values show it.
template <cuda::memory_order store_order, cuda::memory_order load_order>
__global__ void announce_and_look(int* d_x, int*) {
    if (threadIdx.x == 0 && blockIdx.x < 2) {
        set(d_x + 8 + blockIdx.x, 1, store_order);
        if (DeviceAtomic(d_x[9 - blockIdx.x]).load(load_order) == 0) {
            d_x[0] += 1;
        }
    }
}
// The same in a loop, as Peterson's lock. Racy where it is relaxed: one comes after the other, and
// nothing orders them.
template <cuda::memory_order store_order, cuda::memory_order load_order>
__global__ void peterson(int* d_x, int*) {
    if (threadIdx.x != 0 || blockIdx.x > 1) {
        return;
    }
    const int me = static_cast<int>(blockIdx.x);
    set(d_x + 8 + me, 1, store_order);
    set(d_x + 10, 1 - me, store_order);
    while (DeviceAtomic(d_x[9 - me]).load(load_order) == 1 &&
           DeviceAtomic(d_x[10]).load(load_order) == 1 - me) {
        __nanosleep(32);
    }
    d_x[0] += 1;
    set(d_x + 8 + me, 0, store_order);
}

// --- scopes -----------------------------------------------------------------------------------

using ThreadAtomic = cuda::atomic_ref<int, cuda::thread_scope_thread>;
using SystemAtomic = cuda::atomic_ref<int, cuda::thread_scope_system>;

// Too narrow: thread scope includes no other thread, not even of the block.
__global__ void thread_scope_flag(int*, int* d_y) {
    __shared__ int s_flag;
    __shared__ int s_x;
    if (threadIdx.x == 0) {
        s_flag = 0;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        s_x = 42;
        ThreadAtomic(s_flag).store(1, release);
    } else if (threadIdx.x == 32) {
        while (ThreadAtomic(s_flag).load(acquire) == 0) {
            __nanosleep(32);
        }
        d_y[blockIdx.x] = s_x;
    }
}
__global__ void thread_scope_counter(int* d_x, int*) {
    ThreadAtomic(d_x[blockIdx.x]).fetch_add(1, relaxed);
}
// Clean: each thread has a counter of its own.
__global__ void thread_scope_in_own_word(int* d_x, int*) {
    ThreadAtomic(d_x[blockIdx.x * blockDim.x + threadIdx.x]).fetch_add(1, relaxed);
}
// Clean: others read it after a barrier.
__global__ void thread_scope_then_barrier(int* d_x, int* d_y) {
    const unsigned first = blockIdx.x * blockDim.x;
    ThreadAtomic(d_x[first + threadIdx.x]).fetch_add(1, relaxed);
    __syncthreads();
    d_y[first + threadIdx.x] = d_x[first + blockDim.x - 1 - threadIdx.x];
}
// A fence of the given scope on both sides of a relaxed flag, within a block or between two.
template <cuda::thread_scope fence_scope, int reader_block>
__global__ void fences_of_scope(int* d_x, int* d_y) {
    if (first_of(0)) {
        d_x[0] = 42;
        cuda::atomic_thread_fence(release, fence_scope);
        set(d_x + 8, 1);
    } else if (blockIdx.x == reader_block && threadIdx.x == 32) {
        await(d_x + 8, 1);
        cuda::atomic_thread_fence(acquire, fence_scope);
        d_y[0] = d_x[0];
    }
}
// The writer's flag and the reader's have the given scopes, and are of one block or of two.
template <cuda::thread_scope writer, cuda::thread_scope reader, int reader_block>
__global__ void flag_of_two_scopes(int* d_x, int* d_y) {
    if (first_of(0)) {
        d_x[0] = 42;
        cuda::atomic_ref<int, writer>(d_x[8]).store(1, release);
    } else if (blockIdx.x == reader_block && threadIdx.x == 32) {
        while (cuda::atomic_ref<int, reader>(d_x[8]).load(acquire) == 0) {
            __nanosleep(32);
        }
        d_y[0] = d_x[0];
    }
}
// Clean: a fence that only acquires, on the side that only reads, and one that only releases.
// Racy: the other way round.
template <bool right_way>
__global__ void one_sided_fences(int* d_x, int* d_y) {
    if (first_of(0)) {
        d_x[0] = 42;
        cuda::atomic_thread_fence(right_way ? release : acquire, cuda::thread_scope_device);
        set(d_x + 8, 1);
    } else if (first_of(1)) {
        await(d_x + 8, 1);
        cuda::atomic_thread_fence(right_way ? acquire : release, cuda::thread_scope_device);
        d_y[0] = d_x[0];
    }
}

// --- launches of many threads ----------------------------------------------------------------

// Block 0 writes; block 64, which knows nothing of it, releases to block 65, which reads. Clean if
// block 0 has released to block 64.
template <bool handed_over>
__global__ void far_apart_through_a_stranger(int* d_x, int* d_y) {
    if (first_of(0)) {
        d_x[0] = 42;
        set(d_x + 8, 1, handed_over ? release : relaxed);
    } else if (first_of(64)) {
        await(d_x + 8, 1, handed_over ? acquire : relaxed);
        set(d_x + 9, 1, release);
    } else if (first_of(65)) {
        await(d_x + 9, 1, acquire);
        d_y[0] = d_x[0];
    }
}
// Racy: the two writers are 4096 threads apart, however few run at a time.
__global__ void write_4096_threads_apart(int* d_x, int*) {
    if (first_of(0) || first_of(64)) {
        d_x[0] = static_cast<int>(blockIdx.x);
    }
}
// All blocks meet, and then each reads what another one has written.
template <bool fences>
__global__ void grid_barrier(int* d_x, int* d_y) {
    if (threadIdx.x == 0) {
        d_y[blockIdx.x] = 42;
        if (fences) {
            __threadfence();
        }
        atomicAdd(d_x, 1);
        await(d_x, static_cast<int>(gridDim.x));
        if (fences) {
            __threadfence();
        }
    }
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1) {
        d_y[100 + blockIdx.x] = d_y[(blockIdx.x + 1) % gridDim.x];
    }
}

}  // namespace

std::vector<Litmus> litmus_of_order() {
    constexpr cuda::thread_scope system = cuda::thread_scope_system;
    constexpr cuda::thread_scope device = cuda::thread_scope_device;
    constexpr cuda::thread_scope block = cuda::thread_scope_block;
    constexpr cuda::thread_scope thread = cuda::thread_scope_thread;
    return {
        {"byte_flag_per_block", byte_flag_per_block, clean},
        {"byte_flag_among_plain_bytes", byte_flag_among_plain_bytes, clean},
        {"acquire_of_the_byte_beside", acquire_of_the_byte_beside, race},
        {"short_tickets_of_one_kind", short_tickets<0>, clean},
        {"short_tickets_of_two_kinds", short_tickets<1>, race},
        {"long_flag_beside_others", long_flag_beside_others, clean},
        {"acquire_of_half_a_flag", acquire_of_half_a_flag, race},
        {"bool_flag_per_warp", bool_flag_per_warp, clean},
        {"flags_of_two_sizes_in_a_word", flags_of_two_sizes_in_a_word, clean},
        {"byte_of_a_counter_cleared", byte_of_a_counter_cleared, race},
        {"release_then_relaxed_store", release_then_relaxed<Then::store_by_same>, clean},
        {"release_then_relaxed_add", release_then_relaxed<Then::add_by_same>, clean},
        {"release_then_relaxed_store_after_another_release",
         release_then_relaxed<Then::store_after_another_release>, clean},
        {"release_then_a_strangers_store", release_then_relaxed<Then::store_by_other>, race},
        {"release_then_relaxed_after_a_stranger", release_then_relaxed_after_a_stranger, clean},
        {"release_at_another_object", release_at_another_object, race},
        {"write_between_release_and_relaxed", write_between_release_and_relaxed, race},
        {"block_release_then_relaxed", block_release_then_relaxed, scope},
        {"one_fence_two_flags", one_fence_two_flags, clean},
        {"seq_cst_load_then_relaxed_store", load_in_place_of_a_release<Before::seq_cst_load>,
         clean},
        {"acquire_load_then_relaxed_store", load_in_place_of_a_release<Before::acquire_load>, race},
        {"relaxed_load_then_relaxed_store", load_in_place_of_a_release<Before::relaxed_load>, race},
        {"acquire_add_then_relaxed_store", load_in_place_of_a_release<Before::acquire_add>, race},
        {"updates_release_and_acquire", two_updates<true, true>, clean},
        {"updates_acquire_and_acquire", two_updates<false, true>, race},
        {"updates_release_and_release", two_updates<true, false>, race},
        {"exchange_goes_on", exchange_goes_on, clean},
        {"relaxed_read_then_acquire", relaxed_then_acquire<Look::before_the_store>, clean},
        {"acquire_after_the_store_only", relaxed_then_acquire<Look::not_before>, race},
        {"relaxed_read_then_acquire_elsewhere", relaxed_then_acquire<Look::elsewhere>, race},
        {"relaxed_read_then_acquire_of_block", relaxed_then_acquire<Look::at_block_scope>, scope},
        {"two_flags_one_fence", two_flags_one_fence, clean},
        {"fence_between_two_flags", fence_between_two_flags, race},
        {"hand_over_twice", hand_over_twice<Middle::both>, clean},
        {"hand_over_without_acquire", hand_over_twice<Middle::no_acquire>, race},
        {"hand_over_without_release", hand_over_twice<Middle::no_release>, race},
        {"hand_over_by_a_fence", hand_over_twice<Middle::fence>, clean},
        {"hand_over_at_block_scope", hand_over_twice<Middle::block_release>, scope},
        {"hand_over_by_two_threads", hand_over_twice<Middle::other_thread>, race},
        {"hand_over_by_two_threads_and_a_barrier", hand_over_twice<Middle::barrier>, clean},
        {"reset_after_reading_two_stores", reset_after_reading_two_stores<Reads::both>, clean},
        {"reset_after_reading_the_second_store", reset_after_reading_two_stores<Reads::second>,
         race},
        {"reset_by_whom_the_reader_releases_to",
         reset_after_reading_two_stores<Reads::both_then_released>, clean},
        {"reset_by_whom_the_reader_tells", reset_after_reading_two_stores<Reads::both_then_told>,
         race},
        {"announce_and_look_seq_cst", announce_and_look<seq_cst, seq_cst>, clean},
        {"announce_and_look_release_acquire", announce_and_look<release, acquire>, race, 4, 64,
         nullptr, false, true},
        {"peterson_seq_cst", peterson<seq_cst, seq_cst>, clean},
        {"peterson_relaxed", peterson<relaxed, relaxed>, race},
        {"thread_scope_flag", thread_scope_flag, scope},
        {"thread_scope_counter", thread_scope_counter, scope},
        {"thread_scope_in_own_word", thread_scope_in_own_word, clean},
        {"thread_scope_then_barrier", thread_scope_then_barrier, clean},
        {"thread_scope_fences_in_a_block", fences_of_scope<thread, 0>, scope},
        {"block_scope_fences_in_a_block", fences_of_scope<block, 0>, clean},
        {"block_scope_fences_between_blocks", fences_of_scope<block, 1>, scope},
        {"device_scope_fences_between_blocks", fences_of_scope<device, 1>, clean},
        {"system_scope_fences_between_blocks", fences_of_scope<system, 1>, clean},
        {"block_scope_release_in_a_block", flag_of_two_scopes<block, device, 0>, clean},
        {"block_scope_acquire_in_a_block", flag_of_two_scopes<device, block, 0>, clean},
        {"block_scope_release_for_another_block", flag_of_two_scopes<block, device, 1>, scope},
        {"block_scope_acquire_in_another_block", flag_of_two_scopes<system, block, 1>, scope},
        {"system_scope_and_device_scope", flag_of_two_scopes<system, device, 1>, clean},
        {"thread_scope_release_in_a_block", flag_of_two_scopes<thread, device, 0>, scope},
        {"one_sided_fences", one_sided_fences<true>, clean},
        {"one_sided_fences_the_wrong_way", one_sided_fences<false>, race},
        {"far_apart_through_a_stranger", far_apart_through_a_stranger<false>, race, 66},
        {"far_apart_handed_over", far_apart_through_a_stranger<true>, clean, 66},
        {"write_4096_threads_apart", write_4096_threads_apart, race, 65},
        {"two_large_blocks_meet", grid_barrier<true>, clean, 2, 1024},
        {"two_large_blocks_meet_without_fences", grid_barrier<false>, race, 2, 1024},
        {"eight_blocks_of_256_meet", grid_barrier<true>, clean, 8, 256},
        {"eight_large_blocks_meet", grid_barrier<true>, clean, 8, 1024},
    };
}
