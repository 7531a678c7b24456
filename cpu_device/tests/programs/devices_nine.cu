// environment: CPU_DEVICES=9
// expect: status 2, "CPU_DEVICES=9: expected a whole number from 1 to 8"
int main() {
    int* x;
    return cudaMalloc(&x, 4) == cudaSuccess ? 0 : 1;
}
