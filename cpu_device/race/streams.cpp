// The order of work in streams, by vector clocks as in order.cpp, with a stream in place of a
// thread. Work is done in the order of the host's calls here; on a GPU, work of two streams may be
// done in any order unless an event, the default stream or the host has put it in order.
#include "race/streams.hpp"
#include "race/report_streams.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "scheduler.hpp"
#include "stream_order.hpp"

namespace cpu_device {
namespace race {
namespace {

struct Stream {
    cudaStream_t handle;
    bool alive;
    bool with_default;
    std::uint32_t time;  // pieces of work that it was given
    VectorClock past;    // what is done before its next one
    Calls made;
    std::deque<Work> kept;  // that later work may have to be compared with, the oldest first
};

// By number; 0 is the default stream. Never destroyed, as static objects may free memory late.
std::deque<Stream>& streams =
    *new std::deque<Stream>(1, Stream{nullptr, true, true, 0, {}, {}, {}});
VectorClock& ended = *new VectorClock;  // what the default stream follows of streams destroyed
std::map<cudaEvent_t, VectorClock>& events = *new std::map<cudaEvent_t, VectorClock>;
VectorClock& host = *new VectorClock;  // what the host knows to be done
std::mutex mutex;

std::uint64_t works_put = 0;
std::size_t uses_kept = 0;

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
    streams[number] = {handle, true, with_default, streams[number].time, {}, calls_here(), {}};
    return number;
}

std::size_t number_of(cudaStream_t handle) {
    if (handle == cudaStreamLegacy) {
        return 0;
    }
    if (handle == cudaStreamPerThread) {  // each thread's own begins when it is first used
        thread_local const std::size_t own = begin(handle, true);
        return own;
    }
    const auto found = std::find_if(streams.begin(), streams.end(), [&](const Stream& stream) {
        return stream.alive && stream.handle == handle;
    });
    if (found == streams.end()) {
        fail("race mode: a stream is used that was not made by cudaStreamCreate, or is destroyed");
    }
    return static_cast<std::size_t>(found - streams.begin());
}

// The stream, with all in its past that its next work follows.
Stream& up_to_date(std::size_t number) {
    Stream& stream = streams[number];
    if (number == 0) {
        stream.past.join(ended);
        for (const Stream& other : streams) {
            if (other.alive && other.with_default) {
                stream.past.join(other.past);
            }
        }
    } else if (stream.with_default) {
        stream.past.join(streams[0].past);
    }
    return stream;
}

void drop_oldest(Stream& stream) {
    uses_kept -= stream.kept.front().uses.size();
    stream.kept.pop_front();
}

// All that is started from now on comes after this: nothing needs to be compared with it any more.
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
void limit_uses() {
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

// `second` begins before the end of `first`. Two launches have no block in common: so of their
// atomics only those count that are for all blocks.
bool race_with(const Use& first, const Use& second) {
    const Access& a = first.access;
    const Access& b = second.access;
    const bool overlap = first.word < second.word + second.words && (a.mask & b.mask) != 0;
    const bool both_atomic = a.wide() && b.wide() && a.bytes == b.bytes;
    return overlap && (a.kind != Access::read || b.kind != Access::read) && !both_atomic;
}

// Reports one race for each two places. The uses of `later` are sorted by their words.
void compare(const Work& earlier, const Work& later) {
    std::vector<std::pair<Where, Where>> found;
    for (const Use& first : earlier.uses) {
        auto second = later.uses.begin();
        if (later.is_launch) {  // else there are a few only, of which one may be long
            second =
                std::lower_bound(second, later.uses.end(), first.word,
                                 [](const Use& use, std::size_t word) { return use.word < word; });
        }
        for (; second != later.uses.end() && second->word < first.word + first.words; ++second) {
            const std::pair<Where, Where> places{first.access.where, second->access.where};
            if (race_with(first, *second) &&
                std::find(found.begin(), found.end(), places) == found.end()) {
                found.push_back(places);
                report_streams(earlier, first, later, *second);
            }
        }
    }
}

void add(cudaStream_t handle, Work work) {
    const std::size_t number = number_of(handle);
    Stream& stream = up_to_date(number);
    work.stream = static_cast<std::uint32_t>(number);
    work.time = ++stream.time;
    work.stream_made = stream.made;
    work.sequence = ++works_put;
    bool sorted = false;
    for (std::size_t other = 0; other < streams.size(); ++other) {
        const std::deque<Work>& kept = streams[other].kept;
        const std::uint32_t known = stream.past.of(other);
        for (auto earlier = kept.rbegin(); earlier != kept.rend() && earlier->time > known;
             ++earlier) {
            if (!sorted) {
                std::stable_sort(work.uses.begin(), work.uses.end(),
                                 [](const Use& a, const Use& b) { return a.word < b.word; });
                sorted = true;
            }
            compare(*earlier, work);
        }
    }
    stream.past.set(number, work.time);
    if (!work.uses.empty()) {
        uses_kept += work.uses.size();
        stream.kept.push_back(std::move(work));
        limit_uses();
    }
}

// The words of this range, whole ones together; none if it is memory of the host.
void add_uses(std::vector<Use>& uses, const void* memory, std::size_t bytes, Access::Kind kind) {
    const std::size_t begin = memory == nullptr ? unchecked : offset_of(memory);
    if (begin == unchecked || bytes == 0) {
        return;
    }
    Access access{};
    access.kind = kind;
    const std::size_t end = begin + bytes;
    const auto add_words = [&](std::size_t word, std::size_t words, unsigned mask) {
        access.mask = static_cast<std::uint8_t>(mask);
        if (words > 0 && mask != 0) {
            uses.push_back({word, words, access});
        }
    };
    const unsigned first_mask = 0xfu << begin % 4 & 0xfu;
    const unsigned last_mask = 0xfu >> (3 - (end - 1) % 4);
    const std::size_t first = begin / 4;
    const std::size_t last = (end - 1) / 4;
    if (first == last) {
        add_words(first, 1, first_mask & last_mask);
        return;
    }
    add_words(first, 1, first_mask);
    add_words(first + 1, last - first - 1, 0xfu);
    add_words(last, 1, last_mask);
}

}  // namespace

bool has_streams() {
    const std::lock_guard<std::mutex> lock(mutex);
    return streams.size() > 1;
}

void launch_in_stream(const LaunchConfig& config, std::vector<Use> uses) {
    const std::lock_guard<std::mutex> lock(mutex);
    add(config.stream, Work::launch(config, std::move(uses)));
}

}  // namespace race

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
        ended.join(stream.past);
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
    // To wait for the default stream is to wait for what it waits for. Another stream is done when
    // its own last work is: it follows the default stream from its next work on.
    const std::size_t number = number_of(stream);
    host_knows(number == 0 ? up_to_date(0).past : streams[number].past);
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

}  // namespace cpu_device
