// Asynchronous copies of one thread, by cuda::pipeline and by __pipeline_memcpy_async.
#include <cuda_pipeline.h>

#include <cstdio>
#include <cuda/pipeline>

constexpr int block = 64, batches = 6;

__global__ void by_object(const int* d_x, int* d_sum) {
    __shared__ int s_x[batches][block];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    for (int batch = 0; batch < batches; ++batch) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s_x[batch][threadIdx.x], &d_x[batch * block + threadIdx.x], sizeof(int),
                           pipe);
        pipe.producer_commit();
    }
    cuda::pipeline_consumer_wait_prior<2>(pipe);
    int sum = 0;
    for (int batch = 0; batch < batches - 2; ++batch) {
        sum += s_x[batch][threadIdx.x];
    }
    pipe.consumer_wait();
    pipe.consumer_release();
    sum += s_x[batches - 2][threadIdx.x];
    pipe.consumer_wait();
    pipe.consumer_release();
    sum += s_x[batches - 1][threadIdx.x];
    d_sum[threadIdx.x] = sum;
}

__global__ void by_functions(const int* d_x, int* d_sum) {
    __shared__ int s_x[2][block];
    int sum = 0;
    __pipeline_memcpy_async(&s_x[0][threadIdx.x], &d_x[threadIdx.x], sizeof(int));
    __pipeline_commit();
    for (int batch = 0; batch < batches; ++batch) {
        if (batch + 1 < batches) {
            __pipeline_memcpy_async(&s_x[(batch + 1) % 2][threadIdx.x],
                                    &d_x[(batch + 1) * block + threadIdx.x], sizeof(int));
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        sum += s_x[batch % 2][threadIdx.x];
    }
    d_sum[threadIdx.x] = sum;
}

int main() {
    int x[batches * block], sum[block], *d_x, *d_sum;
    for (int i = 0; i < batches * block; ++i) {
        x[i] = i * i % 101;
    }
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_sum, sizeof sum);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    for (int way = 0; way < 2; ++way) {
        cudaMemset(d_sum, 0, sizeof sum);
        if (way == 0) {
            by_object<<<1, block>>>(d_x, d_sum);
        } else {
            by_functions<<<1, block>>>(d_x, d_sum);
        }
        cudaMemcpy(sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
        for (int i = 0; i < block; ++i) {
            int wanted = 0;
            for (int batch = 0; batch < batches; ++batch) {
                wanted += x[batch * block + i];
            }
            if (sum[i] != wanted) {
                std::printf("way %d: sum[%d] is %d, expected %d\n", way, i, sum[i], wanted);
                return 1;
            }
        }
    }
    std::printf("ok\n");
}
