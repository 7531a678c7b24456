// What is known of the streams, for the two files that keep it: streams.cpp has the rules, and
// stream_calls.cpp what the host API calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>

#include "cpu_device/host_types.h"
#include "devices.hpp"
#include "race/work.hpp"

namespace cpu_device::race::stream_state {

struct Stream {
    cudaStream_t handle;
    bool alive;
    bool with_default;
    std::uint32_t time;  // pieces of work that it was given
    VectorClock past;    // what is done before its next one
    Calls made;
    std::deque<Work> kept;  // that later work may have to be compared with, the oldest first
    int device = 0;
    bool is_default = false;
};

// By number; 0 is the default stream of device 0. Never destroyed, as static objects may free
// memory late.
extern std::deque<Stream>& streams;
// What the default stream of each device follows of streams destroyed.
extern VectorClock* const ended;
// What comes before all that a device gets, in whichever stream: copies from or to another device.
extern VectorClock* const before_all;
extern std::map<cudaEvent_t, VectorClock>& events;
extern std::mutex mutex;  // of all of this
extern std::size_t uses_kept;
// The work of a host function that a stream calls on this OS thread.
extern thread_local Work* in_host_function;
// nvcc's --default-stream per-thread: work without a stream goes to the thread's own.
extern bool per_thread_default;

// A new stream of the current device: its number.
std::size_t begin(cudaStream_t handle, bool with_default);
std::size_t number_of(cudaStream_t handle);
// The stream, with all in its past that its next work follows.
Stream& up_to_date(std::size_t number);
void add(cudaStream_t handle, Work work);
// All that is started from now on comes after this: nothing needs to be compared with it any more.
void host_knows(const VectorClock& past);
// The host asks whether all of this is done.
bool query(const VectorClock& past);
const VectorClock& past_to_wait_for(cudaStream_t stream);

}  // namespace cpu_device::race::stream_state
