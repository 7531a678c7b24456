// A test that needs a device: skipped where there is none; with REQUIRE_GPU set, it fails there.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdlib>

class DeviceTest : public testing::Test {
  protected:
    // What the tests of a class need, and its end.
    virtual void allocate() {}
    virtual void release() {}

    static void wait() {
        ASSERT_EQ(cudaGetLastError(), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }

  private:
    void SetUp() final {
        int count = 0;
        if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
            ASSERT_EQ(std::getenv("REQUIRE_GPU"), nullptr) << "there is no GPU";
            GTEST_SKIP() << "there is no GPU";
        }
        allocate();
    }
    void TearDown() final {
        if (!IsSkipped() && !HasFatalFailure()) {
            release();
            static_cast<void>(cudaGetLastError());  // of a call that was meant to fail
        }
    }
};
