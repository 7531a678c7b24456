// NVIDIA's samples check errors, take options and measure times by their helper_*.h.
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_timer.h>

#include <cstdio>
#include <cstring>

__global__ void set(int* d_x) {
    d_x[threadIdx.x] = threadIdx.x;
}

int main() {
    const char* arguments[] = {"program", "--n=32", "-Verbose", "--scale=0.5", "--file=in.pgm"};
    const int count = 5;
    char* file = nullptr;
    float scale = 0;
    const int n = getCmdLineArgumentInt(count, arguments, "n");
    if (n != 32 || !checkCmdLineFlag(count, arguments, "verbose") ||
        checkCmdLineFlag(count, arguments, "verb") || checkCmdLineFlag(count, arguments, "in") ||
        getCmdLineArgumentInt(count, arguments, "m") != 0 ||
        getCmdLineArgumentFloat(count, arguments, "scale") != 0.5f ||
        !getCmdLineArgumentValue(count, arguments, "scale", &scale) || scale != 0.5f ||
        !getCmdLineArgumentString(count, arguments, "file", &file) ||
        std::strcmp(file, "in.pgm") != 0) {
        std::printf("the command line is read wrongly\n");
        return 1;
    }
    if (findCudaDevice(count, arguments) != 0 || gpuGetMaxGflopsDeviceId() != 0 ||
        !checkCudaCapabilities(7, 0) || checkCudaCapabilities(99, 0) ||
        _ConvertSMVer2Cores(9, 0) != 128 || _ConvertSMVer2Cores(8, 0) != 64) {
        return 1;
    }
    StopWatchInterface* timer = nullptr;
    if (sdkStartTimer(&timer)) {
        return 1;
    }
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    int* d_x;
    int x[32];
    checkCudaErrors(cudaMalloc(&d_x, n * sizeof(int)));
    set<<<1, n>>>(d_x);
    getLastCudaError("the launch");
    checkCudaErrors(cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost));
    sdkStopTimer(&timer);
    const float once = sdkGetTimerValue(&timer);
    if (!(once > 0) || sdkGetAverageTimerValue(&timer) != once) {
        return 1;
    }
    sdkResetTimer(&timer);
    if (sdkGetTimerValue(&timer) != 0) {
        return 1;
    }
    sdkDeleteTimer(&timer);
    const float a[] = {1, 2, 3}, b[] = {1, 2, 3.1f};
    if (!sdkCompareL2fe(a, b, 3, 0.1f) || sdkCompareL2fe(a, b, 3, 1e-4f) ||
        sdkFindFilePath("no such file", "here/program") != nullptr) {
        return 1;
    }
    if (compareData(a, b, 3, 0.05f, 0.0f) || !compareData(a, b, 3, 0.2f, 0.0f) ||
        !compareData(a, b, 3, 0.05f, 0.5f)) {
        return 1;
    }
    for (int i = 0; i < n; ++i) {
        if (x[i] != i) {
            return 1;
        }
    }
    std::printf("ok\n");
}
