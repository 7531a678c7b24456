// Memory pools: the default one and one's own, what is in use, and the threshold.
#include <cstdint>
#include <cstdio>

__global__ void fill(int* d_x, int value) {
    d_x[threadIdx.x] = value;
}

static uint64_t used(cudaMemPool_t pool) {
    uint64_t bytes = 0;
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes);
    return bytes;
}

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemPool_t pool, own, current;
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = 0;
    uint64_t threshold = UINT64_MAX, found = 0;
    int has_pools = 0;
    if (cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, 0) != cudaSuccess ||
        has_pools != 1 || cudaDeviceGetDefaultMemPool(&pool, 0) != cudaSuccess ||
        cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) != cudaSuccess ||
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &found) != cudaSuccess ||
        found != threshold || cudaMemPoolCreate(&own, &properties) != cudaSuccess) {
        return 1;
    }
    int *d_x, *d_y, x[32], y[32];
    if (cudaMallocAsync(&d_x, sizeof x, stream) != cudaSuccess ||
        cudaMallocFromPoolAsync(&d_y, sizeof y, own, stream) != cudaSuccess ||
        used(pool) < sizeof x || used(own) < sizeof y) {
        return 2;
    }
    fill<<<1, 32, 0, stream>>>(d_x, 1);
    fill<<<1, 32, 0, stream>>>(d_y, 2);
    cudaMemcpyAsync(x, d_x, sizeof x, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(y, d_y, sizeof y, cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(d_x, stream);
    cudaFreeAsync(d_y, stream);
    cudaStreamSynchronize(stream);
    if (x[31] != 1 || y[31] != 2 || used(pool) != 0 || used(own) != 0) {
        return 3;
    }
    cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemHigh, &found);
    if (found < sizeof y || cudaDeviceSetMemPool(0, own) != cudaSuccess ||
        cudaDeviceGetMemPool(&current, 0) != cudaSuccess || current != own ||
        cudaMemPoolTrimTo(own, 0) != cudaSuccess || cudaDeviceSetMemPool(0, pool) != cudaSuccess ||
        cudaMemPoolDestroy(own) != cudaSuccess) {
        return 4;
    }
    cudaStreamDestroy(stream);
    std::printf("ok\n");
}
