// A kernel that uses an address without memory, such as a null pointer, fails as on a GPU: the
// program goes on with cudaErrorIllegalAddress.
#include <signal.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>

#include "cpu_device/host_types.h"
#include "devices.hpp"
#include "host_api.hpp"
#include "scheduler.hpp"
#include "system.hpp"

namespace cpu_device {

#if defined(__SANITIZE_ADDRESS__)  // which names the line
IllegalAddressCatcher::IllegalAddressCatcher() = default;
IllegalAddressCatcher::~IllegalAddressCatcher() = default;
#else
namespace {

// It runs on a stack of its own, since the kernel's may be used up. The fault is the running
// thread's, at an instruction of its own, so that all functions may be called.
void meet_illegal_address(int signal, siginfo_t* info, void*) {
    if (!in_kernel()) {
        if (!wait_for_hidden_memory(info->si_addr)) {
            ::signal(signal, SIG_DFL);  // of the host: it happens once more
        }
        return;
    }
    const uint3 t = threadIdx;
    const uint3 b = blockIdx;
    const LaunchConfig& launch = running_launch();
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    const auto stack = reinterpret_cast<std::uintptr_t>(running_fiber->stack);
    if (address < stack && stack - address <= 4096) {
        std::fflush(stdout);
        std::fprintf(stderr,
                     "CPU device: kernel %s, launched at %s:%d: block: [%u,%u,%u], thread: "
                     "[%u,%u,%u] needs more than 64 KiB for its local variables and calls, which "
                     "is all that a thread has here\n",
                     launch.kernel, launch.place.file, launch.place.line, b.x, b.y, b.z, t.x, t.y,
                     t.z);
        ::signal(signal, SIG_DFL);
        return;
    }
    if (const Allocation there = allocation_from(info->si_addr); there.bytes > 0) {
        kernel_fails(cudaErrorIllegalAddress,
                     "CPU device: kernel %s, launched at %s:%d on device %d: block: [%u,%u,%u], "
                     "thread: [%u,%u,%u] accesses memory of device %d, to which device %d has no "
                     "access. While device %d is the current one, cudaDeviceEnablePeerAccess(%d, "
                     "0) gives it. From the next call on, CUDA's functions return "
                     "cudaErrorIllegalAddress.\n",
                     launch.kernel, launch.place.file, launch.place.line, device_of_launch(), b.x,
                     b.y, b.z, t.x, t.y, t.z, there.owner, device_of_launch(), device_of_launch(),
                     there.owner);
    }
    kernel_fails(cudaErrorIllegalAddress,
                 "CPU device: kernel %s, launched at %s:%d: block: [%u,%u,%u], thread: [%u,%u,%u] "
                 "accesses address 0x%zx, where there is no memory. From the next call on, CUDA's "
                 "functions return cudaErrorIllegalAddress. AddressSanitizer (scripts/run --asan) "
                 "or race mode may name the line.\n",
                 launch.kernel, launch.place.file, launch.place.line, b.x, b.y, b.z, t.x, t.y, t.z,
                 static_cast<std::size_t>(address));
}

constexpr std::size_t handler_stack_bytes = 64 * 1024;

}  // namespace

IllegalAddressCatcher::IllegalAddressCatcher()
    : stack_(untouched_memory(handler_stack_bytes, "a stack for signals")) {
    stack_t stack{};
    stack.ss_sp = stack_;
    stack.ss_size = handler_stack_bytes;
    sigaltstack(&stack, nullptr);
    static const bool caught = [] {
        for (const int signal : {SIGSEGV, SIGBUS}) {
            struct sigaction action {};
            if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL) {
                action.sa_sigaction = meet_illegal_address;
                action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
                sigaction(signal, &action, nullptr);
            }
        }
        return true;
    }();
    static_cast<void>(caught);
}

IllegalAddressCatcher::~IllegalAddressCatcher() {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(stack_, handler_stack_bytes);
}
#endif

}  // namespace cpu_device
