// expect: does not compile "missing_cufft_callbacks.cu:6: error: cufftXtSetCallback belongs to a
//     part of cuFFT, which the CPU device does not have"
#include <cufftXt.h>

int main() {
    cufftXtSetCallback(0, nullptr, 0, nullptr);
}
