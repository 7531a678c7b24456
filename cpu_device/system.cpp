#include "system.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include "faults.hpp"

namespace cpu_device {
namespace {

// Prints a line and ends the program at once, without destructors: other OS threads may still use
// what they destroy. What the program gave std::at_quick_exit() is called. If several OS threads
// come here, the first one's line is printed.
[[noreturn]] void leave(int status, const char* format, ...) {
    static std::atomic_flag leaving = ATOMIC_FLAG_INIT;
    while (leaving.test_and_set()) {
        pause();
    }
    std::fflush(stdout);
    std::va_list arguments;
    va_start(arguments, format);
    std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    std::fflush(nullptr);
    std::quick_exit(status);
}

// For an exception that nothing catches, on whichever OS thread or fiber. Lack of memory is no
// fault of the program, and is not to end it by a signal.
std::terminate_handler other_exceptions;
[[noreturn]] void uncaught() {
    if (std::current_exception() != nullptr) {
        try {
            throw;
        } catch (const std::bad_alloc& error) {
            leave(EXIT_FAILURE, "error: not enough memory on the host: %s\n", error.what());
        } catch (...) {
        }
    }
    other_exceptions();
    std::abort();
}
// Before the constructors of global objects, which may want memory too.
[[gnu::constructor(101)]] void install() {
    other_exceptions = std::set_terminate(uncaught);
}

}  // namespace

// Never in pages of 2 MiB: of a stack's 64 KiB a thread touches one or two pages of 4 KiB.
void* untouched_memory(std::size_t bytes, const char* purpose) {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        out_of_memory(bytes, purpose);
    }
    static_cast<void>(madvise(memory, bytes, MADV_NOHUGEPAGE));
    return memory;
}

void out_of_memory(std::size_t bytes, const char* purpose) {
    leave(EXIT_FAILURE, "error: not enough memory: the CPU device needs %zu bytes for %s\n", bytes,
          purpose);
}

// A small stack: kernels run on fibers, which have their own.
bool start_os_thread(void* (*run)(void*), void* argument) {
    if (must_fail(Fault::thread, "the start of an OS thread")) {
        return false;
    }
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    static_cast<void>(pthread_attr_setstacksize(&attributes, std::size_t{1} << 20));
    static_cast<void>(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED));
    pthread_t thread;
    const bool started = pthread_create(&thread, &attributes, run, argument) == 0;
    pthread_attr_destroy(&attributes);
    return started;
}

void refuse_setting(const char* name, const char* text, const char* expected) {
    leave(2, "%s=%s: expected %s\n", name, text, expected);
}

long long nanoseconds_now() {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double number_from_environment(const char* name, double otherwise, double least, double most) {
    const char* const text = std::getenv(name);
    if (text == nullptr) {
        return otherwise;
    }
    char* end = nullptr;
    const double number = std::strtod(text, &end);
    if (end == text || *end != '\0' || !(number >= least && number <= most)) {
        char expected[80];
        std::snprintf(expected, sizeof expected, "a number from %g to %g", least, most);
        refuse_setting(name, text, expected);
    }
    return number;
}

bool read_whole_number(const char* text, unsigned long& number) {
    const char* const end = text + std::strlen(text);
    const auto [rest, error] = std::from_chars(text, end, number);
    return error == std::errc{} && rest == end;
}

unsigned long whole_number_from_environment(const char* name, unsigned long otherwise,
                                            unsigned long least, unsigned long most) {
    const char* const text = std::getenv(name);
    if (text == nullptr) {
        return otherwise;
    }
    unsigned long number = 0;
    if (!read_whole_number(text, number) || number < least || number > most) {
        char expected[80];
        std::snprintf(expected, sizeof expected, "a whole number from %lu to %lu", least, most);
        refuse_setting(name, text, expected);
    }
    return number;
}

}  // namespace cpu_device
