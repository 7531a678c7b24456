// Options on a command line: `--name value`, `--name=value`, and flags `--name`. Every option is
// given at most once (a list: any number of times), every value is judged as a whole, and a wrong
// command line ends the program with status 2 and a message that names the option, quotes what was
// found and says what was expected.
//
// No library reads the command line: the versions of CLI11 in Debian and Ubuntu differ in which
// numbers they accept and in what they say, and none refuses an empty file name or "nan".
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/numbers.hpp"

namespace harness {

constexpr int exit_wrong_command_line = 2;

class Arguments {
  public:
    // `example_call` is a command that works, shown at the end of --help.
    Arguments(std::string program, std::string description, std::string example_call);

    void add_flag(const std::string& name, bool& value, const std::string& description);

    // `type_name` says in --help what the value is: FILE, NAME.
    void add_text(const std::string& name, std::string& value, const std::string& type_name,
                  const std::string& description);

    // May be given several times.
    void add_list(const std::string& name, std::vector<std::string>& values,
                  const std::string& type_name, const std::string& description);

    void add_choice(const std::string& name, std::string& value,
                    const std::vector<std::string>& choices, const std::string& description);

    // A whole number from `min` to `max`, in decimal digits. T is an integer type that holds them.
    // A `value` out of this range means that there is no default.
    template <typename T>
    void add_number(const std::string& name, T& value, const std::string& type_name,
                    const std::string& description, std::uint64_t min, std::uint64_t max) {
        add_in_range(name, value, type_name, description, min, max, common::whole_number,
                     "expected a whole number ");
    }

    // The same with a suffix: K, M, G are decimal, Ki, Mi, Gi binary.
    void add_size(const std::string& name, std::uint64_t& value, const std::string& description,
                  std::uint64_t min, std::uint64_t max) {
        add_in_range(name, value, "SIZE", description, min, max, common::size_number,
                     "expected decimal digits and at most one suffix (K, M, G: thousands; Ki, Mi, "
                     "Gi: 1024s), ");
    }

    // A finite number from `min` to `max`.
    void add_real(const std::string& name, double& value, const std::string& type_name,
                  const std::string& description, double min, double max);

    // --help shows no default of this option: it holds only together with others.
    void hide_default(const std::string& name);

    // The option `name` leaves no room for any of `others`.
    void excludes(const std::string& name, const std::vector<std::string>& others);

    const std::string& program() const { return program_; }

    // Was this option given?
    bool given(const std::string& name) const;

    // Sets the values from the arguments, or ends the program: with 2 and a message where something
    // is wrong, with 0 after --help.
    void parse(int argc, const char* const* argv);

    // Ends the program as for any other wrong command line.
    [[noreturn]] void fail(const std::string& message) const;

  private:
    struct Option {
        std::string name;
        std::string type_name;  // empty: a flag
        std::string description;
        std::string default_text;
        std::function<std::string(const std::string&)> set;  // what was expected, or ""
        bool repeatable = false;
        bool given = false;
    };

    static std::string short_form(double value);

    void add(const std::string& name, const std::string& type_name, const std::string& description,
             const std::string& default_text, std::function<std::string(const std::string&)> set);

    // Reads a text as a number; nothing where it is none.
    using Parse = std::optional<std::uint64_t> (*)(std::string_view text);

    template <typename T>
    void add_in_range(const std::string& name, T& value, const std::string& type_name,
                      const std::string& description, std::uint64_t min, std::uint64_t max,
                      Parse parse, const std::string& form) {
        add_in_range(name, static_cast<std::uint64_t>(value), type_name, description, min, max,
                     parse, form,
                     [&value](std::uint64_t number) { value = static_cast<T>(number); });
    }
    void add_in_range(const std::string& name, std::uint64_t start, const std::string& type_name,
                      const std::string& description, std::uint64_t min, std::uint64_t max,
                      Parse parse, const std::string& form,
                      const std::function<void(std::uint64_t)>& set);

    Option* find(const std::string& name);

    void print_help() const;

    std::string program_;
    std::string description_;
    std::string example_call_;
    std::vector<Option> options_;
    std::vector<std::pair<std::string, std::string>> excluded_;
};

}  // namespace harness
