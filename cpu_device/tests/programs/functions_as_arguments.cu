// A kernel that gets what to do: a pointer to a device function, a lambda, an object, a template's
// constant.
__device__ int square(int x) {
    return x * x;
}
using Function = int (*)(int);
__device__ Function d_square = square;

__global__ void call(Function f, int* x) {
    x[threadIdx.x] = f(x[threadIdx.x]);
}
template <typename F>
__global__ void apply(int* x, F f) {
    x[threadIdx.x] = f(x[threadIdx.x]);
}
struct Times {
    int factor;
    __host__ __device__ int operator()(int x) const { return factor * x; }
};
enum class Sign { plus, minus };
template <Sign sign>
__global__ void add_one(int* x) {
    if constexpr (sign == Sign::plus) {
        x[threadIdx.x] += 1;
    } else {
        x[threadIdx.x] -= 1;
    }
}

int main() {
    int* x;
    cudaMallocManaged(&x, 32 * sizeof(int));
    for (int i = 0; i < 32; ++i) {
        x[i] = i;
    }
    Function f;
    cudaMemcpyFromSymbol(&f, d_square, sizeof f);
    call<<<1, 32>>>(f, x);
    const int three = 3;
    apply<<<1, 32>>>(x, [=] __device__(int v) { return v + three; });
    apply<<<1, 32>>>(x, Times{5});
    add_one<Sign::minus><<<1, 32>>>(x);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        return 1;
    }
    for (int i = 0; i < 32; ++i) {
        if (x[i] != Times{5}(i * i + 3) - 1) {
            return 2;
        }
    }
}
