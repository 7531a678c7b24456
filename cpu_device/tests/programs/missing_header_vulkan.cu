// expect: does not compile "missing_header_vulkan.cu:4: error: vulkan/vulkan.h: a library that
//     shows windows, which is no part of CUDA"

#include <vulkan/vulkan.h>

int main() {}
