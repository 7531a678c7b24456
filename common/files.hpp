// Reading inputs and writing results. A file that cannot be used ends the program with status 1 and
// a message that names the file, the line and what was expected there; a result is written to a
// temporary file first and then renamed, so that a failure leaves an existing file as it was.
#pragma once

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ios>
#include <iterator>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

#include <unistd.h>

// What is wrong with an input or output; run_main() (harness.cuh) prints it and exits with 1.
struct FileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A file's bytes.
inline std::vector<unsigned char> read_bytes(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        throw FileError(path + ": is a directory, expected a file");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw FileError(path + ": cannot be opened: " + std::strerror(errno));
    }
    std::vector<unsigned char> bytes{std::istreambuf_iterator<char>(file), {}};
    if (file.bad()) {
        throw FileError(path + ": cannot be read: " + std::strerror(errno));
    }
    return bytes;
}

// Which numbers read_columns() takes: "nan" and "inf" are numbers too, where they make sense.
enum class Accept { all, finite };

// Reads a text of numbers, `columns` to a line, and returns them line after line: element
// columns * row + column. Numbers are separated by blanks or tabs; lines of blanks only are
// skipped. T is float, double or an integer type; anything else on a line, a number out of T's
// range or one that `accept` leaves out, or another count of numbers is an error.
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
            throw FileError(path + ":" + std::to_string(line_number) + ": " + what + "; expected " +
                            std::to_string(columns) + (accept == Accept::finite ? " finite" : "") +
                            (columns == 1 ? " number a line" : " numbers a line"));
        };
        std::size_t found = 0;
        for (std::size_t i = line.find_first_not_of(blanks); i < line.size();
             i = line.find_first_not_of(blanks, i)) {
            const std::size_t stop = std::min(line.find_first_of(blanks, i), line.size());
            const std::string_view word = line.substr(i, stop - i);
            // from_chars knows no leading '+'.
            const std::size_t sign = word.size() > 1 && word[0] == '+' && word[1] != '-' ? 1 : 0;
            T value{};
            const auto [rest, error] =
                std::from_chars(word.data() + sign, word.data() + word.size(), value);
            if (error == std::errc::result_out_of_range) {
                fail("'" + std::string(word) + "' is out of range");
            }
            if (error != std::errc{} || rest != word.data() + word.size()) {
                fail("'" + std::string(word) + "' is not a number of the expected kind");
            }
            if constexpr (std::is_floating_point_v<T>) {
                if (accept == Accept::finite && !std::isfinite(value)) {
                    fail("'" + std::string(word) + "' is not finite");
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

// The file that is written in place of `path`, and renamed at the end. Only a regular file can be
// replaced: what exists and is none (/dev/null, a pipe, a link such as /dev/stdout) is written to
// directly, and stands for itself.
inline std::string temporary_for(const std::string& path) {
    std::error_code no_matter;
    const auto status = std::filesystem::symlink_status(path, no_matter);
    const bool replace =
        !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
    return replace ? path + ".partial-" + std::to_string(::getpid()) : path;
}

// Writes a text file through `write`; the file appears whole or not at all.
inline void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
    const std::string temporary = temporary_for(path);
    const auto fail = [&](const char* what) {
        throw FileError(path + ": " + what + ": " + std::strerror(errno));
    };
    errno = 0;
    std::ofstream file(temporary, std::ios::binary);
    if (!file) {
        fail("cannot be created");
    }
    try {
        write(file);
        file.close();
        if (!file) {
            fail("cannot be written");
        }
        if (temporary != path && std::rename(temporary.c_str(), path.c_str()) != 0) {
            fail("cannot be replaced");
        }
    } catch (...) {
        if (temporary != path) {
            std::remove(temporary.c_str());
        }
        throw;
    }
}

// Fails now if write_file() could not create the file later, after long work. Leaves nothing.
inline void check_can_create(const std::string& path) {
    const std::string temporary = temporary_for(path);
    if (temporary != path) {
        errno = 0;
        if (!std::ofstream(temporary, std::ios::binary)) {
            throw FileError(path + ": cannot be created: " + std::strerror(errno));
        }
        std::remove(temporary.c_str());
    }
}
