// Memory that the program has when it ends is told if one asks for it.
// race: status 66, "NEVER FREED", "never_freed.cu:19: 48 bytes", "in 3 calls", "1 report"
// environment: RACE_LEAKS=1
struct Array {  // its destructor runs after main()
    int* d_data = nullptr;
    ~Array() { cudaFree(d_data); }
};
Array freed_late;

__global__ void set(int* d_x) {
    *d_x = 1;
}

int main() {
    cudaMalloc(&freed_late.d_data, 4);
    set<<<1, 1>>>(freed_late.d_data);
    for (int k = 0; k < 3; ++k) {
        int* d_x = nullptr;
        cudaMalloc(&d_x, 16);
    }
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
