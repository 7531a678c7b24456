#include "race/report_streams.hpp"

#include <algorithm>
#include <string>

#include "cpu_device/race.h"
#include "devices.hpp"
#include "host_api.hpp"
#include "race/places.hpp"
#include "race/report_log.hpp"
#include "race/run_trace.hpp"
#include "race/sentences.hpp"
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

// Where, who and what, for the sentences that begin a report.
Words what_it_does(const Work& work, const Use& use) {
    return {{"place", place_of(work, use)},
            {"who", (work.is_launch ? name_of(use.access()) + " of " : std::string()) + work.name},
            {"does", work.verb != nullptr ? work.verb : verb(use.access())}};
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

// What a report of this work names in its headline.
std::string headline_of(const Work& work) {
    return (work.is_launch ? "kernel " : "") + std::string(work.name) +
           (work.is_launch ? ", launched at " : ", called at ") + place_of(work);
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
              Text().say(verb == nullptr ? "copies.unwritten" : "copies.unwritten read",
                         {{"place", place},
                          {"function", function},
                          {"bytes", std::to_string(bytes)},
                          {"begin", std::to_string(offset - piece->begin)},
                          {"all", std::to_string(piece->bytes)},
                          {"allocated", place_of(piece->calls)}}));
}

void report_host_access(const volatile void* address, bool write, Where where) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    if (allocation_from(const_cast<const void*>(address)).host_writes_too()) {
        return;
    }
    const std::string key = "host " + std::to_string(reinterpret_cast<std::uintptr_t>(where.at)) +
                            ":" + std::to_string(where.line);
    if (was_reported(key)) {
        return;
    }
    const std::string place = place_of(where);
    report_at("HOST ACCESS", "host code, at " + place, key,
              Text()
                  .say("host.access", {{"place", place}, {"does", write ? "writes to" : "reads"}})
                  .say("host.access.cure"));
}

void report_race_with_host(const Work& earlier, const Use& first, const Use& now) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    const std::string first_place = place_of(earlier, first);
    const std::string host_place = place_of(now.access().where);
    const std::string key = "host and " + key_of(first_place, host_place);
    if (was_reported(key)) {
        return;
    }
    Text text;
    text.say("host.first", what_it_does(earlier, first))
        .say("host.second", {{"place", host_place}, {"does", verb(now.access())}});
    text += source_line(host_place);
    text.say("race.word", {{"element", "word"}, {"where", describe_shared(first, now)}})
        .say("host.stream", {{"stream", stream_of(earlier)}})
        .say("host.unordered")
        .say("host.unordered.cure");
    report_at("RACE WITH THE HOST", headline_of(earlier), key, text);
}

namespace {

// The two accesses, their word, and where their work was put.
Text tell_both(const Work& earlier, const Use& first, const Work& later, const Use& second) {
    return Text()
        .say("streams.first", what_it_does(earlier, first))
        .say("streams.second", what_it_does(later, second))
        .say("race.word", {{"element", "word"}, {"where", describe_shared(first, second)}})
        .say(earlier.is_launch ? "streams.launched in" : "streams.in",
             {{"stream", stream_of(earlier)},
              {"launch", place_of(earlier)},
              {"other stream", stream_of(later)}});
}

void report_work(const char* kind, const std::string& key, const Work& earlier, const Use& first,
                 const Work& later, const Use& second, const Text& text) {
    if (is_traced()) {
        trace_about_host({tell_use(earlier, first), tell_use(later, second)}, true);
    }
    report_at(kind, headline_of(later), key, text);
}

}  // namespace

// "The first" is the work that was given to its stream first; either may run first.
void report_streams(const Work& earlier, const Use& first, const Work& later, const Use& second) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    const std::string key = "streams " + key_of(place_of(earlier, first), place_of(later, second));
    if (was_reported(key)) {
        return;
    }
    Text text = tell_both(earlier, first, later, second).say("streams.unordered");
    if (first.access().atomic && second.access().atomic) {
        text.say("streams.atomics");
    }
    text.say("streams.unordered.cure");
    if (earlier.device == later.device &&  // with any other stream there is order
        (earlier.in_default_stream || later.in_default_stream)) {
        text.say(
            "streams.non-blocking",
            {{"number", std::to_string((earlier.in_default_stream ? later : earlier).stream)}});
    }
    for (const Work* const work : {&earlier, &later}) {
        const std::string name = work->name;
        if (!work->is_launch && (name == "cudaMemset" || name == "cudaMemcpy")) {
            text.say("streams.default stream", {{"function", name}});
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
    Text text = tell_both(earlier, first, later, second);
    if (lacking == Lacking::scope_of_atomics) {
        const bool is_first = first.access().scope < Scope::system;
        const bool both = is_first && second.access().scope < Scope::system;
        text.say("devices.scope", {{"which", both       ? "neither is"
                                             : is_first ? "the first is not"
                                                        : "the second is not"}})
            .say("devices.scope.cure");
    } else if (lacking == Lacking::scope_on_the_way) {
        text.say("devices.scope on the way").say("devices.scope on the way.cure");
    } else {
        text.say("streams.unordered").say("streams.unordered.cure").say("devices.streams");
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
           Text()
               .say("devices.peer", {{"place", place},
                                     {"thread", name_of(me.block, me.thread)},
                                     {"device", own},
                                     {"does", verb(kind, atomic)},
                                     {"owner", peer}})
               .say("race.word", {{"element", "word"}, {"where", describe(offset / 4 * 4, 4)}})
               .say("devices.no access", {{"device", own}})
               .say("devices.no access.cure", {{"device", own}, {"owner", peer}}));
}

}  // namespace cpu_device::race
