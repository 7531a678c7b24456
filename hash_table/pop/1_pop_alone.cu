// Variant 1: pop by compare-and-swap of the head, while nothing is pushed. Block 1 keeps both of
// its entries. A later launch may push.
//
// Source of the idea: Treiber's stack (Treiber, Systems programming, 1986).
#include "pop.cuh"

__global__ void pop_alone(unsigned* d_head, unsigned* d_next, unsigned* d_mine) {
    if (blockIdx.x == 0) {
        d_mine[0] = pop(d_head, d_next);
    } else {
        pop(d_head, d_next);
        d_mine[1] = pop(d_head, d_next);
    }
}

int main() {
    show(pop_alone);
    return 0;
}
