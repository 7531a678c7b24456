#include "race/parameters.hpp"

#include <cctype>
#include <fstream>
#include <iterator>

namespace cpu_device::race {
namespace {

bool is_part(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Of "ns::count<int>": count.
std::string bare_name(const std::string& kernel) {
    const std::string name = kernel.substr(0, kernel.find('<'));
    std::size_t begin = name.size();
    while (begin > 0 && is_part(name[begin - 1])) {
        --begin;
    }
    return begin > 0 && name[begin - 1] == '.' ? "" : name.substr(begin);
}

// What stands in the parentheses behind `__global__ ... NAME`; empty if that is not there.
std::string parameter_list(const std::string& text, const std::string& name) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t open = text.find_first_not_of(" \n", at + name.size());
        const std::size_t begin = text.find_last_of(";}", at);
        const std::size_t keyword = text.rfind("__global__", at);
        const bool is_whole = at > 0 && !is_part(text[at - 1]);
        if (!is_whole || open == std::string::npos || text[open] != '(' ||
            keyword == std::string::npos || (begin != std::string::npos && keyword < begin)) {
            continue;
        }
        int depth = 0;
        for (std::size_t end = open; end < text.size(); ++end) {
            depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
            if (depth == 0) {
                return text.substr(open + 1, end - open - 1);
            }
        }
    }
    return "";
}

// The last name of each parameter: of "const int* d_x" d_x.
std::vector<std::string> names_in(const std::string& list) {
    std::vector<std::string> names(1);
    int depth = 0;
    bool ended = false;  // the next name is another one
    for (const char c : list) {
        depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
        if (c == ',' && depth == 0) {
            names.emplace_back();
        } else if (is_part(c) && depth == 0) {
            names.back() = ended ? std::string(1, c) : names.back() + c;
        }
        ended = !is_part(c);
    }
    return names;
}

}  // namespace

void name_parameters(std::vector<Argument>& arguments, const std::string& kernel,
                     const std::string& file) {
    const std::string name = bare_name(kernel);
    std::ifstream source(file);
    if (arguments.empty() || name.empty() || !source) {
        return;
    }
    const std::string text{std::istreambuf_iterator<char>(source), {}};
    const std::vector<std::string> names = names_in(parameter_list(text, name));
    for (Argument& argument : arguments) {
        if (argument.number >= 1 && argument.number <= names.size()) {
            argument.name = names[argument.number - 1];
        }
    }
}

}  // namespace cpu_device::race
