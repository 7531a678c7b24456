// The calls that the compiler puts before every load and store of an instrumented source file. Most
// accesses are to a thread's own stack or to host memory, and are left alone at once.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cpu_device/race_loads.h"
#include "cpu_device/textures.h"
#include "race/checker.hpp"
#include "race/confinement.hpp"
#include "race/copies.hpp"
#include "race/counts.hpp"
#include "race/old_values.hpp"
#include "race/quick_check.hpp"
#include "race/report_memory.hpp"
#include "race/report_streams.hpp"
#include "race/streams.hpp"
#include "race/test_hooks.hpp"
#include "race/threads.hpp"
#include "race/tracing.hpp"
#include "race/wild_pointers.hpp"

using namespace cpu_device;
using namespace cpu_device::race;

namespace {

// Of a texture's element or a copy: where the kernel asks for it.
__thread Where placed_at{};
__thread bool reads_texture = false;

// `frame`: that of the function which the source has called.
void access(const volatile void* address, std::size_t bytes, bool write, bool is_volatile,
            Where where, void* frame, bool by_words = false) {
    if (bytes == 0) {
        return;
    }
    if (confined) {
        check_confined(address, bytes, write, static_cast<void* const*>(frame), where);
    }
    if (running == nullptr) {
        if (is_reserved(address)) {
            report_host_access(address, write, where);
        }
        if (host_may_race.load(std::memory_order_relaxed) && offset_of(address) != unchecked) {
            access_by_host(address, bytes, write, where);
        }
        return;
    }
    const Where placed = placed_at;
    const bool of_texture = reads_texture;
    where = placed.line != 0 ? placed : where;
    const std::size_t offset = offset_of(address);
    if (offset == unchecked) {
        check_pointer(address, write, where);
        return;
    }
    placed_at = {};  // other threads may run meanwhile
    reads_texture = false;
    may_switch(address, frame, is_volatile ? NextStep::other : NextStep::plain_access);
    placed_at = placed;
    reads_texture = of_texture;
    if (is_traced()) {
        tracing->entered(__builtin_frame_address(0));
    }
    if (plan != nullptr) {
        plan->accesses(address, write ? AtomicKind::store : AtomicKind::load);
    }
    if (is_volatile && old_values != OldValues::off) {
        choose_store(*running, address, bytes, write ? AtomicKind::store : AtomicKind::load,
                     Order::relaxed, Scope::system, where);
    }
    check_plain(*running, offset, bytes, write, is_volatile, where);
    if (is_volatile && !write && old_values == OldValues::explored) {
        plan->reads_in_vain(address);
    }
    if (of_texture) {
        check_read_only(offset, bytes, where, true);
    }
    if (counting) {
        count_access(*running, offset, bytes, write ? Counted::store : Counted::load, where,
                     by_words);
    }
    if (write) {
        run.spins.note_store(address, bytes);
        note_store(address, bytes);
        note_progress();
    }
}

// Code that is not optimised makes most of its accesses there.
[[gnu::always_inline]] inline bool is_on_own_stack(const volatile void* address) {
    return running != nullptr && !confined && is_in_own_stack(address);
}

// Such as threadIdx: each thread has its own.
[[gnu::always_inline]] inline bool is_of_index(const volatile void* address) {
    const auto is_in = [=](const auto& variable) {
        return reinterpret_cast<std::uintptr_t>(address) -
                   reinterpret_cast<std::uintptr_t>(&variable) <
               sizeof variable;
    };
    return is_in(threadIdx) || is_in(blockIdx) || is_in(blockDim) || is_in(gridDim);
}

// The same, for most accesses of most launches.
template <std::size_t bytes, bool write>
[[gnu::always_inline]] inline void access_words(const volatile void* address, Where where,
                                                void* frame) {
    const Clocks* const me = running;
    const std::size_t offset = me != nullptr ? offset_of(address) : unchecked;
    if (offset == unchecked && (is_on_own_stack(address) ||
                                (!write && me != nullptr && !confined && is_of_index(address)))) {
        return;
    }
    if (offset == unchecked || !accesses_are_simple || placed_at.line != 0) {
        access(address, bytes, write, false, where, frame);
        return;
    }
    may_switch_before_access(address, frame);
    if (!check_quickly<bytes, write>(*me, offset, where)) {
        check_plain(*running, offset, bytes, write, false, where);
    }
    if (write) {
        run.spins.note_store(address, bytes);
        note_progress();
    }
}

// The beginning of what the compiler hands to its own library.
struct SourceLocation {
    const char* file;
    std::uint32_t line;
    std::uint32_t column;
};
struct TypeMismatch {
    SourceLocation location;
    const void* type;
    std::uint8_t log2_alignment;
};
struct Type {
    std::uint16_t kind;
    std::uint16_t info;  // of an integer: 1 if it has a sign, plus twice the logarithm of its bits
    char name[1];
};
struct OutOfBounds {
    SourceLocation location;
    const Type* array;
    const Type* index;
};
struct ShiftTooFar {
    SourceLocation location;
    const Type* shifted;
    const Type* distance;
};
struct FloatCast {
    SourceLocation location;
    const Type* from;
    const Type* to;
};
unsigned bits_of(const Type& integer) {
    return std::min(64u, 1u << (integer.info >> 1));
}
// The compiler hands over the bits.
std::int64_t value_of(const Type& integer, std::uintptr_t value) {
    const unsigned unused = 64 - bits_of(integer);
    const bool has_sign = (integer.info & 1) != 0;
    return has_sign ? static_cast<std::int64_t>(value << unused) >> unused
                    : static_cast<std::int64_t>(value);
}

}  // namespace

namespace cpu_device {

ReadsOf::ReadsOf(const Place& place, bool of_texture) {
    placed_at = {place.file, place.line};
    reads_texture = of_texture;
}
ReadsOf::~ReadsOf() {
    placed_at = {};
    reads_texture = false;
}

namespace race {
std::string own_text(const char* text, void* const* frame) {
    std::string copy;
    for (const char* at = text;; ++at) {
        access(at, 1, false, false, {frame[1], 0}, const_cast<void**>(frame));
        if (*at == '\0') {
            return copy;
        }
        copy += *at;
    }
}

PlacedAccesses::PlacedAccesses(Where place) {
    placed_at = place;
}
PlacedAccesses::~PlacedAccesses() {
    placed_at = {};
}
}  // namespace race

void hinted_access(const volatile void* address, std::size_t bytes, std::size_t alignment,
                   Hinted kind, Place place) {
    const Where where{place.file, place.line};
    if (running != nullptr && reinterpret_cast<std::uintptr_t>(address) % alignment != 0) {
        report_misaligned(*running, address, alignment, where);
    }
    const std::size_t offset = offset_of(address);
    if (running != nullptr && (is_in_own_stack(address) || is_shared(offset))) {
        report_not_global(*running, address, bytes, where);
    }
    access(address, bytes, kind == Hinted::store, false, where, __builtin_frame_address(0));
    if (running != nullptr && kind == Hinted::read_only_load && offset != unchecked) {
        check_read_only(offset, bytes, where);
    }
}

}  // namespace cpu_device

extern "C" {

// Before an access whose address does not suit its type (-fsanitize=alignment).
void __ubsan_handle_type_mismatch_v1(const TypeMismatch* mismatch, void* address) {
    if (running != nullptr) {
        report_misaligned(*running, address, std::size_t{1} << mismatch->log2_alignment,
                          {mismatch->location.file, static_cast<int>(mismatch->location.line)});
    }
}

// Before an index is used that the array's type does not have (-fsanitize=bounds): of arrays that
// lie in another object, or in a thread's own memory, nothing else tells.
void __ubsan_handle_out_of_bounds(const OutOfBounds* access, std::uintptr_t index) {
    if (running != nullptr) {
        report_index(*running, value_of(*access->index, index), access->array->name,
                     {access->location.file, static_cast<int>(access->location.line)});
    }
    if (confined) {
        end_confined(static_cast<void* const*>(__builtin_frame_address(0)),
                     {access->location.file, static_cast<int>(access->location.line)});
    }
}

// Before a shift by a distance that the type does not have (-fsanitize=shift-exponent).
void __ubsan_handle_shift_out_of_bounds(const ShiftTooFar* shift, std::uintptr_t,
                                        std::uintptr_t distance) {
    if (running != nullptr) {
        report_shift(*running, value_of(*shift->distance, distance), bits_of(*shift->shifted),
                     {shift->location.file, static_cast<int>(shift->location.line)});
    }
}

// Before a float or double is converted to an integer type that does not have it
// (-fsanitize=float-cast-overflow). The compiler hands over its bits.
void __ubsan_handle_float_cast_overflow(const FloatCast* cast, std::uintptr_t bits) {
    if (running == nullptr) {
        return;
    }
    double value = 0;
    if (cast->from->info == 32) {
        float narrow = 0;
        std::memcpy(&narrow, &bits, sizeof narrow);
        value = narrow;
    } else {
        std::memcpy(&value, &bits, sizeof value);
    }
    report_float_cast(*running, value, cast->to->name,
                      {cast->location.file, static_cast<int>(cast->location.line)});
}

#define RACE_CALL(name, bytes, write, is_volatile)                                   \
    void __tsan_##name(void* address) {                                              \
        if (is_on_own_stack(address)) {                                              \
            return;                                                                  \
        }                                                                            \
        access(address, bytes, write, is_volatile, {__builtin_return_address(0), 0}, \
               __builtin_frame_address(0));                                          \
    }
#define RACE_CALLS(bytes)                                         \
    RACE_CALL(unaligned_read##bytes, bytes, false, false)         \
    RACE_CALL(unaligned_write##bytes, bytes, true, false)         \
    RACE_CALL(volatile_read##bytes, bytes, false, true)           \
    RACE_CALL(volatile_write##bytes, bytes, true, true)           \
    RACE_CALL(unaligned_volatile_read##bytes, bytes, false, true) \
    RACE_CALL(unaligned_volatile_write##bytes, bytes, true, true)
#define RACE_CALLS_OF_WORDS(bytes)                                            \
    void __tsan_read##bytes(void* address) {                                  \
        access_words<bytes, false>(address, {__builtin_return_address(0), 0}, \
                                   __builtin_frame_address(0));               \
    }                                                                         \
    void __tsan_write##bytes(void* address) {                                 \
        access_words<bytes, true>(address, {__builtin_return_address(0), 0},  \
                                  __builtin_frame_address(0));                \
    }
RACE_CALL(read1, 1, false, false)
RACE_CALL(read2, 2, false, false)
RACE_CALL(write1, 1, true, false)
RACE_CALL(write2, 2, true, false)
RACE_CALLS_OF_WORDS(4)
RACE_CALLS_OF_WORDS(8)
RACE_CALLS_OF_WORDS(16)
RACE_CALLS(1)
RACE_CALLS(2)
RACE_CALLS(4)
RACE_CALLS(8)
RACE_CALLS(16)

// Of a class whose alignment is less than 8 bytes: a GPU goes word by word.
void __tsan_read_range(void* address, unsigned long bytes) {
    access(address, bytes, false, false, {__builtin_return_address(0), 0},
           __builtin_frame_address(0), true);
}
void __tsan_write_range(void* address, unsigned long bytes) {
    access(address, bytes, true, false, {__builtin_return_address(0), 0},
           __builtin_frame_address(0), true);
}

// What instrumented sources call in place of memcpy and its kin (cpu_device/race_string.h).
void* cpu_device_memmove(void* to, const void* from, std::size_t bytes) {
    access(from, bytes, false, false, {__builtin_return_address(0), 0}, __builtin_frame_address(0));
    access(to, bytes, true, false, {__builtin_return_address(0), 0}, __builtin_frame_address(0));
    return std::memmove(to, from, bytes);
}
void* cpu_device_memset(void* to, int byte, std::size_t bytes) {
    access(to, bytes, true, false, {__builtin_return_address(0), 0}, __builtin_frame_address(0));
    return std::memset(to, byte, bytes);
}

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
// The pointer by which virtual functions are found: a constructor writes it.
void __tsan_vptr_update(void** pointer, void*) {
    access(pointer, sizeof *pointer, true, false, {__builtin_return_address(0), 0},
           __builtin_frame_address(0));
}
void __tsan_vptr_read(void** pointer) {
    access(pointer, sizeof *pointer, false, false, {__builtin_return_address(0), 0},
           __builtin_frame_address(0));
}
void __tsan_atomic_thread_fence(int) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int) {}

// std::atomic and the guards of static variables in host code: plain atomics.
#define RACE_FETCH(bits, T, operation)                                       \
    T __tsan_atomic##bits##_##operation(volatile T* address, T value, int) { \
        return __atomic_##operation(address, value, __ATOMIC_SEQ_CST);       \
    }
#define RACE_COMPARE(bits, T, strength)                                                       \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile T* address, T* expected,   \
                                                          T value, int, int) {                \
        return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST, \
                                           __ATOMIC_SEQ_CST);                                 \
    }
#define RACE_ATOMICS(bits, T)                                             \
    T __tsan_atomic##bits##_load(const volatile T* address, int) {        \
        return __atomic_load_n(address, __ATOMIC_SEQ_CST);                \
    }                                                                     \
    void __tsan_atomic##bits##_store(volatile T* address, T value, int) { \
        __atomic_store_n(address, value, __ATOMIC_SEQ_CST);               \
    }                                                                     \
    T __tsan_atomic##bits##_exchange(volatile T* address, T value, int) { \
        return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);     \
    }                                                                     \
    RACE_FETCH(bits, T, fetch_add)                                        \
    RACE_FETCH(bits, T, fetch_sub)                                        \
    RACE_FETCH(bits, T, fetch_and)                                        \
    RACE_FETCH(bits, T, fetch_or)                                         \
    RACE_FETCH(bits, T, fetch_xor)                                        \
    RACE_COMPARE(bits, T, strong)                                         \
    RACE_COMPARE(bits, T, weak)
RACE_ATOMICS(8, std::uint8_t)
RACE_ATOMICS(16, std::uint16_t)
RACE_ATOMICS(32, std::uint32_t)
RACE_ATOMICS(64, std::uint64_t)

}  // extern "C"
