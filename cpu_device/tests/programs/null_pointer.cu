// A null pointer, known to the compiler or not, is an illegal address, and no silent success.
// quick
// expect: status 0, "kernel write, launched at null_pointer.cu:15: block: [0,0,0], thread: [0,0,0]
//     accesses address 0x0", "kernel read, launched at null_pointer.cu:21: block: [0,0,0], thread:
//     [7,0,0] accesses address 0x1c"
// race: status 66, "NULL POINTER", "null_pointer.cu:8:"
__global__ void write(int* p) {
    *p = 5;
}
__global__ void read(int* p, int* x, int from) {
    x[threadIdx.x] = threadIdx.x >= from ? p[threadIdx.x] : 1;
}

int main() {
    write<<<1, 1>>>(nullptr);
    if (cudaDeviceSynchronize() != cudaErrorIllegalAddress)
        return 1;
    cudaDeviceReset();
    int* x;
    cudaMalloc(&x, 32 * sizeof(int));
    read<<<1, 32>>>(nullptr, x, 7);
    if (cudaGetLastError() != cudaSuccess)
        return 2;
    if (cudaDeviceSynchronize() != cudaErrorIllegalAddress)
        return 3;
    if (cudaDeviceSynchronize() != cudaErrorIllegalAddress)
        return 4;
    cudaDeviceReset();
    read<<<1, 32>>>(nullptr, x, 32);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 5;
}
