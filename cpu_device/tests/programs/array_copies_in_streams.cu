// Copies to and from an array, and bytes set in a box, as work of a stream.
#include <vector>

__global__ void twice(cudaTextureObject_t texture, float* y, int width) {
    const int i = threadIdx.y * width + threadIdx.x;
    y[i] = 2 * tex2D<float>(texture, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}

int main() {
    constexpr int width = 8, height = 4;
    constexpr std::size_t row = width * sizeof(float);
    std::vector<float> x(width * height), back(width * height), y(width * height);
    for (int i = 0; i < width * height; ++i) {
        x[i] = i;
    }
    cudaStream_t stream;
    cudaEvent_t done;
    cudaStreamCreate(&stream);
    cudaEventCreate(&done);
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, width, height);
    if (cudaMemcpy2DToArrayAsync(array, 0, 0, x.data(), row, row, height, cudaMemcpyHostToDevice,
                                 stream) != cudaSuccess ||
        cudaMemcpy2DFromArrayAsync(back.data(), row, array, 0, 0, row, height,
                                   cudaMemcpyDeviceToHost, stream) != cudaSuccess ||
        cudaMemcpy2DToArrayAsync(array, 4, 0, x.data(), row, row, height, cudaMemcpyHostToDevice,
                                 stream) != cudaErrorInvalidValue) {
        return 1;
    }
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description{};
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &description, nullptr);
    float* d_y;
    cudaMalloc(&d_y, row * height);
    twice<<<1, dim3(width, height), 0, stream>>>(texture, d_y, width);
    cudaMemcpyAsync(y.data(), d_y, row * height, cudaMemcpyDeviceToHost, stream);

    const cudaExtent extent = make_cudaExtent(10, 3, 2);
    cudaPitchedPtr box;
    cudaMalloc3D(&box, extent);
    std::vector<char> bytes(box.pitch * 3 * 2);
    cudaMemset3DAsync(box, 7, extent, stream);
    cudaMemcpyAsync(bytes.data(), box.ptr, bytes.size(), cudaMemcpyDeviceToHost, stream);
    cudaEventRecordWithFlags(done, stream);
    if (cudaEventSynchronize(done) != cudaSuccess) {
        return 2;
    }
    for (int i = 0; i < width * height; ++i) {
        if (back[i] != x[i] || y[i] != 2 * x[i]) {
            return 3;
        }
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if ((bytes[i] == 7) != (i % box.pitch < 10)) {
            return 4;
        }
    }
}
