#include "race/memory.hpp"

#include <execinfo.h>
#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>

#include "cpu_device/race.h"
#include "scheduler.hpp"
#include "system.hpp"

// The program's writable variables, by the linker.
extern "C" char __data_start[], _end[];

namespace cpu_device {
namespace race {

std::size_t reserved_bytes = std::size_t{16} << 30;
std::size_t arenas = 1024;
char* memory_begin = nullptr;
std::uint8_t* byte_states = nullptr;
std::uint32_t* word_notes = nullptr;
char* variables_begin = nullptr;
std::size_t variables_bytes = 0;
std::uint8_t poison = fresh_memory;

namespace {

// An access that misses its array shall not meet another one.
constexpr std::size_t page = 4096;
constexpr std::size_t gap = 64 * 1024;
constexpr std::size_t least_reserved_bytes = std::size_t{1} << 29;

std::size_t unused_from = 0;
std::map<std::size_t, Piece>& pieces = *new std::map<std::size_t, Piece>;  // by begin
// One OS thread may allocate or launch while a kernel of another one runs. A piece that is found
// stays where it is.
std::mutex pieces_mutex;
std::map<std::size_t, std::deque<std::size_t>>& given_back =
    *new std::map<std::size_t, std::deque<std::size_t>>;  // by size

std::size_t in_pages(std::size_t bytes) {
    return (bytes + page - 1) / page * page;
}

// Most of the addresses are never used. Where a limit (ulimit -v) leaves no room for all, half as
// many do, or a quarter, and so on; as many again stay free, for stacks and clocks.
char* reserve(std::size_t variables) {
    for (;; reserved_bytes /= 2) {
        const std::size_t bytes = 3 * reserved_bytes + 2 * variables;
        const std::size_t spare = reserved_bytes;
        void* const memory = mmap(nullptr, bytes + spare, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory != MAP_FAILED) {
            munmap(static_cast<char*>(memory) + bytes, spare);
            return static_cast<char*>(memory);
        }
        if (reserved_bytes == least_reserved_bytes) {
            out_of_memory(bytes + spare, "race mode's notes; is there a limit (ulimit -v)?");
        }
    }
}

}  // namespace

void reserve_memory() {
    static std::once_flag reserved;
    std::call_once(reserved, [] {
        variables_begin = reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(__data_start) /
                                                  sizeof(int) * sizeof(int));
        variables_bytes = static_cast<std::size_t>(_end - variables_begin);
        const std::size_t variables = in_pages(variables_bytes);
        char* const notes = reserve(variables);
        word_notes = reinterpret_cast<std::uint32_t*>(notes);
        byte_states = reinterpret_cast<std::uint8_t*>(notes + reserved_bytes + variables);
        arenas = std::min(arenas, reserved_bytes / 2 / arena_bytes);
        unused_from = arenas * arena_bytes + gap;
        memory_begin = notes + 2 * (reserved_bytes + variables);
        mallopt(M_TRIM_THRESHOLD, 1 << 30);  // each launch needs as many clocks as the one before
        std::memset(byte_states + reserved_bytes, written, variables_bytes);
    });
}

bool is_in_notes(std::uintptr_t address) {
    const std::size_t bytes = reserved_bytes + in_pages(variables_bytes);
    return memory_begin != nullptr &&
           (address - reinterpret_cast<std::uintptr_t>(word_notes) < bytes ||
            address - reinterpret_cast<std::uintptr_t>(byte_states) < bytes);
}

Element element_of(std::size_t bytes, char kind) {
    return {bytes, kind == 'f'   ? Element::floating
                   : kind == 'i' ? Element::with_sign
                   : kind == 'u' ? Element::without_sign
                                 : Element::unknown};
}

Element::Kind kind_at(std::size_t offset, std::size_t bytes) {
    const Piece* const piece = offset < reserved_bytes ? piece_near(offset) : nullptr;
    return piece != nullptr && piece->element.bytes == bytes ? piece->element.kind
                                                             : Element::unknown;
}

void elements_seem_to_be(const void* memory, std::size_t bytes, char kind) {
    const std::size_t offset = offset_of(memory);
    const std::lock_guard<std::mutex> only(pieces_mutex);
    const auto behind = pieces.upper_bound(offset);
    if (bytes < 2 || offset >= reserved_bytes || behind == pieces.begin()) {
        return;  // bytes may be anything
    }
    Piece& piece = std::prev(behind)->second;
    Element seems = element_of(bytes, kind);
    seems.is_guess = true;
    if (offset >= piece.begin + piece.bytes) {
        return;
    }
    if (piece.element.bytes == 0) {
        piece.element = seems;
    } else if (piece.element.is_guess &&
               (piece.element.bytes != bytes || piece.element.kind != seems.kind)) {
        piece.element = {1, Element::unknown};  // its parts have different types
    }
}

Calls calls_here() {
    Calls calls{};
    calls.depth = backtrace(calls.code, sizeof calls.code / sizeof calls.code[0]);
    return calls;
}

const Piece* piece_near(std::size_t offset) {
    const std::lock_guard<std::mutex> only(pieces_mutex);
    const auto behind = pieces.upper_bound(offset);
    if (behind == pieces.begin()) {
        return behind == pieces.end() ? nullptr : &behind->second;
    }
    const Piece& before = std::prev(behind)->second;
    const bool nearer = behind != pieces.end() && offset >= before.begin + before.bytes &&
                        behind->first - offset < offset - (before.begin + before.bytes);
    return nearer ? &behind->second : &before;
}

std::vector<Piece> pieces_in_use() {
    const std::lock_guard<std::mutex> only(pieces_mutex);
    std::vector<Piece> found;
    for (const auto& [begin, piece] : pieces) {
        if (!is_shared(begin) && !piece.freed) {
            found.push_back(piece);
        }
    }
    return found;
}

void add_shared(std::size_t begin, std::size_t bytes, const char* name, Element element) {
    std::memset(memory_begin + begin, fresh_memory, bytes);
    std::memset(byte_states + begin, unwritten, bytes);
    const std::lock_guard<std::mutex> only(pieces_mutex);
    pieces[begin] = {begin, bytes, name, false, {}, element};
}

void forget_writes(const void* memory, std::size_t bytes) {
    if (bytes > 0) {
        poison = *static_cast<const std::uint8_t*>(memory);
        std::memset(byte_states + offset_of(memory), unwritten, bytes);
    }
}

void drop_shared(std::size_t begin, std::size_t bytes) {
    std::memset(byte_states + begin, outside, bytes);
    const std::lock_guard<std::mutex> only(pieces_mutex);
    pieces.erase(pieces.lower_bound(begin), pieces.lower_bound(begin + bytes));
}

}  // namespace race

using namespace race;

// Addresses are used again only when there are no others: so a use of freed memory is seen.
void* take_device_memory(std::size_t bytes) {
    reserve_memory();
    const std::size_t taken = in_pages(bytes) + gap;
    const std::lock_guard<std::mutex> only(pieces_mutex);
    std::deque<std::size_t>& reusable = given_back[taken];
    std::size_t begin = unused_from;
    if (taken <= reserved_bytes - unused_from) {
        unused_from += taken;
    } else if (!reusable.empty()) {
        begin = reusable.front();
        reusable.pop_front();
    } else {
        return nullptr;
    }
    pieces[begin] = {begin, bytes, nullptr, false, calls_here(), {}};
    std::memset(byte_states + begin, unwritten, bytes);
    return memory_begin + begin;
}

void give_back_device_memory(void* memory) {
    const std::lock_guard<std::mutex> only(pieces_mutex);
    Piece& piece = pieces[offset_of(memory)];
    piece.freed = true;
    madvise(memory, in_pages(piece.bytes), MADV_DONTNEED);
    madvise(byte_states + piece.begin, in_pages(piece.bytes), MADV_DONTNEED);  // all outside
    given_back[in_pages(piece.bytes) + gap].push_back(piece.begin);
}

bool is_given_back(const void* memory) {
    const std::size_t offset = offset_of(memory);
    return memory_begin != nullptr && offset < reserved_bytes && byte_states[offset] == outside;
}

void elements_are(const volatile void* memory, std::size_t bytes, char kind) {
    const std::size_t begin = offset_of(memory);
    const std::lock_guard<std::mutex> only(pieces_mutex);
    const auto found = pieces.find(begin);
    if (begin < reserved_bytes && found != pieces.end()) {
        found->second.element = element_of(bytes, kind);
    }
}

void host_wrote(void* to, const void* from, std::size_t bytes) {
    const std::size_t begin = offset_of(to);
    const std::size_t source = from == nullptr ? unchecked : offset_of(from);
    if (memory_begin == nullptr || begin == unchecked) {
        return;
    }
    if (source == unchecked) {
        std::memset(byte_states + begin, written, bytes);
    } else {
        std::memmove(byte_states + begin, byte_states + source, bytes);
    }
}

}  // namespace cpu_device
