// What the host API calls that puts the device's work in order: see stream_order.hpp.
#include <algorithm>
#include <cstring>
#include <functional>
#include <mutex>
#include <utility>

#include "race/across_devices.hpp"
#include "race/report_streams.hpp"
#include "race/stream_state.hpp"
#include "race/streams.hpp"
#include "race/uses.hpp"
#include "scheduler.hpp"
#include "stream_order.hpp"

namespace cpu_device {

using namespace race::stream_state;
using namespace race;

void work_in_stream(cudaStream_t stream, const char* function, void* to, const void* from,
                    std::size_t bytes, const char* verb) {
    const std::lock_guard<std::mutex> lock(mutex);
    reserve_memory();
    Work work = Work::call(function, verb);
    // To pageable memory of the host, which has no `to` here. What was written in part may well be
    // copied whole.
    if (to == nullptr && from != nullptr && offset_of(from) < reserved_bytes) {
        const std::uint8_t* const states = byte_states + offset_of(from);
        if (std::memchr(states, written, bytes) == nullptr) {
            report_unwritten_copy(function, work.called, offset_of(from), bytes, verb);
        }
    }
    add_uses(work.uses, to, bytes, Access::write);
    if (to != nullptr && offset_of(to) != unchecked) {
        forget_left(offset_of(to), bytes);
    }
    add_uses(work.uses, from, bytes, Access::read);
    add(stream, std::move(work));
}

void stream_begins(cudaStream_t handle, bool with_default) {
    const std::lock_guard<std::mutex> lock(mutex);
    begin(handle, with_default);
}

// Its work may go on.
void stream_ends(cudaStream_t handle) {
    const std::lock_guard<std::mutex> lock(mutex);
    Stream& stream = streams[number_of(handle)];
    stream.alive = false;
    if (stream.with_default) {
        ended[stream.device].join(stream.past);
    }
}

void event_follows(cudaEvent_t event, cudaStream_t stream) {
    const std::lock_guard<std::mutex> lock(mutex);
    events[event] = up_to_date(number_of(stream)).past;
}

void event_ends(cudaEvent_t event) {
    const std::lock_guard<std::mutex> lock(mutex);
    events.erase(event);
}

void stream_follows(cudaStream_t stream, cudaEvent_t event) {
    const std::lock_guard<std::mutex> lock(mutex);
    up_to_date(number_of(stream)).past.join(events[event]);
}

void host_follows(cudaStream_t stream) {
    const std::lock_guard<std::mutex> lock(mutex);
    host_knows(past_to_wait_for(stream));
}

bool host_asks(cudaStream_t stream) {
    const std::lock_guard<std::mutex> lock(mutex);
    return query(past_to_wait_for(stream));
}

bool host_asks(cudaEvent_t event) {
    const std::lock_guard<std::mutex> lock(mutex);
    return query(events[event]);
}

void call_in_stream(cudaStream_t stream, const char* name, const std::function<void()>& function) {
    reserve_memory();
    Work work = Work::call(name, nullptr);
    work.single_words = true;
    {
        const std::lock_guard<std::mutex> lock(mutex);
        in_host_function = &work;
        host_may_race = true;
    }
    function();
    const std::lock_guard<std::mutex> lock(mutex);
    in_host_function = nullptr;
    host_may_race = uses_kept > 0;
    add(stream, std::move(work));
}

void default_stream_is_per_thread() {
    per_thread_default = true;
}

void host_follows(cudaEvent_t event) {
    const std::lock_guard<std::mutex> lock(mutex);
    host_knows(events[event]);
}

void host_follows_all() {
    const std::lock_guard<std::mutex> lock(mutex);
    VectorClock all;
    for (std::size_t number = 0; number < streams.size(); ++number) {
        all.set(number, streams[number].time);
    }
    host_knows(all);
}

void host_follows_device(int device) {
    const std::lock_guard<std::mutex> lock(mutex);
    VectorClock all;
    for (std::size_t number = 0; number < streams.size(); ++number) {
        if (streams[number].device == device) {
            all.set(number, streams[number].time);
        }
    }
    host_knows(all);
}

void devices_meet(int first, int second) {
    const std::lock_guard<std::mutex> lock(mutex);
    VectorClock past;
    const std::initializer_list<int> devices{current_device(), first, second};
    const auto is_one_of_them = [&](const Stream& stream) {
        return std::find(devices.begin(), devices.end(), stream.device) != devices.end();
    };
    for (const Stream& stream : streams) {
        past.join(is_one_of_them(stream) ? stream.past : VectorClock{});
    }
    for (Stream& stream : streams) {
        stream.past.join(is_one_of_them(stream) ? past : VectorClock{});
    }
    for (const int device : devices) {
        before_all[device].join(past);
    }
}

}  // namespace cpu_device
