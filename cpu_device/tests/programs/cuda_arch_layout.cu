// A class cannot have two layouts: a note, once for the file, and what the device sees.
// expect: status 0, "cuda_arch_layout.cu:13: note: for the device, where __CUDA_ARCH__ is 900,
//     this"

#ifdef __CUDA_ARCH__
#define SIZE 8
#else
#define SIZE 4
#endif
struct Buffer {
    int first;
    // The note's line.
    int words[SIZE];
    __host__ __device__ Buffer() : first(SIZE) {}
};

__global__ void size(int* x, Buffer buffer) {
    *x = sizeof(buffer) / sizeof(int);
}

int main() {
    int* x;
    cudaMallocManaged(&x, sizeof(int));
    size<<<1, 1>>>(x, Buffer());
    cudaDeviceSynchronize();
    return *x == 9 && sizeof(Buffer) == 36 ? 0 : 1;
}
