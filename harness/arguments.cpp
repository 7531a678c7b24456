#include "harness/arguments.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/messages.hpp"
#include "common/numbers.hpp"
#include "common/standard_output.hpp"

namespace harness {

namespace {

bool is_help(const std::string& word) {
    return word == "--help" || word == "-h";
}

}  // namespace

Arguments::Arguments(std::string program, std::string description, std::string example_call)
    : program_(std::move(program)),
      description_(std::move(description)),
      example_call_(std::move(example_call)) {}

void Arguments::add_flag(const std::string& name, bool& value, const std::string& description) {
    add(name, "", description, "", [&value](const std::string&) {
        value = true;
        return "";
    });
}

void Arguments::add_text(const std::string& name, std::string& value, const std::string& type_name,
                         const std::string& description) {
    add(name, type_name, description, value, [&value, type_name](const std::string& text) {
        value = text;
        return text.empty() ? "expected a " + type_name : "";
    });
}

void Arguments::add_list(const std::string& name, std::vector<std::string>& values,
                         const std::string& type_name, const std::string& description) {
    add(name, type_name, description, "", [&values, type_name](const std::string& text) {
        values.push_back(text);
        return text.empty() ? "expected a " + type_name : "";
    });
    options_.back().repeatable = true;
}

void Arguments::add_choice(const std::string& name, std::string& value,
                           const std::vector<std::string>& choices,
                           const std::string& description) {
    std::string type_name;
    for (const std::string& choice : choices) {
        type_name += (type_name.empty() ? "" : "|") + choice;
    }
    add(name, type_name, description, value, [&value, choices, type_name](const std::string& text) {
        value = text;
        const bool known = std::find(choices.begin(), choices.end(), text) != choices.end();
        return known ? "" : "expected " + type_name;
    });
}

void Arguments::add_real(const std::string& name, double& value, const std::string& type_name,
                         const std::string& description, double min, double max) {
    add(name, type_name, description, short_form(value),
        [&value, min, max](const std::string& text) {
            const bool is_number = common::read_number(text, value) == common::Parsed::ok;
            return is_number && min <= value && value <= max
                       ? ""
                       : "expected a number from " + short_form(min) + " to " + short_form(max);
        });
}

void Arguments::hide_default(const std::string& name) {
    find(name)->default_text.clear();
}

bool Arguments::given(const std::string& name) const {
    return std::any_of(options_.begin(), options_.end(),
                       [&](const Option& option) { return option.name == name && option.given; });
}

void Arguments::parse(int argc, const char* const* argv) {
    common::guard_standard_output();
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (std::find_if(words.begin(), words.end(), is_help) != words.end()) {
        print_help();
        std::exit(EXIT_SUCCESS);
    }
    for (auto word = words.begin(); word != words.end(); ++word) {
        const std::size_t equals = word->find('=');
        Option* const option = find(word->substr(0, equals));
        if (option == nullptr) {
            fail(common::in_quotes(*word) + " is no option of " + program_);
        }
        const bool has_value = equals != std::string::npos;
        std::string value = has_value ? word->substr(equals + 1) : "";
        if (option->type_name.empty()) {
            if (has_value) {
                fail(option->name + ": is a flag and takes no value, found " +
                     common::in_quotes(value));
            }
        } else if (!has_value) {
            const auto next = word + 1;
            if (next == words.end() || next->substr(0, 2) == "--") {
                fail(option->name + ": a value is missing" +
                     (next == words.end() ? "" : " before " + common::in_quotes(*next)) +
                     "; expected " + option->name + " " + option->type_name);
            }
            value = *++word;
        }
        if (option->given && !option->repeatable) {
            fail(option->name + ": is given twice; expected it once");
        }
        option->given = true;
        const std::string wrong = option->set(value);
        if (!wrong.empty()) {
            fail(option->name + ": " + common::in_quotes(value) + ": " + wrong);
        }
    }
    for (const auto& [name, other] : excluded_) {
        if (given(name) && given(other)) {
            fail(name + " excludes " + other + "; expected one of the two");
        }
    }
}

void Arguments::fail(const std::string& message) const {
    std::fprintf(stderr, "%s\nRun with --help for more information.\n", message.c_str());
    std::exit(exit_wrong_command_line);
}

void Arguments::excludes(const std::string& name, const std::vector<std::string>& others) {
    for (const std::string& other : others) {
        excluded_.emplace_back(name, other);
    }
}

std::string Arguments::short_form(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

void Arguments::add(const std::string& name, const std::string& type_name,
                    const std::string& description, const std::string& default_text,
                    std::function<std::string(const std::string&)> set) {
    options_.push_back({name, type_name, description, default_text, std::move(set)});
    options_.back().repeatable = type_name.empty();
}

Arguments::Option* Arguments::find(const std::string& name) {
    const auto found = std::find_if(options_.begin(), options_.end(),
                                    [&](const Option& option) { return option.name == name; });
    return found == options_.end() ? nullptr : &*found;
}

void Arguments::print_help() const {
    std::printf("%s\nUsage: %s [OPTIONS]\n\nOptions:\n", description_.c_str(), program_.c_str());
    constexpr int indent = 26;
    std::printf("  %-*s %s\n", indent, "-h, --help", "Print this help and end");
    for (const Option& option : options_) {
        std::string left = option.name;
        if (!option.type_name.empty()) {
            left += " " + option.type_name;
        }
        if (static_cast<int>(left.size()) > indent) {
            std::printf("  %s\n", left.c_str());
            left.clear();
        }
        const std::string& preset = option.default_text;
        std::printf("  %-*s %s%s\n", indent, left.c_str(), option.description.c_str(),
                    preset.empty() ? "" : (" (default: " + preset + ")").c_str());
    }
    std::printf("\nExample:\n  %s\n", example_call_.c_str());
}

void Arguments::add_in_range(const std::string& name, std::uint64_t start,
                             const std::string& type_name, const std::string& description,
                             std::uint64_t min, std::uint64_t max, Parse parse,
                             const std::string& form,
                             const std::function<void(std::uint64_t)>& set) {
    add(name, type_name, description, min <= start && start <= max ? std::to_string(start) : "",
        [set, min, max, parse, form](const std::string& text) {
            const auto number = parse(text);
            const bool fits = number && min <= *number && *number <= max;
            set(fits ? *number : 0);
            return fits ? "" : form + "from " + std::to_string(min) + " to " + std::to_string(max);
        });
}

}  // namespace harness
