// expect: does not compile "braced_argument.cu:12: error: an argument of a kernel in braces, which"
struct Pair {
    int a, b;
};
__global__ void k(Pair pair, int* x) {
    *x = pair.a + pair.b;
}

int main() {
    int* x;
    cudaMalloc(&x, sizeof(int));
    k<<<1, 1>>>({1, 2}, x);
}
