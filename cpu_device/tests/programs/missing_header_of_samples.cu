// expect: does not compile "missing_header_of_samples.cu:4: error: helper_math.h: a header of
//     NVIDIA's samples, where it is in the folder Common"

#include <helper_math.h>

int main() {}
