// Headers of libcu++ and of CUDA whose names are those of g++'s own library, or older ones.
#include <crt/host_defines.h>
#include <cuda_texture_types.h>
#include <surface_functions.h>
#include <cuda/std/algorithm>
#include <cuda/std/cassert>
#include <cuda/std/cfloat>
#include <cuda/std/chrono>
#include <cuda/std/climits>
#include <cuda/std/initializer_list>
#include <cuda/std/iterator>
#include <cuda_fp16.hpp>

__global__ void sort(int* x, int n, bool* good) {
    using namespace cuda::std;
    const auto begin = chrono::steady_clock::now();
    cuda::std::sort(x, x + n);
    assert(cuda::std::is_sorted(x, next(x, n)));
    *good = *lower_bound(x, x + n, 7) == 7 && chrono::steady_clock::now() >= begin &&
            cuda::std::max({1, INT_MAX, 3}) == INT_MAX && FLT_EPSILON < 1;
}

int main() {
    int* x;
    bool* good;
    cudaMallocManaged(&x, 32 * sizeof(int));
    cudaMallocManaged(&good, 1);
    for (int i = 0; i < 32; ++i)
        x[i] = (i * 7 + 3) % 32;
    sort<<<1, 1>>>(x, 32, good);
    return cudaDeviceSynchronize() == cudaSuccess && *good ? 0 : 1;
}
