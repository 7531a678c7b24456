// Names that CUDA has: a flag's older name, the carveout, an event with flags, erfinvf.
__global__ void k(float* x) {
    x[threadIdx.x] = erff(erfinvf(x[threadIdx.x]));
}

int main() {
    static_assert(cudaDeviceBlockingSync == cudaDeviceScheduleBlockingSync, "");
    if (cudaSetDeviceFlags(cudaDeviceBlockingSync) != cudaSuccess)
        return 1;
    if (cudaFuncSetAttribute(k, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxShared) != cudaSuccess) {
        return 2;
    }
    cudaEvent_t begin, end;
    if (cudaEventCreate(&begin, cudaEventDisableTiming) != cudaSuccess)
        return 3;
    cudaEventCreate(&end, cudaEventBlockingSync);
    cudaEventRecord(begin, 0);
    cudaEventRecord(end, 0);
    float milliseconds = 0;
    if (cudaEventElapsedTime(&milliseconds, begin, end) != cudaErrorInvalidResourceHandle)
        return 4;
    float* x;
    cudaMallocManaged(&x, 199 * sizeof(float));
    for (int i = 0; i < 199; ++i)
        x[i] = (i - 99) / 99.5f;
    k<<<1, 199>>>(x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 199; ++i) {
        if (!(fabsf(x[i] - (i - 99) / 99.5f) < 1e-6f))
            return 5;
    }
    for (const double y : {0.0, 1e-300, -1e-9, 0.3, 0.9999999, -0.999999999999}) {
        if (!(fabs(erf(erfinv(y)) - y) <= 2e-16 * fabs(y) * 4))
            return 6;
    }
    return erfinv(1.0) == INFINITY && erfinv(-1.0) == -INFINITY && std::isnan(erfinv(1.5)) ? 0 : 7;
}
