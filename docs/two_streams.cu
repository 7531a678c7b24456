// Two kernels that change the same words, in two streams. Nothing orders the two.
//
//     scripts/race docs/two_streams.cu             # RACE BETWEEN STREAMS
#include "../common/error.cuh"

__global__ void add_one(int* d_x) {
    d_x[threadIdx.x] += 1;
}

__global__ void twice(int* d_x) {
    d_x[threadIdx.x] *= 2;
}

int main() {
    cudaStream_t first, second;
    CHECK(cudaStreamCreate(&first));
    CHECK(cudaStreamCreate(&second));
    int* d_x;
    CHECK(cudaMalloc(&d_x, 64 * sizeof(int)));
    CHECK(cudaMemset(d_x, 0, 64 * sizeof(int)));
    add_one<<<1, 64, 0, first>>>(d_x);
    twice<<<1, 64, 0, second>>>(d_x);
    CHECK_LAUNCH();
    CHECK(cudaDeviceSynchronize());
    return 0;
}
