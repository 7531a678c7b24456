// Race mode names the kernel's line for a read through a texture.
// race: status 66, "UNWRITTEN MEMORY", "texture_of_unwritten_memory.cu:5: block 0, thread"
__global__ void read(cudaTextureObject_t texture, float* x) {
    // as the hardware does:
    x[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x);
}

int main() {
    float *memory, *x;
    cudaMalloc(&memory, 32 * sizeof(float));
    cudaMalloc(&x, 32 * sizeof(float));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 32 * sizeof(float);
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    read<<<1, 32>>>(texture, x);
    return cudaDeviceSynchronize();
}
