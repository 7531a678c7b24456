// Textures: memory of one, two and three dimensions that is read at points between the elements.
// Notes: basics/09_textures.md. With the toolkit alone, in this folder:
//
//     nvcc -O3 -arch=native 09_textures.cu -o textures
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "../common/error.cuh"

using Floats = std::vector<float>;
constexpr int n = 10'000;                            // how many points are sampled
constexpr float limits[] = {0, 0.01f, 0.01f, 1.6f};  // of the error, in 1, 2 and 3 dimensions

// From about -2 to 17 in each dimension, at odd multiples of 1/8: never at the border between two
// elements, and with weights that a texture holds exactly.
__host__ __device__ float3 point_of(int i) {
    return make_float3(i % 80 / 4.0f - 1.875f, i % 77 / 4.0f - 1.875f, i % 73 / 4.0f - 1.875f);
}

// One point per thread. The texture knows its size, and what to do between elements and outside.
__global__ void sample(cudaTextureObject_t texture, int dimensions, float* d_samples) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float3 p = point_of(i);
        d_samples[i] = dimensions == 1   ? tex1D<float>(texture, p.x)
                       : dimensions == 2 ? tex2D<float>(texture, p.x, p.y)
                                         : tex3D<float>(texture, p.x, p.y, p.z);
    }
}

// Makes a texture of the elements, reads it at all points, and frees it. In a dimension that it
// does not have, its size is 1.
Floats sample_on_gpu(Floats& elements, int dimensions, cudaExtent size,
                     cudaTextureFilterMode filter) {
    // 1. An array: memory in an order that only textures know. A size of 0: no such dimension.
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &format,
                            make_cudaExtent(size.width, dimensions > 1 ? size.height : 0,
                                            dimensions > 2 ? size.depth : 0)));
    cudaMemcpy3DParms copy{};
    copy.srcPtr =
        make_cudaPitchedPtr(elements.data(), size.width * sizeof(float), size.width, size.height);
    copy.dstArray = array;
    copy.extent = size;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));

    // 2. The texture object: which memory, and how to read it.
    cudaResourceDesc memory{};
    memory.resType = cudaResourceTypeArray;
    memory.res.array.array = array;
    cudaTextureDesc how{};
    how.filterMode = filter;
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &memory, &how, nullptr));

    // 3. A kernel takes the object as an argument.
    Floats samples(n);
    float* d_samples;
    CHECK(cudaMalloc(&d_samples, n * sizeof(float)));
    CHECK(cudaMemset(d_samples, 0xff, n * sizeof(float)));  // all NaN: not written
    sample<<<(n + 255) / 256, 256>>>(texture, dimensions, d_samples);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(samples.data(), d_samples, n * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_samples));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    return samples;
}

// The same on the CPU: the weighted sum of the up to 8 elements around the point.
float sample_on_cpu(const Floats& elements, cudaExtent size, bool linear, float3 point) {
    const int sizes[] = {int(size.width), int(size.height), int(size.depth)};
    const float at[] = {point.x, point.y, point.z};
    float sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        float weight = 1;
        int index = 0;
        for (int d = 2; d >= 0; --d) {
            const bool second = corner >> d & 1;  // of the two elements beside the point
            const float from = linear ? at[d] - 0.5f : at[d];
            const float share = linear ? from - std::floor(from) : 0;
            weight *= second ? share : 1 - share;
            const int chosen = std::clamp(int(std::floor(from)) + second, 0, sizes[d] - 1);
            index = index * sizes[d] + chosen;
        }
        sum += weight * elements[index];
    }
    return sum;
}

int main() {
    Floats elements(16 * 12 * 10);
    for (std::size_t i = 0; i < elements.size(); ++i) {
        elements[i] = i * 37 % 101;
    }
    int wrong = 0;
    for (const int dimensions : {1, 2, 3}) {
        const cudaExtent size =
            make_cudaExtent(16, dimensions > 1 ? 12 : 1, dimensions > 2 ? 10 : 1);
        for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
            const bool linear = filter == cudaFilterModeLinear;
            const Floats samples = sample_on_gpu(elements, dimensions, size, filter);
            int wrong_here = 0;
            for (int i = 0; i < n; ++i) {
                const float expected = sample_on_cpu(elements, size, linear, point_of(i));
                wrong_here += !(std::fabs(samples[i] - expected) < limits[dimensions]);  // NaN, too
            }
            std::printf("%d-D, %s: %d of %d samples wrong\n", dimensions,
                        linear ? "linear " : "nearest", wrong_here, n);
            wrong += wrong_here;
        }
    }
    std::printf(wrong == 0 ? "all samples are right\n" : "WRONG\n");
    return wrong == 0 ? 0 : 1;
}
