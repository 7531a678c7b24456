#include "race/report_streams.hpp"

#include <algorithm>
#include <string>

#include "cpu_device/race.h"
#include "devices.hpp"
#include "host_api.hpp"
#include "race/places.hpp"
#include "race/report_log.hpp"
#include "race/run_trace.hpp"
#include "race/words.hpp"
#include "scheduler.hpp"

namespace cpu_device::race {

namespace {

std::string place_of(const Work& work) {
    return work.is_launch ? place_of(work.launched) : place_of(work.called);
}
std::string place_of(const Work& work, const Use& use) {
    const Where where = use.access().where;
    const bool has_place = where.at != nullptr || where.line != 0;
    return has_place ? place_of(where) : place_of(work);
}

std::string stream_of(const Work& work) {
    const std::string device =
        device_count() == 1 ? "" : " of device " + std::to_string(work.device);
    return work.in_default_stream ? "the default stream" + device
                                  : "stream " + std::to_string(work.stream) + device +
                                        " (made at " + place_of(work.stream_made) + ")";
}

std::string what_it_does(const Work& work, const Use& use) {
    return "  " + place_of(work, use) + ": " +
           (work.is_launch ? name_of(use.access()) + " of " : std::string()) + work.name + " " +
           (work.verb != nullptr ? work.verb : verb(use.access()));
}

// The word, as an element of the size that the two have used: a copy, or an access to several
// elements at once, says nothing about that.
std::string describe_shared(const Use& first, const Use& second) {
    const unsigned bytes = std::max<unsigned>(first.access().bytes, second.access().bytes);
    const bool is_size = bytes == 1 || bytes == 2 || bytes == 8 || bytes == 16;
    const std::size_t element = is_size ? bytes : 4;
    const std::size_t byte =
        std::max(first.word, second.word) * 4 +
        static_cast<std::size_t>(__builtin_ctz(first.access().mask & second.access().mask));
    return describe(byte / element * element, element);
}

// For a trace: the step, which may be one of an earlier launch.
std::uint64_t tell_use(const Work& work, const Use& use) {
    TraceStep step;
    step.fault = true;  // at another time than here, so that its value is not known
    step.place = place_of(work, use);
    step.function = work.is_launch ? "" : work.name;
    if (!work.is_launch) {
        step.kind = "copy";
        return trace_host_step(step, {"stream", stream_of(work)});
    }
    constexpr const char* kinds[] = {"load", "store", "atomic"};
    step.kind = kinds[use.access().kind];
    return trace_host_step(
        step, {"kernel", name_of(use.access()), none, use.access().block, use.access().thread},
        work.name);
}

}  // namespace

void report_unwritten_copy(const char* function, const Calls& calls, std::size_t offset,
                           std::size_t bytes, const char* verb) {
    if (poison != fresh_memory && static_cast<std::uint8_t>(memory_begin[offset]) == poison) {
        return;  // the program has filled it itself, to see what is written
    }
    const std::string place = place_of(calls);
    const Piece* const piece = piece_near(offset);
    report_at("UNWRITTEN MEMORY", std::string(function) + ", called at " + place, "copy " + place,
              "  " + place + ": " + function + (verb == nullptr ? " copies " : " reads ") +
                  std::to_string(bytes) + " bytes" + (verb == nullptr ? " to the host" : "") +
                  ", of which none has been written:\n  they begin at byte " +
                  std::to_string(offset - piece->begin) + " of the " +
                  std::to_string(piece->bytes) + " allocated at " + place_of(piece->calls) +
                  ".\n  Has the kernel written to another array, or not run at all?\n");
}

void report_host_access(const volatile void* address, bool write, Where where) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    if (allocation_from(const_cast<const void*>(address)).host_writes_too()) {
        return;
    }
    const std::string key = "host " + std::to_string(reinterpret_cast<std::uintptr_t>(where.at));
    if (was_reported(key)) {
        return;
    }
    const std::string place = place_of(where);
    report_at("HOST ACCESS", "host code, at " + place, key,
              "  " + place + ": the host " + (write ? "writes to" : "reads") +
                  " memory of the device. On a GPU the program would end here.\n"
                  "  Let a kernel do this, or copy the data to the host by cudaMemcpy.\n");
}

void report_race_with_host(const Work& earlier, const Use& first, const Use& now) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    const std::string first_place = place_of(earlier, first);
    const std::string host_place = place_of(now.access().where);
    const std::string key = "host and " + key_of(first_place, host_place);
    if (was_reported(key)) {
        return;
    }
    report_at(
        "RACE WITH THE HOST",
        (earlier.is_launch ? "kernel " : "") + std::string(earlier.name) +
            (earlier.is_launch ? ", launched at " : ", called at ") + place_of(earlier),
        key,
        what_it_does(earlier, first) + " a word of memory that the host shares\n  " + host_place +
            ": the host " + verb(now.access()) + " the same word\n" + source_line(host_place) +
            "  The word is " + describe_shared(first, now) + ".\n  The first is in " +
            stream_of(earlier) +
            ".\n  The host has not waited for it: on a GPU the two may happen in either "
            "order, or at once.\n"
            "  Let the host wait before its access: by cudaDeviceSynchronize, by\n"
            "  cudaStreamSynchronize for this stream, or by cudaEventSynchronize for an event\n"
            "  that was recorded after it. A query counts when it returns cudaSuccess.\n");
}

namespace {

// The two accesses, their word, and where their work was put.
std::string tell_both(const Work& earlier, const Use& first, const Work& later, const Use& second) {
    return what_it_does(earlier, first) + " a word of global memory\n" +
           what_it_does(later, second) + " the same word\n" + "  The word is " +
           describe_shared(first, second) + ".\n  The first is in " + stream_of(earlier) +
           (earlier.is_launch ? ", launched at " + place_of(earlier) : "") + ";\n  the second in " +
           stream_of(later) + ".\n";
}

void report_work(const char* kind, const std::string& key, const Work& earlier, const Use& first,
                 const Work& later, const Use& second, const std::string& text) {
    if (tracing != nullptr) {
        trace_about_host({tell_use(earlier, first), tell_use(later, second)}, true);
    }
    report_at(kind,
              (later.is_launch ? "kernel " : "") + std::string(later.name) +
                  (later.is_launch ? ", launched at " : ", called at ") + place_of(later),
              key, text);
}

constexpr const char* either_first =
    "  Nothing orders the two: on a GPU either may run first, or both at once.\n";
constexpr const char* cures_by_order =
    "  An event orders them, recorded after the first (cudaEventRecord) and awaited before\n"
    "  the second (cudaStreamWaitEvent); or one stream for both; or the host waits between.\n";

}  // namespace

// "The first" is the work that was given to its stream first; either may run first.
void report_streams(const Work& earlier, const Use& first, const Work& later, const Use& second) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    const std::string key = "streams " + key_of(place_of(earlier, first), place_of(later, second));
    if (was_reported(key)) {
        return;
    }
    std::string text = tell_both(earlier, first, later, second) + either_first;
    if (first.access().atomic && second.access().atomic) {
        text +=
            "  Both are atomic, but not for each other: an atomic of block scope is one step for\n"
            "  its own block only, and two atomics must be of the same bytes.\n";
    }
    text += cures_by_order;
    if (earlier.device == later.device &&  // with any other stream there is order
        (earlier.in_default_stream || later.in_default_stream)) {
        text += "  (Made with cudaStreamNonBlocking, stream " +
                std::to_string((earlier.in_default_stream ? later : earlier).stream) +
                " and the default stream do not wait for each other.)\n";
    }
    for (const Work* const work : {&earlier, &later}) {
        const std::string name = work->name;
        if (!work->is_launch && (name == "cudaMemset" || name == "cudaMemcpy")) {
            text += "  (" + name + " is work of the default stream; " + name +
                    "Async takes a stream.)\n";
        }
    }
    report_work("RACE BETWEEN STREAMS", key, earlier, first, later, second, text);
}

void report_devices(const Work& earlier, const Use& first, const Work& later, const Use& second,
                    Lacking lacking) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    const std::string key = "devices " + key_of(place_of(earlier, first), place_of(later, second));
    if (was_reported(key)) {
        return;
    }
    std::string text = tell_both(earlier, first, later, second);
    if (lacking == Lacking::scope_of_atomics) {
        const bool is_first = first.access().scope < Scope::system;
        const bool both = is_first && second.access().scope < Scope::system;
        text +=
            std::string("  Both are atomic, but ") +
            (both       ? "neither is"
             : is_first ? "the first is not"
                        : "the second is not") +
            " of system scope: such an atomic is one step for the threads of\n"
            "  its own device only.\n"
            "  Between devices, take system scope: atomicAdd_system in place of atomicAdd, and\n"
            "  so on, or cuda::thread_scope_system.\n";
    } else if (lacking == Lacking::scope_on_the_way) {
        text +=
            "  An atomic leads from the first to the second, but it or a fence beside it is of\n"
            "  device scope or narrower, and orders nothing for the threads of another device.\n"
            "  System scope would put the two in order: __threadfence_system() in place of\n"
            "  __threadfence(), atomicExch_system in place of atomicExch, and so on, and\n"
            "  cuda::thread_scope_system, from the first device to the second.\n";
    } else {
        text +=
            std::string(either_first) + cures_by_order +
            "  Kernels of two devices wait for each other in no stream, not even in the default "
            "one.\n";
    }
    report_work(lacking == Lacking::order ? "RACE BETWEEN STREAMS" : "SCOPE TOO NARROW", key,
                earlier, first, later, second, text);
}

void report_memory_of_peer(const Clocks& me, std::size_t offset, Access::Kind kind, bool atomic,
                           Where where, int device) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    const std::string place = place_of(where);
    const std::string peer = std::to_string(allocation_from(address_of(offset)).owner);
    const std::string own = std::to_string(device);
    report("PEER ACCESS NOT ENABLED", "peer " + place,
           Text("  " + place + ": " + name_of(me.block, me.thread) + ", on device " + own + ", " +
                verb(kind, atomic) + " memory of device " + peer + "\n  The word is " +
                describe(offset / 4 * 4, 4) + ".\n  Device " + own +
                " has no access to it: on a GPU the kernel would fail here, and the next call\n"
                "  that waits for it would return cudaErrorIllegalAddress.\n"
                "  While device " +
                own + " is the current one (cudaSetDevice), cudaDeviceEnablePeerAccess(" + peer +
                ", 0) gives it\n  access. cudaMemcpyPeer needs none.\n"));
}

}  // namespace cpu_device::race
