// What puts the device's work in order, call by call of the host. The plain CPU device has done all
// work when a call returns, and need not know; race mode keeps account (race/streams.cpp).
#pragma once

#include <cstddef>
#include <functional>

#include "cpu_device/host_api.h"

namespace cpu_device {

#ifdef CPU_DEVICE_RACE

// A stream of the current device, which waits for the default stream's work, and is waited for by
// it, or one that does not. No stream stands for the current device's default stream.
void stream_begins(cudaStream_t stream, bool with_default);
void stream_ends(cudaStream_t stream);
void event_follows(cudaEvent_t event, cudaStream_t stream);   // cudaEventRecord
void stream_follows(cudaStream_t stream, cudaEvent_t event);  // cudaStreamWaitEvent
void event_ends(cudaEvent_t event);
// The host knows that what came before is done.
void host_follows(cudaStream_t stream);
void host_follows(cudaEvent_t event);
void host_follows_all();
void host_follows_device(int device);
// All work of the two devices and of the current one, so far, comes before all that they get later.
void devices_meet(int first, int second);
// The host asks whether that is done: false at first, as if a GPU took its time.
bool host_asks(cudaStream_t stream);
bool host_asks(cudaEvent_t event);
// Calls a function of the host as a piece of the stream's work.
void call_in_stream(cudaStream_t stream, const char* name, const std::function<void()>& function);
// `function`, which is no kernel, writes `bytes` bytes at `to` and reads as many at `from`; null:
// it does not. Memory of the host is left alone. `verb`: what it does there, if not that.
void work_in_stream(cudaStream_t stream, const char* function, void* to, const void* from,
                    std::size_t bytes, const char* verb = nullptr);

#else

inline void stream_begins(cudaStream_t, bool) {}
inline void stream_ends(cudaStream_t) {}
inline void event_follows(cudaEvent_t, cudaStream_t) {}
inline void stream_follows(cudaStream_t, cudaEvent_t) {}
inline void event_ends(cudaEvent_t) {}
inline void host_follows(cudaStream_t) {}
inline void host_follows(cudaEvent_t) {}
inline void host_follows_all() {}
inline void host_follows_device(int) {}
inline void devices_meet(int, int) {}
inline bool host_asks(cudaStream_t) {
    return true;
}
inline bool host_asks(cudaEvent_t) {
    return true;
}
template <typename Function>
void call_in_stream(cudaStream_t, const char*, const Function& function) {
    function();
}
inline void work_in_stream(cudaStream_t, const char*, void*, const void*, std::size_t,
                           const char* = nullptr) {}

#endif

}  // namespace cpu_device
