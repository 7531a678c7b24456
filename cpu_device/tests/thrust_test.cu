// Thrust. On the CPU device it is Debian's package with its serial algorithms; on a GPU the
// toolkit's own. The same tests.
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <vector>

#include "device_test.cuh"

namespace {

class Thrust : public DeviceTest {};

struct Square {
    __host__ __device__ int operator()(int x) const { return x * x; }
};
__global__ void add_one(int* values, int n) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < n) {
        ++values[i];
    }
}

TEST_F(Thrust, VectorsAreTheDevicesMemory) {
    thrust::host_vector<int> host(4);
    host[0] = 30;
    host[1] = 10;
    host[2] = 20;
    host[3] = 0;
    thrust::device_vector<int> device = host;
    thrust::sort(device.begin(), device.end());
    add_one<<<1, 32>>>(thrust::raw_pointer_cast(device.data()), 4);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    std::vector<int> copy(4);
    ASSERT_EQ(cudaMemcpy(copy.data(), thrust::raw_pointer_cast(device.data()), 4 * sizeof(int),
                         cudaMemcpyDeviceToHost),
              cudaSuccess);
    EXPECT_EQ(copy, (std::vector<int>{1, 11, 21, 31}));
    EXPECT_EQ(device[2], 21);
    thrust::device_vector<int> empty;
    EXPECT_TRUE(empty.empty());
    empty.push_back(5);
    EXPECT_EQ(empty.back(), 5);
}

TEST_F(Thrust, AlgorithmsReduceScanAndTransform) {
    thrust::device_vector<int> values(1000);
    thrust::sequence(values.begin(), values.end());
    EXPECT_EQ(thrust::reduce(values.begin(), values.end()), 499500);
    EXPECT_EQ(thrust::transform_reduce(values.begin(), values.begin() + 10, Square(), 0,
                                       thrust::plus<int>()),
              285);
    thrust::transform(values.begin(), values.end(), values.begin(), Square());
    EXPECT_EQ(values[31], 961);
}

TEST_F(Thrust, PointersOfCudaMallocAreWrapped) {
    int* raw = nullptr;
    ASSERT_EQ(cudaMalloc(&raw, 4 * sizeof(int)), cudaSuccess);
    const thrust::device_ptr<int> of_thrust = thrust::device_malloc<int>(4);
    add_one<<<1, 32>>>(thrust::raw_pointer_cast(of_thrust), 0);
    EXPECT_EQ(cudaMemset(thrust::raw_pointer_cast(of_thrust), 0, 4 * sizeof(int)), cudaSuccess);
    EXPECT_EQ(of_thrust[3], 0);
    thrust::device_free(of_thrust);
    const thrust::device_ptr<int> pointer(raw);
    thrust::fill(pointer, pointer + 4, 5);
    thrust::inclusive_scan(thrust::device, pointer, pointer + 4, pointer);
    EXPECT_EQ(pointer[3], 20);
    ASSERT_EQ(cudaFree(raw), cudaSuccess);
}

}  // namespace
