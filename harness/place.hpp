// Where an output goes: a new file, one that is replaced, a device, or a descriptor of this
// program.
#pragma once

#include <sys/stat.h>

#include <string>

namespace harness {

struct Place {
    std::string file;     // after all symbolic links are followed; "" for a descriptor
    int descriptor = -1;  // of this program, where the path names one: /dev/stdout, /dev/fd/3
    struct stat status {};
    bool exists = false;
    // Is it replaced as a whole? A device or a pipe is written to directly.
    bool replaced() const { return !exists || S_ISREG(status.st_mode); }
};

// Follows symbolic links, also to a file that is not there yet.
Place place_of(const std::string& path);

// Do both paths name one regular file? Also through links, and where it is not there yet.
bool same_file(const std::string& path, const std::string& other);

}  // namespace harness
