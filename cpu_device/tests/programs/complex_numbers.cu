// cuComplex.h: the orbit of the Mandelbrot set, and the arithmetic.
#include <cuComplex.h>

#include <cmath>
#include <cstdio>

__global__ void compute(cuFloatComplex* d_x, cuDoubleComplex* d_y) {
    const cuFloatComplex a = make_cuFloatComplex(3, 4), b = make_cuComplex(1, -2);
    d_x[0] = cuCaddf(a, b);
    d_x[1] = cuCsubf(a, b);
    d_x[2] = cuCmulf(a, b);
    d_x[3] = cuCdivf(cuCmulf(a, b), b);
    d_x[4] = cuCfmaf(a, b, a);
    d_x[5] = make_cuFloatComplex(cuCabsf(a), cuCimagf(cuConjf(a)));
    const cuDoubleComplex large = make_cuDoubleComplex(1e300, 1e300);
    d_y[0] = cuCdiv(large, large);
    d_y[1] = make_cuDoubleComplex(cuCabs(large), 0);
    d_y[2] = cuCmul(cuConj(make_cuDoubleComplex(0, 1)), cuComplexFloatToDouble(a));
}

int main() {
    cuFloatComplex x[6], *d_x;
    cuDoubleComplex y[3], *d_y;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    compute<<<1, 1>>>(d_x, d_y);
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    const float wanted[6][2] = {{4, 2}, {2, 6}, {11, -2}, {3, 4}, {14, 2}, {5, -4}};
    for (int i = 0; i < 6; ++i) {
        if (std::fabs(x[i].x - wanted[i][0]) > 1e-5 || std::fabs(x[i].y - wanted[i][1]) > 1e-5) {
            std::printf("%d: %g %g\n", i, x[i].x, x[i].y);
            return 1;
        }
    }
    if (std::fabs(y[0].x - 1) > 1e-12 || std::fabs(y[0].y) > 1e-12 ||
        std::fabs(y[1].x / 1e300 - std::sqrt(2.0)) > 1e-12 || y[2].x != 4 || y[2].y != -3) {
        std::printf("double: %g %g %g\n", y[0].x, y[1].x, y[2].x);
        return 1;
    }
    std::printf("ok\n");
}
