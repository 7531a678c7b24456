// A kernel that may begin before the one ahead of it has ended, and waits for it: here it begins
// after that. Race mode would not see that a wait is missing, so it refuses the launch.
// race: status 3, "race mode cannot check a launch with"
//     "cudaLaunchAttributeProgrammaticStreamSerialization"
__global__ void first(int* x) {
    x[threadIdx.x] = threadIdx.x;
    asm volatile("griddepcontrol.launch_dependents;");
}

__global__ void second(int* x) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
    x[threadIdx.x] += x[threadIdx.x];
}

int main() {
    int* x;
    cudaMallocManaged(&x, 32 * sizeof *x);
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 32;
    if (cudaLaunchKernelEx(&config, first, x) != cudaSuccess)
        return 1;
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
    const cudaError_t launched = cudaLaunchKernelEx(&config, second, x);
    if (launched != cudaSuccess)
        return launched == cudaErrorNotSupported ? 3 : 4;
    return cudaDeviceSynchronize() == cudaSuccess && x[31] == 62 ? 0 : 2;
}
