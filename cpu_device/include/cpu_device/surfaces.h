// Surface objects: arrays that kernels read and write by coordinates, of which x counts bytes.
#pragma once

#include <type_traits>

#include "cpu_device/textures.h"

// What an access outside of the surface does: the kernel fails; the nearest element is meant; a
// read gives zeros, and a write is left out.
enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero = 0,
    cudaBoundaryModeClamp = 1,
    cudaBoundaryModeTrap = 2,
};

namespace cpu_device {

// Null where a read gives zeros and a write is left out.
inline unsigned char* element_of(cudaSurfaceObject_t surface, int x_bytes, int y, int z,
                                 std::size_t bytes, cudaSurfaceBoundaryMode mode, Place place) {
    const Texture& s = texture_of(surface);
    const auto size = static_cast<int>(bytes);
    const int last[] = {static_cast<int>(s.extent.width * s.element_bytes) - size,
                        static_cast<int>(s.extent.height) - 1,
                        static_cast<int>(s.extent.depth) - 1};
    int at[] = {x_bytes, y, z};
    for (int d = 0; d < 3; ++d) {
        if (at[d] >= 0 && at[d] <= last[d]) {
            continue;
        }
        if (mode == cudaBoundaryModeTrap) {
            trap(place);
        }
        if (mode == cudaBoundaryModeZero) {
            return nullptr;
        }
        at[d] = at[d] < 0 ? 0 : last[d];
    }
    return s.data + at[0] + static_cast<std::size_t>(at[1]) * s.pitch +
           static_cast<std::size_t>(at[2]) * s.slice;
}

template <typename T>
T read_surface(cudaSurfaceObject_t surface, int x, int y, int z, cudaSurfaceBoundaryMode mode,
               Place place) {
    const unsigned char* const from = element_of(surface, x, y, z, sizeof(T), mode, place);
    if (from == nullptr) {
        return T{};
    }
    const ReadsOf reads(place, false);
    return *reinterpret_cast<const T*>(from);
}

template <typename T>
void write_surface(const T& value, cudaSurfaceObject_t surface, int x, int y, int z,
                   cudaSurfaceBoundaryMode mode, Place place) {
    unsigned char* const to = element_of(surface, x, y, z, sizeof(T), mode, place);
    if (to != nullptr) {
        const T copy = value;
        const ReadsOf writes(place, false);
        *reinterpret_cast<T*>(to) = copy;
    }
}

}  // namespace cpu_device

// name##read<T>(surface, ...), name##read(&value, surface, ...) and name##write(value, surface,
// ...)
#define CPU_DEVICE_SURFACE(name, parameters, x, y, z)                                    \
    template <typename T>                                                                \
    T name##read(cudaSurfaceObject_t surface, CPU_DEVICE_UNPACK parameters,              \
                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,                    \
                 cpu_device::Place place = {}) {                                         \
        return cpu_device::read_surface<T>(surface, x, y, z, mode, place);               \
    }                                                                                    \
    template <typename T>                                                                \
    void name##read(T* value, cudaSurfaceObject_t surface, CPU_DEVICE_UNPACK parameters, \
                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,                 \
                    cpu_device::Place place = {}) {                                      \
        *value = cpu_device::read_surface<T>(surface, x, y, z, mode, place);             \
    }                                                                                    \
    template <typename T>                                                                \
    void name##write(T value, cudaSurfaceObject_t surface, CPU_DEVICE_UNPACK parameters, \
                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,                \
                     cpu_device::Place place = {}) {                                     \
        cpu_device::write_surface(value, surface, x, y, z, mode, place);                 \
    }
#define CPU_DEVICE_UNPACK(...) __VA_ARGS__
CPU_DEVICE_SURFACE(surf1D, (int x), x, 0, 0)
CPU_DEVICE_SURFACE(surf2D, (int x, int y), x, y, 0)
CPU_DEVICE_SURFACE(surf3D, (int x, int y, int z), x, y, z)
CPU_DEVICE_SURFACE(surf1DLayered, (int x, int layer), x, 0, layer)
CPU_DEVICE_SURFACE(surf2DLayered, (int x, int y, int layer), x, y, layer)
CPU_DEVICE_SURFACE(surfCubemap, (int x, int y, int face), x, y, face)
#undef CPU_DEVICE_UNPACK
#undef CPU_DEVICE_SURFACE
