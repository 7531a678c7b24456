// Programs ask for these before they work with streams, and leave where there are none.
int main() {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    if (!p.deviceOverlap || p.asyncEngineCount < 1 || !p.concurrentKernels ||
        !p.streamPrioritiesSupported) {
        return 1;
    }
    int value = 0;
    for (const cudaDeviceAttr attribute :
         {cudaDevAttrGpuOverlap, cudaDevAttrAsyncEngineCount, cudaDevAttrConcurrentKernels,
          cudaDevAttrStreamPrioritiesSupported}) {
        if (cudaDeviceGetAttribute(&value, attribute, 0) != cudaSuccess || value < 1)
            return 2;
    }
    int least = 9, greatest = 9, priority = 9;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    if (greatest >= least)
        return 3;
    cudaStream_t stream;
    cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest);
    cudaStreamGetPriority(stream, &priority);
    if (priority != greatest)
        return 4;
    cudaStreamDestroy(stream);
    cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                 greatest - 100);  // as near as can be
    cudaStreamGetPriority(stream, &priority);
    return priority == greatest ? 0 : 5;
}
