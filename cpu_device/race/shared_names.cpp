#include "race/shared_names.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "race/members.hpp"
#include "race/parameters.hpp"
#include "race/source_text.hpp"

namespace cpu_device::race {
namespace {

struct Found {
    DynamicShared array;
    std::size_t at;  // in the text
};

// Without what stands in parentheses, as in `__align__(16)`.
std::string without_parentheses(const std::string& text) {
    std::string rest;
    int depth = 0;
    for (const char c : text) {
        depth += c == '(' ? 1 : 0;
        rest += depth == 0 ? c : ' ';
        depth -= c == ')' ? 1 : 0;
    }
    return rest;
}

// Of " __align__(16) const unsigned char" unsigned char; nothing for what is more than words.
std::string type_in(std::string text) {
    text = without_parentheses(text);
    for (std::size_t at = text.find("std::"); at != std::string::npos; at = text.find("std::")) {
        text.erase(at, 5);
    }
    static const auto& no_type = *new const std::set<std::string>{
        "const", "volatile", "alignas", "__align__", "__attribute__", "__restrict__"};
    std::istringstream words(text);
    std::string type;
    for (std::string word; words >> word;) {
        if (!std::all_of(word.begin(), word.end(), is_of_word)) {
            return "";
        }
        if (no_type.count(word) == 0) {
            type += (type.empty() ? "" : " ") + word;
        }
    }
    return type;
}

// Bytes are looked at as another type.
bool is_of_bytes(const std::string& type) {
    static const auto& bytes = *new const std::set<std::string>{
        "char", "signed char", "unsigned char", "uint8_t", "int8_t", "byte"};
    return bytes.count(type) > 0;
}

// What each `extern __shared__ T name[]` declares.
std::vector<Found> declared_in(const std::string& text) {
    std::vector<Found> all;
    const std::string mark = "__shared__";
    for (std::size_t at = find_word(text, mark, 0); at != std::string::npos;
         at = find_word(text, mark, at + 1)) {
        std::size_t before = at;
        std::size_t end = text.find('[', at);
        if (word_before(text, before) != "extern" || end == std::string::npos ||
            text.find(';', at) < end) {
            continue;
        }
        const std::string name = word_before(text, end);
        const std::size_t begin = at + mark.size();
        if (end > begin && !name.empty()) {
            all.push_back({{name, type_in(text.substr(begin, end - begin))}, at});
        }
    }
    return all;
}

// The function in whose body this is; empty where it is none's. A constructor has the name of its
// class: an object is made as a function is called.
std::string function_around(const std::string& text, std::size_t at) {
    std::size_t open = at;
    for (int depth = 1; depth > 0;) {
        open = open == 0 ? std::string::npos : text.find_last_of("{}", open - 1);
        if (open == std::string::npos) {
            return "";
        }
        depth += text[open] == '}' ? 1 : -1;
    }
    std::size_t end = text.find_last_not_of(" \t\r\n", open == 0 ? 0 : open - 1);
    if (end == std::string::npos || text[end] != ')') {
        return "";
    }
    for (int depth = 0; end != std::string::npos && end > 0; --end) {
        depth += text[end] == ')' ? 1 : text[end] == '(' ? -1 : 0;
        if (depth == 0) {
            return word_before(text, end);
        }
    }
    return "";
}

// Is this all that an expression does: to name `array`, or to call `function`?
bool is_view(const std::string& expression, const std::string& array, const std::string& function) {
    if (expression.find_first_of("+-[&?,") != std::string::npos) {
        return false;  // another place in it
    }
    const std::string rest = without_parentheses(expression);
    const bool calls = !function.empty() && find_word(rest, function, 0) != std::string::npos;
    return calls || find_word(expression, array, 0) != std::string::npos;
}

// The pointers `T* name = ...` to one of `arrays`, which are of bytes.
std::vector<Found> views_in(const std::string& text, const std::vector<Found>& arrays,
                            const std::string& all_text) {
    std::vector<std::string> functions;
    for (const Found& array : arrays) {
        functions.push_back(function_around(all_text, array.at));
    }
    std::vector<Found> all;
    for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
        std::size_t begin = at;
        const std::string name = word_before(text, begin);
        const DeclaredType type = type_before(text, begin);
        const std::size_t end = text.find(';', at);
        if (name.empty() || type.name.empty() || type.stars != 1 || end == std::string::npos) {
            continue;
        }
        const std::string expression = text.substr(at + 1, end - at - 1);
        for (std::size_t i = 0; i < arrays.size(); ++i) {
            if (is_view(expression, arrays[i].array.name, functions[i])) {
                all.push_back({{name, type.name}, at});
                break;
            }
        }
    }
    return all;
}

// The one of one name; none if there are two names, or two types of one.
DynamicShared only(const std::vector<Found>& all) {
    DynamicShared one;
    for (const Found& found : all) {
        if (!one.name.empty() && one.name != found.array.name) {
            return {};
        }
        const bool is_first = one.name.empty();
        one.type = is_first || one.type == found.array.type ? found.array.type : "";
        one.name = found.array.name;
    }
    return one;
}

// The type as which a cast in this statement looks at memory, for each cast; of several words the
// last.
std::vector<std::string> cast_types(const std::string& statement) {
    std::vector<std::string> types;
    for (std::size_t at = statement.find('*'); at != std::string::npos;
         at = statement.find('*', at + 1)) {
        const std::size_t next = statement.find_first_not_of(" \t\r\n", at + 1);
        if (next != std::string::npos && (statement[next] == ')' || statement[next] == '>')) {
            types.push_back(type_before(statement, at).name);
        }
    }
    return types;
}

// Of "unsigned int" int, and of a vector such as float4 what its members are.
std::string scalar_of(const std::string& type) {
    const std::string last = type.substr(type.find_last_of(' ') + 1);
    const bool is_vector = last.size() > 1 && last.back() >= '1' && last.back() <= '4';
    return is_vector ? last.substr(0, last.size() - 1) : last;
}

// Does a part of the text look at this memory, of which these are names, as of another type too?
bool has_other_type(const std::string& part, std::set<std::string> names, const std::string& type) {
    for (std::size_t begin = 0, end; begin < part.size(); begin = end + 1) {
        end = std::min(part.find_first_of(";{}", begin), part.size());
        const std::string statement = part.substr(begin, end - begin);
        if (std::none_of(names.begin(), names.end(), [&](const std::string& name) {
                return find_word(statement, name, 0) != std::string::npos;
            })) {
            continue;
        }
        for (const std::string& other : cast_types(statement)) {
            if (!other.empty() && other != "void" && !is_of_bytes(other) &&
                scalar_of(other) != scalar_of(type)) {
                return true;
            }
        }
        std::size_t at = std::min(statement.find('='), statement.size());
        const std::string pointer = word_before(statement, at);
        if (!pointer.empty() && type_before(statement, at).stars == 1) {
            names.insert(pointer);
        }
    }
    return false;
}

// In a part of the text.
DynamicShared found_in(const std::string& part, const std::string& text) {
    const std::vector<Found> arrays = declared_in(part);
    std::vector<Found> of_bytes = declared_in(text);
    of_bytes.erase(
        std::remove_if(of_bytes.begin(), of_bytes.end(),
                       [](const Found& found) { return !is_of_bytes(found.array.type); }),
        of_bytes.end());
    std::vector<Found> names = views_in(part, of_bytes, text);
    std::copy_if(arrays.begin(), arrays.end(), std::back_inserter(names),
                 [](const Found& found) { return !is_of_bytes(found.array.type); });
    const bool in_doubt = !names.empty() && only(names).name.empty();
    DynamicShared found = names.empty() || in_doubt ? only(arrays) : only(names);
    std::set<std::string> known{found.name};
    of_bytes.insert(of_bytes.end(), arrays.begin(), arrays.end());
    for (const Found& array : of_bytes) {
        known.insert(array.array.name);
    }
    if (!found.name.empty() && !is_of_bytes(found.type) &&
        has_other_type(part, known, found.type)) {
        found.type = "";
    }
    return found;
}

}  // namespace

DynamicShared dynamic_shared_in(const std::string& text, const std::string& kernel) {
    std::string own, outside = text;
    for (const Body& body : kernel_bodies(text)) {
        if (body.kernel == bare_name(kernel)) {
            own += text.substr(body.begin, body.end - body.begin);
        }
        std::fill(outside.begin() + static_cast<std::ptrdiff_t>(body.begin),
                  outside.begin() + static_cast<std::ptrdiff_t>(body.end), ' ');
    }
    const bool is_its_own = !declared_in(own).empty();
    const DynamicShared found = found_in(own, text);
    return is_its_own || !found.name.empty() ? found : found_in(outside, text);
}

Element::Kind kind_at(std::size_t offset, std::size_t bytes, const char* kernel, const char* file) {
    const Piece* const piece = is_shared(offset) ? piece_near(offset) : nullptr;
    if (piece == nullptr || !piece->is_dynamic() || file == nullptr) {
        return kind_at(offset, bytes);
    }
    static auto& known = *new std::map<std::pair<std::string, std::string>, Element>;
    const auto [found, is_new] = known.try_emplace({file, kernel});
    if (is_new) {
        const Declarations& declarations = Declarations::of(file);
        const DynamicShared array = dynamic_shared_in(declarations.text(), kernel);
        found->second = declarations.element_of_type(array.type);
    }
    return found->second.bytes == bytes ? found->second.kind : Element::unknown;
}

}  // namespace cpu_device::race
