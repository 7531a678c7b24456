// expect: does not compile "missing_header_cub.cu:4: error: cub/cub/cub.cuh: the CPU device does
//     not have CUB"

#include <cub/cub/cub.cuh>

int main() {}
