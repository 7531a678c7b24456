// cuda::barrier, cuda::memcpy_async and cuda::std::atomic. The same on a GPU and on the CPU device.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <cuda/barrier>
#include <cuda/std/atomic>
#include <cuda/std/barrier>

#include <vector>

#include "device_test.cuh"

#ifdef __NVCC__
#pragma nv_diag_suppress static_var_with_dynamic_init  // of a barrier in shared memory: init() does
#endif

namespace {

using BlockBarrier = cuda::barrier<cuda::thread_scope_block>;

class CudaBarrier : public DeviceTest {
  protected:
    void allocate() override {
        ASSERT_EQ(cudaMallocManaged(&out_, 1024 * sizeof(int)), cudaSuccess);
        for (int i = 0; i < 1024; ++i) {
            out_[i] = i;
        }
    }
    void release() override { EXPECT_EQ(cudaFree(out_), cudaSuccess); }
    int* out_ = nullptr;
};

__device__ void start(BlockBarrier& barrier, unsigned expected) {
    if (threadIdx.x == 0) {
        init(&barrier, expected);
    }
    __syncthreads();
}

__global__ void rotate(int* out, int rounds) {
    __shared__ BlockBarrier barrier;
    __shared__ int s_values[2][64];
    start(barrier, blockDim.x);
    int* const mine = out + blockIdx.x * blockDim.x + threadIdx.x;
    int value = *mine;
    for (int round = 0; round < rounds; ++round) {
        s_values[round % 2][threadIdx.x] = value;
        BlockBarrier::arrival_token token = barrier.arrive();
        // Work of one's own could stand here.
        barrier.wait(std::move(token));
        value = s_values[round % 2][(threadIdx.x + 1) % blockDim.x];
    }
    *mine = value;
}
TEST_F(CudaBarrier, HoldsThreadsUntilAllHaveArrived) {
    rotate<<<2, 64>>>(out_, 10);
    wait();
    for (int i = 0; i < 128; ++i) {
        ASSERT_EQ(out_[i], i / 64 * 64 + (i + 10) % 64) << i;
    }
}

// A warp makes what another one takes: each side waits for the other by a barrier of its own.
__global__ void produce_and_consume(int* out, int rounds) {
    __shared__ BlockBarrier ready;
    __shared__ BlockBarrier taken;
    __shared__ int s_values[32];
    start(ready, 64);
    start(taken, 64);
    const unsigned lane = threadIdx.x % 32;
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
        if (threadIdx.x < 32) {
            s_values[lane] = round * 100 + static_cast<int>(lane);
            static_cast<void>(ready.arrive());
            taken.arrive_and_wait();
        } else {
            ready.arrive_and_wait();
            sum += s_values[31 - lane];
            static_cast<void>(taken.arrive());
        }
    }
    out[threadIdx.x] = sum;
}
TEST_F(CudaBarrier, JoinsProducersAndConsumers) {
    produce_and_consume<<<1, 64>>>(out_, 4);
    wait();
    for (int i = 0; i < 32; ++i) {
        ASSERT_EQ(out_[i], 0);
        ASSERT_EQ(out_[32 + i], 600 + 4 * (31 - i)) << i;
    }
}

__global__ void drop_out(int* out) {
    __shared__ BlockBarrier barrier;
    __shared__ int s_count;
    start(barrier, blockDim.x);
    if (threadIdx.x == 0) {
        s_count = 0;
    }
    __syncthreads();
    for (unsigned round = 0; round < 4; ++round) {
        if (threadIdx.x % 4 == round) {  // a quarter goes in each round
            barrier.arrive_and_drop();
            return;
        }
        atomicAdd(&s_count, 1);
        barrier.arrive_and_wait();
        if (threadIdx.x == 3) {
            out[round] = s_count;
        }
        barrier.arrive_and_wait();
    }
}
TEST_F(CudaBarrier, ThreadsMayDropOut) {
    drop_out<<<1, 32>>>(out_);
    wait();
    EXPECT_EQ(std::vector<int>(out_, out_ + 3), (std::vector<int>{24, 24 + 16, 24 + 16 + 8}));
}

__global__ void copy_behind_a_barrier(const int* from, int* out) {
    __shared__ BlockBarrier barrier;
    __shared__ alignas(16) int s_values[128];
    start(barrier, blockDim.x);
    cuda::memcpy_async(s_values + threadIdx.x, from + threadIdx.x, sizeof(int), barrier);
    barrier.arrive_and_wait();
    out[threadIdx.x] = s_values[63 - threadIdx.x];
    cuda::memcpy_async(cooperative_groups::this_thread_block(), s_values + 64, from + 64,
                       cuda::aligned_size_t<16>(64 * sizeof(int)), barrier);
    barrier.arrive_and_wait();
    out[64 + threadIdx.x] = s_values[127 - threadIdx.x];
}
TEST_F(CudaBarrier, CopiesAreThereAfterIt) {
    copy_behind_a_barrier<<<1, 64>>>(out_, out_ + 256);
    wait();
    for (int i = 0; i < 64; ++i) {
        ASSERT_EQ(out_[256 + i], 63 - i) << i;
        ASSERT_EQ(out_[256 + 64 + i], 127 - i) << i;
    }
}

struct CountPhase {
    int* phases;
    __device__ void operator()() const { *phases += 1; }
};
using CountingBarrier = cuda::barrier<cuda::thread_scope_block, CountPhase>;
__global__ void count_phases(int* out) {
    __shared__ CountingBarrier barrier;
    __shared__ int s_phases;
    if (threadIdx.x == 0) {
        s_phases = 0;
        init(&barrier, blockDim.x, CountPhase{&s_phases});
    }
    __syncthreads();
    for (int i = 0; i < 3; ++i) {
        barrier.arrive_and_wait();
    }
    out[threadIdx.x] = s_phases;
}
TEST_F(CudaBarrier, CallsItsCompletionOnceAPhase) {
    count_phases<<<1, 64>>>(out_);
    wait();
    for (int i = 0; i < 64; ++i) {
        ASSERT_EQ(out_[i], 3);
    }
}

// --- the names of the standard library --------------------------------------------------------

__device__ cuda::std::atomic<int> d_count;
__global__ void count_by_standard_names(int* out) {
    const int before = d_count.fetch_add(2, cuda::std::memory_order_relaxed);
    cuda::std::atomic_ref<int> sum(out[0]);
    sum.fetch_add(before);
    cuda::std::atomic_thread_fence(cuda::std::memory_order_seq_cst);
}
__global__ void read_count(int* out) {
    out[1] = d_count.is_lock_free() ? 1 : 0;
    out[2] = d_count.load();
    d_count = 0;
    d_count.notify_all();
    d_count.wait(1);  // it holds 0: there is nothing to wait for
}
TEST_F(CudaBarrier, StandardNamesAreOfSystemScope) {
    count_by_standard_names<<<1, 1>>>(out_);
    wait();
    for (int i = 0; i < 3; ++i) {
        count_by_standard_names<<<4, 1>>>(out_);
        wait();
    }
    read_count<<<1, 1>>>(out_);
    wait();
    EXPECT_EQ(out_[0], 156);  // 0 + 2 + ... + 24
    EXPECT_EQ(out_[1], 1);
    EXPECT_EQ(out_[2], 26);
}

__global__ void meet_by_standard_name(cuda::std::barrier<>* barrier, int* out) {
    out[threadIdx.x + 512] = 5;
    barrier->arrive_and_wait();
    out[threadIdx.x] = out[(threadIdx.x + 9) % 32 + 512];
}
TEST_F(CudaBarrier, HasAStandardName) {
    cuda::std::barrier<>* barrier = nullptr;
    ASSERT_EQ(cudaMallocManaged(&barrier, sizeof *barrier), cudaSuccess);
    new (barrier) cuda::std::barrier<>(32);
    meet_by_standard_name<<<1, 32>>>(barrier, out_);
    wait();
    EXPECT_EQ(std::vector<int>(out_, out_ + 32), std::vector<int>(32, 5));
    EXPECT_EQ(cudaFree(barrier), cudaSuccess);
}

}  // namespace
