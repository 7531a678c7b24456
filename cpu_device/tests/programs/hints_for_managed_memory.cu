// cudaMemRangeGetAttribute tells what cudaMemAdvise and cudaMemPrefetchAsync have said.
#include <cstdio>

int* memory;
const std::size_t bytes = 1 << 16;

int ask(cudaMemRangeAttribute attribute, std::size_t count = bytes) {
    int value = -77;
    if (cudaMemRangeGetAttribute(&value, sizeof value, attribute, memory, count) != cudaSuccess) {
        std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    }
    return value;
}

#define MUST_BE(expression, expected)                                         \
    if ((expression) != (expected)) {                                         \
        std::printf("%s is %d\n", #expression, static_cast<int>(expression)); \
        return 1;                                                             \
    }

int main() {
    cudaMallocManaged(&memory, bytes);
    const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
    MUST_BE(ask(cudaMemRangeAttributeReadMostly), 0);
    MUST_BE(ask(cudaMemRangeAttributePreferredLocation), cudaInvalidDeviceId);
    MUST_BE(ask(cudaMemRangeAttributePreferredLocationType), cudaMemLocationTypeInvalid);
    cudaMemAdvise(memory, bytes, cudaMemAdviseSetReadMostly, device);
    cudaMemAdvise(memory, bytes, cudaMemAdviseSetPreferredLocation, host);
    cudaMemAdvise(memory, bytes, cudaMemAdviseSetAccessedBy, device);
    cudaMemPrefetchAsync(memory, bytes, device, 0);
    cudaMemAdvise(memory, bytes / 2, cudaMemAdviseUnsetReadMostly, device);
    MUST_BE(ask(cudaMemRangeAttributeReadMostly), 0);
    MUST_BE(ask(cudaMemRangeAttributeReadMostly, bytes / 2), 0);
    cudaMemAdvise(memory, bytes, cudaMemAdviseSetReadMostly, device);
    MUST_BE(ask(cudaMemRangeAttributeReadMostly), 1);
    MUST_BE(ask(cudaMemRangeAttributePreferredLocation), cudaCpuDeviceId);
    MUST_BE(ask(cudaMemRangeAttributePreferredLocationType), cudaMemLocationTypeHost);
    int devices[2], location = -77;
    void* data[] = {devices, &location};
    std::size_t sizes[] = {sizeof devices, sizeof location};
    cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeAccessedBy,
                                          cudaMemRangeAttributeLastPrefetchLocation};
    MUST_BE(cudaMemRangeGetAttributes(data, sizes, attributes, 2, memory, bytes), cudaSuccess);
    MUST_BE(devices[0], 0);
    MUST_BE(devices[1], cudaInvalidDeviceId);
    MUST_BE(location, 0);
    MUST_BE(cudaMemRangeGetAttribute(&location, 3, attributes[1], memory, bytes),
            cudaErrorInvalidValue);
    MUST_BE(cudaMemAdvise(memory, bytes, static_cast<cudaMemoryAdvise>(99), device),
            cudaErrorInvalidValue);
    MUST_BE(cudaMemRangeGetAttributes(data, sizes, attributes, 1, memory, bytes), cudaSuccess);
    MUST_BE(devices[0], 0);
    // Two hints that say the same of a half each say it of the whole, and the last one holds.
    cudaMemAdvise(memory, bytes, cudaMemAdviseUnsetReadMostly, device);
    cudaMemAdvise(memory + bytes / 8, bytes / 2, cudaMemAdviseSetReadMostly, device);
    MUST_BE(ask(cudaMemRangeAttributeReadMostly), 0);
    cudaMemAdvise(memory, bytes / 2, cudaMemAdviseSetReadMostly, device);
    MUST_BE(ask(cudaMemRangeAttributeReadMostly), 1);
    MUST_BE(ask(cudaMemRangeAttributeReadMostly, bytes / 4), 1);
    cudaMemAdvise(memory + bytes / 8, bytes / 2, cudaMemAdviseSetPreferredLocation, device);
    MUST_BE(ask(cudaMemRangeAttributePreferredLocation), cudaInvalidDeviceId);
    // What was said of memory that is gone does not hold for new memory at any part of its place.
    cudaMemAdvise(memory, bytes, cudaMemAdviseSetReadMostly, device);
    cudaFree(memory);
    void* before = nullptr;
    cudaMalloc(&before, bytes / 4);
    cudaMallocManaged(&memory, bytes / 4);
    MUST_BE(ask(cudaMemRangeAttributeReadMostly, bytes / 4), 0);
    cudaFree(memory);
    std::printf("ok\n");
}
