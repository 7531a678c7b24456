// Writing results. A result is written to a temporary file beside its place, which is then renamed:
// whatever goes wrong, an existing file stays as it was, and no temporary file stays.
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "harness/place.hpp"

namespace harness {

// Fails now if write_file() could not create the file later, after long work. Leaves nothing.
//
// An output may be a new file, a regular file that may be written, or a device or pipe. A read-only
// file is not replaced, although its directory may allow that.
Place check_can_create(const std::string& path);

// Writes a text file through `write`; the file appears whole or not at all. A symbolic link stays
// and its target is replaced. Of several hard links the others keep the old content, and a note on
// the standard error says so. Devices, pipes and /dev/stdout are written to directly.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);

}  // namespace harness
