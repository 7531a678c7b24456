// What kernels call: atomics, fences, sleep, shared memory, copies.
#include <algorithm>
#include <cstring>
#include <utility>

#include "cpu_device/atomic_access.h"
#include "cpu_device/copies.h"
#include "race/checker.hpp"
#include "race/confinement.hpp"
#include "race/copies.hpp"
#include "race/counts.hpp"
#include "race/old_values.hpp"
#include "race/quick_check.hpp"
#include "race/report_memory.hpp"
#include "race/report_streams.hpp"
#include "race/test_hooks.hpp"
#include "race/threads.hpp"
#include "race/tracing.hpp"
#include "race/wild_pointers.hpp"
#include "system.hpp"

namespace cpu_device {

using namespace race;

void give_way(Place place) {
    caller("__nanosleep()", place.file, place.line);
    if (plan != nullptr) {
        plan->gives_way();
        return;
    }
    Polling& polling = run.now.polling();
    if (run.schedule.keeps_polling(run.now) && ++polling.failed < 64) {
        return;
    }
    polling.failed = 0;
    back_off(place);
}

long long clock_ticks() {
    if (running != nullptr) {
        run.spins.note_clock();
    }
    return nanoseconds_now();
}

// A step of its own, where all orders are gone through.
static void pass_seq_cst_fence(Scope scope) {
    if (old_values == OldValues::explored) {
        may_switch(&order_of_seq_cst);
        plan->accesses(&order_of_seq_cst, AtomicKind::update);
    }
    seq_cst_fence(*running, scope);
}

void memory_fence(Order order, Scope scope) {
    if (running != nullptr) {
        may_switch();
        if (is_traced()) {
            tracing->entered(__builtin_frame_address(0));
            tracing->note(StepKind::fence, {}, order, scope);
        }
        if (order == Order::seq_cst) {
            pass_seq_cst_fence(scope);
        } else {
            fence(*running, order, scope);
        }
        if (is_traced()) {
            tracing->passed();
        }
    }
}

void before_atomic_function(const volatile void* address, Place place) {
    if (running != nullptr && offset_of(address) == unchecked && is_in_own_stack(address)) {
        report_atomic_on_local(*running, {place.file, place.line});
    }
}

void before_atomic(const volatile void* address, Place place, Order order, Scope scope) {
    if (confined) {
        check_confined(address, 1, running != nullptr,
                       static_cast<void* const*>(__builtin_frame_address(0)),
                       {place.file, place.line});
    }
    if (running != nullptr) {
        const Where where{place.file, place.line};
        if (order == Order::seq_cst && old_values == OldValues::explored) {
            pass_seq_cst_fence(scope);
        }
        if (offset_of(address) == unchecked) {
            check_pointer(address, false, where);  // after_atomic() sees whether it changes
        }
        // The function of the header that calls this one is of no consequence.
        void* const* const below = static_cast<void* const*>(__builtin_frame_address(0));
        may_switch(address, *below);
        run.atomic_at = where;
    }
}

void take_store(const volatile void* address, unsigned bytes, AtomicKind kind, Order order,
                Scope scope, const std::uint64_t* compare) {
    if (running != nullptr && old_values != OldValues::off) {
        choose_store(*running, address, bytes, kind, order, scope, run.atomic_at, compare);
    }
    if (running != nullptr && kind == AtomicKind::load) {
        hide_late_store(address, bytes);
    }
}

void before_store(const volatile void* address, unsigned bytes) {
    if (confined) {  // before_atomic() has seen its first byte only
        check_confined(address, bytes, true, static_cast<void* const*>(__builtin_frame_address(0)),
                       run.atomic_at);
    }
}

// Of the host it is a load, and a store if it is not only that.
static void after_host_atomic(const AtomicStep& step, void* const* frame) {
    const Where where{step.place.file, step.place.line};
    const bool writes = step.kind != AtomicKind::load;
    if (confined && writes) {
        check_confined(step.address, step.bytes, true, frame, where);
    }
    if (is_reserved(step.address)) {
        report_host_access(step.address, writes, where);
    }
}

void after_atomic(const AtomicStep& step, bool changed, std::uint64_t before) {
    auto* const frame = static_cast<void* const*>(__builtin_frame_address(0));
    if (confined) {  // before_atomic() has seen its first byte only
        check_confined(step.address, step.bytes, running != nullptr, frame,
                       {step.place.file, step.place.line});
    }
    if (running == nullptr) {
        after_host_atomic(step, frame);
        return;
    }
    const bool was_late = show_late_store();
    run.atomic_at = {};
    if (reinterpret_cast<std::uintptr_t>(step.address) % step.bytes != 0) {
        report_misaligned(*running, step.address, step.bytes, {step.place.file, step.place.line});
    }
    const std::size_t offset = offset_of(step.address);
    if (is_traced()) {
        tracing->entered(__builtin_frame_address(0));
    }
    if (offset != unchecked) {
        // A load that has not seen the store is no load of this word's history: it is in no order
        // with anything. What it may race with, the later ones tell.
        if (!was_late) {
            check_atomic(*running, offset, step, before);
        } else {
            ++accesses_checked;  // else the thread would seem to run without any
        }
        if (counting) {
            count_access(*running, offset, step.bytes,
                         step.kind == AtomicKind::update ? Counted::update : Counted::atomic, {});
            const char* const bytes = address_of(offset);
            const bool is_zero =
                std::all_of(bytes, bytes + step.bytes, [](char byte) { return byte == 0; });
            count_outcome(*running, offset, changed, before == 0, is_zero);
        }
    }
    if (plan != nullptr) {
        plan->accesses(step.address, step.kind);
    }
    if (changed) {
        note_change(step.address, step.bytes);
        run.spins.note_change();
        run.now.polling() = {};
        note_progress();
        if (plan == nullptr && run.schedule.preempts_after_atomic(run.now)) {
            wait_for_turn();
        }
    } else {
        note_failed_poll(step.address, step.place);
    }
}

void changed_nothing(const volatile void*, std::uint64_t, std::uint64_t, const char*, int,
                     const char*) {}

// Kept in arenas that lie within the memory that is checked. Alignment 256, as on a GPU at best.
void* shared_storage(SharedVariable& variable, const char* name) {
    caller(name, "__shared__", 0);
    ResidentBlock& block = *run.now.block;
    void*& storage = block.shared[&variable];
    if (storage == nullptr) {
        // In a confined program the number lies where the program may write.
        block.shared_bytes += std::min(variable.bytes, shared_bytes_per_block + 1);
        if (block.shared_bytes > shared_bytes_per_block) {
            fail("kernel %s: with %s, its __shared__ variables take %zu bytes; a block has %zu",
                 run.launch->config.kernel, name, block.shared_bytes, shared_bytes_per_block);
        }
        // Far apart, so that an index that is too large does not meet the next variable.
        block.arena_used = (block.arena_used / 256 + 17) * 256;
        if (block.arena_used + variable.bytes > arena_bytes) {
            fail("kernel %s: race mode has no room for %s", run.launch->config.kernel, name);
        }
        storage = arena(block.arena_number) + block.arena_used;
        add_shared(offset_of(storage), variable.bytes, name,
                   element_of(variable.element_bytes, variable.element_kind));
        block.arena_used += variable.bytes;
    }
    return storage;
}

void begin_copy(const void* barrier, std::function<void()> copy, Place place) {
    caller("memcpy_async", place.file, place.line);
    begin_copy_of_thread(barrier, std::move(copy), place);
    may_switch();
}

void begin_copy_of_bytes(const void* barrier,
                         void (*make)(void* to, const void* from, std::size_t bytes,
                                      std::size_t zeros),
                         void* to, const void* from, std::size_t bytes, std::size_t zeros,
                         Place place) {
    const auto copy = [=] { make(to, from, bytes, zeros); };
    begin_copy(barrier, copy, place);
}

static_assert(arena_bytes == shared_arena_bytes, "__isShared() relies on it");
void* dynamic_shared_storage() {
    caller("dynamic shared memory", "__shared__", 0);
    return arena(run.now.block->arena_number);
}

}  // namespace cpu_device
