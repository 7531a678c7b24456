// Texture and surface objects: made and destroyed on the host, read in kernels by the header's
// functions.
#include "cpu_device/textures.h"

#include <algorithm>

#include "host_api.hpp"

namespace cpu_device {
namespace {

std::size_t bytes_of(const cudaChannelFormatDesc& format) {
    return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
}
std::size_t at_least_one(std::size_t size) {
    return std::max<std::size_t>(size, 1);
}

// False if it has no memory, or is of a kind that is not there.
bool describe(const cudaResourceDesc& resource, Texture& texture) {
    switch (resource.resType) {
        case cudaResourceTypeArray: {
            if (resource.res.array.array == nullptr) {
                return false;
            }
            const ArrayMemory array = memory_of(resource.res.array.array);
            texture.data = array.data;
            texture.format = array.format;
            texture.extent = {array.extent.width, at_least_one(array.extent.height),
                              at_least_one(array.extent.depth)};
            texture.pitch = array.extent.width * array.element_bytes;
            break;
        }
        case cudaResourceTypeLinear: {
            const auto& linear = resource.res.linear;
            texture.data = static_cast<unsigned char*>(linear.devPtr);
            texture.format = linear.desc;
            texture.extent = {linear.sizeInBytes / at_least_one(bytes_of(linear.desc)), 1, 1};
            break;
        }
        case cudaResourceTypePitch2D: {
            const auto& rows = resource.res.pitch2D;
            texture.data = static_cast<unsigned char*>(rows.devPtr);
            texture.format = rows.desc;
            texture.extent = {rows.width, rows.height, 1};
            texture.pitch = rows.pitchInBytes;
            break;
        }
        default:
            return false;
    }
    texture.element_bytes = bytes_of(texture.format);
    texture.slice = texture.pitch * texture.extent.height;
    return texture.data != nullptr && texture.element_bytes > 0;
}

}  // namespace
}  // namespace cpu_device

using cpu_device::result;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc*) {
    cpu_device::Texture made{};
    made.description = *description;
    if (!cpu_device::describe(*resource, made)) {
        return result(cudaErrorInvalidValue);
    }
    const bool gives_floats = made.format.f == cudaChannelFormatKindFloat ||
                              description->readMode == cudaReadModeNormalizedFloat;
    if (description->filterMode == cudaFilterModeLinear && !gives_floats) {
        return result(cudaErrorInvalidFilterSetting);
    }
    *texture = reinterpret_cast<cudaTextureObject_t>(new cpu_device::Texture(made));
    return result(cudaSuccess);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    delete reinterpret_cast<cpu_device::Texture*>(texture);
    return result(cudaSuccess);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface,
                                    const cudaResourceDesc* resource) {
    cpu_device::Texture made{};
    if (resource->resType != cudaResourceTypeArray || !cpu_device::describe(*resource, made) ||
        (cpu_device::memory_of(resource->res.array.array).flags & cudaArraySurfaceLoadStore) == 0) {
        return result(cudaErrorInvalidValue);
    }
    *surface = reinterpret_cast<cudaSurfaceObject_t>(new cpu_device::Texture(made));
    return result(cudaSuccess);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    delete reinterpret_cast<cpu_device::Texture*>(surface);
    return result(cudaSuccess);
}
