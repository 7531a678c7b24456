// Fuzz target: the CPU device's rewriter, cpu_device/rewrite.cpp and what it is made of. An input
// is a preprocessed source.
#define main rewriter_main
#include "cpu_device/rewrite.cpp"
#undef main
#include "cpu_device/ptx.cpp"
#include "cpu_device/tokens.cpp"
#include "cpu_device/two_passes.cpp"

#include <algorithm>
#include <iterator>

#include "tests/fuzz/fuzz.hpp"

using fuzz::require;

namespace {

// What the rewriter looks for; a text with none of these is C++ alone.
constexpr const char* words_of_cuda[] = {
    "<<",           "asm",          "cudaLaunch", "unroll",
    "__constant__", "__device__",   "__host__",   "__launch_bounds__",
    "__managed__",  "__noinline__", "__shared__"};

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
    if (std::none_of(std::begin(words_of_cuda), std::end(words_of_cuda),
                     [&text](const char* word) { return holds(text, word); })) {
        require(rewritten == text, "C++ without CUDA's own words stays as it was", rewritten);
    }
    return 0;
}
