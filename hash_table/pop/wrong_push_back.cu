// Wrong on purpose: the pop of 1_pop_alone.cu, and block 1 pushes one of its two entries back.
// Block 0 may find the head that it has read before, and yet the chain has changed behind it.
#include "pop.cuh"

__global__ void push_back(unsigned* d_head, unsigned* d_next, unsigned* d_mine) {
    if (blockIdx.x == 0) {
        d_mine[0] = pop(d_head, d_next);
    } else {
        const unsigned first = pop(d_head, d_next);
        d_mine[1] = pop(d_head, d_next);
        push(d_head, d_next, first);
    }
}

int main() {
    show(push_back);
    return 0;
}
