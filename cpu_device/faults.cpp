#include "faults.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "system.hpp"

namespace cpu_device {
namespace {

constexpr const char* variable = "CPU_DEVICE_FAIL";
constexpr const char* words[] = {"call", "allocation", "thread"};  // by Fault

struct Wish {
    Fault kind = Fault::call;
    unsigned long number = 0;  // 0: nothing is to fail
};

Wish read_wish() {
    const char* const text = std::getenv(variable);
    if (text == nullptr) {
        return {};
    }
    for (const Fault kind : {Fault::call, Fault::allocation, Fault::thread}) {
        const char* const word = words[static_cast<int>(kind)];
        const std::size_t length = std::strlen(word);
        unsigned long number = 0;
        if (std::strncmp(text, word, length) == 0 && text[length] == ' ' &&
            read_whole_number(text + length + 1, number) && number > 0) {
            return {kind, number};
        }
    }
    refuse_setting(variable, text, "'call', 'allocation' or 'thread', and a number from 1");
}

}  // namespace

bool must_fail(Fault kind, const char* name) {
    static const Wish wish = read_wish();
    if (wish.number == 0 || wish.kind != kind) {
        return false;
    }
    static std::atomic<unsigned long> count{0};
    const unsigned long number = ++count;
    if (number < wish.number || (number > wish.number && kind != Fault::thread)) {
        return false;
    }
    std::fprintf(stderr, "CPU device: %s %lu (%s) fails, as %s asks\n",
                 words[static_cast<int>(kind)], number, name, variable);
    return true;
}

}  // namespace cpu_device
