// A warp function with an empty mask: the message says that, and not only who is missing.
// expect: status 134, "empty_mask.cu:7: the mask of a warp function is 0 in thread", "it names no
//     lane"
// race: status 66, "DIVERGENT WARP FUNCTION", "The mask is 0"
__global__ void count(int* x, int n) {
    unsigned mask = __ballot_sync(0xffffffff, threadIdx.x < n);
    x[threadIdx.x] = __popc(__ballot_sync(mask, x[threadIdx.x] > 0));
}

int main() {
    int* x;
    cudaMallocManaged(&x, 32 * sizeof(int));
    cudaMemset(x, 0, 32 * sizeof(int));
    count<<<1, 32>>>(x, 0);
    return cudaDeviceSynchronize();
}
