// Fuzz target: the command line, harness/arguments.cpp and harness/command_line.cpp. Each line of
// an input is an argument. The files that it names are below the current directory, which should be
// one for this purpose.
#include <cstdlib>

// The command line ends the program where it is wrong. Here that becomes an exception, thrown
// through code that does not know of it.
struct End {
    int status;
};
namespace std {
[[noreturn]] inline void end_of_program(int status) {
    throw End{status};
}
}  // namespace std
#define exit end_of_program
#include "harness/arguments.cpp"
#include "harness/command_line.cpp"
#include "harness/output_files.cpp"
#include "harness/place.cpp"
#undef exit

#include <fcntl.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "tests/fuzz/fuzz.hpp"

using fuzz::require;

namespace {

struct Own {  // options as the chapters have them
    double contention = 0.5;
    std::uint64_t bins = 256;
    bool shuffle = false;
};

class Line : public harness::CommandLine {
  public:
    Line() : CommandLine("fuzz", "A command line with every kind of option.", "fuzz --n 5", 128) {
        add_n(1000, "Elements");
        add_random("Random content");
        add_seed();
        add_input("File to read", {"--shuffle"});
        add_output("File to write");
        add_precision();
        add_real("--contention", own.contention, "SHARE", "Share of equal values", 0, 1);
        add_number("--bins", own.bins, "COUNT", "Bins", 1, 256);
        add_flag("--shuffle", own.shuffle, "Other order");
        hide_default("--n");
    }
    Own own;
};

// Takes what is printed to a standard stream while it lives. (stdout and stderr are variables in
// the GNU C library.)
class Caught {
  public:
    explicit Caught(std::FILE*& stream) : stream_(stream), old_(stream) {
        stream_ = ::open_memstream(&text_, &size_);
    }
    Caught(const Caught&) = delete;
    Caught& operator=(const Caught&) = delete;
    ~Caught() {
        std::fclose(stream_);
        stream_ = old_;
        std::free(text_);
    }
    std::string text() {
        std::fflush(stream_);
        return {text_, size_};
    }

  private:
    std::FILE*& stream_;
    std::FILE* old_;
    char* text_ = nullptr;
    std::size_t size_ = 0;
};

// What a program does with these arguments.
struct Result {
    std::optional<int> status;  // it has ended
    std::string printed;
    std::string message;
};
template <typename Parse>
Result result_of(const std::vector<std::string>& words, Parse parse) {
    std::vector<const char*> argv{"fuzz"};
    for (const std::string& word : words) {
        argv.push_back(word.c_str());
    }
    argv.push_back(nullptr);
    Caught out(stdout);
    Caught err(stderr);
    Result result;
    try {
        parse(static_cast<int>(argv.size()) - 1, argv.data());
    } catch (const End& end) {
        result.status = end.status;
    }
    result.printed = out.text();
    result.message = err.text();
    return result;
}

std::string exact(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

// One spelling of what the line says. Two lines that say the same have the same.
std::vector<std::string> words_of(const Line& line) {
    const harness::Options& o = line.options;
    std::vector<std::string> words;
    const auto flag = [&](const char* name, bool given) {
        if (given) {
            words.emplace_back(name);
        }
    };
    const auto value = [&](const std::string& name, const std::string& text) {
        if (line.given(name)) {
            words.push_back(name + "=" + text);
        }
    };
    flag("--table", o.table);
    flag("--all", o.all);
    flag("--small", o.small);
    flag("--list", o.list);
    flag("--random", o.random);
    flag("--queued", o.queued);
    flag("--shuffle", line.own.shuffle);
    for (const std::string& variant : o.variants) {
        words.push_back("--variant=" + variant);
    }
    value("--n", std::to_string(o.n));
    value("--input", o.input);
    value("--output", o.output);
    value("--json", o.json);
    value("--seed", std::to_string(o.seed));
    value("--block", std::to_string(o.block_size));
    value("--repeats", std::to_string(o.repeats));
    value("--precision", o.precision);
    value("--contention", exact(line.own.contention));
    value("--bins", std::to_string(line.own.bins));
    return words;
}

void require_in_range(const Line& line) {
    const harness::Options& o = line.options;
    require(o.n <= std::uint64_t{1} << 36, "--n is at most 2^36", std::to_string(o.n));
    require(o.seed <= std::uint64_t{1} << 62, "--seed is at most 2^62");
    require(1 <= o.block_size && o.block_size <= 1024, "--block is from 1 to 1024");
    require(0 <= o.repeats && o.repeats <= 1000000, "--repeats is from 1 to 1000000");
    require(o.repeats > 0 || !line.given("--repeats"), "--repeats is no 0");
    require(o.precision == "float" || o.precision == "double", "--precision is a type");
    require(line.own.contention >= 0 && line.own.contention <= 1, "--contention is from 0 to 1");
    require(1 <= line.own.bins && line.own.bins <= 256, "--bins is from 1 to 256");
    for (const char* const name : {"--input", "--output", "--json"}) {
        const std::string& path = name == std::string("--input")    ? o.input
                                  : name == std::string("--output") ? o.output
                                                                    : o.json;
        require(!line.given(name) || !path.empty(), "a file has a name", name);
    }
    require(!line.given("--input") || !(line.given("--n") || o.random || line.own.shuffle),
            "--input leaves no room for made up content");
}

// --n by other means: the digits by strtoull, then the suffix.
void require_right_size(const std::vector<std::string>& words, const Line& line) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool joined = words[i].compare(0, 4, "--n=") == 0;
        // It is a value itself, of the option before it, only if that takes one.
        if (!joined && (words[i] != "--n" || i + 1 == words.size())) {
            continue;
        }
        const std::string text = joined ? words[i].substr(4) : words[i + 1];
        char* suffix = nullptr;
        const std::uint64_t digits = std::strtoull(text.c_str(), &suffix, 10);
        const std::string unit = suffix;
        const std::uint64_t factor = unit == "K"    ? 1000
                                     : unit == "M"  ? 1000000
                                     : unit == "G"  ? 1000000000
                                     : unit == "Ki" ? 1 << 10
                                     : unit == "Mi" ? 1 << 20
                                     : unit == "Gi" ? 1 << 30
                                     : unit.empty() ? 1
                                                    : 0;
        require(factor != 0, "a size has a known suffix", text);
        require(line.options.n == digits * factor && line.options.n / factor == digits,
                "--n is the number that was given", text);
    }
}

// Files of every kind that an option may name, in the current directory.
void make_files() {
    const auto ignore = [](int) {};
    ignore(::mkdir("d", 0777));
    ignore(::symlink("f", "l"));
    ignore(::symlink("o", "o"));
    ignore(::symlink("missing", "m"));
    ignore(::mkfifo("p", 0666));
    for (const char* const name : {"f", "r"}) {
        ignore(::close(::open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0666)));
    }
    ignore(::chmod("r", 0444));
}

std::size_t files_here() {
    const std::filesystem::directory_iterator files(".");
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

// Do both names lead to one file with content?
bool one_file(const std::string& path, const std::string& other) {
    std::error_code ignored;
    return !path.empty() && (path == other || std::filesystem::equivalent(path, other, ignored)) &&
           !std::filesystem::is_fifo(path, ignored);
}

// The names of files are looked at too. Only of those in the current directory.
void parse_with_files(const std::vector<std::string>& words, const Line& parsed) {
    static const bool made = (make_files(), true);
    static_cast<void>(made);
    const harness::Options& o = parsed.options;
    for (const std::string& path : {o.input, o.output, o.json}) {
        if (path.find('/') != std::string::npos) {
            return;
        }
    }
    const std::size_t files = files_here();
    Line line;
    const Result result =
        result_of(words, [&](int argc, const char* const* argv) { line.parse(argc, argv); });
    require(files_here() == files, "looking at a file leaves no file");
    if (result.status) {
        fuzz::require_readable(result.message, 1500);
        require(*result.status == 2 || *result.status == 1, "a wrong file ends with 1 or 2");
        require((*result.status == 1) == (result.message.compare(0, 7, "error: ") == 0),
                "a file that cannot be used is an error", result.message);
    } else if (!o.list) {
        require(!one_file(o.output, o.json), "no file is written twice", o.output);
        require(!one_file(o.output, o.input), "no file is read and written", o.output);
        require(!one_file(o.json, o.input), "no file is read and written", o.json);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::string> words;
    std::string word;
    for (std::size_t i = 0; i < size && data[i] != 0; ++i) {
        if (data[i] == '\n') {
            words.push_back(std::exchange(word, ""));
        } else {
            word += static_cast<char>(data[i]);
        }
    }
    if (!word.empty()) {
        words.push_back(word);
    }
    const auto parse_into = [](Line& line) {
        return [&line](int argc, const char* const* argv) {
            line.harness::Arguments::parse(argc, argv);
        };
    };
    Line line;
    const Result result = result_of(words, parse_into(line));
    if (!result.status) {
        require(result.printed.empty() && result.message.empty(), "a right line says nothing");
        require_in_range(line);
        require_right_size(words, line);
        Line again;
        const Result same = result_of(words_of(line), parse_into(again));
        require(!same.status, "the same options in one spelling are right too", same.message);
        require(words_of(again) == words_of(line), "and say the same");
        parse_with_files(words, line);
        return 0;
    }
    if (*result.status == 0) {
        require(result.printed.find("Usage: fuzz") != std::string::npos, "--help shows the usage");
        return 0;
    }
    require(*result.status == 2, "a wrong command line ends with 2");
    fuzz::require_readable(result.message, 600);
    require(result.message.find("--") != std::string::npos, "a message names an option");
    require(result.printed.empty(), "a wrong command line prints no result");
    return 0;
}
