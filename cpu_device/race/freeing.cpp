// Memory that is freed twice; and, where RACE_LEAKS asks for it, memory that is never freed.
#include <cstdlib>
#include <map>
#include <string>

#include "race/places.hpp"
#include "race/report_log.hpp"
#include "race/words.hpp"
#include "scheduler.hpp"
#include "system.hpp"

namespace cpu_device {

using namespace race;

void note_failed_free(const void* pointer) {
    const std::size_t offset = offset_of(pointer);
    const Piece* const piece = is_reserved(pointer) ? piece_near(offset) : nullptr;
    if (piece != nullptr && piece->freed && piece->begin == offset) {
        const std::string place = place_of(calls_here());
        report_at("USE AFTER FREE", "host code, at " + place, "free " + place,
                  Text()
                      .say("memory.freed twice", {{"place", place}})
                      .say("memory.where", {{"where", describe(offset, 1)}})
                      .say("memory.freed twice.cure"));
    }
}

namespace race {
namespace {

bool leaks_are_asked_for() {
    const char* const setting = std::getenv("RACE_LEAKS");
    const std::string asked = setting == nullptr ? "0" : setting;
    if (asked != "0" && asked != "1") {
        refuse_setting("RACE_LEAKS", setting, "1, or 0 for no");
    }
    return asked == "1";
}

// After all destructors of the program, which may free something.
[[gnu::destructor]] void tell_what_was_never_freed() {
    if (memory_begin == nullptr || !leaks_are_asked_for()) {
        return;
    }
    struct Leak {
        std::size_t times = 0, bytes = 0;
    };
    std::map<std::string, Leak> leaks;  // by the place of the call that has allocated it
    for (const Piece& piece : pieces_in_use()) {
        Leak& leak = leaks[place_of(piece.calls)];
        ++leak.times;
        leak.bytes += piece.bytes;
    }
    for (const auto& [place, leak] : leaks) {
        report_at("NEVER FREED", "host code, at " + place, "never freed " + place,
                  Text()
                      .say(leak.times == 1 ? "memory.never freed" : "memory.never freed, several",
                           {{"place", place},
                            {"bytes", std::to_string(leak.bytes)},
                            {"times", std::to_string(leak.times)}})
                      .say("memory.never freed.cure"));
    }
    end_with_66();
}

}  // namespace
}  // namespace race
}  // namespace cpu_device
