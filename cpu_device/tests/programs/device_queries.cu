// What programs ask of a device before they use it.
#include <cstdio>
#include <cstring>

int main() {
    if (cudaInitDevice(0, 0, 0) != cudaSuccess || cudaInitDevice(1, 0, 0) == cudaSuccess) {
        return 1;
    }
    cudaDeviceProp p;
    int version = 0;
    if (cudaGetDeviceProperties(&p, 0) != cudaSuccess ||
        cudaRuntimeGetVersion(&version) != cudaSuccess || version < 12000) {
        return 2;
    }
    char expected[16], id[16] = "";
    std::snprintf(expected, sizeof expected, "%04x:%02x:%02x.0", p.pciDomainID, p.pciBusID,
                  p.pciDeviceID);
    if (cudaDeviceGetPCIBusId(id, sizeof id, 0) != cudaSuccess || std::strcmp(id, expected) != 0 ||
        cudaDeviceGetPCIBusId(id, 5, 0) != cudaErrorInvalidValue ||
        cudaDeviceGetPCIBusId(id, sizeof id, 1) != cudaErrorInvalidDevice) {
        return 3;
    }
    int device = -1;
    if (cudaDeviceGetByPCIBusId(&device, expected) != cudaSuccess || device != 0 ||
        cudaDeviceGetByPCIBusId(&device, "ffff:ff:1f.0") != cudaErrorInvalidDevice) {
        return 4;
    }
    std::size_t free_bytes = 0, bytes = 0;
    if (cudaMemGetInfo(&free_bytes, &bytes) != cudaSuccess || free_bytes > bytes ||
        bytes != p.totalGlobalMem) {
        return 5;
    }
    int alignment = 0;
    cudaDeviceGetAttribute(&alignment, cudaDevAttrSurfaceAlignment, 0);
    if (static_cast<std::size_t>(alignment) != p.surfaceAlignment || p.maxSurface2D[0] == 0 ||
        p.uuid.bytes[0] == 0 || p.maxTexture2DMipmap[0] != 0) {
        return 7;
    }
    return p.managedMemory && p.concurrentManagedAccess && p.canMapHostMemory ? 0 : 6;
}
