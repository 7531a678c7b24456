// 13. The value that an atomic returns
//
// Three threads share the word *d_x, which is 0 at the beginning. Thread 0 adds 1 to it, thread 1
// adds 2, and thread 2 adds 3. Each keeps what atomicAdd returned. The threads come in any order.
// Which values can thread 1 get back?
//
// The kernel is right and stays as it is. Put all values that are possible in the place of ____ ,
// in any order, with commas between them.
// Read: atomic_functions/README.md
#include <vector>

__global__ void add(int* d_x, int* d_olds) {
    const int t = threadIdx.x;
    d_olds[t] = atomicAdd(d_x, t + 1);
}

void launch_add(int* d_x, int* d_olds) {
    add<<<1, 3>>>(d_x, d_olds);
}

std::vector<int> answer() {
    return {____};
}
