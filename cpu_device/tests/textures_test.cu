// Texture objects. The same on a GPU and on the CPU device.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "device_test.cuh"

namespace {

class Textures : public DeviceTest {
  protected:
    void allocate() override { ASSERT_EQ(cudaMallocManaged(&out_, 4096), cudaSuccess); }
    void release() override { EXPECT_EQ(cudaFree(out_), cudaSuccess); }
    template <typename T>
    T* out() const {
        return reinterpret_cast<T*>(out_);
    }

    char* out_ = nullptr;
};

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, const cudaTextureDesc& how) {
    cudaTextureObject_t texture = 0;
    EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &how, nullptr), cudaSuccess);
    return texture;
}
cudaResourceDesc array_resource(cudaArray_t array) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}
template <typename T>
cudaArray_t array_of(const std::vector<T>& values, std::size_t width, std::size_t height) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t array{};
    EXPECT_EQ(cudaMallocArray(&array, &format, width, height), cudaSuccess);
    EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, values.data(), width * sizeof(T), width * sizeof(T),
                                  std::max<std::size_t>(height, 1), cudaMemcpyHostToDevice),
              cudaSuccess);
    return array;
}

// --- linear memory ----------------------------------------------------------------------------

template <typename T>
__global__ void fetch_all(cudaTextureObject_t texture, int n, T* out) {
    const int i = static_cast<int>(threadIdx.x) - 1;
    T value;
    tex1Dfetch(&value, texture, i);
    if (i <= n) {
        out[i + 1] = i % 2 == 0 ? tex1Dfetch<T>(texture, i) : value;
    }
}
TEST_F(Textures, OfLinearMemoryAreFetchedByIndex) {
    constexpr int n = 20;
    float* device = nullptr;
    ASSERT_EQ(cudaMalloc(&device, n * sizeof(float)), cudaSuccess);
    std::vector<float> values(n);
    for (int i = 0; i < n; ++i) {
        values[static_cast<std::size_t>(i)] = static_cast<float>(i) * 1.5f + 1;
    }
    ASSERT_EQ(cudaMemcpy(device, values.data(), n * sizeof(float), cudaMemcpyHostToDevice),
              cudaSuccess);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = device;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = n * sizeof(float);
    const cudaTextureObject_t texture = texture_of(resource, cudaTextureDesc{});
    fetch_all<<<1, 22>>>(texture, n, out<float>());
    wait();
    EXPECT_EQ(out<float>()[0], 0.0f);  // outside
    for (int i = 0; i < n; ++i) {
        EXPECT_EQ(out<float>()[i + 1], static_cast<float>(i) * 1.5f + 1);
    }
    EXPECT_EQ(out<float>()[n + 1], 0.0f);
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
}

// --- two dimensions ---------------------------------------------------------------------------

template <typename T>
__global__ void sample(cudaTextureObject_t texture, const float2* points, int n, T* out) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < n) {
        T value;
        tex2D(&value, texture, points[i].x, points[i].y);
        out[i] = i % 2 == 0 ? tex2D<T>(texture, points[i].x, points[i].y) : value;
    }
}
template <typename T>
std::vector<T> samples(cudaTextureObject_t texture, const std::vector<float2>& points, T* out) {
    float2* device = nullptr;
    const int n = static_cast<int>(points.size());
    EXPECT_EQ(cudaMallocManaged(&device, points.size() * sizeof(float2)), cudaSuccess);
    std::copy(points.begin(), points.end(), device);
    sample<<<1, 64>>>(texture, device, n, out);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
    return std::vector<T>(out, out + n);
}

// 4 x 3 floats: 10 y + x.
std::vector<float> plane() {
    std::vector<float> values;
    for (int y = 0; y < 3; ++y) {
        for (int x = 0; x < 4; ++x) {
            values.push_back(static_cast<float>(10 * y + x));
        }
    }
    return values;
}

TEST_F(Textures, OfAnArrayGiveTheElementAtAPoint) {
    const cudaArray_t array = array_of(plane(), 4, 3);
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture = texture_of(array_resource(array), how);
    EXPECT_EQ(
        samples(texture, {{0.5f, 0.5f}, {3.9f, 1.1f}, {1.0f, 2.0f}, {-5, 1}, {9, 9}}, out<float>()),
        (std::vector<float>{0, 13, 21, 10, 23}));
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeBorder;
    texture = texture_of(array_resource(array), how);
    EXPECT_EQ(samples(texture, {{1.5f, 1.5f}, {-0.5f, 1}, {4.5f, 1}}, out<float>()),
              (std::vector<float>{11, 0, 0}));
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

TEST_F(Textures, WrapAndMirrorNormalizedCoordinates) {
    const cudaArray_t array = array_of(plane(), 4, 3);
    cudaTextureDesc how{};
    how.normalizedCoords = 1;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeWrap;
    cudaTextureObject_t texture = texture_of(array_resource(array), how);
    EXPECT_EQ(samples(texture, {{0.125f, 0.5f}, {1.375f, 0.5f}, {-0.125f, 0.5f}, {0.9f, 1.9f}},
                      out<float>()),
              (std::vector<float>{10, 11, 13, 23}));
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeMirror;
    texture = texture_of(array_resource(array), how);
    EXPECT_EQ(samples(texture, {{1.125f, 0.5f}, {-0.125f, 0.5f}, {1.9f, 0.5f}}, out<float>()),
              (std::vector<float>{13, 10, 10}));
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

TEST_F(Textures, FilterBetweenElements) {
    const cudaArray_t array = array_of(plane(), 4, 3);
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    const cudaTextureObject_t texture = texture_of(array_resource(array), how);
    const std::vector<float> found =
        samples(texture, {{0.5f, 0.5f}, {1.0f, 0.5f}, {1.75f, 1.0f}, {0.0f, 0.0f}, {3.75f, 2.0f}},
                out<float>());
    const std::vector<float> expected{0, 0.5f, 6.25f, 0, 18};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(found[i], expected[i], 1e-4f) << i;
    }
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

TEST_F(Textures, OfBytesMayGiveFloats) {
    const std::vector<uchar4> values{{0, 51, 255, 102}, {255, 0, 0, 51}};
    const cudaArray_t array = array_of(values, 2, 1);
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture = texture_of(array_resource(array), how);
    const uchar4 bytes = samples(texture, {{0.5f, 0.5f}}, out<uchar4>())[0];
    EXPECT_EQ(bytes.y, 51);
    EXPECT_EQ(bytes.z, 255);
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    how.readMode = cudaReadModeNormalizedFloat;
    how.filterMode = cudaFilterModeLinear;
    texture = texture_of(array_resource(array), how);
    const std::vector<float4> floats =
        samples(texture, {{0.5f, 0.5f}, {1.0f, 0.5f}}, out<float4>());
    EXPECT_NEAR(floats[0].y, 0.2f, 1e-3f);
    EXPECT_NEAR(floats[0].z, 1.0f, 1e-3f);
    EXPECT_NEAR(floats[1].x, 0.5f, 1e-2f);
    EXPECT_NEAR(floats[1].w, 0.3f, 1e-2f);
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    how.readMode = cudaReadModeElementType;  // bytes cannot be filtered
    const cudaResourceDesc resource = array_resource(array);
    EXPECT_EQ(cudaCreateTextureObject(&texture, &resource, &how, nullptr),
              cudaErrorInvalidFilterSetting);
    EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

TEST_F(Textures, OfNegativeShortsKeepTheirSign) {
    const std::vector<short> values{-32768, -1, 32767, 0};
    const cudaArray_t array = array_of(values, 4, 1);
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture = texture_of(array_resource(array), how);
    EXPECT_EQ(samples(texture, {{0.5f, 0.5f}, {1.5f, 0.5f}}, out<short>()),
              (std::vector<short>{-32768, -1}));
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    how.readMode = cudaReadModeNormalizedFloat;
    texture = texture_of(array_resource(array), how);
    const std::vector<float> floats = samples(texture, {{0.5f, 0.5f}, {2.5f, 0.5f}}, out<float>());
    EXPECT_NEAR(floats[0], -1.0f, 1e-6f);
    EXPECT_NEAR(floats[1], 1.0f, 1e-6f);
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

TEST_F(Textures, OfHalvesGiveFloats) {
    const std::vector<unsigned short> values{0x3e00, 0xc000};  // 1.5 and -2
    const cudaChannelFormatDesc format =
        cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t array{};
    ASSERT_EQ(cudaMallocArray(&array, &format, 2, 1), cudaSuccess);
    ASSERT_EQ(cudaMemcpy2DToArray(array, 0, 0, values.data(), 4, 4, 1, cudaMemcpyHostToDevice),
              cudaSuccess);
    const cudaTextureObject_t texture = texture_of(array_resource(array), cudaTextureDesc{});
    EXPECT_EQ(samples(texture, {{0.5f, 0.5f}, {1.5f, 0.5f}}, out<float>()),
              (std::vector<float>{1.5f, -2}));
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
}

TEST_F(Textures, OfPitchedRowsGiveTheElementAtAPoint) {
    float* device = nullptr;
    std::size_t pitch = 0;
    ASSERT_EQ(cudaMallocPitch(&device, &pitch, 4 * sizeof(float), 3), cudaSuccess);
    ASSERT_EQ(cudaMemcpy2D(device, pitch, plane().data(), 4 * sizeof(float), 4 * sizeof(float), 3,
                           cudaMemcpyHostToDevice),
              cudaSuccess);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = device;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = 4;
    resource.res.pitch2D.height = 3;
    resource.res.pitch2D.pitchInBytes = pitch;
    const cudaTextureObject_t texture = texture_of(resource, cudaTextureDesc{});
    EXPECT_EQ(samples(texture, {{2.5f, 1.5f}, {9, 0}}, out<float>()), (std::vector<float>{12, 3}));
    EXPECT_EQ(cudaDestroyTextureObject(texture), cudaSuccess);
    EXPECT_EQ(cudaFree(device), cudaSuccess);
}

// --- one and three dimensions -----------------------------------------------------------------

__global__ void sample_line_and_cube(cudaTextureObject_t line, cudaTextureObject_t cube,
                                     float* out) {
    out[0] = tex1D<float>(line, 2.5f);
    tex1D(out + 1, line, 1.0f);
    out[2] = tex3D<float>(cube, 1.5f, 0.5f, 1.5f);
    tex3D(out + 3, cube, 1.0f, 1.0f, 1.0f);
}
TEST_F(Textures, OfOneAndThreeDimensions) {
    const cudaArray_t line = array_of<float>({1, 2, 4, 8}, 4, 0);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t cube{};
    ASSERT_EQ(cudaMalloc3DArray(&cube, &format, make_cudaExtent(2, 2, 2)), cudaSuccess);
    std::vector<float> values{0, 1, 10, 11, 100, 101, 110, 111};
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), 2 * sizeof(float), 2, 2);
    copy.dstArray = cube;
    copy.extent = make_cudaExtent(2, 2, 2);
    copy.kind = cudaMemcpyHostToDevice;
    ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
    cudaTextureDesc how{};
    how.filterMode = cudaFilterModeLinear;
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
    const cudaTextureObject_t line_texture = texture_of(array_resource(line), how);
    const cudaTextureObject_t cube_texture = texture_of(array_resource(cube), how);
    sample_line_and_cube<<<1, 1>>>(line_texture, cube_texture, out<float>());
    wait();
    EXPECT_NEAR(out<float>()[0], 4, 1e-4f);
    EXPECT_NEAR(out<float>()[1], 1.5f, 1e-4f);
    EXPECT_NEAR(out<float>()[2], 101, 1e-4f);
    EXPECT_NEAR(out<float>()[3], 55.5f, 1e-4f);
    EXPECT_EQ(cudaDestroyTextureObject(line_texture), cudaSuccess);
    EXPECT_EQ(cudaDestroyTextureObject(cube_texture), cudaSuccess);
    EXPECT_EQ(cudaFreeArray(line), cudaSuccess);
    EXPECT_EQ(cudaFreeArray(cube), cudaSuccess);
}

}  // namespace
