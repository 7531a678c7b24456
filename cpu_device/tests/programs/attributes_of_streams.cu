// What a program tells a stream it can ask again; a stream has a number and a device.
#include <cstring>

int main() {
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    cudaStream_t one, two;
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    cudaStreamAttrValue value = {}, got = {};
    value.accessPolicyWindow.num_bytes = 1024;
    value.accessPolicyWindow.hitRatio = 0.5f;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    if (cudaStreamSetAttribute(one, cudaStreamAttributeAccessPolicyWindow, &value) != cudaSuccess ||
        cudaStreamCopyAttributes(two, one) != cudaSuccess ||
        cudaStreamGetAttribute(two, cudaStreamAttributeAccessPolicyWindow, &got) != cudaSuccess ||
        got.accessPolicyWindow.num_bytes != 1024 ||
        got.accessPolicyWindow.hitProp != cudaAccessPropertyPersisting)
        return 1;
    if (cudaCtxResetPersistingL2Cache() != cudaSuccess ||
        cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, p.persistingL2CacheMaxSize) !=
            cudaSuccess)
        return 2;
    value.syncPolicy = cudaSyncPolicyYield;
    cudaStreamSetAttribute(one, cudaStreamAttributeSynchronizationPolicy, &value);
    cudaStreamGetAttribute(one, cudaStreamAttributeSynchronizationPolicy, &got);
    if (got.syncPolicy != cudaSyncPolicyYield)
        return 3;
    unsigned long long first = 0, second = 0;
    int device = -1;
    cudaStreamGetId(one, &first);
    cudaStreamGetId(two, &second);
    if (first == second || cudaStreamGetDevice(one, &device) != cudaSuccess || device != 0)
        return 4;
    return std::strcmp(cudaGetErrorString(cudaErrorFileNotFound), "file not found") == 0 ? 0 : 5;
}
