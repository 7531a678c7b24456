// The locks of common/lock.cuh: one holder at a time, and who takes the lock sees what the holder
// before did.
//
// What the locks guard here are plain words, added to without atomics, with a pause between read
// and write: a lock that lets two in loses additions. A hand-over without order may well look right
// on a plain run; the GPU with its thousands of threads is where that shows, and race mode is where
// it must.
#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include <cuda/atomic>

#include "common/device_array.cuh"
#include "common/error.cuh"
#include "common/lock.cuh"
#include "tests/device_test.cuh"

using namespace common;

namespace {

// A lock is a plain word: a kernel gets a pointer to it, by value, and no copy of it frees anything
// when it dies. (The book's lock is an object with a destructor that frees its word; a launch
// copies it.)
static_assert(std::is_trivially_copyable_v<TicketLock>);
static_assert(std::is_trivially_destructible_v<TicketLock>);

// The three kinds of lock under the same names.
struct Modern {
    using Word = int;
    static __device__ void take(Word& word) { lock(word); }
    static __device__ void give(Word& word) { unlock(word); }
};
struct Classic {
    using Word = int;
    static __device__ void take(Word& word) { lock_classic(word); }
    static __device__ void give(Word& word) { unlock_classic(word); }
};
struct Ticket {
    using Word = TicketLock;
    static __device__ void take(Word& word) { lock(word); }
    static __device__ void give(Word& word) { unlock(word); }
};

// Adds 1 to a counter, in plain steps, under the counter's own lock, `rounds` times a thread. Every
// thread begins at another lock. `d_shadow` is written after the counter and must equal it for
// the next thread; where it does not, `d_unequal` counts.
template <typename Lock>
__global__ void count_under_locks(typename Lock::Word* d_locks, unsigned locks, int rounds,
                                  unsigned* d_counts, unsigned* d_shadow, unsigned* d_unequal) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned unequal = 0;
    for (int round = 0; round < rounds; ++round) {
        const unsigned i = (thread + static_cast<unsigned>(round)) % locks;
        Lock::take(d_locks[i]);
        const unsigned count = d_counts[i];
        if (d_shadow[i] != count) {
            ++unequal;
        }
        __nanosleep(lock_pause_ns);  // let others run here, between the read and the write
        d_counts[i] = count + 1;
        d_shadow[i] = count + 1;
        Lock::give(d_locks[i]);
    }
    if (unequal != 0) {
        atomicAdd(d_unequal, unequal);
    }
}

// How often each of `locks` locks is taken.
std::vector<unsigned> expected_counts(unsigned threads, unsigned locks, int rounds) {
    std::vector<unsigned> counts(locks);
    for (unsigned thread = 0; thread < threads; ++thread) {
        for (int round = 0; round < rounds; ++round) {
            ++counts[(thread + static_cast<unsigned>(round)) % locks];
        }
    }
    return counts;
}

template <typename Lock>
class LockTest : public DeviceTest {
  protected:
    using Word = typename Lock::Word;

    // Every thread of <<<grid_size, block_size>>> takes `rounds` of the `locks` locks, which begin
    // as `start`. Returns the locks as they are afterwards.
    std::vector<Word> count(int grid_size, int block_size, unsigned locks, int rounds,
                            Word start = Word{}) {
        DeviceArray<Word> d_locks(std::vector<Word>(locks, start));
        DeviceArray<unsigned> d_counts(std::vector<unsigned>(locks, 0));
        DeviceArray<unsigned> d_shadow(std::vector<unsigned>(locks, 0));
        DeviceArray<unsigned> d_unequal(std::vector<unsigned>{0});
        count_under_locks<Lock><<<grid_size, block_size>>>(
            d_locks.data(), locks, rounds, d_counts.data(), d_shadow.data(), d_unequal.data());
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
        const auto threads = static_cast<unsigned>(grid_size * block_size);
        EXPECT_EQ(d_counts.to_host(), expected_counts(threads, locks, rounds));
        EXPECT_EQ(d_unequal.to_host()[0], 0u) << "a holder saw half of what the one before wrote";
        count_combination();
        return d_locks.to_host();
    }
    using DeviceTest::count_combination;
};

using Locks = testing::Types<Modern, Classic, Ticket>;
class LockName {
  public:
    template <typename Lock>
    static std::string GetName(int) {
        return std::is_same_v<Lock, Modern>    ? "lock"
               : std::is_same_v<Lock, Classic> ? "lock_classic"
                                               : "ticket";
    }
};
TYPED_TEST_SUITE(LockTest, Locks, LockName);

TYPED_TEST(LockTest, OneThread) {
    this->count(1, 1, 1, 100);
}

// Needs independent thread scheduling: the lanes of a warp that wait must let the holder, a lane of
// the same warp, go on.
TYPED_TEST(LockTest, LanesOfOneWarp) {
    this->count(1, 32, 1, 50);
    this->count(1, 32, 2, 50);
}

TYPED_TEST(LockTest, WarpsOfOneBlock) {
    this->count(1, 256, 1, 10);
}

TYPED_TEST(LockTest, OneThreadOfManyBlocks) {
    this->count(640, 1, 1, 20);
}

TYPED_TEST(LockTest, AllThreadsOfManyBlocks) {
    this->count(60, 100, 1, 2);
}

TYPED_TEST(LockTest, ManyLocks) {
    this->count(20, 128, 2, 10);
    this->count(20, 128, 17, 10);
    this->count(20, 128, 1000, 10);
}

// Afterwards no one holds it: it can be taken again by a later launch.
TYPED_TEST(LockTest, IsFreeAfterwards) {
    for (const auto& word : this->count(10, 32, 3, 2)) {
        if constexpr (std::is_same_v<TypeParam, Ticket>) {
            EXPECT_EQ(word.next, word.serving);
        } else {
            EXPECT_EQ(word, 0);
        }
    }
}

using TicketLockTest = LockTest<Ticket>;

// The numbers wrap around at 2^32. From 0 on that would take an hour of hand-overs.
TEST_F(TicketLockTest, WrapsAround) {
    for (const unsigned before : {0u, 1u, 31u, 500u}) {
        const unsigned start = 0u - before;
        const auto words = count(10, 64, 1, 2, TicketLock{start, start});
        EXPECT_EQ(words[0].next, start + 10 * 64 * 2);
        EXPECT_EQ(words[0].serving, start + 10 * 64 * 2);
    }
}

// Thread 0 of block 0 holds the lock until all others stand in line; the others come one at a time,
// in an order that is given: who stands in line k-th waits until k threads have drawn a number.
// Then they must be served in that order. All threads wait for each other, so all must be resident.
__global__ void queue_up(TicketLock* d_lock, unsigned start, unsigned* d_served,
                         unsigned* d_order) {
    const unsigned threads = gridDim.x * blockDim.x;
    // Neighbors in line stand in different blocks.
    const unsigned place = threadIdx.x * gridDim.x + blockIdx.x;
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> next(d_lock->next);
    while (next.load(cuda::memory_order_relaxed) - start != place) {
        __nanosleep(lock_pause_ns);
    }
    lock(*d_lock);
    if (place == 0) {
        while (next.load(cuda::memory_order_relaxed) - start != threads) {
            __nanosleep(lock_pause_ns);
        }
    }
    d_order[*d_served] = place;
    ++*d_served;
    unlock(*d_lock);
}

TEST_F(TicketLockTest, ServesInOrderOfArrival) {
    for (const unsigned start : {0u, 0u - 20u}) {
        const unsigned threads = 4 * 16;
        DeviceArray<TicketLock> d_lock(std::vector<TicketLock>{TicketLock{start, start}});
        DeviceArray<unsigned> d_served(std::vector<unsigned>{0});
        DeviceArray<unsigned> d_order(std::vector<unsigned>(threads, threads));
        queue_up<<<4, 16>>>(d_lock.data(), start, d_served.data(), d_order.data());
        CHECK_LAUNCH();
        std::vector<unsigned> expected(threads);
        std::iota(expected.begin(), expected.end(), 0u);
        EXPECT_EQ(d_order.to_host(), expected);
        count_combination();
    }
}

}  // namespace
