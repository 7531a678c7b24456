// The same with a volatile variable, which is not seen to be one that others wait for: so that the
// program ends, it ends itself.
// environment: CPU_DEVICE_DEADLOCK_SECONDS=0.2
// expect: status 3, "If it waits for the host: it will never end"
// race: not run
#include <unistd.h>

#include <csignal>

__global__ void wait(volatile int* flag) {
    while (*flag == 0) {
    }
}

int main() {
    int* flag;
    cudaMallocManaged(&flag, sizeof(int));
    *flag = 0;
    std::signal(SIGALRM, [](int) { _exit(3); });
    alarm(4);
    wait<<<1, 1>>>(flag);
    *flag = 1;
    return cudaDeviceSynchronize();
}
