// Arrays of layers and the faces of a cube, read through textures.
#include <vector>

constexpr int size = 4, layers = 3;

__global__ void read_layer(cudaTextureObject_t texture, int layer, float* out) {
    const float x = threadIdx.x + 0.5f, y = threadIdx.y + 0.5f;
    out[threadIdx.y * size + threadIdx.x] = tex2DLayered<float>(texture, x, y, layer);
}

// From the middle of the cube to the second row of each face.
__global__ void read_faces(cudaTextureObject_t texture, float* out) {
    const float u = (threadIdx.x + 0.5f) / size * 2 - 1;
    out[0 * size + threadIdx.x] = texCubemap<float>(texture, 1, 0.25f, -u);
    out[1 * size + threadIdx.x] = texCubemap<float>(texture, -1, 0.25f, u);
    out[2 * size + threadIdx.x] = texCubemap<float>(texture, u, 1, -0.25f);
    out[3 * size + threadIdx.x] = texCubemap<float>(texture, u, -1, 0.25f);
    out[4 * size + threadIdx.x] = texCubemap<float>(texture, u, 0.25f, 1);
    out[5 * size + threadIdx.x] = texCubemap<float>(texture, -u, 0.25f, -1);
}

static cudaTextureObject_t texture_of(unsigned flags, int depth, int normalized) {
    std::vector<float> values(size * size * depth);
    for (int i = 0; i < size * size * depth; ++i)
        values[i] = i;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), size * sizeof(float), size, size);
    copy.extent = make_cudaExtent(size, size, depth);
    copy.kind = cudaMemcpyHostToDevice;
    if (cudaMalloc3DArray(&copy.dstArray, &format, copy.extent, flags) != cudaSuccess ||
        cudaMemcpy3D(&copy) != cudaSuccess)
        exit(1);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = copy.dstArray;
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeWrap;
    how.normalizedCoords = normalized;
    cudaTextureObject_t texture;
    if (cudaCreateTextureObject(&texture, &resource, &how, nullptr) != cudaSuccess)
        exit(2);
    return texture;
}

int main() {
    float* out;
    cudaMallocManaged(&out, 6 * size * sizeof(float));
    const cudaTextureObject_t layered = texture_of(cudaArrayLayered, layers, 0);
    for (int layer = 0; layer <= layers; ++layer) {  // one more than there are: the last again
        read_layer<<<1, dim3(size, size)>>>(layered, layer, out);
        cudaDeviceSynchronize();
        for (int i = 0; i < size * size; ++i) {
            if (out[i] != (layer < layers ? layer : layers - 1) * size * size + i)
                return 3;
        }
    }
    const cudaTextureObject_t cube = texture_of(cudaArrayCubemap, 6, 1);
    read_faces<<<1, size>>>(cube, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 6 * size; ++i) {
        if (out[i] != i / size * size * size + size + i % size)  // the second row of each face
            return 4;
    }
    cudaArray_t wrong;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    return cudaMalloc3DArray(&wrong, &format, make_cudaExtent(4, 4, 5), cudaArrayCubemap) ==
                   cudaErrorInvalidValue
               ? 0
               : 5;
}
