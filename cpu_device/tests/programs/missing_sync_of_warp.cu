// expect: does not compile "missing_sync_of_warp.cu:4: error: __shfl_xor is of a time when warps
//     ran in step; use __shfl_xor_sync"
__global__ void k(int* x) {
    x[threadIdx.x] += __shfl_xor(x[threadIdx.x], 1);
}

int main() {}
