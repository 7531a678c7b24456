// A table holds pointers, which have 8 bytes, and its memory is counted in numbers of 4 bytes.
//
// Found in: the book CUDA by Example, hashtable_gpu.cu of its appendix: dev_values has room for
// half of the pointers, and is never filled.
// Teaches: count the bytes by the type that is stored, as in n * sizeof(*d_values).
//
//     scripts/race docs/found/table_too_small.cu             # OUT OF BOUNDS
//     scripts/race docs/found/table_too_small.cu -DFIXED     # clean
#include <cstdio>

#include "../../common/error.cuh"

constexpr int n = 64;

__global__ void copy_pointers(int* d_numbers, int** d_values) {
    d_values[threadIdx.x] = d_numbers + threadIdx.x;
}

int main() {
    int* d_numbers;
    int** d_values;
    CHECK(cudaMalloc(&d_numbers, n * sizeof(int)));
#ifdef FIXED
    CHECK(cudaMalloc(&d_values, n * sizeof(*d_values)));
#else
    CHECK(cudaMalloc(&d_values, n * sizeof(unsigned)));
#endif
    copy_pointers<<<1, n>>>(d_numbers, d_values);
    CHECK_LAUNCH();
    int* last = nullptr;
    CHECK(cudaMemcpy(&last, d_values + n - 1, sizeof last, cudaMemcpyDeviceToHost));
    std::printf("the last pointer is %s\n", last == d_numbers + n - 1 ? "right" : "wrong");
    return last == d_numbers + n - 1 ? 0 : 1;
}
