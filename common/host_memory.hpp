// Memory of the host. Where `new` or a container gets none, the exception says how many bytes were
// wanted; std::bad_alloc, which the standard library throws, does not. What catches std::bad_alloc
// catches this one too.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace common {

class OutOfHostMemory : public std::bad_alloc {
  public:
    explicit OutOfHostMemory(std::size_t bytes) {
        std::snprintf(text_, sizeof text_, "%zu bytes were wanted", bytes);
    }
    const char* what() const noexcept override { return text_; }

  private:
    char text_[48];  // no std::string: there is no memory
};

// The CPU device does this itself, also for exceptions on other OS threads.
#ifndef CPU_DEVICE
namespace detail {

// What a program without a handler of its own says when it ends for lack of memory.
inline std::terminate_handler other_exceptions = nullptr;
[[noreturn]] inline void end_of_memory() {
    if (std::current_exception() != nullptr) {
        try {
            throw;
        } catch (const OutOfHostMemory& error) {
            std::fflush(stdout);
            std::fprintf(stderr,
                         "error: not enough memory on the host: %s; expected a smaller input\n",
                         error.what());
            std::exit(EXIT_FAILURE);
        } catch (...) {
        }
    }
    other_exceptions();
    std::abort();
}
inline const bool end_of_memory_is_installed = [] {
    other_exceptions = std::set_terminate(end_of_memory);
    return true;
}();

}  // namespace detail
#endif

}  // namespace common

// Weak, since every source file that includes this one defines it. AddressSanitizer has its own,
// which ends the program with a report; a kernel's `new` is another one; race mode need not look.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__CUDA_ARCH__)
__attribute__((weak, no_sanitize("thread"))) void* operator new(std::size_t bytes) {
    void* const memory = std::malloc(bytes > 0 ? bytes : 1);
    if (memory == nullptr) {
        throw common::OutOfHostMemory(bytes);
    }
    return memory;
}
#endif
