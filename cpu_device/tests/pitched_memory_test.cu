// Memory of two and three dimensions. The same on a GPU and on the CPU device.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "device_test.cuh"

namespace {

class PitchedMemory : public DeviceTest {};

std::vector<int> numbers(std::size_t n) {
    std::vector<int> values(n);
    std::iota(values.begin(), values.end(), 0);
    return values;
}

__global__ void add_row_number(char* base, std::size_t pitch, int width, int height) {
    for (int y = static_cast<int>(blockIdx.x); y < height; y += static_cast<int>(gridDim.x)) {
        int* const row = reinterpret_cast<int*>(base + static_cast<std::size_t>(y) * pitch);
        for (int x = static_cast<int>(threadIdx.x); x < width; x += static_cast<int>(blockDim.x)) {
            row[x] += 1000 * y;
        }
    }
}

TEST_F(PitchedMemory, RowsAreCopiedAndSet) {
    constexpr int width = 37;
    constexpr int height = 11;
    char* device = nullptr;
    std::size_t pitch = 0;
    ASSERT_EQ(cudaMallocPitch(&device, &pitch, width * sizeof(int), height), cudaSuccess);
    EXPECT_GE(pitch, width * sizeof(int));
    EXPECT_EQ(pitch % 32, 0u);
    const std::vector<int> from = numbers(width * height);
    constexpr std::size_t row = width * sizeof(int);
    ASSERT_EQ(cudaMemcpy2D(device, pitch, from.data(), row, row, height, cudaMemcpyHostToDevice),
              cudaSuccess);
    add_row_number<<<4, 32>>>(device, pitch, width, height);
    // The right half of rows 2 to 4.
    ASSERT_EQ(cudaMemset2D(device + 2 * pitch + 20 * sizeof(int), pitch, 0, 17 * sizeof(int), 3),
              cudaSuccess);
    std::vector<int> to(width * height);
    ASSERT_EQ(cudaMemcpy2DAsync(to.data(), row, device, pitch, row, height, cudaMemcpyDeviceToHost,
                                nullptr),
              cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const bool zero = y >= 2 && y < 5 && x >= 20;
            ASSERT_EQ(to[static_cast<std::size_t>(y * width + x)],
                      zero ? 0 : y * width + x + 1000 * y)
                << x << ", " << y;
        }
    }
    EXPECT_EQ(cudaMemset2DAsync(device, pitch, 0, row, height, nullptr), cudaSuccess);
    EXPECT_EQ(
        cudaMemcpy2D(device, pitch, from.data(), row - 1, row, height, cudaMemcpyHostToDevice),
        cudaErrorInvalidPitchValue);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
}

TEST_F(PitchedMemory, ABoxIsCopiedOutOfABox) {
    const cudaExtent extent = make_cudaExtent(6 * sizeof(int), 5, 4);
    cudaPitchedPtr device{};
    ASSERT_EQ(cudaMalloc3D(&device, extent), cudaSuccess);
    EXPECT_EQ(device.xsize, 6 * sizeof(int));
    EXPECT_EQ(device.ysize, 5u);
    std::vector<int> from = numbers(6 * 5 * 4);
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(from.data(), 6 * sizeof(int), 6, 5);
    copy.dstPtr = device;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
    // 3 x 2 x 2 elements from (2, 1, 1) on to (1, 1, 0) of a box of 4 x 4 x 2.
    std::vector<int> to(4 * 4 * 2, -1);
    copy = {};
    copy.srcPtr = device;
    copy.srcPos = make_cudaPos(2 * sizeof(int), 1, 1);
    copy.dstPtr = make_cudaPitchedPtr(to.data(), 4 * sizeof(int), 4, 4);
    copy.dstPos = make_cudaPos(1 * sizeof(int), 1, 0);
    copy.extent = make_cudaExtent(3 * sizeof(int), 2, 2);
    copy.kind = cudaMemcpyDeviceToHost;
    ASSERT_EQ(cudaMemcpy3DAsync(&copy, nullptr), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (int z = 0; z < 2; ++z) {
        for (int y = 0; y < 4; ++y) {
            for (int x = 0; x < 4; ++x) {
                const bool inside = x >= 1 && y >= 1 && y < 3;
                ASSERT_EQ(to[static_cast<std::size_t>((z * 4 + y) * 4 + x)],
                          inside ? ((z + 1) * 5 + y) * 6 + x + 1 : -1)
                    << x << ", " << y << ", " << z;
            }
        }
    }
    ASSERT_EQ(cudaMemset3D(device, 0, extent), cudaSuccess);
    copy.srcPos = make_cudaPos(0, 0, 0);
    ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
    EXPECT_EQ(to[5], 0);
    EXPECT_EQ(cudaFree(device.ptr), cudaSuccess);
}

TEST_F(PitchedMemory, ArraysTakeAndGiveRows) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array{};
    ASSERT_EQ(cudaMallocArray(&array, &format, 8, 4), cudaSuccess);
    const std::vector<int> from = numbers(8 * 4);
    constexpr std::size_t row = 8 * sizeof(int);
    ASSERT_EQ(cudaMemcpy2DToArray(array, 0, 0, from.data(), row, row, 4, cudaMemcpyHostToDevice),
              cudaSuccess);
    // Two elements of two rows, from (3, 1) on.
    std::vector<int> to(4);
    ASSERT_EQ(cudaMemcpy2DFromArray(to.data(), 2 * sizeof(int), array, 3 * sizeof(int), 1,
                                    2 * sizeof(int), 2, cudaMemcpyDeviceToHost),
              cudaSuccess);
    EXPECT_EQ(to, (std::vector<int>{11, 12, 19, 20}));
    EXPECT_EQ(cudaMemcpy2DFromArray(to.data(), 8, array, 28, 1, 8, 2, cudaMemcpyDeviceToHost),
              cudaErrorInvalidValue);
#ifdef __NVCC__
#pragma nv_diag_suppress 1444  // CUDA would rather have the others used
#endif
    const int two[] = {100, 101};  // elements 5 and 6 of row 1
    ASSERT_EQ(cudaMemcpyToArray(array, 5 * sizeof(int), 1, two, sizeof two, cudaMemcpyHostToDevice),
              cudaSuccess);
    ASSERT_EQ(cudaMemcpyFromArray(to.data(), array, 4 * sizeof(int), 1, 4 * sizeof(int),
                                  cudaMemcpyDeviceToHost),
              cudaSuccess);
    EXPECT_EQ(to, (std::vector<int>{12, 100, 101, 15}));
    EXPECT_EQ(cudaMemcpyToArray(array, 7 * sizeof(int), 3, two, sizeof two, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
    cudaChannelFormatDesc found{};
    cudaExtent extent{};
    unsigned flags = 1;
    ASSERT_EQ(cudaArrayGetInfo(&found, &extent, &flags, array), cudaSuccess);
    EXPECT_EQ(found.x, 32);
    EXPECT_EQ(found.y, 0);
    EXPECT_EQ(found.f, cudaChannelFormatKindSigned);
    EXPECT_EQ(extent.width, 8u);
    EXPECT_EQ(extent.height, 4u);
    EXPECT_EQ(flags, 0u);
    EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

TEST_F(PitchedMemory, ArraysOfOneAndThreeDimensions) {
    const cudaChannelFormatDesc bytes =
        cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
    cudaArray_t line{};
    ASSERT_EQ(cudaMallocArray(&line, &bytes, 16), cudaSuccess);
    EXPECT_EQ(cudaFreeArray(line), cudaSuccess);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
    EXPECT_EQ(format.y, 32);
    EXPECT_EQ(format.z, 0);
    EXPECT_EQ(format.f, cudaChannelFormatKindFloat);
    cudaArray_t cube{};
    ASSERT_EQ(cudaMalloc3DArray(&cube, &format, make_cudaExtent(4, 3, 2)), cudaSuccess);
    std::vector<float2> values(4 * 3 * 2);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = make_float2(static_cast<float>(i), -static_cast<float>(i));
    }
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), 4 * sizeof(float2), 4, 3);
    copy.dstArray = cube;
    copy.extent = make_cudaExtent(4, 3, 2);  // elements, as an array takes part
    copy.kind = cudaMemcpyHostToDevice;
    ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
    std::vector<float2> found(1);
    copy = {};
    copy.srcArray = cube;
    copy.srcPos = make_cudaPos(2, 1, 1);
    copy.dstPtr = make_cudaPitchedPtr(found.data(), sizeof(float2), 1, 1);
    copy.extent = make_cudaExtent(1, 1, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
    EXPECT_EQ(found[0].x, 18.0f);
    EXPECT_EQ(found[0].y, -18.0f);
    EXPECT_EQ(cudaFreeArray(cube), cudaSuccess);
}

}  // namespace
