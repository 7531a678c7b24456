// Memory of two and three dimensions. Every copy is one of rows.
#include "cpu_device/pitched_memory.h"

#include <algorithm>

#include "host_api.hpp"

struct cudaArray : cpu_device::ArrayMemory {};

namespace cpu_device {
namespace {

constexpr std::size_t pitch_alignment = 512;

// One end of a copy: rows with a pitch, in slices.
struct Box {
    unsigned char* begin;
    std::size_t pitch, slice;
};

std::size_t at_least_one(std::size_t size) {
    return std::max<std::size_t>(size, 1);
}
std::size_t row_bytes(const ArrayMemory& array) {
    return array.extent.width * array.element_bytes;
}
Box box_of(const ArrayMemory& array, std::size_t x_bytes, std::size_t y, std::size_t z) {
    const std::size_t pitch = row_bytes(array);
    const std::size_t slice = pitch * at_least_one(array.extent.height);
    return {array.data + z * slice + y * pitch + x_bytes, pitch, slice};
}
Box box_of(const cudaPitchedPtr& pointer, const cudaPos& position) {
    const std::size_t slice = pointer.pitch * pointer.ysize;
    return {static_cast<unsigned char*>(pointer.ptr) + position.z * slice +
                position.y * pointer.pitch + position.x,
            pointer.pitch, slice};
}
bool holds(const ArrayMemory& array, std::size_t x_bytes, std::size_t y, std::size_t z,
           const cudaExtent& size) {
    return x_bytes + size.width <= row_bytes(array) &&
           y + size.height <= at_least_one(array.extent.height) &&
           z + size.depth <= at_least_one(array.extent.depth);
}

// size.width is in bytes.
cudaError_t copy_box(const Box& to, const Box& from, const cudaExtent& size, cudaMemcpyKind kind,
                     cudaStream_t stream, const char* function, Waiting waiting) {
    if (size.height > 1 && (size.width > to.pitch || size.width > from.pitch)) {
        return cudaErrorInvalidPitchValue;
    }
    for (std::size_t z = 0; z < size.depth; ++z) {
        const cudaError_t error =
            copy(to.begin + z * to.slice, from.begin + z * from.slice,
                 {size.width, size.height, to.pitch, from.pitch}, kind, stream, function, waiting);
        if (error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
}

cudaError_t copy_2d(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                    std::size_t width, std::size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                    const char* function, Waiting waiting) {
    if (width > to_pitch || width > from_pitch) {
        return cudaErrorInvalidPitchValue;
    }
    return copy(to, from, {width, height, to_pitch, from_pitch}, kind, stream, function, waiting);
}

cudaError_t set_2d(void* pointer, std::size_t pitch, int byte, std::size_t width,
                   std::size_t height, cudaStream_t stream, const char* function) {
    if (width > pitch) {
        return cudaErrorInvalidValue;
    }
    for (std::size_t y = 0; y < height; ++y) {
        const cudaError_t error =
            set(static_cast<unsigned char*>(pointer) + y * pitch, byte, width, stream, function);
        if (error != cudaSuccess) {
            return error;
        }
    }
    return cudaSuccess;
}

cudaError_t copy_3d(const cudaMemcpy3DParms& p, cudaStream_t stream, const char* function,
                    Waiting waiting) {
    if ((p.srcArray == nullptr) == (p.srcPtr.ptr == nullptr) ||
        (p.dstArray == nullptr) == (p.dstPtr.ptr == nullptr)) {
        return cudaErrorInvalidValue;
    }
    const cudaArray* const array = p.srcArray != nullptr ? p.srcArray : p.dstArray;
    cudaExtent size = p.extent;
    size.width *= array != nullptr ? array->element_bytes : 1;
    const auto end = [&](const cudaArray* of, const cudaPitchedPtr& pointer, const cudaPos& at) {
        return of != nullptr ? box_of(*of, at.x * of->element_bytes, at.y, at.z)
                             : box_of(pointer, at);
    };
    const auto fits = [&](const cudaArray* of, const cudaPos& at) {
        return of == nullptr || holds(*of, at.x * of->element_bytes, at.y, at.z, size);
    };
    if (!fits(p.srcArray, p.srcPos) || !fits(p.dstArray, p.dstPos)) {
        return cudaErrorInvalidValue;
    }
    return copy_box(end(p.dstArray, p.dstPtr, p.dstPos), end(p.srcArray, p.srcPtr, p.srcPos), size,
                    p.kind, stream, function, waiting);
}

}  // namespace

ArrayMemory memory_of(cudaArray_const_t array) {
    return *array;
}

}  // namespace cpu_device

using namespace cpu_device;

// --- rows -----------------------------------------------------------------------------------

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                            std::size_t height) {
    *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    return result(allocate(pointer, *pitch * height));
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    return result(copy_2d(to, to_pitch, from, from_pitch, width, height, kind, nullptr, __func__,
                          Waiting::as_documented));
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                              std::size_t from_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
    return result(copy_2d(to, to_pitch, from, from_pitch, width, height, kind, stream, __func__,
                          Waiting::never));
}

cudaError_t cudaMemset2D(void* pointer, std::size_t pitch, int byte, std::size_t width,
                         std::size_t height) {
    return result(set_2d(pointer, pitch, byte, width, height, nullptr, __func__));
}

cudaError_t cudaMemset2DAsync(void* pointer, std::size_t pitch, int byte, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
    return result(set_2d(pointer, pitch, byte, width, height, stream, __func__));
}

// --- boxes ----------------------------------------------------------------------------------

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width,
                           extent.height * extent.depth);
}

cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int byte, cudaExtent extent) {
    return cudaMemset3DAsync(pointer, byte, extent);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int byte, cudaExtent extent,
                              cudaStream_t stream) {
    for (std::size_t z = 0; z < extent.depth; ++z) {
        const cudaError_t error = set_2d(box_of(pointer, {0, 0, z}).begin, pointer.pitch, byte,
                                         extent.width, extent.height, stream, __func__);
        if (error != cudaSuccess) {
            return result(error);
        }
    }
    return result(cudaSuccess);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
    return result(copy_3d(*parameters, nullptr, __func__, Waiting::as_documented));
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    return result(copy_3d(*parameters, stream, __func__, Waiting::never));
}

// --- arrays ---------------------------------------------------------------------------------

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                            std::size_t width, std::size_t height, unsigned flags) {
    return cudaMalloc3DArray(array, format, {width, height, 0}, flags);
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned flags) {
    const int bits = format->x + format->y + format->z + format->w;
    if (format->x < 8 || bits > 128 || extent.width == 0) {
        return result(cudaErrorInvalidChannelDescriptor);
    }
    constexpr unsigned all =
        cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
    if ((flags & ~all) != 0) {
        return result(cudaErrorNotSupported);
    }
    const bool layered = (flags & cudaArrayLayered) != 0;
    const bool is_cube = extent.width == extent.height &&
                         (layered ? extent.depth > 0 && extent.depth % 6 == 0 : extent.depth == 6);
    if (((flags & cudaArrayCubemap) != 0 && !is_cube) || (layered && extent.depth == 0)) {
        return result(cudaErrorInvalidValue);
    }
    const auto element_bytes = static_cast<std::size_t>(bits) / 8;
    void* data = nullptr;
    const cudaError_t error =
        allocate(&data, element_bytes * extent.width * at_least_one(extent.height) *
                            at_least_one(extent.depth));
    if (error == cudaSuccess) {
        *array = new cudaArray{
            {static_cast<unsigned char*>(data), element_bytes, *format, extent, flags}};
    }
    return result(error);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    if (array == nullptr) {
        return result(cudaSuccess);
    }
    const cudaError_t error = release(array->data);
    delete array;
    return result(error);
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned* flags,
                             cudaArray_t array) {
    if (format != nullptr) {
        *format = array->format;
    }
    if (extent != nullptr) {
        *extent = array->extent;
    }
    if (flags != nullptr) {
        *flags = array->flags;
    }
    return result(cudaSuccess);
}

namespace {
cudaError_t copy_to_array(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                          std::size_t from_pitch, std::size_t width, std::size_t height,
                          cudaMemcpyKind kind, cudaStream_t stream, const char* function,
                          Waiting waiting) {
    if (!holds(*to, x, y, 0, {width, height, 1})) {
        return result(cudaErrorInvalidValue);
    }
    return result(copy_2d(box_of(*to, x, y, 0).begin, row_bytes(*to), from, from_pitch, width,
                          height, kind, stream, function, waiting));
}

cudaError_t copy_from_array(void* to, std::size_t to_pitch, cudaArray_const_t from, std::size_t x,
                            std::size_t y, std::size_t width, std::size_t height,
                            cudaMemcpyKind kind, cudaStream_t stream, const char* function,
                            Waiting waiting) {
    if (!holds(*from, x, y, 0, {width, height, 1})) {
        return result(cudaErrorInvalidValue);
    }
    return result(copy_2d(to, to_pitch, box_of(*from, x, y, 0).begin, row_bytes(*from), width,
                          height, kind, stream, function, waiting));
}
}  // namespace

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                std::size_t from_pitch, std::size_t width, std::size_t height,
                                cudaMemcpyKind kind) {
    return copy_to_array(to, x, y, from, from_pitch, width, height, kind, nullptr, __func__,
                         Waiting::as_documented);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                     std::size_t from_pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_to_array(to, x, y, from, from_pitch, width, height, kind, stream, __func__,
                         Waiting::never);
}

cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t to_pitch, cudaArray_const_t from,
                                  std::size_t x, std::size_t y, std::size_t width,
                                  std::size_t height, cudaMemcpyKind kind) {
    return copy_from_array(to, to_pitch, from, x, y, width, height, kind, nullptr, __func__,
                           Waiting::as_documented);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, std::size_t to_pitch, cudaArray_const_t from,
                                       std::size_t x, std::size_t y, std::size_t width,
                                       std::size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
    return copy_from_array(to, to_pitch, from, x, y, width, height, kind, stream, __func__,
                           Waiting::never);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, std::size_t to_x, std::size_t to_y,
                                     cudaArray_const_t from, std::size_t from_x, std::size_t from_y,
                                     std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    if (!holds(*from, from_x, from_y, 0, {width, height, 1})) {
        return result(cudaErrorInvalidValue);
    }
    return copy_to_array(to, to_x, to_y, box_of(*from, from_x, from_y, 0).begin, row_bytes(*from),
                         width, height, kind, nullptr, __func__, Waiting::as_documented);
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
    *format = array->format;
    return result(cudaSuccess);
}

// These two may end in another row than they begin.
namespace {
bool holds_bytes(const ArrayMemory& array, std::size_t x, std::size_t y, std::size_t bytes) {
    return y * row_bytes(array) + x + bytes <= row_bytes(array) * at_least_one(array.extent.height);
}
}  // namespace

cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                              std::size_t bytes, cudaMemcpyKind kind) {
    if (!holds_bytes(*to, x, y, bytes)) {
        return result(cudaErrorInvalidValue);
    }
    return result(copy(box_of(*to, x, y, 0).begin, from, {bytes, 1, 0, 0}, kind, nullptr, __func__,
                       Waiting::as_documented));
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t x, std::size_t y,
                                std::size_t bytes, cudaMemcpyKind kind) {
    if (!holds_bytes(*from, x, y, bytes)) {
        return result(cudaErrorInvalidValue);
    }
    return result(copy(to, box_of(*from, x, y, 0).begin, {bytes, 1, 0, 0}, kind, nullptr, __func__,
                       Waiting::as_documented));
}
