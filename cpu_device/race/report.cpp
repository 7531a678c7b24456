// What race mode says, for a reader who meets a data race for the first time.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

#include "cpu_device/race.h"
#include "host_api.hpp"
#include "race/checker.hpp"
#include "race/streams.hpp"
#include "scheduler.hpp"
#include "system.hpp"

namespace cpu_device::race {
namespace {

struct Race {
    Access earlier, now;
    std::vector<Access> steps;
    std::size_t offset;  // of the element that both touch
    unsigned bytes;      // of it
    Element::Kind type;
    const Access* lost = nullptr;  // in `steps`: what the thread that writes now had read before
    const char* kind = nullptr;    // this and the words are for the first of its places only
    std::string memory = {}, advice = {};
    bool both_write = false;  // plainly, and neither what the other has read
    bool finished = false;    // `after` is known
    std::uint64_t after = 0;  // as Access::before, after the last access

    // The element, in what an access has found in its word.
    std::uint64_t value(std::uint64_t found) const {
        const std::uint64_t from_element = found >> 8 * (offset % 4);
        return bytes < 8 ? from_element & ((std::uint64_t{1} << 8 * bytes) - 1) : from_element;
    }
    std::string text(std::uint64_t found) const { return value_text(value(found), bytes, type); }
};

constexpr const char* volatile_kind = "VOLATILE WITHOUT ORDER";
constexpr std::size_t most_lines = 6;  // of the steps of a race, and the first that matters

bool quiet = false;
unsigned count = 0;
unsigned muted = 0;
std::string& text_so_far = *new std::string;
std::set<std::string>& reported = *new std::set<std::string>;
std::recursive_mutex reports_mutex;  // another thread of the host may copy while a kernel runs
std::deque<Race>& pending = *new std::deque<Race>;  // of this launch
std::map<std::string, std::string>& read_unwritten = *new std::map<std::string, std::string>;
const LaunchConfig* launched = nullptr;

// --- places ---------------------------------------------------------------------------------

// Names files from the directory that the program runs in.
std::string relative(std::string text) {
    char directory[4096];
    if (getcwd(directory, sizeof directory) != nullptr) {
        const std::string prefix = std::string(directory) + "/";
        for (std::size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) {
            text.erase(at, prefix.size());
        }
    }
    return text;
}

// Asks a tool of the compiler's about this program, which is /proc/$PPID/exe to the shell, whatever
// its path. Nothing comes if there is no such tool.
template <typename Line>
void ask(const std::string& command, Line line) {
    if (std::FILE* const pipe = popen((command + " 2>/dev/null").c_str(), "r")) {
        char text[5000];
        while (std::fgets(text, sizeof text, pipe) != nullptr) {
            line(text);
        }
        pclose(pipe);
    }
}

// An address as the program's file knows it; 0 if it is that of a library.
std::size_t address_in_file(const void* address) {
    Dl_info object{}, program{};
    dladdr(reinterpret_cast<const void*>(&address_in_file), &program);
    if (dladdr(address, &object) == 0 || object.dli_fbase != program.dli_fbase) {
        return 0;
    }
    return static_cast<std::size_t>(static_cast<const char*>(address) -
                                    static_cast<const char*>(object.dli_fbase));
}

// The lines of some instructions; the address where the line is not known. They are asked for
// together, since addr2line takes longer to start than to answer.
std::vector<std::string> lines_of(const void* const* code, int codes) {
    static std::map<const void*, std::string>& known = *new std::map<const void*, std::string>;
    std::string command = "addr2line -e /proc/$PPID/exe";
    std::vector<std::string*> asked;
    for (int i = 0; i < codes; ++i) {
        char address[32];
        std::snprintf(address, sizeof address, "%p", code[i]);
        const auto [place, is_new] = known.emplace(code[i], address);
        if (is_new) {
            // The address is that after the call, which may belong to the next line.
            std::snprintf(address, sizeof address, " 0x%zx",
                          address_in_file(static_cast<const char*>(code[i]) - 1));
            command += address;
            asked.push_back(&place->second);
        }
    }
    if (!asked.empty()) {
        auto place = asked.begin();
        ask(command, [&](const char* line) {
            if (std::strchr(line, '?') == nullptr && std::strchr(line, ':') != nullptr) {
                const std::string found(line, std::strcspn(line, "\n"));
                **place = relative(found.substr(0, found.find(" (discriminator")));
            }
            ++place;
        });
    }
    std::vector<std::string> lines;
    std::transform(code, code + codes, std::back_inserter(lines),
                   [](const void* one) { return known[one]; });
    return lines;
}

// Is this place in the program, and not in the runtime or in a library? The runtime is what lies in
// the folder above this file's, but for its tests.
bool is_of_the_program(const std::string& place) {
    static const std::string& runtime = *new std::string([] {
        const std::string file = relative(__FILE__);
        return file.substr(0, file.rfind('/', file.rfind('/') - 1) + 1);
    }());
    const bool of_the_runtime = place.compare(0, runtime.size(), runtime) == 0 &&
                                place.compare(runtime.size(), std::strlen("tests/"), "tests/") != 0;
    const bool is_known =
        place.find(':') != std::string::npos;  // else an address: built without -g
    const bool of_a_library =
        place.compare(0, 5, "/usr/") == 0 || place.find("/include/c++/") != std::string::npos;
    return is_known && !of_the_runtime && !of_a_library;
}

// Where the program was: its innermost call, and the call that led there from another file. If the
// innermost one is that of a helper (of a class that owns memory, say), the other says more.
std::string place_of(const Calls& calls) {
    std::string place;
    for (const std::string& caller : lines_of(calls.code, calls.depth)) {
        if (!is_of_the_program(caller)) {
            continue;
        }
        if (place.empty()) {
            place = caller;
        } else if (caller.find(':') != std::string::npos &&
                   place.compare(0, place.rfind(':'), caller, 0, caller.rfind(':')) != 0) {
            return place + ", called from " + caller;
        }
    }
    return place.empty() ? "an unknown place" : place;
}

// The program's variable that holds this address.
std::string variable_at(const void* address) {
    static std::map<const void*, std::string>& known = *new std::map<const void*, std::string>;
    std::string& name = known[address];
    if (!name.empty()) {
        return name;
    }
    name = "a variable of the program";
    std::size_t nearest = 0;
    const std::size_t wanted = address_in_file(address);
    ask("nm -C /proc/$PPID/exe", [&](const char* line) {
        std::size_t begin = 0;
        int name_at = 0;
        if (std::sscanf(line, "%zx %*c %n", &begin, &name_at) == 1 && name_at > 0 &&
            begin <= wanted && begin > nearest) {
            nearest = begin;
            name = std::string("the variable ") + (line + name_at);
            name.erase(name.find_last_not_of('\n') + 1);
        }
    });
    return name;
}

const char* kind_of_memory(std::size_t offset) {
    return is_shared(offset) ? "shared" : "global";
}

// --- words ------------------------------------------------------------------------------------

const char* verb(Access::Kind kind, bool is_atomic) {
    static const char* const plain[] = {"reads", "writes", "updates"};
    static const char* const atomic[] = {"reads atomically", "writes atomically",
                                         "updates atomically"};
    return (is_atomic ? atomic : plain)[kind];
}
const char* verb(const Access& access) {
    return verb(access.kind, access.atomic);
}

std::string what_it_did(const Race& race, const Access& access, std::uint64_t found_after) {
    const std::string before = race.text(access.before);
    const std::string after = race.text(found_after);
    switch (access.kind) {
        case Access::read:
            return verb(access) + (" " + before);
        case Access::write:
            return verb(access) + (" " + after) + ", where " + before + " was";
        default:
            return "changes " + before + " to " + after + " in one atomic step";
    }
}

// What the two touch, in a word or two.
std::string name_of_element(unsigned bytes, Element::Kind type) {
    if (type == Element::floating && (bytes == 4 || bytes == 8)) {
        return bytes == 4 ? "a float" : "a double";
    }
    switch (bytes) {
        case 1:
            return "a byte";
        case 4:
            return "a word";
        default:
            return std::to_string(bytes) + " bytes";
    }
}

// The line itself, with its bar; nothing if it cannot be read.
std::string source_line(const std::string& place) {
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos) {
        return "";
    }
    std::string line;
    if (std::FILE* const file = std::fopen(place.substr(0, colon).c_str(), "r")) {
        int left = std::atoi(place.c_str() + colon + 1);
        for (int c = std::fgetc(file); c != EOF && left > 0; c = std::fgetc(file)) {
            if (left == 1 && c != '\n' && c != '\r') {
                line += static_cast<char>(c == '\t' ? ' ' : c);
            }
            left -= c == '\n';
        }
        std::fclose(file);
    }
    line.erase(0, line.find_first_not_of(' '));
    return line.empty() ? "" : "      | " + line + "\n";
}

// Do both threads read, change and write the element, one of them by the instructions of the other?
// Then putting them in order is not enough: the three steps have to be one.
bool is_update(const Race& race) {
    const bool now_writes = race.now.kind == Access::write;
    const Access& writer = now_writes ? race.now : race.earlier;
    const Access& other = now_writes ? race.earlier : race.now;
    const bool other_writes =
        other.kind == Access::write ||
        std::any_of(race.steps.begin(), race.steps.end(), [&](const Access& step) {
            return step.slot == other.slot && step.kind == Access::write && !step.atomic;
        });
    bool past_writer = now_writes;
    for (auto step = race.steps.rbegin(); step != race.steps.rend(); ++step) {
        if (past_writer && step->slot == writer.slot) {
            return step->kind == Access::read && !step->atomic && step->time == writer.time &&
                   other_writes && (other.where == step->where || other.where == writer.where);
        }
        past_writer = past_writer || (step->slot == writer.slot && step->where == writer.where);
    }
    return false;
}

// The writer's last two values: do the two threads change different bits of it?
bool change_different_bits(const Race& race) {
    std::uint64_t changed[2] = {0, 0};
    for (std::size_t i = 0; i < race.steps.size() + 1; ++i) {
        const Access& step = i < race.steps.size() ? race.steps[i] : race.now;
        const std::uint64_t after = i + 1 < race.steps.size()    ? race.steps[i + 1].before
                                    : i + 1 == race.steps.size() ? race.now.before
                                                                 : race.after;
        if (step.kind == Access::write && !step.atomic) {
            if (step.slot == race.earlier.slot) {
                changed[0] |= race.value(step.before) ^ race.value(after);
            } else if (step.slot == race.now.slot) {
                changed[1] |= race.value(step.before) ^ race.value(after);
            }
        }
    }
    return changed[0] != 0 && changed[1] != 0 && (changed[0] & changed[1]) == 0;
}

// The same thread number of two blocks, and not that of a block's first thread, which may have a
// part of its own.
bool forgets_block(const Race& race) {
    return race.earlier.block != race.now.block && race.earlier.thread == race.now.thread &&
           race.now.thread != 0 &&
           std::all_of(race.steps.begin(), race.steps.end(), [&](const Access& step) {
               return step.thread == race.now.thread && !step.atomic;
           });
}

// What a lock or a flag between the two lacks.
std::string what_lacks(const Race& race, const Missing& missing) {
    std::string out = "The atomic at " + place_of(missing.signal) + " (" +
                      name_of(race.earlier.block, missing.signalling_thread) +
                      ") reaches the one at " + place_of(missing.answer) + "\n  (" +
                      name_of(race.now.block, missing.answering_thread) + ")";
    if (missing.answering_thread != race.now.thread && !missing.order.barrier) {
        out += ", and a barrier passes it on to thread " + std::to_string(race.now.thread);
    }
    out += ", but that orders the two accesses only if all of it is there. Missing:\n";
    constexpr const char* own_fence = "      A fence of another thread does not count.\n";
    if (missing.order.release && missing.signalling_thread == race.earlier.thread) {
        out +=
            "    a release by the first: a __threadfence() between its access and its atomic,\n"
            "      or memory_order_release for the atomic\n";
    } else if (missing.order.release) {
        out += "    a release by thread " + std::to_string(missing.signalling_thread) +
               ": a __threadfence() of its own between the barrier and\n" +
               "      its atomic, or memory_order_release for the atomic.\n" + own_fence;
    }
    if (missing.order.acquire && missing.answering_thread == race.now.thread) {
        out +=
            "    an acquire by the second: a __threadfence() between its atomic and its access,\n"
            "      or memory_order_acquire for the atomic\n";
    } else if (missing.order.acquire) {
        out += "    an acquire by thread " + std::to_string(missing.answering_thread) +
               ": a __threadfence() of its own between its atomic and\n" +
               "      the barrier, or memory_order_acquire for the atomic.\n" + own_fence;
    }
    if (missing.order.barrier) {
        const bool first = missing.signalling_thread != race.earlier.thread;
        out += "    a __syncthreads()";
        out += first ? " between the first access and the atomic of thread " +
                           std::to_string(missing.signalling_thread) +
                           ",\n      in the same block, and before that thread's own fence"
                     : " between the atomic of thread " + std::to_string(missing.answering_thread) +
                           " and the second access,\n      in the same block, and after that "
                           "thread's own fence";
        out += "\n";
    }
    if (missing.order.device) {
        out +=
            "    device scope: a fence or an atomic on the way is of a narrower scope, such as\n"
            "      __threadfence_block(), _block, thread_scope_block, thread_scope_thread\n";
    }
    out.pop_back();
    return out;
}

void explain(Race& race, const Clocks& me) {
    const Access& a = race.earlier;
    const Access& b = race.now;
    race.kind = "DATA RACE";
    if (a.is_volatile && b.is_volatile) {
        race.kind = volatile_kind;
        race.advice =
            "Both are volatile: each access is made, in one piece, and nothing more. No fence\n"
            "  in this kernel orders them either, and the threads of a warp need not run in step.\n"
            "  A __syncwarp() between the two would order them, or a __syncthreads(); for a flag,\n"
            "  a fence on both sides of it.";
        return;
    }
    if (a.atomic && b.atomic) {
        if (a.bytes != b.bytes || a.mask != b.mask) {
            race.advice = "Both are atomic, but not of the same bytes.";
            return;
        }
        race.kind = "SCOPE TOO NARROW";
        race.advice =
            "Both are atomic, but one of the scopes does not include the other thread:\n"
            "  an atomic of block scope is one step for the threads of its own block only, and "
            "one\n"
            "  of thread scope for its own thread only. Device scope would do (without _block).";
        return;
    }
    Missing missing{};
    const bool has_signal =  // from one thread to another
        what_is_missing(a.slot, a.block, a.moment, me, missing) &&
        (a.block != b.block || missing.signalling_thread != missing.answering_thread);
    const bool scope_only =
        missing.order.device && !missing.order.release && !missing.order.acquire;
    const bool same_block = a.block == b.block;
    const Access& plain = a.atomic ? b : a;
    const auto one_warp = launched->block.x * launched->block.y * launched->block.z <= 32;
    if (!a.atomic && !b.atomic && forgets_block(race)) {
        race.advice = "Both are thread " + std::to_string(b.thread) +
                      " of their block. Does blockIdx.x stand in the index? As in\n"
                      "  i = blockIdx.x * blockDim.x + threadIdx.x";
        if (race.lost != nullptr || is_update(race)) {
            race.advice +=
                "\n  Or are all blocks to change this word? Then one atomic operation, such as\n"
                "  atomicAdd, must read, change and write it.";
        }
    } else if (!a.atomic && !b.atomic && !has_signal && (race.lost != nullptr || is_update(race))) {
        race.advice =
            "Reading, changing and writing the word are three steps, and other threads come in\n"
            "  between. One atomic operation such as atomicAdd makes them one step; a lock lets\n"
            "  one thread at a time do the three.";
    } else if (has_signal && (scope_only || !(same_block && is_shared(race.offset)))) {
        race.advice = what_lacks(race, missing);
        race.kind = scope_only ? "SCOPE TOO NARROW" : race.kind;
        if (a.atomic != b.atomic && !scope_only) {
            race.advice += std::string("\n  Only the ") + (a.atomic ? "first" : "second") +
                           " access is atomic. If the word itself is the lock, the flag or the\n"
                           "  counter, make the other access atomic too.";
        }
    } else if (a.atomic != b.atomic && !is_shared(race.offset) && plain.kind == Access::write) {
        race.advice =
            "The plain write wipes out what atomics of other threads have left, whenever it\n"
            "  comes. Set the start value before the launch; or make the write atomic too; or\n"
            "  let a launch lie between. A barrier orders the threads of one block only.";
    } else if (a.atomic != b.atomic && !is_shared(race.offset)) {
        race.advice =
            std::string("Only the ") + (a.atomic ? "first" : "second") +
            " access is atomic. Take the value that an atomic function has returned\n"
            "  instead of reading the word again; or make the other access atomic too, such as\n"
            "  atomicAdd(p, 0), which only reads, or a load of cuda::atomic_ref; or let a launch\n"
            "  lie between. A barrier orders the threads of one block only.";
    } else if (same_block) {
        race.advice =
            "Both are threads of one block: a __syncthreads() between the two accesses\n"
            "  would order them.";
        if (a.thread / 32 == b.thread / 32) {
            race.advice += std::string(" (Even in one warp threads need not run in step.") +
                           (one_warp ? "" : " If no other warp\n  uses this memory,") +
                           (one_warp ? " A\n  __syncwarp()" : " a __syncwarp()") +
                           " is enough; a shuffle or a vote is not.)";
        }
    } else {
        race.advice =
            "The threads are in different blocks, which nothing orders by itself. An atomic\n"
            "  flag with release and acquire, a lock, or two kernels, one after the other,\n"
            "  would order them.";
    }
    if (!a.atomic && !b.atomic && a.kind == Access::write && b.kind == Access::write &&
        !has_signal && race.lost == nullptr && !forgets_block(race)) {
        race.both_write = true;
    }
}

// What the write with which a race began has left there.
std::uint64_t written_first(const Race& race) {
    std::uint64_t after = race.now.before;
    for (std::size_t i = race.steps.size(); i-- > 0;) {
        const Access& step = race.steps[i];
        if (step.slot == race.earlier.slot && step.where == race.earlier.where &&
            step.kind == Access::write) {
            break;
        }
        after = step.before;
    }
    return race.value(after);
}

// --- muted reports, and reports for programs ----------------------------------------------------

// Does an access of this report, as "  PLACE: ...", lie at a line that RACE_MUTE names?
bool is_muted(const std::string& text) {
    const char* const setting = std::getenv("RACE_MUTE");
    if (setting == nullptr) {
        return false;
    }
    std::istringstream entries(setting);
    bool found = false;
    for (std::string entry; std::getline(entries, entry, ',');) {
        const std::size_t colon = entry.rfind(':');
        unsigned long line = 0;
        if (colon == std::string::npos || colon == 0 || entry.find(' ') != std::string::npos ||
            !read_whole_number(entry.c_str() + colon + 1, line)) {
            refuse_setting("RACE_MUTE", setting, "FILE:LINE, or several with commas between them");
        }
        for (std::size_t at = 0; (at = text.find(entry + ":", at)) != std::string::npos; ++at) {
            found = found || (at > 0 && (text[at - 1] == '/' || text[at - 1] == ' '));
        }
    }
    return found;
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        if (static_cast<unsigned char>(c) < ' ') {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
            out += code;
        } else {
            out += c;
        }
    }
    return out + "\"";
}

// FILE:LINE, if the text begins with that and ": "; else "". A file's name may hold blanks.
std::string place_at_begin(const std::string& text) {
    for (std::size_t end = text.find(": "); end != std::string::npos;
         end = text.find(": ", ++end)) {
        const std::size_t digits = text.find_last_not_of("0123456789", end - 1) + 1;
        if (digits < end && digits >= 2 && text[digits - 1] == ':') {
            return text.substr(0, end);
        }
    }
    return "";
}

// The places of the accesses: they begin the lines that are indented by two blanks.
std::vector<std::string> places_in(const std::string& text) {
    std::vector<std::string> places;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const bool indented = line.compare(0, 2, "  ") == 0 && line.compare(0, 3, "   ") != 0;
        const std::string place = indented ? place_at_begin(line.substr(2)) : "";
        if (!place.empty()) {
            places.push_back(place);
        }
    }
    return places;
}

// One line of JSON for each report, in the file that RACE_JSON names.
void write_json(const char* kind, const std::string& where, const std::string& text) {
    const char* const path = std::getenv("RACE_JSON");
    std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "a");
    if (file != nullptr) {
        std::string places;
        for (const std::string& place : places_in(text)) {
            places += (places.empty() ? "" : ", ") + quoted(place);
        }
        std::fprintf(file, "{\"kind\": %s, \"where\": %s, \"places\": [%s], \"text\": %s}\n",
                     quoted(kind).c_str(), quoted(where).c_str(), places.c_str(),
                     quoted(text).c_str());
        std::fclose(file);
    }
}

void end_with_66() {
    if (muted > 0) {
        std::fprintf(stderr, "race mode: %u report%s muted (RACE_MUTE)\n", muted,
                     muted == 1 ? "" : "s");
        muted = 0;
    }
    if (count > 0) {
        std::fprintf(stderr, "race mode: %u report%s\n", count, count == 1 ? "" : "s");
        std::fflush(nullptr);
        _exit(66);
    }
}

std::string key_of(const std::string& first, const std::string& second) {
    return std::min(first, second) + " " + std::max(first, second);
}
std::string key_of(const Access& a, const Access& b) {
    return key_of(place_of(a.where), place_of(b.where));
}

void report_at(const char* kind, const std::string& where, const std::string& key,
               const std::string& text) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    if (!reported.insert(key).second) {
        return;
    }
    static const bool registered = std::atexit(end_with_66) == 0;
    static_cast<void>(registered);
    if (is_muted("  " + relative(text))) {
        ++muted;
        return;
    }
    ++count;
    write_json(kind, relative(where), relative(text));
    const std::string out = std::string("\n") + kind + " in " + where + "\n" + relative(text);
    text_so_far += out;
    if (!quiet) {
        std::fflush(stdout);
        std::fputs(out.c_str(), stderr);
    }
}

void print(const Race& race) {
    const Access& a = race.earlier;
    const Access& b = race.now;
    const std::string first = place_of(a.where);
    const std::string second = place_of(b.where);
    const std::string what = name_of_element(race.bytes, race.type);
    const std::string bare = what.substr(what.compare(0, 2, "a ") == 0 ? 2 : 0);
    std::string out = "  " + first + ": " + name_of(a) + " " + verb(a) + " " + what + " of " +
                      kind_of_memory(race.offset) + " memory\n" +
                      (first == second ? "" : source_line(first));
    out += "  " + second + ": " + name_of(b) + " " + verb(b) + " the same " + bare + "\n" +
           source_line(second);
    out += "  The " + bare + (race.bytes == 2 || race.bytes == 8 ? " are " : " is ") + race.memory +
           ".\n";
    out += "  Nothing orders the two: on a GPU they may happen in either order, or at once.\n";
    out += "  What the two did there last, and what others wrote in between:\n";

    std::vector<Access> steps = race.steps;
    steps.push_back(b);
    std::vector<std::string> lines;
    std::size_t key_line = 0;  // the read whose update gets lost; else the earlier access
    bool between = false;      // that read and its write
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Access& access = steps[i];
        const bool theirs = (access.slot == a.slot && access.block == a.block) ||
                            (access.slot == b.slot && access.block == b.block);
        const bool is_lost = race.lost != nullptr && &race.steps[0] + i == race.lost;
        between = between || is_lost;
        if (theirs || (between && access.kind != Access::read)) {
            const bool is_earlier = access.slot == a.slot && access.where == a.where;
            if (race.lost != nullptr ? is_lost : is_earlier) {
                key_line = lines.size();
            }
            const std::uint64_t after = i + 1 < steps.size() ? steps[i + 1].before : race.after;
            lines.push_back("    " + name_of(access) + " " + what_it_did(race, access, after) +
                            "   (" + place_of(access.where) + ")\n");
        }
    }
    const std::size_t shown = lines.size() - std::min(lines.size(), most_lines);
    if (key_line < shown) {
        out += lines[key_line] + (key_line + 1 < shown ? "    ...\n" : "");
    }
    for (std::size_t i = shown; i < lines.size(); ++i) {
        out += lines[i];
    }
    if (race.lost != nullptr) {
        out += "  An update is lost: " + name_of(b) + " had read " + race.text(race.lost->before) +
               ", the value has become " + race.text(b.before) + " since, and " +
               race.text(race.after) + " is written over it.\n";
    }
    if (!a.atomic && !b.atomic && a.bytes == 1 && b.bytes == 1 && change_different_bits(race)) {
        out +=
            "  The two change different bits: members of a bit-field, or flags in one byte, share\n"
            "  their memory, and to write one is to write all. Give each thread a byte of its "
            "own.\n";
    }
    out += "  " + race.advice + "\n";
    if (race.both_write && written_first(race) == race.value(race.after)) {
        out +=
            "  Both write the same value, and it is a race all the same: let one thread write it,\n"
            "  or make each write atomic (a store of cuda::atomic_ref).\n";
    } else if (race.both_write) {
        out +=
            "  Both write, so in any order one value is lost: if both are wanted, the index is\n"
            "  at fault, and each needs a place of its own.\n";
    }
    report(race.kind, key_of(a, b), out);
}

}  // namespace

std::string place_of(const Where& where) {
    return where.line != 0
               ? relative(static_cast<const char*>(where.at)) + ":" + std::to_string(where.line)
               : lines_of(&where.at, 1).front();
}

std::string name_of(std::uint32_t block, std::uint32_t thread) {
    return "block " + std::to_string(block) + ", thread " + std::to_string(thread);
}
std::string name_of(const Access& access) {
    return name_of(access.block, access.thread);
}

// A value as a number, by its type; where that is not known, by what it looks like.
std::string value_text(std::uint64_t value, unsigned bytes, Element::Kind kind) {
    char buffer[64];
    float small = 0;
    double large = 0;
    std::memcpy(&small, &value, sizeof small);
    std::memcpy(&large, &value, sizeof large);
    const unsigned unused = bytes < 8 ? 64 - 8 * bytes : 0;
    if (value == (0x0101010101010101u * fresh_memory) >> unused ||
        value == (0x0101010101010101u * poison) >> unused) {
        return "(never written)";
    }
    const bool known = kind != Element::unknown;
    const bool looks_like_float = ((value >> 23 & 0xff) > 80 && (value >> 23 & 0xff) < 180) ||
                                  (value & 0x7fffffff) == 0x7f800000;  // infinity
    const bool is_float = bytes == 4 && (known ? kind == Element::floating : looks_like_float);
    const bool is_double =
        bytes == 8 && (known ? kind == Element::floating
                             : (value >> 52 & 0x7ff) > 900 && (value >> 52 & 0x7ff) < 1150);
    if (is_float || is_double) {
        std::snprintf(buffer, sizeof buffer, "%g", is_float ? static_cast<double>(small) : large);
    } else if (kind == Element::without_sign) {
        std::snprintf(buffer, sizeof buffer, "%llu", static_cast<unsigned long long>(value));
    } else {
        std::snprintf(buffer, sizeof buffer, "%lld",
                      static_cast<long long>(value << unused) >> unused);
    }
    return buffer;
}

// An address in words: which element of what.
std::string describe(std::size_t offset, std::size_t element) {
    if (offset >= reserved_bytes) {
        return variable_at(address_of(offset));
    }
    const Piece* const piece = piece_near(offset);
    if (piece == nullptr) {
        return "in no memory that was allocated";
    }
    const bool whole = (offset - piece->begin) % element == 0 && piece->bytes % element == 0;
    const std::size_t size = whole ? element : 1;
    const std::size_t end = piece->begin + piece->bytes;
    std::string what =
        (piece->bytes == size ? "the one element of "
                              : "the " + std::to_string(piece->bytes / size) + " elements of ") +
        std::to_string(size) + (size == 1 ? " byte " : " bytes ");
    what += piece->name != nullptr ? std::string("of ") + piece->name
                                   : "allocated at " + place_of(piece->calls);
    what += piece->freed ? " and freed since" : "";
    if (offset < piece->begin) {
        return std::to_string(piece->begin - offset) + " bytes in front of " + what;
    }
    return "[" + std::to_string((offset - piece->begin) / size) + "]" +
           (offset < end ? " of "
                         : ", " + std::to_string(offset - end) + " bytes after the end of ") +
           what;
}

void begin_json() {
    static bool begun = false;
    const char* const path = std::getenv("RACE_JSON");
    if (path != nullptr && !begun) {
        begun = true;
        std::FILE* const file = std::fopen(path, "w");
        if (file == nullptr) {
            refuse_setting("RACE_JSON", path, "a file that can be written");
        }
        std::fclose(file);
    }
}

void name_launch(const LaunchConfig* config) {
    launched = config;
}

void report(const char* kind, const std::string& key, const std::string& text) {
    report_at(kind,
              std::string("kernel ") + launched->kernel + ", launched at " +
                  place_of({launched->place.file, launched->place.line}),
              key, text);
}

namespace {

std::string place_of(const Work& work) {
    return work.is_launch ? place_of(work.launched) : place_of(work.called);
}
std::string place_of(const Work& work, const Use& use) {
    return work.is_launch ? place_of(use.access.where) : place_of(work);
}

std::string stream_of(const Work& work) {
    return work.stream == 0 ? "the default stream"
                            : "stream " + std::to_string(work.stream) + " (made at " +
                                  place_of(work.stream_made) + ")";
}

std::string what_it_does(const Work& work, const Use& use) {
    return "  " + place_of(work, use) + ": " +
           (work.is_launch ? name_of(use.access) + " of " : std::string()) + work.name + " " +
           (work.verb != nullptr ? work.verb : verb(use.access));
}

// The word, as an element of the size that the two have used: a copy, or an access to several
// elements at once, says nothing about that.
std::string describe_shared(const Use& first, const Use& second) {
    const unsigned bytes = std::max<unsigned>(first.access.bytes, second.access.bytes);
    const bool is_size = bytes == 1 || bytes == 2 || bytes == 8 || bytes == 16;
    const std::size_t element = is_size ? bytes : 4;
    const std::size_t byte =
        std::max(first.word, second.word) * 4 +
        static_cast<std::size_t>(__builtin_ctz(first.access.mask & second.access.mask));
    return describe(byte / element * element, element);
}

}  // namespace

void report_unwritten_copy(const char* function, const Calls& calls, std::size_t offset,
                           std::size_t bytes) {
    if (poison != fresh_memory && static_cast<std::uint8_t>(memory_begin[offset]) == poison) {
        return;  // the program has filled it itself, to see what is written
    }
    const std::string place = place_of(calls);
    const Piece* const piece = piece_near(offset);
    report_at("UNWRITTEN MEMORY", std::string(function) + ", called at " + place, "copy " + place,
              "  " + place + ": " + function + " copies " + std::to_string(bytes) +
                  " bytes to the host, of which none has been written:\n  they begin at byte " +
                  std::to_string(offset - piece->begin) + " of the " +
                  std::to_string(piece->bytes) + " allocated at " + place_of(piece->calls) +
                  ".\n  Has the kernel written to another array, or not run at all?\n");
}

void report_host_access(const volatile void* address, bool write, Where where) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    const std::string key = "host " + std::to_string(reinterpret_cast<std::uintptr_t>(where.at));
    const Allocation there = allocation_from(const_cast<const void*>(address));
    if (there.host_writes_too() || reported.count(key) > 0) {
        return;
    }
    const std::string place = place_of(where);
    report_at("HOST ACCESS", "host code, at " + place, key,
              "  " + place + ": the host " + (write ? "writes to" : "reads") +
                  " memory of the device. On a GPU the program would end here.\n"
                  "  Let a kernel do this, or copy the data to the host by cudaMemcpy.\n");
}

// "The first" is the work that was given to its stream first; either may run first.
void report_streams(const Work& earlier, const Use& first, const Work& later, const Use& second) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    const std::string key = "streams " + key_of(place_of(earlier, first), place_of(later, second));
    if (reported.count(key) > 0) {
        return;
    }
    std::string text = what_it_does(earlier, first) + " a word of global memory\n" +
                       what_it_does(later, second) + " the same word\n" + "  The word is " +
                       describe_shared(first, second) + ".\n";
    text += "  The first is in " + stream_of(earlier) +
            (earlier.is_launch ? ", launched at " + place_of(earlier) : "") +
            ";\n  the second in " + stream_of(later) + ".\n" +
            "  Nothing orders the two: on a GPU either may run first, or both at once.\n";
    if (first.access.atomic && second.access.atomic) {
        text +=
            "  Both are atomic, but not for each other: an atomic of block scope is one step for\n"
            "  its own block only, and two atomics must be of the same bytes.\n";
    }
    text +=
        "  An event orders them, recorded after the first (cudaEventRecord) and awaited before\n"
        "  the second (cudaStreamWaitEvent); or one stream for both; or the host waits between.\n";
    if (earlier.stream == 0 || later.stream == 0) {  // with any other stream there is order
        text += "  (Made with cudaStreamNonBlocking, stream " +
                std::to_string(std::max(earlier.stream, later.stream)) +
                " and the default stream do not wait for each other.)\n";
    }
    for (const Work* const work : {&earlier, &later}) {
        const std::string name = work->name;
        if (!work->is_launch && (name == "cudaMemset" || name == "cudaMemcpy")) {
            text += "  (" + name + " is work of the default stream; " + name +
                    "Async takes a stream.)\n";
        }
    }
    report_at("RACE BETWEEN STREAMS",
              (later.is_launch ? "kernel " : "") + std::string(later.name) +
                  (later.is_launch ? ", launched at " : ", called at ") + place_of(later),
              key, text);
}

void report_the_end(const char* kind, const std::string& text) {
    print_reports();
    if (quiet) {  // what was found before is often the reason
        quiet = false;
        std::fflush(stdout);
        std::fputs(text_so_far.c_str(), stderr);
    }
    report(kind, text, text);
    end_with_66();
    _exit(66);
}

void report_too_large(const std::string& text) {
    print_reports();
    end_with_66();  // what was found before that
    std::fflush(stdout);
    std::fprintf(stderr, "\nTOO LARGE FOR RACE MODE: kernel %s, launched at %s\n%s",
                 launched->kernel,
                 place_of(Where{launched->place.file, launched->place.line}).c_str(),
                 relative(text).c_str());
    std::fflush(nullptr);
    _exit(67);
}

void report_memory(const Clocks& me, std::size_t offset, std::size_t bytes, Access::Kind kind,
                   bool atomic, ByteState state, Where where) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    const std::string place = place_of(where);
    const Piece* const piece = piece_near(offset);
    const bool freed = state == outside && piece != nullptr && piece->freed &&
                       offset < piece->begin + piece->bytes;
    std::string out = "  " + place + ": " + name_of(me.block, me.thread) + " " +
                      verb(kind, atomic) + " " + std::to_string(bytes) + " bytes of " +
                      kind_of_memory(offset) + " memory:\n";
    out += "  " + describe(offset, bytes) + ".\n";
    if (state == unwritten) {  // told at the end, if it was not just too early
        read_unwritten.emplace(
            place,
            out + "  Nothing has written there, and fresh memory holds anything. Set it first,\n" +
                (is_shared(offset) ? "  by the threads of the block, with a barrier after that.\n"
                                   : "  by cudaMemset or by the threads themselves, with a barrier "
                                     "after that.\n"));
    } else if (freed) {
        report("USE AFTER FREE", "freed " + place,
               out + "  Memory must not be freed while a kernel still uses it.\n");
    } else if (out.find(" of the dynamic shared memory") != std::string::npos) {
        report("OUT OF BOUNDS", "outside " + place,
               out + "  Its size in bytes is the third argument of the launch: " +
                   std::to_string(launched->dynamic_shared) + " here.\n");
    } else {
        report("OUT OF BOUNDS", "outside " + place,
               out +
                   "  A thread whose index lies beyond the array must leave it alone: does a\n"
                   "  condition such as i < n stand before the access?\n");
    }
}

void report_foreign(const Clocks& me, std::size_t offset, std::size_t bytes, Where where) {
    const std::string place = place_of(where);
    report("SHARED MEMORY OF ANOTHER BLOCK", "foreign " + place,
           "  " + place + ": " + name_of(me.block, me.thread) +
               " uses an address of another block's shared memory:\n  " + describe(offset, bytes) +
               ".\n  Each block has its own: the same address means another variable there. Blocks "
               "share\n  global memory only.\n");
}

void report_read_only(const Clocks& me, Where load, Where write, std::uint32_t writer,
                      std::size_t offset, std::size_t bytes) {
    const std::string loaded = place_of(load);
    const std::string written = place_of(write);
    const std::uint32_t threads = launched->block.x * launched->block.y * launched->block.z;
    static_cast<void>(me);
    report("READ-ONLY LOAD", "read-only " + key_of(loaded, written),
           "  " + loaded +
               ": a load by __ldg, which is for memory that nobody writes in this "
               "kernel\n  " +
               written + ": " + name_of(writer / threads, writer % threads) +
               " writes there\n  The memory is " + describe(offset, bytes) +
               ".\n  The load may give an old value, whatever orders the two. Read it without "
               "__ldg.\n");
}

void report_unset(const Access& store, std::size_t offset) {
    const std::string place = place_of(store.where);
    report("UNSET VARIABLE", "unset " + place,
           "  " + place + ": " + name_of(store) + " stores the value of a variable that it has\n" +
               "  never set, to " + describe(offset, store.bytes) +
               ".\n  A local variable holds anything at first; here its bytes are 0xfe.\n");
}

void report_index(const Clocks& me, long long index, const char* array, Where where) {
    const std::string place = place_of(where);
    report("OUT OF BOUNDS", "outside " + place,
           "  " + place + ": " + name_of(me.block, me.thread) + " uses index " +
               std::to_string(index) + " of an array of type\n  " + array +
               ", whose first index is 0.\n");
}

void report_misaligned(const Clocks& me, const volatile void* address, std::size_t alignment,
                       Where where) {
    const std::string place = place_of(where);
    const std::size_t offset = offset_of(address);
    const std::string wanted = std::to_string(alignment);
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(address) % alignment;
    report("MISALIGNED ACCESS", "misaligned " + place,
           "  " + place + ": " + name_of(me.block, me.thread) +
               " uses a type whose address must be a\n" + "  multiple of " + wanted +
               "; this one is " + std::to_string(beyond) + " beyond:\n" +
               (offset == unchecked ? "" : "  " + describe(offset, 1) + ".\n") +
               "  A GPU ends the kernel there. Go element by element up to the next multiple, and\n"
               "  take the wide accesses from there on.\n");
}

bool is_known(const Access& earlier, const Access& now) {
    for (const Race& known : pending) {
        if (known.earlier.where == earlier.where && known.now.where == now.where) {
            return known.lost != nullptr || now.kind != Access::write;
        }
    }
    return false;
}

// Of the races of one pair of places, the launch's first is kept, unless a later one loses an
// update before one's eyes.
void report_race(const Access& earlier, const Access& now, const Clocks& me, std::size_t word,
                 std::vector<Access> steps) {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    // The element is as large as the narrower access; one of more than 8 bytes, or none that is a
    // size of anything, is told by its word.
    const unsigned narrower = std::min(earlier.bytes, now.bytes);
    const bool is_size = narrower == 1 || narrower == 2 || narrower == 8;
    const unsigned element = is_size ? narrower : 4;
    const auto byte = word * 4 + static_cast<unsigned>(__builtin_ctz(earlier.mask & now.mask)) /
                                     element * element;
    const Piece* const piece = byte < reserved_bytes ? piece_near(byte) : nullptr;
    const bool typed = piece != nullptr && piece->element.bytes == element;
    Race race{earlier, now,     std::move(steps),
              byte,    element, typed ? piece->element.kind : Element::unknown};
    const auto same_thread = [&](const Access& step) { return step.slot == now.slot; };
    const auto last = std::find_if(race.steps.rbegin(), race.steps.rend(), same_thread);
    if (now.kind == Access::write && last != race.steps.rend() && last->kind == Access::read &&
        race.value(last->before) != race.value(now.before) && !last->atomic) {
        race.lost = &*last;
    }
    const auto known = std::find_if(pending.begin(), pending.end(), [&](const Race& other) {
        return other.earlier.where == earlier.where && other.now.where == now.where;
    });
    if (known != pending.end() && race.lost == nullptr) {
        return;
    }
    if (reported.count(key_of(earlier, now)) == 0) {
        race.memory = describe(race.offset, race.bytes);
        explain(race, me);
    }
    if (known != pending.end()) {
        *known = std::move(race);  // moving a vector moves no element: `lost` stays valid
    } else {
        pending.push_back(std::move(race));
    }
}

// Called at the next step of anybody: the access has been made, and left its value.
void finish_reports() {
    look_at_stored_value();
    for (Race& race : pending) {
        if (!race.finished) {
            race.finished = true;
            race.after = value_at(race.offset / 4 * 4, 8);
        }
    }
}

void print_reports() {
    const std::lock_guard<std::recursive_mutex> lock(reports_mutex);
    finish_reports();
    std::stable_sort(pending.begin(), pending.end(), [](const Race& a, const Race& b) {
        return a.lost != nullptr && b.lost == nullptr;  // what can be seen comes first
    });
    for (const Race& race : pending) {
        // By PTX volatile accesses do not race, and where there are fences one may be a flag.
        const bool may_be_a_flag =
            race.earlier.is_volatile && race.now.is_volatile && has_ordered();
        if (!may_be_a_flag && reported.count(key_of(race.earlier, race.now)) == 0) {
            print(race);
        }
        // Memory that another thread writes too late is that race, and no matter of its own.
        read_unwritten.erase(place_of(race.earlier.where));
    }
    for (const auto& [place, text] : read_unwritten) {
        report("UNWRITTEN MEMORY", "unwritten " + place, text);
    }
    read_unwritten.clear();
    pending.clear();
}

unsigned reports() {
    return count;
}
std::string reports_text() {
    return text_so_far;
}
void forget() {
    count = 0;
    muted = 0;
    text_so_far.clear();
    reported.clear();
}
void be_quiet(bool quiet_) {
    quiet = quiet_;
}

}  // namespace cpu_device::race
