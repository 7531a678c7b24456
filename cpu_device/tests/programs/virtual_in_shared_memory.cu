// An object with a virtual function, placed in shared memory by one thread: its constructor writes
// the pointer by which the function is found.
#include <new>

struct Shape {
    __device__ virtual int corners() const = 0;
};
struct Triangle : Shape {
    __device__ int corners() const override { return 3; }
};

__global__ void count(int* corners) {
    __shared__ alignas(Triangle) unsigned char place[sizeof(Triangle)];
    __shared__ Shape* shape;
    if (threadIdx.x == 0) {
        shape = new (place) Triangle;
    }
    __syncthreads();
    corners[threadIdx.x] = shape->corners();
}

int main() {
    int* corners;
    cudaMallocManaged(&corners, 32 * sizeof(int));
    count<<<1, 32>>>(corners);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        return 1;
    }
    for (int i = 0; i < 32; ++i) {
        if (corners[i] != 3) {
            return 2;
        }
    }
}
