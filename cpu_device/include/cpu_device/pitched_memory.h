// Memory of two and three dimensions: rows with a pitch, boxes, and arrays for textures.
#pragma once

#include <cstddef>
#include <type_traits>

#include "cpu_device/host_api.h"

struct cudaExtent {
    std::size_t width, height, depth;
};
struct cudaPos {
    std::size_t x, y, z;
};
struct cudaPitchedPtr {
    void* ptr;
    std::size_t pitch;  // from one row to the next, in bytes
    std::size_t xsize, ysize;
};
constexpr cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) {
    return {width, height, depth};
}
constexpr cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) {
    return {x, y, z};
}
constexpr cudaPitchedPtr make_cudaPitchedPtr(void* pointer, std::size_t pitch, std::size_t xsize,
                                             std::size_t ysize) {
    return {pointer, pitch, xsize, ysize};
}

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3,
};
// The bits of each component of an element.
struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                   cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

struct cudaArray;
using cudaArray_t = cudaArray*;
using cudaArray_const_t = const cudaArray*;
constexpr unsigned cudaArrayDefault = 0;
constexpr unsigned cudaArrayLayered = 1;  // the depth counts layers
constexpr unsigned cudaArraySurfaceLoadStore = 2;
constexpr unsigned cudaArrayCubemap = 4;  // six faces, or with layers six for each
constexpr unsigned cudaArrayTextureGather = 8;

struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;  // its width counts an array's elements, or bytes if there is no array
    cudaMemcpyKind kind;
};

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height);
cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int byte, std::size_t width,
                         std::size_t height);
cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int byte, std::size_t width,
                              std::size_t height, cudaStream_t stream = nullptr);

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent);
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int byte, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int byte, cudaExtent extent,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream = nullptr);

// Arrays: their layout is the device's own business.
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                            std::size_t width, std::size_t height = 0, unsigned flags = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array);
// Offsets are bytes in x and rows in y; the width is in bytes.
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                std::size_t from_pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                     std::size_t from_pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t to_pitch, cudaArray_const_t from,
                                  std::size_t x, std::size_t y, std::size_t width,
                                  std::size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t to_pitch, cudaArray_const_t from,
                                       std::size_t x, std::size_t y, std::size_t width,
                                       std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream = nullptr);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y,
                                     cudaArray_const_t from, std::size_t from_x, std::size_t from_y,
                                     std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array);
cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                std::size_t bytes, cudaMemcpyKind kind);

template <typename T>
cudaError_t cudaMallocPitch(T** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
    return cudaMallocPitch(cpu_device::untyped(pointer), pitch, width, height);
}

namespace cpu_device {

namespace types {
// A vector's component type, and how many it has; a number is a vector of one.
template <typename T, typename = void>
struct Components {
    using type = T;
    static constexpr int count = 1;
};
template <typename T>
struct Components<T, std::void_t<decltype(T::x)>> {
    using type = decltype(T::x);
    static constexpr int count = sizeof(T) / sizeof(type);
};

// An array's memory, row after row.
struct ArrayMemory {
    unsigned char* data;
    std::size_t element_bytes;
    cudaChannelFormatDesc format;
    cudaExtent extent;  // 0 for a dimension that it does not have
    unsigned flags;
};
}  // namespace types
ArrayMemory memory_of(cudaArray_const_t array);

}  // namespace cpu_device

template <typename T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    using Component = typename cpu_device::Components<T>::type;
    constexpr int count = cpu_device::Components<T>::count;
    constexpr int bits = 8 * sizeof(Component);
    constexpr bool is_signed = static_cast<Component>(-1) < static_cast<Component>(0);
    return {bits, count > 1 ? bits : 0, count > 2 ? bits : 0, count > 3 ? bits : 0,
            std::is_floating_point_v<Component>
                ? cudaChannelFormatKindFloat
                : (is_signed ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned)};
}
