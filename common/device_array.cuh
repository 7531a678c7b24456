// DeviceArray<T>: device memory that frees itself. It belongs to host code only: a kernel is given
// the pointer, d_x.data(), by value. (An object whose destructor frees the memory must never be a
// kernel parameter: the copy made for the launch would free it a second time when it dies.)
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "common/error.cuh"

namespace common {

template <typename T>
class DeviceArray {
  public:
    DeviceArray() = default;

    // `size` elements, uninitialised.
    explicit DeviceArray(std::size_t size) : size_(size) {
        if (size > 0) {
            CHECK(cudaMalloc(&data_, size * sizeof(T)));
        }
    }

    // A copy of a host array.
    explicit DeviceArray(const std::vector<T>& h_values) : DeviceArray(h_values.size()) {
        if (size_ > 0) {
            CHECK(cudaMemcpy(data_, h_values.data(), bytes(), cudaMemcpyHostToDevice));
        }
    }

    ~DeviceArray() {
        // Unchecked on purpose: at the end of a program the driver may be gone already.
        static_cast<void>(cudaFree(data_));
    }

    DeviceArray(DeviceArray&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
    DeviceArray& operator=(DeviceArray&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        return *this;
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() const { return data_; }
    std::size_t size() const { return size_; }
    std::size_t bytes() const { return size_ * sizeof(T); }

    // Sets every byte of the array, in stream order.
    void fill_bytes(int byte) {
        if (size_ > 0) {
            CHECK(cudaMemsetAsync(data_, byte, bytes()));
        }
    }

    // Waits for the work queued before and copies the array to the host.
    std::vector<T> to_host() const {
        std::vector<T> h_values(size_);
        if (size_ > 0) {
            CHECK(cudaMemcpy(h_values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
        }
        return h_values;
    }

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace common
