#include "fiber.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

#if CPU_DEVICE_OWN_SWITCH
asm(R"(
    .text
    .globl cpu_device_switch_stack
    .hidden cpu_device_switch_stack
    .type cpu_device_switch_stack, @function
cpu_device_switch_stack:
    .cfi_startproc
    endbr64
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .cfi_endproc
    .size cpu_device_switch_stack, . - cpu_device_switch_stack
)");
#endif

namespace cpu_device {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t fibers_per_slab = 64;
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t stack_bytes = 256 * 1024;  // instrumented frames are several times larger
#else
constexpr std::size_t stack_bytes = 64 * 1024;  // printf needs about 8 KiB
#endif
// An odd number of pages, so that equal depths of many stacks do not share a few cache sets.
constexpr std::size_t stride = stack_bytes + page;

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
    *--top = nullptr;  // run_entry's return address: there is none
    *--top = reinterpret_cast<void*>(run_entry);
    for (int saved_register = 0; saved_register < 6; ++saved_register) {
        *--top = nullptr;
    }
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

}  // namespace

void FiberPool::add_fibers() {
    fiber_entry = entry_;
    void* memory = mmap(nullptr, fibers_per_slab * stride, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) {
        std::perror("CPU device: no memory for the stacks of CUDA threads");
        std::abort();
    }
    char* const stacks = static_cast<char*>(memory);
    Fiber* const fibers = new Fiber[fibers_per_slab];
    slabs_.emplace_back(stacks, fibers);
    for (std::size_t i = 0; i < fibers_per_slab; ++i) {
        char* const guard = stacks + i * stride;
        // A stack that overflows must not run into its neighbour. (Linux limits the number of
        // mappings; past that limit there is no guard.)
        static_cast<void>(mprotect(guard, page, PROT_NONE));
        // The tops differ within a page, again for the caches' sake.
        const std::size_t usable = stack_bytes - i % 16 * 256;
        fibers[i].stack = guard + page;
        fibers[i].stack_bytes = usable;
        fibers[i].context = new_context(guard + page, usable);
        free_.push_back(&fibers[i]);
    }
}

FiberPool::~FiberPool() {
    for (const auto& [stacks, fibers] : slabs_) {
        munmap(stacks, fibers_per_slab * stride);
        delete[] fibers;
    }
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

}  // namespace cpu_device
