// Several devices: what CUDA promises of them. On a machine with fewer than two GPUs these tests
// are skipped; the CPU device has as many as it is asked for.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/device_test.cuh"

namespace {

// Before the first call of CUDA's functions.
__attribute__((constructor)) void ask_for_three_devices() {
    setenv("CPU_DEVICES", "3", 0);
}

__global__ void write(int* d_x, int value, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        d_x[i] = value + i;
    }
}
__global__ void add(int* d_sum, const int* d_x, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        atomicAdd_system(d_sum, d_x[i]);
    }
}

class Devices : public testing::Test {
  protected:
    void SetUp() override {
        skip_without_device();
        if (IsSkipped() || HasFatalFailure()) {
            return;
        }
        if (cudaGetDeviceCount(&count_) != cudaSuccess || count_ < 2) {
            static_cast<void>(cudaGetLastError());
            GTEST_SKIP() << "fewer than two devices";
        }
        ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
    }
    void TearDown() override {
        if (count_ >= 2) {
            static_cast<void>(cudaSetDevice(0));
            static_cast<void>(cudaGetLastError());  // of a call that was meant to fail
        }
    }
    static void use(int device) { ASSERT_EQ(cudaSetDevice(device), cudaSuccess); }
    static int* allocate_on(int device, std::size_t n) {
        int* d_x = nullptr;
        EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
        EXPECT_EQ(cudaMalloc(&d_x, n * sizeof(int)), cudaSuccess);
        return d_x;
    }
    static int value_at(const int* d_x, std::size_t i) {
        int value = -1;
        EXPECT_EQ(cudaMemcpy(&value, d_x + i, sizeof value, cudaMemcpyDefault), cudaSuccess);
        return value;
    }
    int count_ = 0;
};

TEST_F(Devices, AreNumberedFromZero) {
    for (int device = 0; device < count_; ++device) {
        use(device);
        int current = -1;
        EXPECT_EQ(cudaGetDevice(&current), cudaSuccess);
        EXPECT_EQ(current, device);
        cudaDeviceProp properties{};
        EXPECT_EQ(cudaGetDeviceProperties(&properties, device), cudaSuccess);
        EXPECT_GT(properties.multiProcessorCount, 0);
        char id[32] = "";
        int by_id = -1;
        EXPECT_EQ(cudaDeviceGetPCIBusId(id, sizeof id, device), cudaSuccess);
        EXPECT_EQ(cudaDeviceGetByPCIBusId(&by_id, id), cudaSuccess);
        EXPECT_EQ(by_id, device) << id;
    }
    for (const int wrong : {count_, -1}) {
        int value = 0;
        cudaDeviceProp properties{};
        EXPECT_EQ(cudaSetDevice(wrong), cudaErrorInvalidDevice);
        EXPECT_EQ(cudaGetDeviceProperties(&properties, wrong), cudaErrorInvalidDevice);
        EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, wrong),
                  cudaErrorInvalidDevice);
    }
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
    int current = -1;
    EXPECT_EQ(cudaGetDevice(&current), cudaSuccess);
    EXPECT_EQ(current, count_ - 1) << "a call that fails changes nothing";
}

TEST_F(Devices, AreChosenByEachHostThread) {
    use(1);
    int of_other = -1;
    int of_other_later = -1;
    std::thread([&] {
        EXPECT_EQ(cudaGetDevice(&of_other), cudaSuccess);
        EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
        EXPECT_EQ(cudaGetDevice(&of_other_later), cudaSuccess);
    }).join();
    EXPECT_EQ(of_other, 0);
    EXPECT_EQ(of_other_later, 0);
    int current = -1;
    EXPECT_EQ(cudaGetDevice(&current), cudaSuccess);
    EXPECT_EQ(current, 1);
}

TEST_F(Devices, OwnWhatIsAllocatedOnThem) {
    int* const d_x = allocate_on(1, 100);
    int* pinned = nullptr;
    int* managed = nullptr;
    ASSERT_EQ(cudaMallocHost(&pinned, 64), cudaSuccess);
    ASSERT_EQ(cudaMallocManaged(&managed, 64), cudaSuccess);
    cudaPointerAttributes attributes{};
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, d_x + 50), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeDevice);
    EXPECT_EQ(attributes.device, 1);
    EXPECT_EQ(attributes.devicePointer, d_x + 50);
    EXPECT_EQ(attributes.hostPointer, nullptr);
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, managed), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, pinned), cudaSuccess);
    EXPECT_EQ(attributes.type, cudaMemoryTypeHost);
    EXPECT_EQ(attributes.device, 1);
    // All devices use pinned and managed memory.
    for (const int device : {0, 1}) {
        use(device);
        write<<<1, 32>>>(pinned, 10 * device, 16);
        write<<<1, 32>>>(managed, 20 * device, 16);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        EXPECT_EQ(pinned[3], 10 * device + 3);
        EXPECT_EQ(managed[3], 20 * device + 3);
    }
    EXPECT_EQ(cudaFree(managed), cudaSuccess);
    EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
    EXPECT_EQ(cudaFree(d_x), cudaSuccess);  // from device 0 or 1 alike
}

TEST_F(Devices, HaveStreamsAndEventsOfTheirOwn) {
    int* const d_x = allocate_on(0, 64);
    cudaStream_t first{};
    cudaStream_t second{};
    cudaEvent_t event{};
    cudaEvent_t of_second{};
    ASSERT_EQ(cudaStreamCreate(&first), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
    use(1);
    ASSERT_EQ(cudaStreamCreate(&second), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&of_second), cudaSuccess);
    use(0);
    // A launch wants a stream of the current device, an event one of its own.
    write<<<1, 64, 0, first>>>(d_x, 5, 64);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
#ifdef CPU_DEVICE
    // As CUDA's Programming Guide says. The runtime of CUDA 13.0 takes it, and the kernel runs on
    // the stream's device.
    write<<<1, 64, 0, second>>>(d_x, 7, 64);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidResourceHandle);
#endif
    EXPECT_EQ(cudaEventRecord(event, second), cudaErrorInvalidResourceHandle);
    EXPECT_EQ(cudaEventRecord(event, first), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(of_second), cudaErrorInvalidResourceHandle);
    // Any stream waits for any event, and the host for both, whatever the current device is.
    EXPECT_EQ(cudaStreamWaitEvent(second, event, 0), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(of_second, second), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
    EXPECT_EQ(cudaEventSynchronize(of_second), cudaSuccess);
    EXPECT_EQ(cudaEventQuery(of_second), cudaSuccess);
    float ms = 0;
    EXPECT_EQ(cudaEventElapsedTime(&ms, event, of_second), cudaErrorInvalidResourceHandle);
    // So do copies.
    int value = 0;
    EXPECT_EQ(cudaMemcpyAsync(&value, d_x + 2, sizeof value, cudaMemcpyDeviceToHost, second),
              cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(second), cudaSuccess);
    EXPECT_EQ(value, 7);  // 5 + 2: the launch that was refused has written nothing
    for (const cudaStream_t stream : {first, second}) {
        EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    }
    for (const cudaEvent_t one : {event, of_second}) {
        EXPECT_EQ(cudaEventDestroy(one), cudaSuccess);
    }
    EXPECT_EQ(cudaFree(d_x), cudaSuccess);
}

TEST_F(Devices, GiveAccessToTheirPeersOnce) {
    int can = -1;
    EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
    EXPECT_EQ(can, 0);
    EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, count_), cudaErrorInvalidDevice);
    ASSERT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaSuccess);
    if (can == 0) {
        GTEST_SKIP() << "the two devices are no peers";
    }
    int value = -1;
    EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1), cudaSuccess);
    EXPECT_EQ(value, 1);
    EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrNativeAtomicSupported, 0, 1),
              cudaSuccess);
    EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 1, 1),
              cudaErrorInvalidDevice);
    EXPECT_EQ(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, count_),
              cudaErrorInvalidDevice);

    EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(count_, 0), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaSuccess);
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
    use(1);  // access has one direction
    EXPECT_EQ(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);

    int* const d_x = allocate_on(1, 100);
    use(0);
    cudaPointerAttributes attributes{};
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, d_x), cudaSuccess);
    EXPECT_EQ(attributes.device, 1);
    EXPECT_EQ(attributes.devicePointer, d_x);
    write<<<2, 64>>>(d_x, 1000, 100);  // by device 0
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(value_at(d_x, 99), 1099);
    EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaSuccess);
    EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
    EXPECT_EQ(cudaFree(d_x), cudaSuccess);
}

TEST_F(Devices, CopyToEachOtherWithoutAccess) {
    constexpr std::size_t n = 5000;
    int* const d_from = allocate_on(0, n);
    write<<<(n + 255) / 256, 256>>>(d_from, 3, n);
    int* const d_to = allocate_on(1, n);
    EXPECT_EQ(cudaMemcpyPeer(d_to, 1, d_from, 0, n * sizeof(int)), cudaSuccess);
    EXPECT_EQ(value_at(d_to, n - 1), static_cast<int>(n) + 2);
    EXPECT_EQ(cudaMemset(d_to, 0, n * sizeof(int)), cudaSuccess);
    EXPECT_EQ(cudaMemcpyPeerAsync(d_to, 1, d_from, 0, n * sizeof(int)), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(value_at(d_to, 4000), 4003);
    EXPECT_EQ(cudaMemset(d_to, 0, n * sizeof(int)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(d_to, d_from, n * sizeof(int), cudaMemcpyDeviceToDevice), cudaSuccess);
    EXPECT_EQ(value_at(d_to, 17), 20);
    EXPECT_EQ(cudaMemcpyPeer(d_to, count_, d_from, 0, 4), cudaErrorInvalidDevice);
    EXPECT_EQ(cudaFree(d_to), cudaSuccess);
    EXPECT_EQ(cudaFree(d_from), cudaSuccess);
}

TEST_F(Devices, AddUpInOneWord) {
    constexpr int n = 1000;
    int* sum = nullptr;
    ASSERT_EQ(cudaMallocManaged(&sum, sizeof(int)), cudaSuccess);
    *sum = 0;
    std::vector<int*> parts;
    for (int device = 0; device < count_; ++device) {
        parts.push_back(allocate_on(device, n));
        write<<<(n + 127) / 128, 128>>>(parts.back(), device, n);
        add<<<(n + 127) / 128, 128>>>(sum, parts.back(), n);
    }
    int expected = 0;
    for (int device = 0; device < count_; ++device) {
        use(device);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        expected += n * device + n * (n - 1) / 2;
    }
    EXPECT_EQ(*sum, expected);
    for (int* const d_x : parts) {
        EXPECT_EQ(cudaFree(d_x), cudaSuccess);
    }
    EXPECT_EQ(cudaFree(sum), cudaSuccess);
}

// Each host thread uses the memory of its device, also while another device's launch runs, which
// has no access to it.
TEST_F(Devices, WorkForTwoHostThreads) {
    static constexpr int n = 4096;
    const auto work = [](int device, int& wrong) {
        EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
        int* d_x = nullptr;
        EXPECT_EQ(cudaMalloc(&d_x, n * sizeof(int)), cudaSuccess);
        for (int round = 0; round < 100; ++round) {
            std::vector<int> h_x(n, -1);
            EXPECT_EQ(cudaMemcpy(d_x, h_x.data(), n * sizeof(int), cudaMemcpyHostToDevice),
                      cudaSuccess);
            write<<<n / 256, 256>>>(d_x, round + device, n);
            EXPECT_EQ(cudaMemcpy(h_x.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost),
                      cudaSuccess);
            wrong += h_x[n - 1] != round + device + n - 1;
        }
        EXPECT_EQ(cudaFree(d_x), cudaSuccess);
    };
    int wrong[2] = {};
    std::thread other([&] { work(1, wrong[1]); });
    work(0, wrong[0]);
    other.join();
    EXPECT_EQ(wrong[0] + wrong[1], 0);
}

TEST_F(Devices, HaveMemoryPoolsOfTheirOwn) {
    cudaMemPool_t pools[2]{};
    for (const int device : {0, 1}) {
        ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pools[device], device), cudaSuccess);
    }
    EXPECT_NE(pools[0], pools[1]);
    EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pools[0], count_), cudaErrorInvalidDevice);
    use(1);
    cudaStream_t stream{};
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    use(0);
    int* d_x = nullptr;
    ASSERT_EQ(cudaMallocAsync(&d_x, 64, stream), cudaSuccess);  // from the stream's device
    cudaPointerAttributes attributes{};
    ASSERT_EQ(cudaPointerGetAttributes(&attributes, d_x), cudaSuccess);
    EXPECT_EQ(attributes.device, 1);
    EXPECT_EQ(cudaFreeAsync(d_x, stream), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

}  // namespace
