// Arrays of more elements than 32 bits can number, for the tests large_test.cu of the chapters.
//
// On a GPU such an array is memory, and a launch runs whole. On the CPU device that would take many
// gigabytes and minutes. There the array is address space: a page of it comes to be, full of
// zeros, when it is touched. And FirstAndLastBlocks lets launches run only their ends, where an
// index of 32 bits has overflowed. So a test puts its numbers into the first and the last few
// elements, those of the first and the last block, and all others are 0.
//
// These tests are compiled with -fwrapv, because an `int` that overflows wraps around on a GPU.
// Without it g++ may turn the int of a loop into 64 bits, and the fault would not show.
//
// What they cannot see: a fault that shows only in the blocks between the ends, or only with memory
// that is not zero there. On a GPU they see these too.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "common/device.cuh"
#include "common/error.cuh"
#include "tests/device_test.cuh"

#ifdef CPU_DEVICE
#include <sys/mman.h>

#include <cstdlib>

#include "cpu_device/first_and_last_blocks.hpp"

// A device of so many multiprocessors that in a grid that fills it each thread has few elements.
// Before anything asks how many there are.
[[maybe_unused]] static const bool many_multiprocessors =
    setenv("CPU_DEVICE_THREADS", "256", 1) == 0;

// So many bytes, all of them 0; null where they are not to be had.
inline void* take_zeros(std::size_t bytes) {
    void* const space = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space == MAP_FAILED) {
        return nullptr;
    }
    // Else one word that is written could take a page of 2 MiB.
    static_cast<void>(madvise(space, bytes, MADV_NOHUGEPAGE));
    return space;
}
inline void give_back_zeros(void* space, std::size_t bytes) {
    if (space != nullptr) {
        munmap(space, bytes);
    }
}

// While it lives, launches on the CPU device run only their first and their last block.
class FirstAndLastBlocks {
  public:
    FirstAndLastBlocks() { cpu_device::run_only_first_and_last_blocks(1); }
    ~FirstAndLastBlocks() { cpu_device::run_only_first_and_last_blocks(0); }
    FirstAndLastBlocks(const FirstAndLastBlocks&) = delete;
    FirstAndLastBlocks& operator=(const FirstAndLastBlocks&) = delete;
};
#else
inline void* take_zeros(std::size_t bytes) {
    void* d_space = nullptr;
    if (cudaMalloc(&d_space, bytes) != cudaSuccess) {
        static_cast<void>(cudaGetLastError());  // the null is this answer
        return nullptr;
    }
    CHECK(cudaMemset(d_space, 0, bytes));
    return d_space;
}
inline void give_back_zeros(void* d_space, std::size_t) {
    static_cast<void>(cudaFree(d_space));
}

struct FirstAndLastBlocks {
    FirstAndLastBlocks() {}
};
#endif

// `size` elements, all bytes 0.
template <typename T>
class LargeArray {
  public:
    explicit LargeArray(std::size_t size)
        : size_(size), data_(static_cast<T*>(take_zeros(size * sizeof(T)))) {}
    ~LargeArray() { give_back_zeros(data_, size_ * sizeof(T)); }
    LargeArray(const LargeArray&) = delete;
    LargeArray& operator=(const LargeArray&) = delete;

    // Why it could not be had, or empty. It is to be asked before anything else.
    std::string lack() const {
        if (data_ != nullptr) {
            return "";
        }
        return "needs " + std::to_string((size_ * sizeof(T) >> 30) + 1) + " GiB of " +
               (common::on_cpu_device ? "address space" : "device memory") +
               " in one piece, which there is not";
    }
    T* data() const { return data_; }

    // Copies numbers to the elements from `first` on, and back. By the pointers' own kind: on the
    // CPU device this address space is no memory that cudaMalloc has given.
    void put(std::size_t first, const std::vector<T>& values) {
        CHECK(
            cudaMemcpy(data_ + first, values.data(), values.size() * sizeof(T), cudaMemcpyDefault));
    }
    std::vector<T> get(std::size_t first, std::size_t count) const {
        std::vector<T> values(count);
        CHECK(cudaMemcpy(values.data(), data_ + first, count * sizeof(T), cudaMemcpyDefault));
        return values;
    }

  private:
    std::size_t size_;
    T* data_;
};

// The fixture. An unsigned index that wraps around may never come to the end: then an alarm ends
// the test.
class LargeTest : public DeviceTest {
  protected:
    void SetUp() override {
        DeviceTest::SetUp();
        alarm(300);
    }
    void TearDown() override {
        alarm(0);
        DeviceTest::TearDown();
    }

    // Every right variant of the table must be among `names`, and each must be one.
    template <typename P>
    static void expect_all_right_variants(const std::vector<harness::Variant<P>>& table,
                                          std::vector<std::string> names) {
        std::vector<std::string> expected;
        for (const harness::Variant<P>& variant : table) {
            if (harness::is_right(variant.kind)) {
                expected.push_back(variant.name);
            }
        }
        std::sort(expected.begin(), expected.end());
        std::sort(names.begin(), names.end());
        EXPECT_EQ(names, expected) << "this test does not run each right variant once";
    }
};

// Ends the test as skipped where the array could not be had.
#define SKIP_WITHOUT(array)                                       \
    if (const std::string lack = (array).lack(); !lack.empty()) { \
        GTEST_SKIP() << lack;                                     \
    }
