// Launches within lambdas, with an enum, a lambda that is an argument, and one within another.
enum Kind { one, two };
enum class Mode { add, multiply };

template <typename F>
__global__ void apply(int* x, F f, Kind kind, Mode mode) {
    x[threadIdx.x] = mode == Mode::add ? f(threadIdx.x) + kind : 0;
}

int main() {
    enum Local { three = 3 };
    int* x;
    cudaMallocManaged(&x, 32 * sizeof(int));
    const auto launch = [&](auto kind, Mode mode) {
        const int factor = 5;
        const auto inner = [=](Kind k) {
            apply<<<1, 32>>>(
                x, [=] __device__(int i) { return [=] { return factor * i; }(); }, k, mode);
        };
        inner(kind);
        return cudaDeviceSynchronize();
    };
    if (launch(two, Mode::add) != cudaSuccess)
        return 1;
    for (int i = 0; i < 32; ++i) {
        if (x[i] != 5 * i + 1)
            return 2;
    }
    apply<<<1, 32>>>(
        x, [](int i) { return i + three; }, Kind::one, Mode::add);
    cudaDeviceSynchronize();
    return x[4] == 7 ? 0 : 3;
}
