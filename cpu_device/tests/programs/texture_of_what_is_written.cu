// A kernel writes to memory and reads it by a texture: a barrier does not help, since the texture
// may give an old value.
// race: status 66, "READ-ONLY LOAD", "texture_of_what_is_written.cu:7: a texture is read"
__global__ void k(cudaTextureObject_t texture, float* d_x, float* d_y) {
    d_x[threadIdx.x] = 1;
    __syncthreads();
    d_y[threadIdx.x] = tex1Dfetch<float>(texture, static_cast<int>(31 - threadIdx.x));
}

int main() {
    float *d_x = nullptr, *d_y = nullptr;
    cudaMalloc(&d_x, 32 * sizeof(float));
    cudaMalloc(&d_y, 32 * sizeof(float));
    cudaMemset(d_x, 0, 32 * sizeof(float));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d_x;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 32 * sizeof(float);
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    k<<<1, 32>>>(texture, d_x, d_y);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
