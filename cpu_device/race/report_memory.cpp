#include "race/report_memory.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

#include "cpu_device/race.h"
#include "race/places.hpp"
#include "race/report_log.hpp"
#include "race/words.hpp"
#include "scheduler.hpp"

namespace cpu_device::race {

std::map<std::string, std::string>& read_unwritten = *new std::map<std::string, std::string>;

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
                      std::size_t offset, std::size_t bytes, bool texture) {
    const std::string loaded = place_of(load);
    const std::string written = place_of(write);
    const std::uint32_t threads = launched->block.x * launched->block.y * launched->block.z;
    writer %= threads_in_launch;
    static_cast<void>(me);
    report("READ-ONLY LOAD", "read-only " + key_of(loaded, written),
           "  " + loaded + (texture ? ": a texture is read" : ": a load by __ldg") +
               ", which is for memory that no thread writes in this kernel\n  " + written + ": " +
               name_of(writer / threads, writer % threads) + " writes there\n  The memory is " +
               describe(offset, bytes) +
               ".\n  The load may give an old value, whatever orders the two. Read it " +
               (texture ? "by a pointer.\n" : "without __ldg.\n"));
}

namespace {

// Does the source itself speak of such a value? Then it may be one that the program has meant.
bool source_has_unset_pattern(const std::string& place) {
    std::ifstream file(place.substr(0, place.rfind(':')));
    std::string text{std::istreambuf_iterator<char>(file), {}};
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    text.erase(std::remove(text.begin(), text.end(), '\''), text.end());
    for (const char* const value : {"0xfefefefe", "4278124286", "-16843010"}) {
        if (text.find(value) != std::string::npos) {
            return true;
        }
    }
    return false;
}

void report_unset(const Access& store, std::size_t offset) {
    const std::string place = place_of(store.where);
    if (unset_pattern_was_read || was_reported("unset " + place) ||
        source_has_unset_pattern(place)) {
        return;
    }
    report("UNSET VARIABLE", "unset " + place,
           "  " + place + ": " + name_of(store) + " stores the value of a variable that it has\n" +
               "  never set, to " + describe(offset, store.bytes) +
               ".\n  A local variable holds anything at first; here its bytes are 0xfe.\n");
}

}  // namespace

void look_at_stored_value() {
    Access& store = last_store.access;
    if (store.bytes != 0) {
        const std::uint64_t unset = store.bytes == 4 ? 0xfefefefeu : 0xfefefefefefefefeu;
        if (value_at(last_store.offset, store.bytes) == unset) {
            report_unset(store, last_store.offset);
        }
        store.bytes = 0;
    }
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

}  // namespace cpu_device::race
