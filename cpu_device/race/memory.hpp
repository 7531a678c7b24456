// The memory of race mode: global and shared memory are one reserved range of addresses, and the
// program's own variables (__device__ ones among them) are another. Every byte of both has a state,
// and every 4-byte word a number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace cpu_device::race {

extern std::size_t reserved_bytes;  // settled by reserve_memory(), as is the number of arenas
// The first part holds the blocks' shared memory, an arena each.
constexpr std::size_t arena_bytes = 1 << 20;
extern std::size_t arenas;
constexpr std::size_t unchecked = ~std::size_t{0};

enum ByteState : std::uint8_t { outside, unwritten, written };

extern char* memory_begin;         // null until the first allocation or launch
extern std::uint8_t* byte_states;  // one for each byte that is checked
extern std::uint32_t* word_notes;  // one for each word, 0 at first
extern char* variables_begin;      // of the program's writable variables
extern std::size_t variables_bytes;
extern std::uint8_t poison;  // what the host has filled unwritten memory with, if anything

void reserve_memory();
// Does the address lie in race mode's own notes? Only an index that is far too large leads there.
bool is_in_notes(std::uintptr_t address);

// Memory that only race mode gives: of the device, or shared with the host.
inline bool is_reserved(const volatile void* address) {
    return memory_begin != nullptr && reinterpret_cast<std::uintptr_t>(address) -
                                              reinterpret_cast<std::uintptr_t>(memory_begin) <
                                          reserved_bytes;
}

// The number of a byte that is checked. Most addresses are a thread's own stack, and are not.
inline std::size_t offset_of(const volatile void* address) {
    const auto number = reinterpret_cast<std::uintptr_t>(address);
    const std::size_t offset = number - reinterpret_cast<std::uintptr_t>(memory_begin);
    const std::size_t in_variables = number - reinterpret_cast<std::uintptr_t>(variables_begin);
    return offset < reserved_bytes
               ? offset
               : (in_variables < variables_bytes ? reserved_bytes + in_variables : unchecked);
}
inline const char* address_of(std::size_t offset) {
    return offset < reserved_bytes ? memory_begin + offset
                                   : variables_begin + (offset - reserved_bytes);
}
// The (at most 8) bytes there. At the end of the program's variables there may be fewer.
inline std::uint64_t value_at(std::size_t offset, std::size_t bytes) {
    const std::size_t end = reserved_bytes + (offset < reserved_bytes ? 0 : variables_bytes);
    const std::size_t count = std::min({bytes, std::size_t{8}, end - offset});
    const char* const from = address_of(offset);
    std::uint64_t value = 0;
    if (end - offset < sizeof value) {
        std::memcpy(&value, from, count);
        return value;
    }
    std::memcpy(&value, from, sizeof value);
    return count == sizeof value ? value : value & ((std::uint64_t{1} << 8 * count) - 1);
}
// Puts the (at most 8) bytes of `value`, which belong to `from`, into the 8 bytes from `at` on.
inline void put(std::uint64_t& into, std::size_t at, std::size_t from, std::uint64_t value,
                std::size_t bytes) {
    for (std::size_t i = 0; i < std::min<std::size_t>(bytes, 8); ++i) {
        const std::size_t place = from + i - at;  // wraps around for bytes before `at`
        if (place < 8) {
            into = (into & ~(std::uint64_t{0xff} << 8 * place)) | (value >> 8 * i & 0xff)
                                                                      << 8 * place;
        }
    }
}
inline bool is_shared(std::size_t offset) {
    return offset < arenas * arena_bytes;
}
inline char* arena(std::size_t number) {
    return memory_begin + number * arena_bytes;
}

// The calls that have led to a place in the runtime, the innermost first.
struct Calls {
    int depth;
    void* code[10];
};
Calls calls_here();

// What the elements of an array are, as far as one knows.
struct Element {
    enum Kind : std::uint8_t { unknown, floating, with_sign, without_sign };
    std::size_t bytes = 0;
    Kind kind = unknown;
    bool is_guess = false;  // from what kernels were called with
};

Element element_of(std::size_t bytes, char kind);
// Of a value of so many bytes there.
Element::Kind kind_at(std::size_t offset, std::size_t bytes);
// A kernel gets a pointer to such elements, which tells what memory holds that was allocated
// without a type.
void elements_seem_to_be(const void* memory, std::size_t bytes, char kind);

inline constexpr char name_of_dynamic_shared[] = "the dynamic shared memory";

// What lies at an address: an allocation, or a shared variable of a block.
struct Piece {
    std::size_t begin, bytes;
    const char* name;  // null: of global memory
    bool freed;
    Calls calls;  // that made it
    Element element{};

    bool is_dynamic() const { return name == name_of_dynamic_shared; }
};
// The piece that holds this byte, or is nearest to it; null if there is none.
const Piece* piece_near(std::size_t offset);
// Those of global memory that have not been freed.
std::vector<Piece> pieces_in_use();
// Fresh shared memory of a block, and its end.
void add_shared(std::size_t begin, std::size_t bytes, const char* name, Element element = {});
void drop_shared(std::size_t begin, std::size_t bytes);

}  // namespace cpu_device::race
