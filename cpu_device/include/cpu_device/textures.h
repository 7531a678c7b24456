// Texture objects: memory that is read by coordinates, as "Texture Fetching" in the CUDA C++
// Programming Guide has it. Of one, two and three dimensions, layers and cubes; no mipmaps. And
// surfaces, which kernels write, too.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cpu_device/pitched_memory.h"
#include "cpu_device/small_float.h"

enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3,
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias;
    float minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int seamlessCubemap;
};

enum cudaResourceType {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3,
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            std::size_t sizeInBytes;
        } linear;
        struct {
            void* devPtr;
            cudaChannelFormatDesc desc;
            std::size_t width, height;
            std::size_t pitchInBytes;
        } pitch2D;
    } res;
};
struct cudaResourceViewDesc;

using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;
cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* description,
                                    const cudaResourceViewDesc* view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* surface, const cudaResourceDesc* resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface);

namespace cpu_device {

namespace types {
// What a texture object or a surface object points to.
struct Texture {
    unsigned char* data;
    cudaChannelFormatDesc format;
    cudaExtent extent;  // in elements; 1 for a dimension that it does not have
    std::size_t element_bytes, pitch, slice;
    cudaTextureDesc description;
};

// One element. A double holds every value of 32 bits.
struct Texel {
    double component[4];
};
}  // namespace types

inline double decoded(const unsigned char* from, int bits, cudaChannelFormatKind kind,
                      bool normalized) {
    std::uint32_t raw = 0;
    switch (bits) {  // of the size that the element has: race mode checks these reads
        case 8:
            raw = *from;
            break;
        case 16:
            raw = *reinterpret_cast<const Word<std::uint16_t>*>(from);
            break;
        default:
            raw = *reinterpret_cast<const Word<std::uint32_t>*>(from);
    }
    if (kind == cudaChannelFormatKindFloat) {
        return bits == 16
                   ? static_cast<double>(from_16_bits<10, 5>(static_cast<std::uint16_t>(raw)))
                   : static_cast<double>(from_bits<float>(raw));
    }
    if (kind == cudaChannelFormatKindUnsigned) {
        return normalized ? raw / ((1u << bits) - 1.0) : raw;
    }
    const auto value = static_cast<std::int32_t>(raw << (32 - bits)) >> (32 - bits);
    return normalized ? std::fmax(value / ((1u << (bits - 1)) - 1.0), -1.0) : value;
}

// The index that an address mode makes of one outside of the array; -1: the border's.
inline long addressed(long index, long size, cudaTextureAddressMode mode, bool normalized) {
    if (index >= 0 && index < size) {
        return index;
    }
    if (mode == cudaAddressModeBorder) {
        return -1;
    }
    if (normalized && mode == cudaAddressModeWrap) {
        return (index % size + size) % size;
    }
    if (normalized && mode == cudaAddressModeMirror) {
        const long twice = (index % (2 * size) + 2 * size) % (2 * size);
        return twice < size ? twice : 2 * size - 1 - twice;
    }
    return index < 0 ? 0 : size - 1;
}

inline Texel texel(const Texture& texture, const long (&index)[3]) {
    const cudaTextureDesc& how = texture.description;
    const std::size_t sizes[] = {texture.extent.width, texture.extent.height, texture.extent.depth};
    std::size_t at[3];
    for (int d = 0; d < 3; ++d) {
        const long inside = addressed(index[d], static_cast<long>(sizes[d]), how.addressMode[d],
                                      how.normalizedCoords != 0);
        if (inside < 0) {
            return {how.borderColor[0], how.borderColor[1], how.borderColor[2], how.borderColor[3]};
        }
        at[d] = static_cast<std::size_t>(inside);
    }
    const unsigned char* from = texture.data + at[0] * texture.element_bytes +
                                at[1] * texture.pitch + at[2] * texture.slice;
    const int bits[] = {texture.format.x, texture.format.y, texture.format.z, texture.format.w};
    Texel result{};
    for (int i = 0; i < 4 && bits[i] > 0; ++i) {
        result.component[i] =
            decoded(from, bits[i], texture.format.f, how.readMode == cudaReadModeNormalizedFloat);
        from += bits[i] / 8;
    }
    return result;
}

// A layer's number; one outside is that of the nearest layer.
inline long layer_of(const Texture& texture, int layer) {
    const auto last = static_cast<long>(texture.extent.depth) - 1;
    return layer < 0 ? 0 : (layer < last ? layer : last);
}

// The element at a point, or between its neighbors in each of the dimensions. With fewer than
// three, z may be the number of a layer.
inline Texel fetch(const Texture& texture, int dimensions, float x, float y, float z,
                   long layer = 0) {
    const float given[] = {x, y, z};
    const std::size_t sizes[] = {texture.extent.width, texture.extent.height, texture.extent.depth};
    const bool linear = texture.description.filterMode == cudaFilterModeLinear;
    long first[3] = {0, 0, layer};
    double weight[3] = {};
    for (int d = 0; d < dimensions; ++d) {
        double at = given[d];
        at *= texture.description.normalizedCoords != 0 ? static_cast<double>(sizes[d]) : 1;
        at -= linear ? 0.5 : 0;
        // Far outside, a number that a long does not hold would not do.
        at = std::fmin(std::fmax(at, -1e9), 1e9);
        first[d] = static_cast<long>(std::floor(at));
        // The hardware's weights are multiples of 1/256.
        weight[d] = linear ? std::floor((at - std::floor(at)) * 256 + 0.5) / 256 : 0;
    }
    Texel sum{};
    for (int corner = 0; corner < 1 << dimensions; ++corner) {
        double share = 1;
        long index[3];
        for (int d = 0; d < 3; ++d) {
            const bool next = (corner >> d & 1) != 0;
            share *= next ? weight[d] : 1 - weight[d];
            index[d] = first[d] + (next ? 1 : 0);
        }
        if (share > 0) {
            const Texel one = texel(texture, index);
            for (int i = 0; i < 4; ++i) {
                sum.component[i] += share * one.component[i];
            }
        }
    }
    return sum;
}

template <typename T>
T value_of(const Texel& texel) {
    using Component = typename Components<T>::type;
    Component components[Components<T>::count];
    for (int i = 0; i < Components<T>::count; ++i) {
        components[i] = static_cast<Component>(texel.component[i]);
    }
    T value;
    static_assert(sizeof value == sizeof components, "a number, or a vector without gaps");
    std::memcpy(&value, components, sizeof value);
    return value;
}

// A direction from the middle of a cube: the face that it meets, and where. The faces are those of
// +x, -x, +y, -y, +z and -z.
inline Texel fetch_of_cube(Texture texture, float x, float y, float z, int layer) {
    const float size[] = {std::fabs(x), std::fabs(y), std::fabs(z)};
    const int axis = size[0] >= size[1] && size[0] >= size[2] ? 0 : (size[1] >= size[2] ? 1 : 2);
    const float direction[] = {x, y, z};
    const bool minus = direction[axis] < 0;
    const float s = axis == 0 ? (minus ? z : -z) : (axis == 2 && minus ? -x : x);
    const float t = axis == 1 ? (minus ? -z : z) : -y;
    // An edge of the face ends it.
    texture.description.addressMode[0] = cudaAddressModeClamp;
    texture.description.addressMode[1] = cudaAddressModeClamp;
    texture.description.normalizedCoords = 1;
    return fetch(texture, 2, (s / size[axis] + 1) / 2, (t / size[axis] + 1) / 2, 0,
                 layer_of(texture, layer * 6 + axis * 2 + (minus ? 1 : 0)));
}

// While it lives, race mode takes the accesses for those of this line, and with `of_texture` for
// reads of memory that no thread may write.
#ifdef CPU_DEVICE_RACE
namespace types {
class ReadsOf {
  public:
    explicit ReadsOf(const Place& place, bool of_texture = true);
    ~ReadsOf();
    ReadsOf(const ReadsOf&) = delete;
    ReadsOf& operator=(const ReadsOf&) = delete;
};
}  // namespace types
#else
namespace types {
struct ReadsOf {
    explicit ReadsOf(const Place&, bool = true) {}
};
}  // namespace types
#endif

inline const Texture& texture_of(cudaTextureObject_t object) {
    return *reinterpret_cast<const Texture*>(object);
}

}  // namespace cpu_device

template <typename T>
T tex1Dfetch(cudaTextureObject_t texture, int index, cpu_device::Place place = {}) {
    const cpu_device::ReadsOf reads(place);
    const cpu_device::Texture& t = cpu_device::texture_of(texture);
    const bool inside = index >= 0 && static_cast<std::size_t>(index) < t.extent.width;
    return cpu_device::value_of<T>(inside ? cpu_device::texel(t, {index, 0, 0})
                                          : cpu_device::Texel{});
}
template <typename T>
T tex1D(cudaTextureObject_t texture, float x, cpu_device::Place place = {}) {
    const cpu_device::ReadsOf reads(place);
    return cpu_device::value_of<T>(cpu_device::fetch(cpu_device::texture_of(texture), 1, x, 0, 0));
}
template <typename T>
T tex2D(cudaTextureObject_t texture, float x, float y, cpu_device::Place place = {}) {
    const cpu_device::ReadsOf reads(place);
    return cpu_device::value_of<T>(cpu_device::fetch(cpu_device::texture_of(texture), 2, x, y, 0));
}
template <typename T>
T tex3D(cudaTextureObject_t texture, float x, float y, float z, cpu_device::Place place = {}) {
    const cpu_device::ReadsOf reads(place);
    return cpu_device::value_of<T>(cpu_device::fetch(cpu_device::texture_of(texture), 3, x, y, z));
}
template <typename T>
void tex1Dfetch(T* value, cudaTextureObject_t texture, int index, cpu_device::Place place = {}) {
    *value = tex1Dfetch<T>(texture, index, place);
}
template <typename T>
void tex1D(T* value, cudaTextureObject_t texture, float x, cpu_device::Place place = {}) {
    *value = tex1D<T>(texture, x, place);
}
template <typename T>
void tex2D(T* value, cudaTextureObject_t texture, float x, float y, cpu_device::Place place = {}) {
    *value = tex2D<T>(texture, x, y, place);
}
template <typename T>
void tex3D(T* value, cudaTextureObject_t texture, float x, float y, float z,
           cpu_device::Place place = {}) {
    *value = tex3D<T>(texture, x, y, z, place);
}

template <typename T>
T tex1DLayered(cudaTextureObject_t texture, float x, int layer, cpu_device::Place place = {}) {
    const cpu_device::ReadsOf reads(place);
    const cpu_device::Texture& t = cpu_device::texture_of(texture);
    return cpu_device::value_of<T>(
        cpu_device::fetch(t, 1, x, 0, 0, cpu_device::layer_of(t, layer)));
}
template <typename T>
T tex2DLayered(cudaTextureObject_t texture, float x, float y, int layer,
               cpu_device::Place place = {}) {
    const cpu_device::ReadsOf reads(place);
    const cpu_device::Texture& t = cpu_device::texture_of(texture);
    return cpu_device::value_of<T>(
        cpu_device::fetch(t, 2, x, y, 0, cpu_device::layer_of(t, layer)));
}
template <typename T>
T texCubemap(cudaTextureObject_t texture, float x, float y, float z, cpu_device::Place place = {}) {
    const cpu_device::ReadsOf reads(place);
    return cpu_device::value_of<T>(
        cpu_device::fetch_of_cube(cpu_device::texture_of(texture), x, y, z, 0));
}
template <typename T>
T texCubemapLayered(cudaTextureObject_t texture, float x, float y, float z, int layer,
                    cpu_device::Place place = {}) {
    const cpu_device::ReadsOf reads(place);
    return cpu_device::value_of<T>(
        cpu_device::fetch_of_cube(cpu_device::texture_of(texture), x, y, z, layer));
}
template <typename T>
void tex1DLayered(T* value, cudaTextureObject_t texture, float x, int layer,
                  cpu_device::Place place = {}) {
    *value = tex1DLayered<T>(texture, x, layer, place);
}
template <typename T>
void tex2DLayered(T* value, cudaTextureObject_t texture, float x, float y, int layer,
                  cpu_device::Place place = {}) {
    *value = tex2DLayered<T>(texture, x, y, layer, place);
}
template <typename T>
void texCubemap(T* value, cudaTextureObject_t texture, float x, float y, float z,
                cpu_device::Place place = {}) {
    *value = texCubemap<T>(texture, x, y, z, place);
}

#include "cpu_device/surfaces.h"
