// 14. Which sums are possible?
//
// Two threads share the word *d_x, which is 0 at the beginning. Each thread adds 1 to it twice,
// without an atomic. So each ++ is two steps: the thread reads the word, and then it writes what it
// has read plus 1. (`volatile` tells the compiler not to leave out any of these steps.) The steps
// of the other thread can come in between. This is so within one warp, too: its threads need not
// run in step. What can *d_x be at the end?
//
// The kernel has a race on purpose and stays as it is. Put all values that are possible in the
// place of ____ , in any order, with commas between them.
// Read: atomic_functions/README.md
#include <vector>

__global__ void add_twice(volatile int* d_x) {
    ++*d_x;
    ++*d_x;
}

void launch_add_twice(int* d_x) {
    add_twice<<<1, 2>>>(d_x);
}

std::vector<int> answer() {
    return {____};
}
