// A kernel that waits for the host waits without end: a launch returns when its kernel has ended.
// environment: CPU_DEVICE_DEADLOCK_SECONDS=0.2
// expect: status 134, "deadlock in kernel wait, launched at wait_for_the_host.cu:15", "If they wait
//     for the host: they do so in vain"
// race: status 66, "DEADLOCK"
__global__ void wait(int* flag) {
    while (atomicAdd(flag, 0) == 0) {
    }
}

int main() {
    int* flag;
    cudaMallocManaged(&flag, sizeof(int));
    *flag = 0;
    wait<<<1, 32>>>(flag);
    *flag = 1;
    return cudaDeviceSynchronize();
}
