// Fibers: stacks that one OS thread switches between. A fiber never moves to another OS thread,
// since compiled code keeps addresses of thread-local variables.
//
// On x86-64 and arm64 the switch is a dozen instructions of our own, elsewhere (or with
// CPU_DEVICE_BOOST) it is Boost.Context's. Measured on a Xeon, a thread's wait in a barrier takes 6
// ns with ours and 19 with Boost's. Boost's is a function that is called on one stack and returns
// on another: it saves registers a second time, and the processor predicts the returns after it
// wrongly. It also loads the floating-point control register, which is slow when the value changes.
#pragma once

#include <cstddef>
#include <vector>

#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(CPU_DEVICE_BOOST)
#define CPU_DEVICE_OWN_SWITCH 1
#else
#define CPU_DEVICE_OWN_SWITCH 0
#include <boost/context/detail/fcontext.hpp>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace cpu_device {

// What lies below each stack, so that one that overflows does not run into its neighbor. In race
// mode it is more than a function can step over: a grader lets it align its variables to a page,
// and take a page for arguments (scripts/course/stack.py).
#if defined(CPU_DEVICE_RACE)
inline constexpr std::size_t guard_bytes = 3 * 4096;
#else
inline constexpr std::size_t guard_bytes = 4096;
#endif
#if defined(__SANITIZE_ADDRESS__)  // instrumented frames are several times larger
inline constexpr std::size_t bytes_per_stack = 256 * 1024 + guard_bytes;
#elif defined(CPU_DEVICE_RACE)
// Kernels are not optimised: an argument, of which CUDA takes 32764 bytes, may be there twice.
inline constexpr std::size_t bytes_per_stack = 128 * 1024 + guard_bytes;
#else
inline constexpr std::size_t bytes_per_stack = 64 * 1024 + guard_bytes;  // printf needs 8 KiB
#endif

struct Fiber {
    void* context = nullptr;  // where it stopped
    const void* stack = nullptr;
    std::size_t stack_bytes = 0;
    void* fake_stack = nullptr;  // AddressSanitizer's
    Fiber* next = nullptr;       // in a queue
};

// The fiber that runs on this OS thread.
inline __thread Fiber* running_fiber = nullptr;

#if !CPU_DEVICE_OWN_SWITCH
inline void jump(Fiber& from, Fiber& to) {
    const auto came = boost::context::detail::jump_fcontext(to.context, &from);
    static_cast<Fiber*>(came.data)->context = came.fctx;
}
#elif defined(__x86_64__)
// Leaves rbp, and where to go on, on the stack of `from`; takes the stack of `to`, and goes on
// where that one left off. The compiler is told that all other registers change, so it saves those
// that it needs. The pushes overwrite what lies below the stack pointer: hence -mno-red-zone in
// cpu_device.cmake.
__attribute__((always_inline)) inline void jump(Fiber& from, Fiber& to) {
    void** save = &from.context;
    void* load = to.context;
    asm volatile(
        "pushq %%rbp\n\t"
        "leaq 1f(%%rip), %%rax\n\t"
        "pushq %%rax\n\t"
        "movq %%rsp, (%0)\n\t"
        "movq %1, %%rsp\n\t"
        "popq %%rax\n\t"
        "jmpq *%%rax\n"
        "1:\n\t"
        "endbr64\n\t"
        "popq %%rbp"
        : "+D"(save), "+S"(load)
        :
        : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0",
          "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
          "xmm12", "xmm13", "xmm14", "xmm15",
#ifdef __AVX512F__
          "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",
          "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5",
          "k6", "k7",
#endif
          "cc", "memory");
}
#else
// The same with x29, the frame pointer. x30 is 0 where a fiber begins: nothing has called it. The
// jump goes by x16, since with branch protection a function may be entered so.
__attribute__((always_inline)) inline void jump(Fiber& from, Fiber& to) {
    register void** save asm("x0") = &from.context;
    register void* load asm("x1") = to.context;
    asm volatile(
        "adr x16, 1f\n\t"
        "stp x29, x16, [sp, #-16]!\n\t"
        "mov x17, sp\n\t"
        "str x17, [%0]\n\t"
        "mov sp, %1\n\t"
        "ldp x29, x16, [sp], #16\n\t"
        "mov x30, xzr\n\t"
        "br x16\n"
        "1:\n\t"
        "hint #36"  // bti j
        : "+r"(save), "+r"(load)
        :
        : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15",
          "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
          "x30", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12",
          "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25",
          "v26", "v27", "v28", "v29", "v30", "v31",
#ifdef __ARM_FEATURE_SVE
          "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13",
          "p14", "p15", "ffr",
#endif
          "cc", "memory");
}
#endif

// Stops the running fiber and goes on with `next`; returns when another fiber switches back.
inline void switch_to(Fiber& next) {
    Fiber* const self = running_fiber;
    running_fiber = &next;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&self->fake_stack, next.stack, next.stack_bytes);
    jump(*self, next);
    __sanitizer_finish_switch_fiber(self->fake_stack, nullptr, nullptr);
#else
    jump(*self, next);
#endif
}

// Stacks for this many fibers are asked of the system together.
constexpr std::size_t fibers_per_slab = 64;

struct Slab {
    char* stacks;
    Fiber fibers[fibers_per_slab];
};

// The idle fibers of one OS thread. Each runs `entry`, which never returns. The stacks are the
// process's: an OS thread borrows them for a launch, so that their number is that of the fibers
// that were in use at one time, however many OS threads took part in one launch or another.
class FiberPool {
  public:
    explicit FiberPool(void (*entry)()) : entry_(entry) {}
    ~FiberPool();
    FiberPool(const FiberPool&) = delete;
    FiberPool& operator=(const FiberPool&) = delete;

    Fiber& take() {
        if (free_.empty()) {
            start_fiber();
        }
        Fiber* const fiber = free_.back();
        free_.pop_back();
        return *fiber;
    }
    void give_back(Fiber& fiber) { free_.push_back(&fiber); }

    // Other OS threads may have the stacks. Every fiber that was taken has been given back.
    void return_stacks();

  private:
    void start_fiber();

    void (*entry_)();
    std::vector<Fiber*> free_;
    std::vector<Slab*> slabs_;
    std::size_t started_ = 0;  // fibers of these slabs
};

// The OS thread's own stack as a fiber, to come back to.
Fiber fiber_of_os_thread();

}  // namespace cpu_device
