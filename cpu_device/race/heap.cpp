// The heap of kernels: malloc, new and their counterparts, as checked sources call them.
#include <cstdlib>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "host_api.hpp"
#include "race/checker.hpp"
#include "race/places.hpp"
#include "race/report_log.hpp"
#include "race/threads.hpp"
#include "race/word_history.hpp"
#include "race/words.hpp"

using namespace cpu_device;
using namespace cpu_device::race;

namespace {

std::set<const void*>& on_heap = *new std::set<const void*>;  // of kernels

// Templates of the C++ library, which the runtime may share with the program, keep its heap.
bool is_in_library(const void* code) {
    static std::unordered_map<const void*, bool>& known =
        *new std::unordered_map<const void*, bool>;
    const auto found = known.find(code);
    if (found != known.end()) {
        return found->second;
    }
    Clocks* const thread = std::exchange(running, nullptr);
    const bool in_library = place_of(Where{code, 0}).find("/c++/") != std::string::npos;
    running = thread;
    return known[code] = in_library;
}

void* take(std::size_t bytes) {
    may_switch();
    void* memory = nullptr;
    if (allocate(&memory, bytes == 0 ? 1 : bytes) != cudaSuccess) {
        return nullptr;  // as of a heap that is full
    }
    history.forget(offset_of(memory), bytes);
    on_heap.insert(memory);
    return memory;
}

void give_back(void* memory, const void* code) {
    may_switch();
    const Where where{code, 0};
    const auto found = on_heap.find(memory);
    if (found == on_heap.end()) {
        const std::string place = place_of(where);
        report("USE AFTER FREE", "free " + place,
               "  " + place + ": " + name_of(running->block, running->thread) +
                   " frees memory that malloc or new in a kernel has not given,\n"
                   "  or that has been freed already: " +
                   describe(offset_of(memory), 1) + ".\n");
        return;
    }
    // What else uses it must be in order with this, as with a write.
    const std::size_t bytes = allocation_from(memory).bytes;
    check_plain(*running, offset_of(memory), bytes, true, false, where);
    on_heap.erase(found);
    static_cast<void>(release(memory));
}

void* new_from(std::size_t bytes, const void* code) {
    return running == nullptr || is_in_library(code) ? ::operator new(bytes) : take(bytes);
}

void delete_from(void* memory, const void* code) {
    if (running != nullptr && is_reserved(memory)) {
        give_back(memory, code);
    } else {
        ::operator delete(memory);
    }
}

}  // namespace

extern "C" {

void* cpu_device_malloc(std::size_t bytes) {
    return running == nullptr || is_in_library(__builtin_return_address(0)) ? std::malloc(bytes)
                                                                            : take(bytes);
}

void cpu_device_free(void* memory) {
    if (running != nullptr && is_reserved(memory)) {
        give_back(memory, __builtin_return_address(0));
    } else {
        std::free(memory);
    }
}

// The operators, by the symbols that race_heap.h gives them.
void* new_object(std::size_t bytes) __asm__("_ZN10cpu_devicenwEm");
void* new_array(std::size_t bytes) __asm__("_ZN10cpu_devicenaEm");
void delete_object(void* memory) __asm__("_ZN10cpu_devicedlEPv");
void delete_array(void* memory) __asm__("_ZN10cpu_devicedaEPv");
void delete_sized_object(void* memory, std::size_t bytes) __asm__("_ZN10cpu_devicedlEPvm");
void delete_sized_array(void* memory, std::size_t bytes) __asm__("_ZN10cpu_devicedaEPvm");

void* new_object(std::size_t bytes) {
    return new_from(bytes, __builtin_return_address(0));
}
void* new_array(std::size_t bytes) {
    return new_from(bytes, __builtin_return_address(0));
}
void delete_object(void* memory) {
    delete_from(memory, __builtin_return_address(0));
}
void delete_array(void* memory) {
    delete_from(memory, __builtin_return_address(0));
}
void delete_sized_object(void* memory, std::size_t) {
    delete_from(memory, __builtin_return_address(0));
}
void delete_sized_array(void* memory, std::size_t) {
    delete_from(memory, __builtin_return_address(0));
}

}  // extern "C"
