// The order of work in streams, by vector clocks as in order.cpp, with a stream in place of a
// thread. Work is done in the order of the host's calls here; on a GPU, work of two streams may be
// done in any order unless an event, the default stream or the host has put it in order.
#include "race/streams.hpp"

#include "race/report_streams.hpp"
#include "race/stream_state.hpp"
#include "race/uses.hpp"

#include <algorithm>
#include <bitset>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "devices.hpp"
#include "scheduler.hpp"
#include "stream_order.hpp"

namespace cpu_device {
namespace race {
namespace stream_state {

std::deque<Stream>& streams =
    *new std::deque<Stream>(1, Stream{nullptr, true, true, 0, {}, {}, {}, 0, true});
VectorClock* const ended = new VectorClock[max_devices];
VectorClock* const before_all = new VectorClock[max_devices];
std::map<cudaEvent_t, VectorClock>& events = *new std::map<cudaEvent_t, VectorClock>;
std::mutex mutex;
std::size_t uses_kept = 0;
thread_local Work* in_host_function = nullptr;
bool per_thread_default = false;

namespace {

// The numbers of the devices' default streams. Those of other devices begin when they are used.
std::size_t default_stream[max_devices] = {};
VectorClock& host = *new VectorClock;  // what the host knows to be done

std::uint64_t works_put = 0;
// Which parts of memory work that is kept has used, 256 words each, by a hash: most accesses of the
// host are elsewhere.
std::bitset<1 << 16>& parts_used = *new std::bitset<1 << 16>;
std::size_t part_of(std::size_t word) {
    return word / 256 * 0x9e3779b97f4a7c15u >> 48;
}

// How often in a row a query says that there is work left, though all is done: as if a GPU took its
// time. And how often it has, since work was put into any stream.
unsigned queries_in_vain = 0;
unsigned vain_queries_wanted() {
    return 1 + static_cast<unsigned>(works_put % 3);
}

}  // namespace

// A number is used again when the host knows all that its stream has done.
std::size_t begin(cudaStream_t handle, bool with_default) {
    std::size_t number = 1;
    while (number < streams.size() &&
           (streams[number].alive || host.of(number) < streams[number].time)) {
        ++number;
    }
    if (number == streams.size()) {
        streams.emplace_back();
    }
    const int device = current_device();
    streams[number] = {
        handle, true,   with_default, streams[number].time, before_all[device], calls_here(),
        {},     device, false};
    return number;
}

std::size_t number_of(cudaStream_t handle) {
    const int device = current_device();
    if (handle == cudaStreamLegacy || (handle == nullptr && !per_thread_default)) {
        std::size_t& number = default_stream[device];
        if (number == 0 && device != 0) {
            number = begin(nullptr, true);
            streams[number].is_default = true;
        }
        return number;
    }
    if (handle == cudaStreamPerThread ||
        handle == nullptr) {  // each thread's own begins when it is first used
        thread_local std::size_t own[max_devices] = {};
        if (own[device] == 0) {
            own[device] = begin(handle, true);
        }
        return own[device];
    }
    const auto found = std::find_if(streams.begin(), streams.end(), [&](const Stream& stream) {
        return stream.alive && stream.handle == handle;
    });
    if (found == streams.end()) {
        fail("race mode: a stream is used that was not made by cudaStreamCreate, or is destroyed");
    }
    return static_cast<std::size_t>(found - streams.begin());
}

Stream& up_to_date(std::size_t number) {
    Stream& stream = streams[number];
    if (stream.is_default) {
        stream.past.join(ended[stream.device]);
        for (const Stream& other : streams) {
            if (other.alive && other.with_default && other.device == stream.device) {
                stream.past.join(other.past);
            }
        }
    } else if (stream.with_default) {
        const std::size_t its_default = default_stream[stream.device];
        if (its_default != 0 || stream.device == 0) {
            stream.past.join(streams[its_default].past);
        }
    }
    return stream;
}

static void drop_oldest(Stream& stream) {
    uses_kept -= stream.kept.front().uses.size();
    stream.kept.pop_front();
    if (uses_kept == 0) {
        parts_used.reset();
        host_may_race = in_host_function != nullptr;
    }
}

void host_knows(const VectorClock& past) {
    host.join(past);
    for (std::size_t number = 0; number < streams.size(); ++number) {
        Stream& stream = streams[number];
        while (!stream.kept.empty() && stream.kept.front().time <= host.of(number)) {
            drop_oldest(stream);
        }
    }
}

// The oldest work goes when there is too much; what has come last stays.
static void limit_uses() {
    const auto is_older = [](const Stream& a, const Stream& b) {
        return !a.kept.empty() &&
               (b.kept.empty() || a.kept.front().sequence < b.kept.front().sequence);
    };
    while (uses_kept > most_uses) {
        Stream& oldest = *std::min_element(streams.begin(), streams.end(), is_older);
        if (oldest.kept.front().sequence == works_put) {
            return;
        }
        drop_oldest(oldest);
    }
}

static void is_of_stream(Work& work, std::size_t number) {
    const Stream& stream = streams[number];
    work.stream = static_cast<std::uint32_t>(number);
    work.stream_made = stream.made;
    work.device = stream.device;
    work.in_default_stream = stream.is_default;
}

void add(cudaStream_t handle, Work work) {
    settle_system_scope();
    const std::size_t number = number_of(handle);
    Stream& stream = up_to_date(number);
    is_of_stream(work, number);
    work.time = ++stream.time;
    work.sequence = ++works_put;
    for (std::size_t other = 0; other < streams.size(); ++other) {
        const std::deque<Work>& kept = streams[other].kept;
        const std::uint32_t known = stream.past.of(other);
        for (auto earlier = kept.rbegin(); earlier != kept.rend() && earlier->time > known;
             ++earlier) {
            if (!are_on_two_devices(*earlier, work)) {  // those have been compared meanwhile
                sort_by_word(work);
                compare(*earlier, work);
            }
        }
    }
    stream.past.set(number, work.time);
    queries_in_vain = 0;
    if (!work.uses.empty()) {
        uses_kept += work.uses.size();
        for (const Use& use : work.uses) {
            for (std::size_t word = use.word; word < use.word + use.words;
                 word += std::min<std::size_t>(256, use.word + use.words - word)) {
                parts_used.set(part_of(word));
            }
            parts_used.set(part_of(use.word + use.words - 1));
        }
        host_may_race = true;
        stream.kept.push_back(std::move(work));
        limit_uses();
    }
}

// Is all done that this past has?
static bool host_has_followed(const VectorClock& past) {
    for (std::size_t number = 0; number < streams.size(); ++number) {
        if (host.of(number) < past.of(number)) {
            return false;
        }
    }
    return true;
}

bool query(const VectorClock& past) {
    if (!host_has_followed(past)) {
        if (queries_in_vain < vain_queries_wanted()) {
            ++queries_in_vain;
            return false;
        }
        host_knows(past);
    }
    return true;
}

// What a stream has to have done for the host to have waited for it. To wait for the default stream
// is to wait for what it waits for. Another stream is done when its own last work is: it follows
// the default stream from its next work on.
const VectorClock& past_to_wait_for(cudaStream_t stream) {
    const std::size_t number = number_of(stream);
    return streams[number].is_default ? up_to_date(number).past : streams[number].past;
}

}  // namespace stream_state

using namespace stream_state;

std::atomic<bool> host_may_race{false};

void access_by_host(const volatile void* memory, std::size_t bytes, bool write, Where where) {
    const std::lock_guard<std::mutex> lock(mutex);
    std::vector<Use> uses;
    add_uses(uses, const_cast<const void*>(memory), bytes, write ? Access::write : Access::read);
    for (Use& use : uses) {
        Access access = use.access();
        access.where = where;
        access.bytes = static_cast<std::uint8_t>(std::min<std::size_t>(bytes, 255));
        use = Use{use.word, use.words, access};
    }
    if (in_host_function != nullptr) {
        std::vector<Use>& known = in_host_function->uses;
        for (const Use& use : uses) {
            for (std::size_t i = 0; i < use.words && known.size() < most_uses; ++i) {
                const Use one{use.word + i, 1, use.access()};
                const auto is_same = [&](const Use& other) {
                    return other.word == one.word && other.access().mask == one.access().mask &&
                           other.access().kind == one.access().kind;
                };
                const auto recent = std::min<std::ptrdiff_t>(8, known.end() - known.begin());
                if (std::none_of(known.end() - recent, known.end(), is_same)) {
                    known.push_back(one);
                }
            }
        }
        return;
    }
    for (const Use& use : uses) {
        for (std::size_t word = use.word; word < use.word + use.words; ++word) {
            if (!parts_used.test(part_of(word))) {
                continue;
            }
            const Use one{word, 1, use.access()};
            for (Stream& stream : streams) {
                for (auto earlier = stream.kept.rbegin(); earlier != stream.kept.rend();
                     ++earlier) {
                    compare_with_host(*earlier, one);
                }
            }
        }
    }
}

void settle_system_scope() {
    static const bool several = device_count() > 1;
    if (several && !keeps_system_scope) {
        VectorClock::keep_marks();
        keeps_system_scope = true;
    }
}

bool has_streams() {
    const std::lock_guard<std::mutex> lock(mutex);
    return streams.size() > 1;
}

void launch_in_stream(const LaunchConfig& config, std::vector<Use> uses) {
    const std::lock_guard<std::mutex> lock(mutex);
    add(config.stream, Work::launch(config, std::move(uses)));
}

NextLaunch next_launch(const LaunchConfig& config) {
    const std::lock_guard<std::mutex> lock(mutex);
    const std::size_t number = number_of(config.stream);
    NextLaunch next{Work::launch(config, {}), {}, {}};
    next.past = up_to_date(number).past;
    next.past.join(host);
    is_of_stream(next.work, number);
    next.work.time = streams[number].time + 1;
    for (const Stream& stream : streams) {
        for (const Work& work : stream.kept) {
            if (work.time > next.past.of(work.stream) && are_on_two_devices(work, next.work)) {
                next.beside.push_back(work);
            }
        }
    }
    return next;
}

}  // namespace race

}  // namespace cpu_device
