// new, delete, malloc and recursion in a kernel: a list of the thread's own.
struct Node {
    int value;
    Node* next;
};

__device__ int length(const Node* node) {
    return node == nullptr ? 0 : 1 + length(node->next);
}

__global__ void k(int* x) {
    Node* first = nullptr;
    for (int i = 0; i <= threadIdx.x % 8; ++i) {
        first = new Node{i, first};
    }
    int* copy = static_cast<int*>(malloc(sizeof(int)));
    *copy = length(first);
    while (first != nullptr) {
        Node* const next = first->next;
        *copy += 100 * first->value;
        delete first;
        first = next;
    }
    memcpy(&x[threadIdx.x], copy, sizeof(int));
    free(copy);
}

int main() {
    int* x;
    cudaMallocManaged(&x, 64 * sizeof(int));
    std::size_t bytes = 0;
    if (cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 24) != cudaSuccess ||
        cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize) != cudaSuccess || bytes != 1 << 24) {
        return 1;
    }
    k<<<1, 64>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        return 2;
    }
    for (int i = 0; i < 64; ++i) {
        const int last = i % 8;
        if (x[i] != last + 1 + 100 * (last * (last + 1) / 2)) {
            return 3;
        }
    }
}
