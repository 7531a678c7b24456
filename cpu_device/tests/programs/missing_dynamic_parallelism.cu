// expect: does not compile "missing_dynamic_parallelism.cu:8: error: a launch from a kernel
//     (dynamic parallelism)"
__global__ void child(int* x) {
    x[threadIdx.x] = 1;
}
__global__ void parent(int* x) {
    if (threadIdx.x == 0) {
        child<<<1, 32>>>(x);
    }
}

int main() {}
