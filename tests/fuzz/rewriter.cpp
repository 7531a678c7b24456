// Fuzz target: the CPU device's rewriter, cpu_device/rewrite.cpp and what it is made of. An input
// is a preprocessed source.
#define main rewriter_main
#include "cpu_device/rewrite.cpp"
#undef main
#include "cpu_device/ptx.cpp"
#include "cpu_device/tokens.cpp"
#include "cpu_device/two_passes.cpp"

#include <algorithm>

#include "tests/fuzz/fuzz.hpp"

using fuzz::require;

namespace {

bool holds(const std::string& text, const char* word) {
    return text.find(word) != std::string::npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(data, data + size);
    std::string rewritten;
    try {
        rewritten = Rewriter(text).run();
    } catch (const NotUnderstood& error) {
        require(holds(error.message, ": error: ") && holds(error.message, " [CPU device]"),
                "a message says where and what", error.message);
        return 0;
    }
    require(std::count(text.begin(), text.end(), '\n') ==
                std::count(rewritten.begin(), rewritten.end(), '\n'),
            "every line stays the line that it was", rewritten);
    if (!holds(text, "<<") && !holds(text, "cudaLaunch") && !holds(text, "__shared__") &&
        !holds(text, "__noinline__") && !holds(text, "unroll") && !holds(text, "__device__") &&
        !holds(text, "__host__") && !holds(text, "__constant__") && !holds(text, "__managed__") &&
        !holds(text, "asm")) {
        require(rewritten == text, "C++ without CUDA's own words stays as it was", rewritten);
    }
    return 0;
}
