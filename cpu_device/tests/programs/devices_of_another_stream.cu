// A launch into another device's stream is refused, and says so at the end where nothing asks.
// environment: CPU_DEVICES=2
// expect: status 0, "the launch of nothing was refused, and nothing ran: invalid resource handle"
__global__ void nothing() {}
int main() {
    cudaStream_t stream;
    cudaSetDevice(1);
    cudaStreamCreate(&stream);
    cudaSetDevice(0);
    nothing<<<1, 1, 0, stream>>>();
    return 0;
}
