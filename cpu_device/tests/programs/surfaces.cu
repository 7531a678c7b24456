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
    traps<<<1, 1>>>(surface, out);
    return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 6;
}
