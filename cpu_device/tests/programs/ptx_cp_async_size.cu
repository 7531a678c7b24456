// expect: status 134, "ptx_cp_async_size.cu:6",
//     "cp.async is told to read more bytes than it copies"
__global__ void too_many(const int* d_x, int bytes) {
    __shared__ int s_x[32];
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&s_x[threadIdx.x]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(d_x + threadIdx.x),
                 "r"(bytes));
}

int main() {
    int* d_x;
    cudaMallocManaged(&d_x, 64 * sizeof *d_x);
    too_many<<<1, 32>>>(d_x, 8);
    cudaDeviceSynchronize();
}
