// cuda::pipeline of a block: two stages; all threads copy and compute, or one warp copies for all.
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/pipeline>

constexpr int block = 64, batches = 8;

__device__ int add(const int* s_x) {
    return s_x[(threadIdx.x + 5) % block] + s_x[(threadIdx.x + 9) % block];
}

__global__ void unified(const int* d_x, int* d_y) {
    __shared__ int s_x[2][block];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto group = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(group, &state);
    int sum = 0;
    for (int produced = 0, consumed = 0; consumed < batches; ++consumed) {
        for (; produced < batches && produced < consumed + 2; ++produced) {
            pipe.producer_acquire();
            cuda::memcpy_async(group, s_x[produced % 2], d_x + produced * block,
                               block * sizeof(int), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += add(s_x[consumed % 2]);
        pipe.consumer_release();
    }
    d_y[threadIdx.x] = sum;
}

__global__ void by_roles(const int* d_x, int* d_y) {
    __shared__ int s_x[2][block];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto group = cooperative_groups::this_thread_block();  // a warp more than s_x has elements
    const bool produces = threadIdx.x >= block;
    auto pipe = cuda::make_pipeline(
        group, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int batch = 0; batch < batches; ++batch) {
        if (produces) {
            pipe.producer_acquire();
            for (int i = threadIdx.x - block; i < block; i += 32) {
                cuda::memcpy_async(&s_x[batch % 2][i], &d_x[batch * block + i], sizeof(int), pipe);
            }
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            sum += add(s_x[batch % 2]);
            pipe.consumer_release();
        }
    }
    if (!produces) {
        d_y[threadIdx.x] = sum;
    }
}

int main() {
    int x[batches * block], y[block], *d_x, *d_y;
    for (int i = 0; i < batches * block; ++i) {
        x[i] = i * i % 101;
    }
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    for (int way = 0; way < 2; ++way) {
        cudaMemset(d_y, 0, sizeof y);
        if (way == 0) {
            unified<<<1, block>>>(d_x, d_y);
        } else {
            by_roles<<<1, block + 32>>>(d_x, d_y);
        }
        cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
        for (int i = 0; i < block; ++i) {
            int wanted = 0;
            for (int batch = 0; batch < batches; ++batch) {
                wanted += x[batch * block + (i + 5) % block] + x[batch * block + (i + 9) % block];
            }
            if (y[i] != wanted) {
                std::printf("way %d: y[%d] is %d, expected %d\n", way, i, y[i], wanted);
                return 1;
            }
        }
    }
    std::printf("ok\n");
}
