// assert() in a kernel: CUDA's message, and an error that lasts. The program goes on.
// expect: status 0, "assert.cu:9: void check(int): block: [0,0,0], thread: [3,0,0] Assertion `x !=
//     3` failed.", "the program goes on"
#include <cassert>
#include <cstdio>

__global__ void check(int limit) {
    const int x = threadIdx.x < limit ? threadIdx.x : 0;
    assert(x != 3);
}

int main() {
    int* x;
    cudaMalloc(&x, 4);
    check<<<2, 32>>>(3);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        return 1;
    }
    check<<<1, 32>>>(4);
    if (cudaGetLastError() != cudaSuccess) {  // the launch itself is right
        return 2;
    }
    if (cudaDeviceSynchronize() != cudaErrorAssert) {
        return 3;
    }
    for (int i = 0; i < 3; ++i) {
        if (cudaGetLastError() != cudaErrorAssert || cudaMalloc(&x, 4) != cudaErrorAssert) {
            return 4;
        }
    }
    std::printf("the program goes on\n");
    cudaDeviceReset();
    check<<<2, 32>>>(3);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 5;
}
