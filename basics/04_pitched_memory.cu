// A matrix and a volume in pitched memory: each row begins at an aligned address.
// Notes: basics/04_pitched_memory.md. With the toolkit alone, in this folder:
//
//     nvcc -O3 -arch=native 04_pitched_memory.cu -o pitched_memory
#include <cstdio>
#include <utility>
#include <vector>

#include "../common/error.cuh"

// What the kernels add to element (x, y, z), so that a wrong row or slice is seen.
__host__ __device__ float increment(int x, int y, int z) {
    return 1 + x % 3 + 10 * (y % 7) + 100 * (z % 5);
}

// Row y begins y * pitch bytes after the first row. The pitch is in bytes: hence the char*.
__global__ void add_to_matrix(float* d_matrix, std::size_t pitch, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        char* row = reinterpret_cast<char*>(d_matrix) + y * pitch;
        reinterpret_cast<float*>(row)[x] += increment(x, y, 0);
    }
}

// A volume is `depth` slices of `height` rows. A slice has pitch * height bytes.
__global__ void add_to_volume(cudaPitchedPtr d_volume, int width, int height, int depth) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const int z = blockIdx.z;
    if (x < width && y < height && z < depth) {
        char* slice = static_cast<char*>(d_volume.ptr) + z * d_volume.pitch * height;
        char* row = slice + y * d_volume.pitch;
        reinterpret_cast<float*>(row)[x] += increment(x, y, z);
    }
}

// How many sectors of 32 bytes the warps touch that go along all rows once.
std::size_t count_sectors(std::size_t pitch, std::size_t width, std::size_t height) {
    std::size_t sectors = 0;
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; x += 32) {  // lane 0 of a warp
            const std::size_t end = x + 32 < width ? x + 32 : width;
            const std::size_t first_byte = y * pitch + x * sizeof(float);
            const std::size_t last_byte = y * pitch + end * sizeof(float) - 1;
            sectors += last_byte / 32 - first_byte / 32 + 1;
        }
    }
    return sectors;
}

// The input of both parts, and how many elements of the output are wrong.
float input(int i) {
    return i % 1009;
}

int show_wrong(const char* what, const std::vector<float>& out, int width, int height) {
    int wrong = 0;
    for (int i = 0; i < static_cast<int>(out.size()); ++i) {
        const int x = i % width, y = i / width % height, z = i / width / height;
        wrong += out[i] != input(i) + increment(x, y, z);
    }
    std::printf("%s: %d of %zu elements wrong\n", what, wrong, out.size());
    return wrong;
}

int main() {
    const int width = 1001, height = 70, depth = 6;
    const std::size_t row_bytes = width * sizeof(float);
    const dim3 block(32, 8), slice_grid((width + 31) / 32, (height + 7) / 8);

    // 1. A matrix. Host and device each have their own pitch; that of the host is one row.
    std::vector<float> matrix(width * height);
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        matrix[i] = input(i);
    }
    float* d_matrix;
    std::size_t pitch;
    CHECK(cudaMallocPitch(&d_matrix, &pitch, row_bytes, height));
    CHECK(cudaMemcpy2D(d_matrix, pitch, matrix.data(), row_bytes, row_bytes, height,
                       cudaMemcpyHostToDevice));
    add_to_matrix<<<slice_grid, block>>>(d_matrix, pitch, width, height);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy2D(matrix.data(), row_bytes, d_matrix, pitch, row_bytes, height,
                       cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_matrix));
    std::printf("a row has %zu bytes and begins every %zu bytes\n", row_bytes, pitch);
    std::printf("sectors of the matrix: %zu, without the pitch %zu\n",
                count_sectors(pitch, width, height), count_sectors(row_bytes, width, height));
    int wrong = show_wrong("matrix", matrix, width, height);

    // 2. A volume. The width of an extent of such memory is in bytes.
    std::vector<float> volume(width * height * depth);
    for (std::size_t i = 0; i < volume.size(); ++i) {
        volume[i] = input(i);
    }
    const cudaExtent extent = make_cudaExtent(row_bytes, height, depth);
    cudaPitchedPtr d_volume;
    CHECK(cudaMalloc3D(&d_volume, extent));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(volume.data(), row_bytes, width, height);
    copy.dstPtr = d_volume;
    copy.extent = extent;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
    const dim3 grid(slice_grid.x, slice_grid.y, depth);
    add_to_volume<<<grid, block>>>(d_volume, width, height, depth);
    CHECK_LAUNCH();
    std::swap(copy.srcPtr, copy.dstPtr);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&copy));
    CHECK(cudaFree(d_volume.ptr));
    wrong += show_wrong("volume", volume, width, height);
    std::printf(wrong == 0 ? "all elements are right\n" : "WRONG\n");
    return wrong == 0 ? 0 : 1;
}
