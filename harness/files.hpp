// Reading inputs. A file that cannot be used ends the program with status 1 and a message that
// names the file, the line and what was expected there. Writing results: harness/output_files.hpp.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "../common/messages.hpp"
#include "../common/numbers.hpp"

namespace harness {

// What is wrong with an input or output; run_main() (harness.cuh) prints it and exits with 1.
struct FileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The longest input. A device such as /dev/zero has no end, and a pipe may have none.
constexpr std::size_t max_file_bytes = std::size_t{1} << 36;  // as many as the largest --n
constexpr std::size_t max_stream_bytes = std::size_t{1} << 28;

namespace detail {

[[noreturn]] inline void fail(const std::string& path, const std::string& what, int error = 0) {
    throw FileError(common::visible(path) + ": " + what +
                    (error != 0 ? std::string(": ") + std::strerror(error) : ""));
}

// An open file; closed at the end.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0) {
            ::close(number_);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int number() const { return number_; }

  private:
    int number_;
};

}  // namespace detail

// A file's bytes.
inline std::vector<unsigned char> read_bytes(const std::string& path) {
    const detail::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0) {
        detail::fail(path, "cannot be opened", errno);
    }
    if (S_ISDIR(status.st_mode)) {
        detail::fail(path, "is a directory, expected a file");
    }
    const bool regular = S_ISREG(status.st_mode);
    const std::size_t max_bytes = regular ? max_file_bytes : max_stream_bytes;
    // One byte more than the file has: the read that finds the end needs room too.
    const std::size_t expected = regular ? static_cast<std::size_t>(status.st_size) + 1 : 1 << 16;
    const auto memory = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    if (expected > memory) {
        detail::fail(path, "does not fit into memory");
    }
    std::vector<unsigned char> bytes;
    for (std::size_t length = 0;;) {
        if (std::max(length, expected - 1) > max_bytes) {
            detail::fail(path, "is too long; expected at most " + std::to_string(max_bytes) +
                                   (regular ? " bytes" : " bytes from what is no regular file"));
        }
        if (length == bytes.size()) {
            try {
                bytes.resize(std::min(std::max(expected, 2 * length), max_bytes + 1));
            } catch (const std::bad_alloc&) {
                detail::fail(path, "does not fit into memory");
            }
        }
        const ssize_t got = ::read(file.number(), bytes.data() + length, bytes.size() - length);
        if (got < 0 && errno != EINTR) {
            detail::fail(path, "cannot be read", errno);
        }
        if (got == 0) {
            bytes.resize(length);
            return bytes;
        }
        length += static_cast<std::size_t>(std::max<ssize_t>(got, 0));
    }
}

// Which numbers read_columns() takes: "nan" and "inf" are numbers too, where they make sense.
enum class Accept { all, finite };

// Reads a text of numbers, `columns` to a line, and returns them line after line: element
// columns * row + column. Numbers are separated by blanks or tabs; lines of blanks only are
// skipped. T is float, double or an integer type. Anything else on a line is an error, and so are a
// number too large for T, one that `accept` leaves out, and another count of numbers.
template <typename T>
std::vector<T> read_columns(const std::string& path, std::size_t columns,
                            Accept accept = Accept::all) {
    const std::vector<unsigned char> bytes = read_bytes(path);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    constexpr std::string_view blanks = " \t\r\v\f";
    std::vector<T> values;
    std::size_t line_number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        ++line_number;
        const auto fail = [&](const std::string& what) {
            throw FileError(common::visible(path) + ":" + std::to_string(line_number) + ": " +
                            what + "; expected " + std::to_string(columns) +
                            (accept == Accept::finite ? " finite" : "") +
                            (columns == 1 ? " number per line" : " numbers per line"));
        };
        std::size_t found = 0;
        for (std::size_t i = line.find_first_not_of(blanks); i < line.size();
             i = line.find_first_not_of(blanks, i)) {
            const std::size_t stop = std::min(line.find_first_of(blanks, i), line.size());
            const std::string_view word = line.substr(i, stop - i);
            T value{};
            const common::Parsed parsed = common::read_number(word, value);
            if (parsed != common::Parsed::ok) {
                fail(common::in_quotes(word) + (parsed == common::Parsed::out_of_range
                                                    ? " is out of range"
                                                    : " is not a number of the expected kind"));
            }
            if constexpr (std::is_floating_point_v<T>) {
                if (accept == Accept::finite && !std::isfinite(value)) {
                    fail(common::in_quotes(word) + " is not finite");
                }
            }
            values.push_back(value);
            ++found;
            i = stop;
        }
        if (found != 0 && found != columns) {
            fail(std::to_string(found) + (found == 1 ? " number" : " numbers"));
        }
    }
    return values;
}

}  // namespace harness
