// The standard output as a place that can fail like any other: closed, full, broken.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace common {

// Call this first in main(). Where what the program prints does not arrive, the program ends with
// status 1 and a message, whatever its status would have been.
inline void guard_standard_output() {
    // The number of a closed descriptor goes to the next file that is opened, which would then hold
    // what is printed. /dev/null takes it instead.
    const bool closed = ::fcntl(STDOUT_FILENO, F_GETFD) == -1;
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) == -1) {
            static_cast<void>(::open("/dev/null", O_RDWR));
        }
    }
    if (closed) {
        std::fprintf(stderr, "error: the standard output is closed\n");
        std::exit(EXIT_FAILURE);
    }
    std::signal(SIGXFSZ, SIG_IGN);  // at the limit of a file's size write() fails instead
    std::atexit([] {
        errno = 0;
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
            // Where an earlier write has failed, its reason is not known any more.
            std::fprintf(stderr, "error: the standard output cannot be written%s%s\n",
                         errno != 0 ? ": " : "", errno != 0 ? std::strerror(errno) : "");
            std::_Exit(EXIT_FAILURE);
        }
    });
}

}  // namespace common
