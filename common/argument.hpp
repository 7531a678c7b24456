// What the chapters' programs share before their lesson begins: the one argument that they take
// without flags, and a line that says what the kernels run on.
#pragma once

// A lesson needs no numbers of 16 bits, and libcu++ (<cuda/atomic>) compiles a quarter faster
// without them. The tables' libraries may need them.
#ifndef WITH_FLAGS
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#endif

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "device.cuh"
#include "host_memory.hpp"
#include "messages.hpp"
#include "numbers.hpp"
#include "standard_output.hpp"
#include "timer.cuh"

namespace common {

constexpr std::size_t max_size = std::size_t{1} << 36;

// Is the first argument a flag, such as --help?
inline bool first_is_flag(int argc, char** argv) {
    return argc > 1 && argv[1][0] == '-';
}

// The program's only argument as a size, such as 1000, 10M or 64Ki, or `default_size` if there is
// none. Anything else, and more than `max`, ends the program with status 2. Call it first: after
// it, a standard output that cannot be written ends the program with status 1.
inline std::size_t size_argument(int argc, char** argv, std::size_t default_size,
                                 std::size_t max = max_size) {
    guard_standard_output();
    if (argc == 1) {
        return default_size;
    }
    const auto size = size_number(argv[1]);
    if (argc > 2 || !size || *size > max) {
        std::fprintf(stderr,
                     "%s: expected one size from 0 to %llu with at most one suffix (K, M, G: "
                     "thousands; Ki, Mi, Gi: 1024s), or flags (--help)\n",
                     in_quotes(argv[argc > 2 ? 2 : 1]).c_str(),
                     static_cast<unsigned long long>(max));
        std::exit(2);
    }
    return *size;
}

// The program's only argument as the name of a file, or "" if there is none. Anything else ends the
// program with status 2. Call it first, like size_argument().
inline std::string file_argument(int argc, char** argv) {
    guard_standard_output();
    if (argc > 2 || (argc == 2 && argv[1][0] == '\0')) {
        std::fprintf(stderr, "%s: expected one name of a file, or flags (--help)\n",
                     in_quotes(argv[argc - 1]).c_str());
        std::exit(2);
    }
    return argc == 2 ? argv[1] : "";
}

// Says what the kernels run on, and why the CPU is not timed if it is not. Ends the program with
// status 77 where there is no device.
inline void print_device() {
    std::printf(
        "%s%s\n", device_properties().name,
        on_cpu_device ? ": the kernels are emulated, so their times say nothing about a GPU" : "");
    if (!host_is_optimized) {
        std::printf("built without optimization (-O3), so the CPU is slow and not timed\n");
    }
}

}  // namespace common

// A program that is built as its lesson alone, such as by `nvcc reduce_atomic.cu`, has no flags.
// CMake defines WITH_FLAGS; then the chapter's flags.cuh has this function.
#ifndef WITH_FLAGS
inline int run_with_flags(int /*argc*/, char** argv) {
    std::fprintf(stderr,
                 "%s: this program was built as the lesson alone, which takes no flags.\n"
                 "The table of all variants, with its flags: scripts/run CHAPTER FLAGS\n"
                 "or the program that CMake builds (docs/building.md).\n",
                 common::in_quotes(argv[1]).c_str());
    return 2;
}
#endif
