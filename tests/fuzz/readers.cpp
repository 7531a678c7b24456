// Fuzz target: the readers of files, harness/files.hpp and neighbor_list/input.hpp. The first byte
// of an input is the number of columns, '1' to '4'; the rest is the file.
#include <algorithm>
#include <limits>
#include <sstream>
#include <type_traits>
#include <vector>

#include "harness/files.hpp"
#include "neighbor_list/input.hpp"
#include "tests/fuzz/fuzz.hpp"

using fuzz::require;
using harness::Accept;

namespace {

// Equal bits, or both no number.
template <typename T>
bool same(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
        if (std::isnan(a) || std::isnan(b)) {
            return std::isnan(a) && std::isnan(b);
        }
    }
    return std::memcmp(&a, &b, sizeof a) == 0;
}
template <typename T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](T left, T right) { return same(left, right); });
}

// The word's number by another parser, that of C.
template <typename T>
T number_by_c(const std::string& word) {
    char* end = nullptr;
    T value{};
    if constexpr (std::is_same_v<T, float>) {
        value = std::strtof(word.c_str(), &end);
    } else if constexpr (std::is_same_v<T, double>) {
        value = std::strtod(word.c_str(), &end);
    } else {
        value = static_cast<T>(std::strtoll(word.c_str(), &end, 10));
    }
    require(*end == '\0', "a word that is taken is a number for C too", word);
    return value;
}

std::string lines_of(const std::string& text, std::size_t count) {
    std::size_t end = 0;
    for (std::size_t line = 0; line < count && end < text.size(); ++line) {
        end = std::min(text.find('\n', end), text.size() - 1) + 1;
    }
    return text.substr(0, end);
}

// The message begins with file:line, and that is the first line with a fault.
template <typename T>
void require_place(const std::string& message, fuzz::File& file, const std::string& text,
                   std::size_t columns, Accept accept) {
    fuzz::require_readable(message, 400);
    const std::string head = file.path() + ":";
    require(message.compare(0, head.size(), head) == 0, "a message names the file", message);
    const std::size_t line = std::strtoul(message.c_str() + head.size(), nullptr, 10);
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    require(1 <= line && line <= lines, "a message names a line of the file", message);
    file.write(lines_of(text, line - 1));
    harness::read_columns<T>(file.path(), columns, accept);  // throws nothing
    file.write(lines_of(text, line));
    try {
        harness::read_columns<T>(file.path(), columns, accept);
    } catch (const harness::FileError& error) {
        require(error.what() == message, "lines after the fault change nothing", error.what());
        return;
    }
    fuzz::broken("the line that is named has a fault", message);
}

template <typename T>
void read_as(fuzz::File& file, const std::string& text, std::size_t columns, Accept accept) {
    std::vector<T> values;
    file.write(text);
    try {
        values = harness::read_columns<T>(file.path(), columns, accept);
    } catch (const harness::FileError& error) {
        require_place<T>(error.what(), file, text, columns, accept);
        return;
    }
    require(values.size() % columns == 0, "every line has as many numbers as were asked for");

    // The same values by C's parser, from the words between blanks; a NUL ends no word.
    std::string words = text;
    for (char& c : words) {
        c = std::strchr(" \t\r\v\f\n", c) != nullptr && c != '\0' ? ' ' : c;
    }
    std::istringstream in(words);
    std::vector<T> by_c;
    for (std::string word; std::getline(in, word, ' ');) {
        if (!word.empty()) {
            by_c.push_back(number_by_c<T>(word));
        }
    }
    require(same(values, by_c), "the numbers are those that C reads", text);

    if constexpr (std::is_floating_point_v<T>) {
        for (const T value : values) {
            require(accept == Accept::all || std::isfinite(value), "only finite numbers are taken");
        }
        // What is printed with enough digits is read back as it was.
        std::ostringstream out;
        out.precision(std::numeric_limits<T>::max_digits10);
        for (std::size_t i = 0; i < values.size(); ++i) {
            out << values[i] << ((i + 1) % columns == 0 ? "\n" : " ");
        }
        file.write(out.str());
        require(same(harness::read_columns<T>(file.path(), columns, accept), values),
                "numbers survive being written and read", out.str());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0 || data[0] < '1' || data[0] > '4') {
        return 0;
    }
    static fuzz::File file;
    const auto columns = static_cast<std::size_t>(data[0] - '0');
    const std::string text(data + 1, data + size);

    file.write(text);
    const std::vector<unsigned char> bytes = harness::read_bytes(file.path());
    require(std::equal(bytes.begin(), bytes.end(), data + 1, data + size), "bytes are read as is");

    read_as<float>(file, text, columns, Accept::all);
    read_as<float>(file, text, columns, Accept::finite);
    read_as<double>(file, text, columns, Accept::all);
    read_as<double>(file, text, columns, Accept::finite);
    read_as<int>(file, text, columns, Accept::all);
    read_as<std::uint32_t>(file, text, columns, Accept::all);

    file.write(text);
    try {
        const Atoms<double> atoms = read_atoms<double>(file.path());
        require(atoms.x.size() == atoms.y.size(), "an atom has an x and a y");
        const auto finite = [](double value) { return std::isfinite(value); };
        require(std::all_of(atoms.x.begin(), atoms.x.end(), finite) &&
                    std::all_of(atoms.y.begin(), atoms.y.end(), finite),
                "atoms are at finite places");
    } catch (const harness::FileError&) {
    }
    return 0;
}
