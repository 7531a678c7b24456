// expect: does not compile "missing_clusters.cu:3: error: __cluster_dims__ belongs to clusters of
//     blocks, which the CPU device"
__global__ void __cluster_dims__(2, 1, 1) k(int* x) {
    x[blockIdx.x] = threadIdx.x;
}

int main() {}
