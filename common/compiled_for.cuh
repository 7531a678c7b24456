// Functions that the hardware has from compute capability 9.0 on. A program for older GPUs too is
// compiled once for each kind of GPU, and in the compilations for the older ones these functions
// are not declared.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "common/device_array.cuh"
#include "common/error.cuh"

namespace common {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr bool compiled_for_90 = false;
#else
constexpr bool compiled_for_90 = true;
#endif

// Asks the code that really runs here. The GPU's own number would not do: a GPU of 9.0 also runs
// what was compiled for 7.5.
__global__ void report_compiled_for_90(int* d_answer) {
    *d_answer = compiled_for_90 ? 1 : 0;
}

// Why functions that need compute capability 9.0 cannot run here, or empty.
inline std::string skip_reason_below_90() {
    static const bool available = [] {
        DeviceArray<int> answer(1);
        report_compiled_for_90<<<1, 1>>>(answer.data());
        CHECK_LAUNCH();
        return answer.to_host()[0] == 1;
    }();
    return available ? "" : "needs compute capability 9.0";
}

}  // namespace common
