// environment: CPU_DEVICES=two
// expect: status 2, "CPU_DEVICES=two: expected a whole number from 1 to 8"
__global__ void nothing() {}
int main() {
    nothing<<<1, 1>>>();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
