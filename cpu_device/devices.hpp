// The devices: how many there are, which one a host thread uses, and whose memory each may use.
#pragma once

namespace cpu_device {

constexpr int max_devices = 8;

// CPU_DEVICES, or 1.
int device_count();
bool is_device(int number);
// Of the calling host thread, by cudaSetDevice.
int current_device();
// Do kernels of `device` reach what cudaMalloc has given on `owner`? Its own memory, and that of a
// peer by cudaDeviceEnablePeerAccess.
bool has_access(int device, int owner);

// The current device loses its access to others: cudaDeviceReset.
void forget_peers();

// The device whose launch runs. One launch runs at a time, on whichever device.
int device_of_launch();

// Lives while a launch of the calling host thread runs. Meanwhile the memory of other devices that
// the launch may not use cannot be used at all, so that its kernel fails as on a GPU (race mode
// looks at each access instead). Another host thread that uses such memory waits: see
// wait_for_hidden_memory().
class LaunchOnDevice {
  public:
    LaunchOnDevice();
    ~LaunchOnDevice();
    LaunchOnDevice(const LaunchOnDevice&) = delete;
    LaunchOnDevice& operator=(const LaunchOnDevice&) = delete;
};

// For the signal of an access of the host. True: it may have met memory that a launch had hidden,
// which can be used again now. False: there is no memory.
bool wait_for_hidden_memory(const void* address);

}  // namespace cpu_device
