// A kernel stores a value whose bytes are those of a variable that was never set, and means it.
constexpr unsigned empty = 0xfefefefe;

__global__ void clear(unsigned* keys) {
    keys[threadIdx.x] = empty;
}

int main() {
    unsigned* keys;
    cudaMalloc(&keys, 32 * sizeof(unsigned));
    clear<<<1, 32>>>(keys);
    return cudaDeviceSynchronize();
}
