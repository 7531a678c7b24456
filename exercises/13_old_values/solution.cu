// 13. The value that an atomic returns
//
// Three threads share the word *d_x, which is 0 at the beginning. Thread 0 adds 1 to it, thread 1
// adds 2, and thread 2 adds 3. Each keeps what atomicAdd returned. The threads come in any order.
// Which values can thread 1 get back?
//
// Read: atomic_functions/README.md
#include <vector>

__global__ void add(int* d_x, int* d_olds) {
    const int t = threadIdx.x;
    d_olds[t] = atomicAdd(d_x, t + 1);
}

void launch_add(int* d_x, int* d_olds) {
    add<<<1, 3>>>(d_x, d_olds);
}

// Before thread 1 come: no thread; thread 0; thread 2; both. The word holds the sum of what they
// added, whichever of the two was first.
std::vector<int> answer() {
    return {0, 1, 3, 4};
}
