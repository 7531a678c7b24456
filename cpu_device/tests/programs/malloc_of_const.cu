// Memory that only copies fill may be const for the program, too.
int main() {
    const float* p = nullptr;
    const float* q = nullptr;
    const int* m = nullptr;
    const volatile int* v = nullptr;
    std::size_t pitch = 0;
    const cudaError_t errors[] = {cudaMalloc(&p, 400), cudaMallocHost(&q, 400),
                                  cudaMallocManaged(&m, 400), cudaMalloc(&v, 400),
                                  cudaMallocPitch(&p, &pitch, 100, 4)};
    for (const cudaError_t error : errors) {
        if (error != cudaSuccess)
            return 1;
    }
    return p != nullptr && q != nullptr && m != nullptr && v != nullptr ? 0 : 2;
}
