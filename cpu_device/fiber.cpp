#include "fiber.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>
#include <mutex>

#include "address_sanitizer.hpp"
#include "cpu_device/runtime.h"
#include "system.hpp"

namespace cpu_device {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t stack_bytes = bytes_per_stack - guard_bytes;
// So equal depths of many stacks do not share a few cache sets.
static_assert(bytes_per_stack / page % 2 == 1);

__thread void (*fiber_entry)() = nullptr;

// The first function of a fiber.
void run_entry() {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
    fiber_entry();
}

// A context that starts with run_entry at the top of a stack.
#if CPU_DEVICE_OWN_SWITCH
void* new_context(char* stack, std::size_t bytes) {
    void** top = reinterpret_cast<void**>(stack + bytes);
#if defined(__x86_64__)
    *--top = nullptr;  // run_entry's return address: there is none
    *--top = reinterpret_cast<void*>(run_entry);
#else
    *--top = reinterpret_cast<void*>(run_entry);
    *--top = nullptr;  // the frame pointer of a caller: there is none
#endif
    return top;
}
#else
void* new_context(char* stack, std::size_t bytes) {
    return boost::context::detail::make_fcontext(
        stack + bytes, bytes, [](boost::context::detail::transfer_t came) {
            static_cast<Fiber*>(came.data)->context = came.fctx;
            run_entry();
        });
}
#endif

// --- stacks ---------------------------------------------------------------------------------

// How many stacks may have a guard. Linux limits the mappings of a process (vm.max_map_count, 65530
// by default). A guard costs two: itself, and the stack that it separates from the next. At the
// limit every mmap() fails, malloc's too, so guards take no more than half of it; further stacks
// have none. In race mode they take two thirds: then all threads have one that can wait in the
// launches of two GPUs, 2 x 8,192.
std::size_t guard_limit() {
    std::size_t mappings = 65530;
    if (std::FILE* const file = std::fopen("/proc/sys/vm/max_map_count", "r")) {
        if (std::fscanf(file, "%zu", &mappings) != 1) {
            mappings = 65530;
        }
        std::fclose(file);
    }
#if defined(CPU_DEVICE_RACE)
    return mappings / 3;
#else
    return mappings / 4;
#endif
}

// All stacks that no OS thread uses at present.
class StackStore {
  public:
    Slab* take() {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (slabs_.empty()) {
            return new_slab();
        }
        Slab* const slab = slabs_.back();
        slabs_.pop_back();
        return slab;
    }
    void give_back(const std::vector<Slab*>& slabs) {
        const std::lock_guard<std::mutex> lock(mutex_);
        slabs_.insert(slabs_.end(), slabs.begin(), slabs.end());
    }

  private:
    Slab* new_slab() {
        Slab* const slab = new Slab;
        slab->stacks = static_cast<char*>(
            untouched_memory(fibers_per_slab * bytes_per_stack, "the stacks of 64 CUDA threads"));
        const bool guarded = guards_ + fibers_per_slab <= guard_limit_;
        guards_ += guarded ? fibers_per_slab : 0;
        for (std::size_t i = 0; i < fibers_per_slab; ++i) {
            char* const guard = slab->stacks + i * bytes_per_stack;
            if (guarded) {
                static_cast<void>(mprotect(guard, guard_bytes, PROT_NONE));
            }
            // The tops differ within a page, again for the caches' sake.
            slab->fibers[i].stack = guard + guard_bytes;
            slab->fibers[i].stack_bytes = stack_bytes - i % 16 * 256;
        }
        return slab;
    }

    const std::size_t guard_limit_ = guard_limit();
    std::size_t guards_ = 0;
    std::mutex mutex_;
    std::vector<Slab*> slabs_;
};

StackStore& store = *new StackStore;  // outlives every OS thread

}  // namespace

// The stack may come from another OS thread, with the frames of a fiber that will never go on. The
// new fiber begins at the stack's top.
void FiberPool::start_fiber() {
    fiber_entry = entry_;
    if (started_ == slabs_.size() * fibers_per_slab) {
        slabs_.push_back(store.take());
        free_.reserve(slabs_.size() * fibers_per_slab);
    }
    Fiber& fiber = slabs_.back()->fibers[started_++ % fibers_per_slab];
    char* const stack = static_cast<char*>(const_cast<void*>(fiber.stack));
    ASAN_UNPOISON_MEMORY_REGION(stack, fiber.stack_bytes);
    fiber.context = new_context(stack, fiber.stack_bytes);
    fiber.fake_stack = nullptr;
    free_.push_back(&fiber);
}

FiberPool::~FiberPool() {
    store.give_back(slabs_);
}

void FiberPool::return_stacks() {
#if !defined(__SANITIZE_ADDRESS__)  // it keeps memory for every fiber, until the fiber ends
    store.give_back(slabs_);
    slabs_.clear();
    free_.clear();
    started_ = 0;
#endif
}

Fiber fiber_of_os_thread() {
    Fiber fiber;
#if defined(__SANITIZE_ADDRESS__)  // only AddressSanitizer asks for the bounds of a stack
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        void* stack = nullptr;
        pthread_attr_getstack(&attributes, &stack, &fiber.stack_bytes);
        fiber.stack = stack;
        pthread_attr_destroy(&attributes);
    }
#endif
    return fiber;
}

bool is_on_stack(const void* pointer) {
    const Fiber* const fiber = running_fiber;
    return fiber != nullptr && reinterpret_cast<std::uintptr_t>(pointer) -
                                       reinterpret_cast<std::uintptr_t>(fiber->stack) <
                                   fiber->stack_bytes;
}

}  // namespace cpu_device
