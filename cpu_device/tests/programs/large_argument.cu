// A kernel takes up to 32764 bytes of arguments by value, in race mode too.
struct Table {
    int values[8000];
};

__global__ void look_up(const Table table, int* result) {
    result[threadIdx.x] = table.values[100 * threadIdx.x];
}

int main() {
    static Table table;
    for (int i = 0; i < 8000; ++i) {
        table.values[i] = i;
    }
    int* result;
    cudaMallocManaged(&result, 64 * sizeof(int));
    look_up<<<1, 64>>>(table, result);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        return 1;
    }
    return result[63] == 6300 ? 0 : 2;
}
