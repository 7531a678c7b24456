// A loop that reads nothing and never ends. So that the program ends, it ends itself.
// environment: CPU_DEVICE_DEADLOCK_SECONDS=0.2
// expect: status 3, "has run for 0.4 s without ending or giving way"
// race: status 66, "ENDLESS LOOP in kernel spin", "endless_loop.cu:1", "block 0, thread 0"
#include <unistd.h>

#include <csignal>

__global__ void spin(unsigned step, unsigned* result) {
    unsigned i = 1;
    // With an even step, i stays odd.
    while (i != 0) {
        i += step;
    }
    *result = i;
}

int main() {
    unsigned* result;
    cudaMalloc(&result, sizeof(unsigned));
#ifndef CPU_DEVICE_RACE
    std::signal(SIGALRM, [](int) { _exit(3); });
    alarm(4);
#endif
    spin<<<1, 1>>>(2, result);
    return cudaDeviceSynchronize();
}
