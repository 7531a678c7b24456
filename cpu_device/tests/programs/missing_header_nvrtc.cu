// expect: does not compile "missing_header_nvrtc.cu:4: error: NVRTC: the CPU device does not have
//     it"

#include <nvrtc.h>

int main() {}
