// The rarer functions of statistics and of lengths, against what defines them.
#include <cmath>

__global__ void k(double* x) {
    const double v[4] = {1, 2, 2, 4};
    x[0] = normcdfinv(normcdf(-4.5)) + 4.5;
    x[1] = erfc(erfcinv(1e-300)) / 1e-300 - 1;
    x[2] = erfcinv(1.5) + erfinv(0.5);
    x[3] = erfcx(3.0) - exp(9.0) * erfc(3.0);
    x[4] = (erfcx(9.999) - 2 * erfcx(10.0) + erfcx(10.001)) * 1e-3;
    x[5] = norm4d(1.0, 2.0, 2.0, 4.0) - 5;
    x[6] = norm(4, v) * rnorm(4, v) - 1;
    x[7] = rnorm4d(1.0, 2.0, 2.0, 4.0) - 0.2;
    double sum = 0, term = 1;  // the series of the Bessel function of order 0 at 2
    for (int i = 1; i < 30; ++i) {
        sum += term;
        term /= i * i;
    }
    x[8] = cyl_bessel_i0(2.0) - sum;
    x[9] = cyl_bessel_i1f(-0.5f) + cyl_bessel_i1f(0.5f);
    x[10] = normcdfinvf(0.5f) + norm4df(0, 0, 0, 0);
    __builtin_assume(x != nullptr);
}

__global__ void bits(unsigned* x) {
    x[0] = __fns(0x0000b0b0, 0, 4) - 12;
    x[1] = __fns(0x0000b0b0, 15, -2) - 13;
    x[2] = __fns(0x0000b0b0, 5, 0) - 5;
    x[3] = __fns(0x0000b0b0, 6, 0) + 1;
    x[4] = __fns(0x0000b0b0, 0, 7) + 1;
}

int main() {
    double* x;
    unsigned* u;
    cudaMallocManaged(&x, 11 * sizeof(double));
    cudaMallocManaged(&u, 5 * sizeof(unsigned));
    k<<<1, 1>>>(x);
    bits<<<1, 1>>>(u);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        return 1;
    }
    for (int i = 0; i < 11; ++i) {
        if (!(std::fabs(x[i]) < 3e-12)) {
            return 10 + i;
        }
    }
    for (int i = 0; i < 5; ++i) {
        if (u[i] != 0) {
            return 30 + i;
        }
    }
}
