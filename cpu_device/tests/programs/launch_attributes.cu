// A launch with attributes: its arguments become what the kernel takes, a cooperative one may wait
// for all blocks, and one of clusters is refused.
#include <cooperative_groups.h>

template <typename T>
__global__ void fill(T* x, T value, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = value;
}

__global__ void rotate(float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float mine = i;
    x[i] = mine;
    cooperative_groups::this_grid().sync();
    const float next = x[(i + 1) % n];
    cooperative_groups::this_grid().sync();
    x[i] = next;
}

int main() {
    float* x;
    cudaMallocManaged(&x, 64 * sizeof(float));
    cudaLaunchConfig_t config = {};
    config.gridDim = 2;
    config.blockDim = 32;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 0;
    config.attrs = attribute;
    config.numAttrs = 1;
    if (cudaLaunchKernelEx(&config, fill<float>, x, 3, 50u) != cudaSuccess)  // int becomes float
        return 1;
    cudaDeviceSynchronize();
    if (x[49] != 3)
        return 2;
    attribute[0].id = cudaLaunchAttributeCooperative;
    attribute[0].val.cooperative = 1;
    int n = 64;
    void* arguments[] = {&x, &n};
    if (cudaLaunchKernelExC(&config, (void*)rotate, arguments) != cudaSuccess)
        return 3;
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) {
        if (x[i] != (i + 1) % n)
            return 4;
    }
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim = {2, 1, 1};
    return cudaLaunchKernelEx(&config, rotate, x, n) == cudaErrorNotSupported ? 0 : 5;
}
