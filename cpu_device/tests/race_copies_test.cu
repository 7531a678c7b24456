// Race mode and what a kernel begins or takes by itself: asynchronous copies, which go on beside
// their thread, and memory from malloc and new. Pairs of kernels: the right one must be silent and
// the wrong one must be reported, with every seed.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <string>
#include <vector>

#include "cpu_device/race.h"
#include "support.cuh"

namespace cg = cooperative_groups;

namespace {

constexpr int n = 64;  // threads of the only block
using Barrier = cuda::barrier<cuda::thread_scope_block>;

// A kernel gets 4 * n words that are their own index, and as many that are 0.
using Kernel = void (*)(int*, int*);

// --- copies that a group waits for ---

template <bool right>
__global__ void read_own_before_wait(int* x, int* y) {
    __shared__ int s[n];
    s[threadIdx.x] = -1;
    const cg::thread_block block = cg::this_thread_block();
    block.sync();
    cg::memcpy_async(block, s, x, sizeof s);
    int value = right ? 0 : s[threadIdx.x];
    cg::wait(block);
    value += s[threadIdx.x];
    y[threadIdx.x] = value;
}
template <bool right>
__global__ void write_source_before_wait(int* x, int* y) {
    __shared__ int s[n];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s, x, sizeof s);
    if (right) {
        cg::wait(block);
    }
    x[threadIdx.x] = 5;
    if (!right) {
        cg::wait(block);
    }
    y[threadIdx.x] = s[threadIdx.x];
}
template <bool right>
__global__ void write_target_before_wait(int* x, int* y) {
    __shared__ int s[n];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s, x, sizeof s);
    if (right) {
        cg::wait(block);
    }
    s[threadIdx.x] = 1;
    if (!right) {
        cg::wait(block);
    }
    y[threadIdx.x] = s[threadIdx.x];
}
// The buffer is filled again: has everybody read it?
template <bool right>
__global__ void double_buffer(int* x, int* y) {
    __shared__ int s[2][n];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s[0], x, sizeof s[0]);
    int sum = 0;
    for (int step = 0; step < 4; ++step) {
        if (step < 3) {
            cg::memcpy_async(block, s[(step + 1) % 2], x + (step + 1) * n, sizeof s[0]);
            cg::wait_prior<1>(block);
        } else {
            cg::wait(block);
        }
        sum += s[step % 2][n - 1 - threadIdx.x];
        if (right) {
            block.sync();
        }
    }
    y[threadIdx.x] = sum;
}
template <bool right>
__global__ void one_wait_too_few(int* x, int* y) {
    __shared__ int s[2][n];
    const cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s[0], x, sizeof s[0]);
    cg::memcpy_async(block, s[1], x + n, sizeof s[1]);
    if (right) {
        cg::wait(block);
    } else {
        cg::wait_prior<1>(block);
    }
    y[threadIdx.x] = s[1][threadIdx.x];
    cg::wait(block);
}
template <bool right>
__global__ void source_not_ready(int* x, int* y) {
    __shared__ int s[n];
    const cg::thread_block block = cg::this_thread_block();
    x[n - 1 - threadIdx.x] = 3;
    if (right) {
        block.sync();
    }
    cg::memcpy_async(block, s, x, sizeof s);
    cg::wait(block);
    y[threadIdx.x] = s[threadIdx.x];
}

// --- copies that count on a barrier ---

template <bool right>
__global__ void barrier_read_before_wait(int* x, int* y) {
    __shared__ int s[n];
    __shared__ Barrier barrier;
    if (threadIdx.x == 0) {
        init(&barrier, n);
    }
    s[threadIdx.x] = -1;
    __syncthreads();
    cuda::memcpy_async(s + threadIdx.x, x + threadIdx.x, sizeof(int), barrier);
    const Barrier::arrival_token token = barrier.arrive();
    int value = right ? 0 : s[threadIdx.x];  // the phase ends after the copy, arrive() may not
    barrier.wait(token);
    value += s[threadIdx.x];
    y[threadIdx.x] = value;
}
template <bool right>
__global__ void barrier_source_overwritten(int* x, int* y) {
    __shared__ int s[n];
    __shared__ Barrier barrier;
    if (threadIdx.x == 0) {
        init(&barrier, n);
    }
    __syncthreads();
    cuda::memcpy_async(s + threadIdx.x, x + threadIdx.x, sizeof(int), barrier);
    const Barrier::arrival_token token = barrier.arrive();
    if (right) {
        barrier.wait(token);
    }
    x[threadIdx.x] = 1;
    if (!right) {
        barrier.wait(token);
    }
    y[threadIdx.x] = s[n - 1 - threadIdx.x];
}
// Two buffers, one barrier for each: does the filler know that the buffer is empty?
template <bool right>
__global__ void barrier_double_buffer(int* x, int* y) {
    __shared__ int s[2][n];
    __shared__ Barrier full[2];
    if (threadIdx.x == 0) {
        init(&full[0], n);
        init(&full[1], n);
    }
    __syncthreads();
    int sum = 0;
    const auto begin = [&](int step) {
        cuda::memcpy_async(&s[step % 2][threadIdx.x], &x[step * n + threadIdx.x], sizeof(int),
                           full[step % 2]);
        return full[step % 2].arrive();
    };
    Barrier::arrival_token token = begin(0);
    for (int step = 0; step < 4; ++step) {
        const Barrier::arrival_token next = step < 3 ? begin(step + 1) : 0;
        full[step % 2].wait(token);
        sum += s[step % 2][n - 1 - threadIdx.x];
        if (right) {
            __syncthreads();
        }
        token = next;
    }
    y[threadIdx.x] = sum;
}

// --- pipelines ---

template <bool right>
__global__ void pipeline_of_thread(int* x, int* y) {
    __shared__ int s[2][n];
    cuda::pipeline<cuda::thread_scope_thread> pipeline = cuda::make_pipeline();
    for (int step = 0; step < 2; ++step) {
        pipeline.producer_acquire();
        cuda::memcpy_async(&s[step][threadIdx.x], &x[step * n + threadIdx.x], sizeof(int),
                           pipeline);
        pipeline.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<1>(pipeline);
    if (right) {
        cuda::pipeline_consumer_wait_prior<0>(pipeline);
    }
    y[threadIdx.x] = s[1][threadIdx.x];
    cuda::pipeline_consumer_wait_prior<0>(pipeline);
}
template <bool right>
__global__ void pipeline_read_by_others(int* x, int* y) {
    __shared__ int s[n];
    __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    if (right) {
        __syncthreads();  // the wait is for the thread's own copies
    }
    y[threadIdx.x] = s[n - 1 - threadIdx.x];
}
template <bool right>
__global__ void pipeline_buffer_used_again(int* x, int* y) {
    __shared__ int s[2][n];
    int sum = 0;
    __pipeline_memcpy_async(&s[0][threadIdx.x], &x[threadIdx.x], sizeof(int));
    __pipeline_commit();
    for (int step = 0; step < 4; ++step) {
        if (step < 3) {
            __pipeline_memcpy_async(&s[(step + 1) % 2][threadIdx.x],
                                    &x[(step + 1) * n + threadIdx.x], sizeof(int));
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += s[step % 2][n - 1 - threadIdx.x];
        if (right) {
            __syncthreads();
        }
    }
    y[threadIdx.x] = sum;
}
template <bool right>
__global__ void pipeline_of_block(int* x, int* y) {
    __shared__ int s[2][n];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    const cg::thread_block block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int step = 0; step < 5; ++step) {
        if (step < 4) {
            pipeline.producer_acquire();
            cuda::memcpy_async(&s[step % 2][threadIdx.x], &x[step * n + threadIdx.x], sizeof(int),
                               pipeline);
            pipeline.producer_commit();
        }
        if (step > 0) {
            pipeline.consumer_wait();
            if (right) {
                sum += s[(step - 1) % 2][n - 1 - threadIdx.x];
            }
            pipeline.consumer_release();
            if (!right) {
                sum += s[(step - 1) % 2][n - 1 - threadIdx.x];
            }
        }
    }
    y[threadIdx.x] = sum;
}

// --- the heap of kernels ---

template <bool right>
__global__ void heap_race(int*, int* y) {
    __shared__ int* p;
    if (threadIdx.x == 0) {
        p = static_cast<int*>(malloc(n * sizeof(int)));
    }
    __syncthreads();
    p[right ? threadIdx.x : threadIdx.x / 2] = 1;
    __syncthreads();
    y[threadIdx.x] = p[right ? threadIdx.x : threadIdx.x / 2];
    __syncthreads();
    if (threadIdx.x == 0) {
        free(p);
    }
}
template <bool right>
__global__ void heap_bounds(int*, int* y) {
    int* const p = new int[4];
    for (int i = 0; i < (right ? 4 : 5); ++i) {
        p[i] = i;
    }
    y[threadIdx.x] = p[3];
    delete[] p;
}
template <bool right>
__global__ void heap_unwritten(int*, int* y) {
    int* const p = static_cast<int*>(malloc(4 * sizeof(int)));
    p[right ? 3 : 2] = 1;
    y[threadIdx.x] = p[3];
    free(p);
}
template <bool right>
__global__ void heap_used_after_free(int*, int* y) {
    int* const p = new int(3);
    if (right) {
        y[threadIdx.x] = *p;
    }
    delete p;
    if (!right) {
        y[threadIdx.x] = *p;
    }
}
template <bool right>
__global__ void heap_freed_early(int*, int* y) {
    __shared__ int* p;
    if (threadIdx.x == 0) {
        p = static_cast<int*>(malloc(sizeof(int)));
        *p = 7;
    }
    __syncthreads();
    y[threadIdx.x] = *p;
    if (right) {
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        free(p);
    }
}
template <bool right>
__global__ void heap_freed_twice(int*, int* y) {
    int* const p = static_cast<int*>(malloc(sizeof(int)));
    *p = 1;
    y[threadIdx.x] = *p;
    free(p);
    if (!right) {
        free(p);
    }
}
struct Node {
    int value;
    Node* next;
};
// A list of all threads' nodes: its head is an atomic, which orders nothing else.
template <bool right>
__global__ void heap_list(int*, int* y) {
    __shared__ unsigned long long head;
    __shared__ int count;
    if (threadIdx.x == 0) {
        head = 0;
        count = 0;
    }
    __syncthreads();
    Node* const node = new Node{1, nullptr};
    node->next =
        reinterpret_cast<Node*>(atomicExch(&head, reinterpret_cast<unsigned long long>(node)));
    if (right) {
        __threadfence_block();
    }
    atomicAdd(&count, 1);
    if (threadIdx.x == 0) {
        while (atomicAdd(&count, 0) != n) {
        }
        if (right) {
            __threadfence_block();
        }
        int sum = 0;
        for (const Node* one = reinterpret_cast<Node*>(atomicAdd(&head, 0ull)); one != nullptr;
             one = one->next) {
            sum += one->value;
        }
        y[0] = sum;
    }
}

// --- values of variables that were never set ---

template <bool right>
__global__ void value_never_set(int* x, int* y) {
    int value;
    if (right || x[threadIdx.x] < 0) {
        value = 1;
    }
    y[threadIdx.x] = value;
}

struct Pair {
    const char* name;
    const char* kind;
    Kernel right, wrong;
    const char* other_kind = "none";  // that it may be in another order
};
#define PAIR(kernel, kind) \
    { #kernel, kind, kernel < true>, kernel < false> }

const Pair pairs[] = {
    PAIR(read_own_before_wait, "DATA RACE"),
    PAIR(write_source_before_wait, "DATA RACE"),
    PAIR(write_target_before_wait, "DATA RACE"),
    PAIR(double_buffer, "DATA RACE"),
    PAIR(one_wait_too_few, "DATA RACE"),
    PAIR(source_not_ready, "DATA RACE"),
    PAIR(barrier_read_before_wait, "DATA RACE"),
    PAIR(barrier_source_overwritten, "DATA RACE"),
    PAIR(barrier_double_buffer, "DATA RACE"),
    PAIR(pipeline_of_thread, "DATA RACE"),
    PAIR(pipeline_read_by_others, "DATA RACE"),
    PAIR(pipeline_buffer_used_again, "DATA RACE"),
    PAIR(pipeline_of_block, "DATA RACE"),
    PAIR(heap_race, "DATA RACE"),
    PAIR(heap_bounds, "OUT OF BOUNDS"),
    PAIR(heap_unwritten, "UNWRITTEN MEMORY"),
    PAIR(heap_used_after_free, "USE AFTER FREE"),
    {"heap_freed_early", "DATA RACE", heap_freed_early<true>, heap_freed_early<false>,
     "USE AFTER FREE"},
    PAIR(heap_freed_twice, "USE AFTER FREE"),
    PAIR(heap_list, "DATA RACE"),
    PAIR(value_never_set, "UNSET VARIABLE"),
};

int number_of_seeds() {
    return std::getenv("THOROUGH") != nullptr ? 20 : 2;
}

std::string reports_of(Kernel kernel, int seed) {
    constexpr int words = 4 * n;
    cpu_device::race::forget();
    cpu_device::race::set_seed(static_cast<unsigned>(seed));
    int *d_x = nullptr, *d_y = nullptr;
    CHECK(cudaMalloc(&d_x, words * sizeof(int)));
    CHECK(cudaMalloc(&d_y, words * sizeof(int)));
    std::vector<int> h_x(words);
    for (int i = 0; i < words; ++i) {
        h_x[static_cast<std::size_t>(i)] = i;
    }
    CHECK(cudaMemcpy(d_x, h_x.data(), words * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_y, 0, words * sizeof(int)));
    kernel<<<1, n>>>(d_x, d_y);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_x));
    return cpu_device::race::reports_text();
}

class RaceCopies : public testing::TestWithParam<Pair> {
  protected:
    RaceCopies() { cpu_device::race::be_quiet(true); }
    ~RaceCopies() override {  // the test is over: its reports are no reason to end with 66
        cpu_device::race::forget();
        cpu_device::race::be_quiet(false);
    }
};

TEST_P(RaceCopies, TheRightOneIsSilentAndTheWrongOneIsReported) {
    for (int seed = 1; seed <= number_of_seeds(); ++seed) {
        EXPECT_EQ(reports_of(GetParam().right, seed), "") << "seed " << seed;
        const std::string text = reports_of(GetParam().wrong, seed);
        const auto begins_with = [&](const std::string& kind) {
            return text.find("\n" + kind + " in ") == 0;
        };
        EXPECT_TRUE(begins_with(GetParam().kind) || begins_with(GetParam().other_kind))
            << "seed " << seed << text;
        EXPECT_NE(text.find("race_copies_test.cu:"), std::string::npos) << text;
    }
}

INSTANTIATE_TEST_SUITE_P(Pairs, RaceCopies, testing::ValuesIn(pairs),
                         [](const auto& test) { return test.param.name; });

using RaceCopiesReport = RaceCopies;

TEST_F(RaceCopiesReport, NamesTheCopyByItsCallersLineAndAdvisesTheWait) {
    const std::string text = reports_of(read_own_before_wait<false>, 1);
    for (const char* const words :
         {"the copy begun by block 0, thread ", "cg::memcpy_async(block, s",
          "Wait for this copy, and then let the threads"}) {
        EXPECT_NE(text.find(words), std::string::npos) << words << text;
    }
    EXPECT_EQ(text.find("memcpy_async.h"), std::string::npos) << text;
}

// Both values that a GPU may show are seen: the one before the copy, and the one after it.
TEST_F(RaceCopiesReport, ComesOfACopyThatIsMadeAtAnyMoment) {
    bool early = false, late = false;
    for (int seed = 1; seed <= 20 && !(early && late); ++seed) {
        const std::string text = reports_of(read_own_before_wait<false>, seed);
        early = early || text.find("reads -1") != std::string::npos;
        late = late || std::string(text).find("reads 1") != std::string::npos ||
               text.find("reads 2") != std::string::npos ||
               text.find("reads 3") != std::string::npos;
    }
    EXPECT_TRUE(early);
    EXPECT_TRUE(late);
}

__global__ void copy_words(int* x, int* y) {
    y[threadIdx.x] = x[threadIdx.x];
}
TEST_F(RaceCopiesReport, IsNotMadeOfAValueThatTheHostHasSet) {
    cpu_device::race::forget();
    int* d_x = nullptr;
    CHECK(cudaMalloc(&d_x, 2 * n * sizeof(int)));
    CHECK(cudaMemset(d_x, 0xfe, n * sizeof(int)));
    copy_words<<<1, n>>>(d_x, d_x + n);
    CHECK(cudaFree(d_x));
    EXPECT_EQ(cpu_device::race::reports_text(), "");
}

}  // namespace
