// 16. The largest float
//
// CUDA has no atomicMax for floats. *d_max is -INFINITY at the beginning and is to become the
// largest of all numbers. The kernel takes atomicMax for ints on the bits of the floats. That is
// right for positive numbers only: of two negative floats the larger one has the smaller int.
//
// Read: atomic_functions/cas.md and atomic_functions/more/README.md
__device__ void atomic_max(float* d_max, float value) {
    if (__float_as_int(value) >= 0) {
        // As ints, positive floats are in order, and above all negative ones.
        atomicMax(reinterpret_cast<int*>(d_max), __float_as_int(value));
    } else {
        // As unsigned numbers, negative floats are in reverse order, and above all positive ones.
        atomicMin(reinterpret_cast<unsigned*>(d_max), __float_as_uint(value));
    }
}

__global__ void maximum(const float* d_x, int n, float* d_max) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomic_max(d_max, d_x[i]);
    }
}

void launch_maximum(const float* d_x, int n, float* d_max, int block_size) {
    if (n > 0) {
        maximum<<<(n + block_size - 1) / block_size, block_size>>>(d_x, n, d_max);
    }
}
