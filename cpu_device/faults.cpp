#include "faults.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>

#include "cpu_device/host_api.h"
#include "system.hpp"

namespace cpu_device {
namespace {

constexpr const char* variable = "CPU_DEVICE_FAIL";
constexpr const char* words[] = {"call", "allocation", "thread"};  // by Fault

struct Wish {
    Fault kind = Fault::call;
    unsigned long number = 0;  // 0: nothing is to fail
    cudaError_t error = cudaErrorUnknown;
};

// False if no error has this name.
bool read_error(const std::string& name, cudaError_t& error) {
    constexpr int last = 1000;  // the highest number of an error, and one more
    for (int code = 1; code < last; ++code) {
        error = static_cast<cudaError_t>(code);
        if (name.compare(0, 4, "cuda") == 0 && name == cudaGetErrorName(error)) {
            return true;
        }
    }
    return false;
}

Wish read_wish() {
    const char* const text = std::getenv(variable);
    if (text == nullptr) {
        return {};
    }
    for (const Fault kind : {Fault::call, Fault::allocation, Fault::thread}) {
        const std::string start = std::string(words[static_cast<int>(kind)]) + ' ';
        if (std::strncmp(text, start.c_str(), start.size()) != 0) {
            continue;
        }
        std::string number_text = text + start.size();
        Wish wish{kind, 0};
        const std::size_t blank = number_text.find(' ');
        if (kind == Fault::call && blank != std::string::npos) {
            if (!read_error(number_text.substr(blank + 1), wish.error)) {
                break;
            }
            number_text.resize(blank);
        }
        if (read_whole_number(number_text.c_str(), wish.number) && wish.number > 0) {
            return wish;
        }
    }
    refuse_setting(variable, text,
                   "'call', 'allocation' or 'thread', and a number from 1; after that of a call "
                   "the name of an error, or nothing");
}

const Wish& wish() {
    static const Wish read = read_wish();
    return read;
}

}  // namespace

bool must_fail(Fault kind, const char* name) {
    const auto [wished, from, error] = wish();
    if (from == 0 || wished != kind) {
        return false;
    }
    static std::atomic<unsigned long> count{0};
    const unsigned long number = ++count;
    if (number < from || (number > from && kind != Fault::thread)) {
        return false;
    }
    std::fprintf(stderr, "CPU device: %s %lu (%s) fails, as %s asks\n",
                 words[static_cast<int>(kind)], number, name, variable);
    return true;
}

int wished_error() {
    return wish().error;
}

}  // namespace cpu_device
