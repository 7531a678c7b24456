// Two threads write one element of a surface. Race mode names the kernel's line.
// race: status 66, "DATA RACE", "surface_race.cu:4: block 0, thread 1 writes the same word"
__global__ void k(cudaSurfaceObject_t surface) {
    surf1Dwrite(static_cast<int>(threadIdx.x), surface, 0);
}

int main() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    cudaMallocArray(&resource.res.array.array, &format, 32, 0, cudaArraySurfaceLoadStore);
    cudaSurfaceObject_t surface;
    if (cudaCreateSurfaceObject(&surface, &resource) != cudaSuccess)
        return 1;
    k<<<1, 2>>>(surface);
    return cudaDeviceSynchronize();
}
