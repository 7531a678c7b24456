// What the fuzz targets share. A target is one source file with the function that libFuzzer calls
// for each input. It reads the input as its users' code does, and then looks at what must hold
// whatever the input is: a promise.
//
// The function may be called a million times in one process, so it leaves nothing behind.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

// Where a promise is broken, the process ends by SIGABRT: libFuzzer keeps the input then.
[[noreturn]] inline void broken(const char* promise, const std::string& found) {
    std::fprintf(stderr, "broken promise: %s\nfound: %s\n", promise, found.c_str());
    std::abort();
}
inline void require(bool holds, const char* promise, const std::string& found = "") {
    if (!holds) {
        broken(promise, found);
    }
}

// A message is for a terminal: lines of printable characters, and not too many.
inline void require_readable(const std::string& message, std::size_t max_bytes) {
    require(!message.empty(), "an error has a message");
    require(message.size() <= max_bytes, "a message is short", std::to_string(message.size()));
    for (const char c : message) {
        const auto byte = static_cast<unsigned char>(c);
        require((byte >= 0x20 && byte != 0x7f) || c == '\n', "a message has no control characters",
                message);
    }
}

// A file in memory that has a name, for functions that are given the name of a file.
class File {
  public:
    File() : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
        require(descriptor_ >= 0, "there is memory for a file");
        path_ = "/proc/self/fd/" + std::to_string(descriptor_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() { ::close(descriptor_); }

    const std::string& path() const { return path_; }

    void write(std::string_view text) {
        const auto size = static_cast<off_t>(text.size());
        require(::ftruncate(descriptor_, size) == 0 &&
                    ::pwrite(descriptor_, text.data(), text.size(), 0) == size,
                "the file can be written");
    }

  private:
    int descriptor_;
    std::string path_;
};

}  // namespace fuzz
