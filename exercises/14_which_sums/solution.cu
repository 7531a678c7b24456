// 14. Which sums are possible?
//
// Two threads share the word *d_x, which is 0 at the beginning. Each thread adds 1 to it twice,
// without an atomic. So each ++ is two steps: the thread reads the word, and then it writes what it
// has read plus 1. (`volatile` tells the compiler not to leave out any of these steps.) The steps
// of the other thread can come in between. This is so within one warp, too: its threads need not
// run in step. What can *d_x be at the end?
//
// Read: atomic_functions/README.md
#include <vector>

__global__ void add_twice(volatile int* d_x) {
    ++*d_x;
    ++*d_x;
}

void launch_add_twice(int* d_x) {
    add_twice<<<1, 2>>>(d_x);
}

// 4: no update is lost. 3: one is lost. 2: two are lost. 1 is not possible: when a thread reads for
// the second time, it has written itself, so it finds 1 or more, and writes 2 or more. The last of
// all writes is the second one of its thread.
std::vector<int> answer() {
    return {2, 3, 4};
}
