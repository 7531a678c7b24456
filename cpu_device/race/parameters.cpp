#include "race/parameters.hpp"

#include <algorithm>
#include <utility>

#include "race/members.hpp"
#include "race/source_text.hpp"

namespace cpu_device::race {
namespace {

constexpr std::size_t most_bytes_of_kernels = 1 << 20;  // of a file

// What stands in the parentheses behind each `__global__ ... NAME`.
std::vector<std::string> parameter_lists(const std::string& text, const std::string& name) {
    std::vector<std::string> lists;
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t open = text.find_first_not_of(" \n", at + name.size());
        const std::size_t begin = text.find_last_of(";}", at);
        const std::size_t keyword = text.rfind("__global__", at);
        const bool is_whole = at > 0 && !is_of_word(text[at - 1]);
        if (!is_whole || open == std::string::npos || text[open] != '(' ||
            keyword == std::string::npos || (begin != std::string::npos && keyword < begin)) {
            continue;
        }
        int depth = 0;
        for (std::size_t end = open; end < text.size(); ++end) {
            depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
            if (depth == 0) {
                lists.push_back(text.substr(open + 1, end - open - 1));
                break;
            }
        }
    }
    return lists;
}

struct Parameter {
    std::string name, type;
};

// The last name of each parameter, and the type in front of it: of "const Bin* d_x" d_x and Bin.
std::vector<Parameter> parameters_in(const std::string& list) {
    std::vector<Parameter> all(1);
    int depth = 0;
    bool ended = false;  // the next name is another one
    for (std::size_t at = 0; at < list.size(); ++at) {
        const char c = list[at];
        depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
        if (c == ',' && depth == 0) {
            all.emplace_back();
        } else if (is_of_word(c) && depth == 0) {
            Parameter& last = all.back();
            if (ended || last.name.empty()) {
                const DeclaredType type = type_before(list, at);
                last = {"", type.stars <= 1 ? type.name : ""};
            }
            last.name += c;
        }
        ended = !is_of_word(c);
    }
    return all;
}

// Behind the bracket that closes the one at `open`; npos where none does.
std::size_t behind_closing(const std::string& text, std::size_t open) {
    const char closing = text[open] == '(' ? ')' : '}';
    int depth = 0;
    for (std::size_t at = open; at < text.size(); ++at) {
        depth += text[at] == text[open] ? 1 : text[at] == closing ? -1 : 0;
        if (depth == 0) {
            return at + 1;
        }
    }
    return std::string::npos;
}

}  // namespace

std::string bare_name(const std::string& kernel) {
    const std::string name = kernel.substr(0, kernel.find('<'));
    std::size_t begin = name.size();
    while (begin > 0 && is_of_word(name[begin - 1])) {
        --begin;
    }
    return begin > 0 && name[begin - 1] == '.' ? "" : name.substr(begin);
}

std::vector<Body> kernel_bodies(const std::string& text) {
    std::vector<Body> bodies;
    for (std::size_t mark = find_word(text, "__global__", 0); mark != std::string::npos;
         mark = find_word(text, "__global__", mark + 1)) {
        std::string name;
        std::size_t at = text.find_first_of("(;{", mark);
        // The last parentheses in front of the body have the parameters: `__launch_bounds__(256)`
        // comes before them.
        while (at != std::string::npos && text[at] == '(') {
            std::size_t end = at;
            name = word_before(text, end);
            at = behind_closing(text, at);
            at = at == std::string::npos ? at : text.find_first_of("(;{", at);
        }
        if (at != std::string::npos && text[at] == '{') {
            bodies.push_back({name, at, std::min(behind_closing(text, at), text.size())});
        }
    }
    return bodies;
}

void name_parameters(std::vector<Argument>& arguments, const std::string& kernel,
                     const std::string& file) {
    const std::string name = bare_name(kernel);
    if (arguments.empty() || name.empty()) {
        return;
    }
    const std::string text = source_text_of(file, most_bytes_of_kernels).text;
    std::vector<std::vector<Parameter>> kernels;
    for (const std::string& list : parameter_lists(text, name)) {
        kernels.push_back(parameters_in(list));
    }
    for (Argument& argument : arguments) {
        const std::size_t index = argument.number - 1;  // huge for no number
        if (kernels.empty() || index >= kernels[0].size()) {
            continue;
        }
        argument.name = kernels[0][index].name;
        argument.type = kernels[0][index].type;
        for (const std::vector<Parameter>& other : kernels) {
            if (index >= other.size() || other[index].type != argument.type) {
                argument.type = "";
            }
        }
    }
}

void name_members(std::vector<Argument>& arguments, const Declarations& declarations) {
    for (Argument& argument : arguments) {
        if (!argument.at) {
            continue;
        }
        const std::string object = std::exchange(argument.name, "");
        const std::string type = std::exchange(argument.type, "");
        for (const Member& member : declarations.members_of_type(type, argument.object_bytes)) {
            if (member.offset == *argument.at && !member.pointee.empty()) {
                argument.name = object + "." + member.name;
                argument.type = member.pointee;
            }
        }
    }
}

}  // namespace cpu_device::race
