// An index far in front of an array is told as that, wherever the address is.
// race: status 66, "OUT OF BOUNDS", "writes 4 bytes of global memory", "400000 bytes in front of"
__global__ void k(int* d_x, int index, bool writes) {
    if (writes) {
        d_x[index] = 1;
    }
}

int main(int argc, char**) {
    int* d_x = nullptr;
    cudaMalloc(&d_x, 512 * sizeof(int));
#ifdef CPU_DEVICE_RACE
    const bool writes = argc > 0;
#else
    const bool writes = argc == 0;  // it would end the program
#endif
    k<<<1, 1>>>(d_x, -100000, writes);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
