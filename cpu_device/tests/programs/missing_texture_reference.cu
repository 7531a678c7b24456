// expect: does not compile "missing_texture_reference.cu:3: error: texture belongs to texture
//     references (CUDA 12 has texture objects"
texture<float, 1, cudaReadModeElementType> reference;
__global__ void k(float* x) {
    x[threadIdx.x] = tex1Dfetch(reference, threadIdx.x);
}

int main() {}
