// cuda::pipeline in the forms that are left: the first warp produces, copies of a known alignment,
// and quit(), which tells the last thread that the shared state is free.
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/pipeline>

constexpr int producers = 32, consumers = 64, batches = 5;

__global__ void k(const int2* d_x, int* d_y, int* d_last) {
    __shared__ alignas(16) int2 s_x[2][consumers];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto group = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(group, &state, producers);
    if (threadIdx.x < producers) {
        for (int batch = 0; batch < batches; ++batch) {
            pipe.producer_acquire();
            const int i = 2 * threadIdx.x;
            cuda::memcpy_async(&s_x[batch % 2][i], &d_x[batch * consumers + i],
                               cuda::aligned_size_t<16>(2 * sizeof(int2)), pipe);
            pipe.producer_commit();
        }
    } else {
        const int me = threadIdx.x - producers;
        int sum = 0;
        for (int batch = 0; batch < batches; ++batch) {
            pipe.consumer_wait();
            const int2 other = s_x[batch % 2][consumers - 1 - me];
            sum += other.x + 100 * other.y;
            pipe.consumer_release();
        }
        d_y[me] = sum;
    }
    if (pipe.quit()) {
        atomicAdd(d_last, 1);
    }
}

int main() {
    int2* x;
    int *y, *last;
    cudaMallocManaged(&x, batches * consumers * sizeof(int2));
    cudaMallocManaged(&y, consumers * sizeof(int));
    cudaMallocManaged(&last, sizeof(int));
    for (int i = 0; i < batches * consumers; ++i) {
        x[i] = make_int2(i % 13, i % 7);
    }
    *last = 0;
    k<<<1, producers + consumers>>>(x, y, last);
    if (cudaDeviceSynchronize() != cudaSuccess || *last != 1) {
        return 1;
    }
    for (int i = 0; i < consumers; ++i) {
        int wanted = 0;
        for (int batch = 0; batch < batches; ++batch) {
            const int2 from = x[batch * consumers + consumers - 1 - i];
            wanted += from.x + 100 * from.y;
        }
        if (y[i] != wanted) {
            std::printf("y[%d] is %d, expected %d\n", i, y[i], wanted);
            return 2;
        }
    }
}
