// A test that needs a device: skipped where there is none.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

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
            GTEST_SKIP() << "there is no GPU";
        }
        allocate();
    }
    void TearDown() final {
        if (!IsSkipped()) {
            release();
            static_cast<void>(cudaGetLastError());  // of a call that was meant to fail
        }
    }
};
