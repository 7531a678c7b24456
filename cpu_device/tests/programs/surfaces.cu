// A kernel writes an array through a surface, and another reads it through a texture; what lies
// outside of the surface is read and written as the boundary mode says.
constexpr int width = 8, height = 4;

__global__ void write(cudaSurfaceObject_t surface) {
    const int x = threadIdx.x, y = blockIdx.x;
    surf2Dwrite(10.0f * y + x, surface, x * sizeof(float), y);
}

__global__ void read(cudaSurfaceObject_t surface, cudaTextureObject_t texture, float* out) {
    const int x = threadIdx.x, y = blockIdx.x;
    const float through_surface = surf2Dread<float>(surface, x * sizeof(float), y);
    const float through_texture = tex2D<float>(texture, x + 0.5f, y + 0.5f);
    out[y * width + x] = through_surface == through_texture ? through_surface : -1;
}

__global__ void outside(cudaSurfaceObject_t surface, float* out) {
    surf2Dwrite(99.0f, surface, -4, 0, cudaBoundaryModeZero);
    surf2Dread(&out[0], surface, -4, 0, cudaBoundaryModeZero);
    surf2Dread(&out[1], surface, 100, 100, cudaBoundaryModeClamp);
}

__global__ void traps(cudaSurfaceObject_t surface, float* out) {
    out[0] = surf2Dread<float>(surface, 0, height);
}

// The same in three dimensions: of a box, or of an array of layers.
constexpr int depth = 3;

__global__ void write_deep(cudaSurfaceObject_t surface, bool layers) {
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    const float value = 100.0f * z + 10.0f * y + x;
    if (layers)
        surf2DLayeredwrite(value, surface, x * sizeof(float), y, z);
    else
        surf3Dwrite(value, surface, x * sizeof(float), y, z);
}

__global__ void read_deep(cudaTextureObject_t texture, bool layers, int* wrong) {
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    const float value = layers ? tex2DLayered<float>(texture, x + 0.5f, y + 0.5f, z)
                               : tex3D<float>(texture, x + 0.5f, y + 0.5f, z + 0.5f);
    if (value != 100.0f * z + 10.0f * y + x)
        atomicAdd(wrong, 1);
}

static bool is_deep(bool layers, int* wrong) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    cudaMalloc3DArray(&resource.res.array.array, &format, make_cudaExtent(width, height, depth),
                      cudaArraySurfaceLoadStore | (layers ? cudaArrayLayered : cudaArrayDefault));
    cudaSurfaceObject_t surface;
    cudaTextureObject_t texture;
    const cudaTextureDesc how = {};
    if (cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess ||
        cudaCreateTextureObject(&texture, &resource, &how, nullptr) != cudaSuccess)
        return false;
    *wrong = 0;
    write_deep<<<depth, dim3(width, height)>>>(surface, layers);
    read_deep<<<depth, dim3(width, height)>>>(texture, layers, wrong);
    return cudaDeviceSynchronize() == cudaSuccess && *wrong == 0;
}

int main() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array, for_textures;
    if (cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore) != cudaSuccess)
        return 1;
    cudaMallocArray(&for_textures, &format, width, height);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = for_textures;
    cudaSurfaceObject_t surface;
    if (cudaCreateSurfaceObject(&surface, &resource) != cudaErrorInvalidValue)
        return 2;
    resource.res.array.array = array;
    if (cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess)
        return 3;
    const cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    float* out;
    cudaMallocManaged(&out, width * height * sizeof(float));
    write<<<height, width>>>(surface);
    read<<<height, width>>>(surface, texture, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < width * height; ++i) {
        if (out[i] != 10.0f * (i / width) + i % width)
            return 4;
    }
    outside<<<1, 1>>>(surface, out);
    cudaDeviceSynchronize();
    if (out[0] != 0 || out[1] != 10.0f * (height - 1) + width - 1)
        return 5;
    int* wrong;
    cudaMallocManaged(&wrong, sizeof *wrong);
    if (!is_deep(false, wrong) || !is_deep(true, wrong))
        return 7;
    traps<<<1, 1>>>(surface, out);
    return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 6;
}
