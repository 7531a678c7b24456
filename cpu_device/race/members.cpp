#include "race/members.hpp"

#include <algorithm>
#include <cctype>
#include <deque>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <type_traits>

#include "race/source_text.hpp"

namespace cpu_device::race {

struct NumberType {
    std::size_t bytes;
    Element::Kind kind;
};

// Puts members behind each other, as the compiler does.
class StructLayout {
  public:
    void add(const std::string& name, NumberType type, std::size_t count,
             const std::string& pointee = "") {
        align_ = std::max(align_, type.bytes);
        end_ = up(end_, type.bytes);
        for (std::size_t i = 0; i < std::max<std::size_t>(count, 1); ++i, end_ += type.bytes) {
            members_.push_back({count == 0 ? name : name + "[" + std::to_string(i) + "]", end_,
                                type.bytes, type.kind, pointee});
        }
    }
    bool operator==(const StructLayout& other) const {
        return std::equal(members_.begin(), members_.end(), other.members_.begin(),
                          other.members_.end(), [](const Member& one, const Member& two) {
                              return one.name == two.name && one.offset == two.offset &&
                                     one.bytes == two.bytes && one.kind == two.kind &&
                                     one.pointee == two.pointee;
                          });
    }
    // Empty if the struct has another size: then it is laid out otherwise.
    std::vector<Member> members_if(std::size_t bytes) const {
        return size() == bytes ? members_ : std::vector<Member>{};
    }
    std::size_t size() const { return up(end_, align_); }

  private:
    static std::size_t up(std::size_t bytes, std::size_t step) {
        return (bytes + step - 1) / step * step;
    }

    std::vector<Member> members_;
    std::size_t end_ = 0, align_ = 1;
};

namespace {

constexpr int most_includes_deep = 4;
constexpr int most_folders_up = 3;
constexpr std::size_t most_bytes_read = 1 << 20;  // of a file and all that it includes

// The tables of this file and others lie in no variable: code of the standard library that the
// program has instrumented, too, would make a kernel's accesses of what a report looks up there.

// A type of numbers, whose words stand in this order.
std::optional<NumberType> number_named(const std::string& type) {
    static const auto& numbers = *new const std::map<std::string, NumberType>([] {
        constexpr Element::Kind char_sign =
            std::is_signed_v<char> ? Element::with_sign : Element::without_sign;
        std::map<std::string, NumberType> all{{"float", {4, Element::floating}},
                                              {"double", {8, Element::floating}},
                                              {"bool", {1, Element::without_sign}},
                                              {"unsigned", {4, Element::without_sign}},
                                              {"size_t", {8, Element::without_sign}},
                                              {"char", {1, char_sign}},
                                              {"signed char", {1, Element::with_sign}},
                                              {"unsigned char", {1, Element::without_sign}}};
        const std::pair<const char*, std::size_t> integers[] = {
            {"short", 2}, {"int", 4}, {"long", 8}, {"long long", 8}};
        for (const auto& [name, bytes] : integers) {
            all[name] = {bytes, Element::with_sign};
            all[std::string("unsigned ") + name] = {bytes, Element::without_sign};
        }
        for (const std::size_t bytes : {1, 2, 4, 8}) {
            const std::string name = "int" + std::to_string(8 * bytes) + "_t";
            all[name] = {bytes, Element::with_sign};
            all["u" + name] = {bytes, Element::without_sign};
        }
        return all;
    }());
    const auto found = numbers.find(type);
    return found == numbers.end() ? std::nullopt : std::optional<NumberType>(found->second);
}

// Of "float* next": the words "float", "next", and a star.
struct Declarator {
    std::vector<std::string> words;
    bool is_pointer = false;
    bool is_pointer_to_pointer = false;
    std::size_t count = 0;  // of an array's elements
};

// None for what is more than words, stars and one number in brackets.
std::optional<Declarator> declarator_in(std::string text) {
    text = text.substr(0, text.find('='));
    Declarator one;
    const std::size_t open = text.find('[');
    if (open != std::string::npos) {
        const std::size_t close = text.find_last_not_of(" \t\r\n");
        const std::string count = text.substr(open + 1, close - open - 1);
        if (text[close] != ']' || count.empty() || count.size() > 3 ||
            count.find_first_not_of("0123456789") != std::string::npos || std::stoul(count) == 0) {
            return {};
        }
        one.count = std::stoul(count);
        text.resize(open);
    }
    for (std::size_t at = text.find("std::"); at != std::string::npos; at = text.find("std::")) {
        text.erase(at, 5);
    }
    one.is_pointer = text.find('*') != std::string::npos;
    one.is_pointer_to_pointer = text.find('*') != text.rfind('*');
    std::replace(text.begin(), text.end(), '*', ' ');
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (!std::all_of(word.begin(), word.end(), is_of_word)) {
            return {};
        }
        if (word != "const" && word != "__restrict__") {
            one.words.push_back(word);
        }
    }
    const bool is_name =
        !one.words.empty() && std::isdigit(static_cast<unsigned char>(one.words.back()[0])) == 0;
    return is_name ? std::optional<Declarator>(one) : std::nullopt;
}

// Adds what "const float a, b[2]" declares. False for what it does not know.
bool add_members(StructLayout& layout, const std::string& declaration) {
    std::istringstream parts(declaration);
    std::optional<std::string> type;  // as of the first
    for (std::string part; std::getline(parts, part, ',');) {
        std::optional<Declarator> one = declarator_in(part);
        if (!one) {
            return false;
        }
        const std::string name = one->words.back();
        one->words.pop_back();
        if (!type) {
            type = "";
            for (const std::string& word : one->words) {
                *type += (type->empty() ? "" : " ") + word;
            }
        } else if (!one->words.empty()) {
            return false;
        }
        const std::optional<NumberType> number =
            one->is_pointer ? NumberType{8, Element::unknown} : number_named(*type);
        if (!number || type->empty()) {
            return false;
        }
        layout.add(name, *number, one->count,
                   one->is_pointer && !one->is_pointer_to_pointer ? *type : "");
    }
    return true;
}

// Of float4 and its like: x, y, z and w. None for another type.
std::optional<StructLayout> vector_layout(std::string type) {
    static const auto& numbers =
        *new const std::map<std::string, std::string>{{"char", "signed char"},
                                                      {"uchar", "unsigned char"},
                                                      {"short", "short"},
                                                      {"ushort", "unsigned short"},
                                                      {"int", "int"},
                                                      {"uint", "unsigned int"},
                                                      {"long", "long"},
                                                      {"ulong", "unsigned long"},
                                                      {"longlong", "long long"},
                                                      {"ulonglong", "unsigned long long"},
                                                      {"float", "float"},
                                                      {"double", "double"}};
    const char last = type.back();
    type.pop_back();
    const auto number = numbers.find(type);
    if (last < '1' || last > '4' || number == numbers.end()) {
        return {};
    }
    StructLayout layout;
    for (char name = 'x'; name < 'x' + (last - '0'); ++name) {
        layout.add(std::string(1, name > 'z' ? 'w' : name), *number_named(number->second), 0);
    }
    return layout;
}

// Of the struct whose body begins at `open`. None where more stands there than members of types
// that are known here.
std::optional<StructLayout> layout_in(const std::string& text, std::size_t open) {
    const std::size_t end = text.find_first_of("{}", open + 1);
    if (end == std::string::npos || text[end] == '{') {
        return {};
    }
    std::istringstream declarations(text.substr(open + 1, end - open - 1));
    StructLayout layout;
    for (std::string one; std::getline(declarations, one, ';');) {
        if (!std::all_of(one.begin(), one.end(), is_space) && !add_members(layout, one)) {
            return {};
        }
    }
    return layout;
}

// What stands between the end of the statement before and `at`.
std::string statement_before(const std::string& text, std::size_t at) {
    const std::size_t end = at == 0 ? std::string::npos : text.find_last_of(";{}", at - 1);
    return text.substr(end + 1, at - end - 1);  // npos + 1 is 0
}

bool has_whole_word(const std::string& text, const std::string& word) {
    return find_word(text, word, 0) != std::string::npos;
}

// Does a body that follows belong to the name that follows? So it is behind `struct`, but not
// behind the colon of a base class.
bool begins_definition(const std::string& before) {
    std::size_t behind = 0;  // the last of these words
    for (const std::string word : {"struct", "class", "union", "enum"}) {
        for (std::size_t at = find_word(before, word, 0); at != std::string::npos;
             at = find_word(before, word, at + 1)) {
            behind = std::max(behind, at + word.size());
        }
    }
    std::string rest = before.substr(behind);
    for (std::size_t at = rest.find("::"); at != std::string::npos; at = rest.find("::")) {
        rest.erase(at, 2);
    }
    return behind > 0 && rest.find(':') == std::string::npos;
}

std::vector<Member> members_in(const std::optional<StructLayout>& layout, std::size_t bytes) {
    return layout ? layout->members_if(bytes) : std::vector<Member>{};
}

// The file that `file` includes by this name: beside it or, since the compiler's folders are not
// known here, in a folder around it.
std::filesystem::path included(const std::filesystem::path& file, const std::string& name) {
    std::filesystem::path folder = file.parent_path();
    std::error_code error;
    for (int up = 0; up < most_folders_up; ++up, folder = folder.parent_path()) {
        if (std::filesystem::is_regular_file(folder / name, error)) {
            break;
        }
    }
    return folder / name;
}

}  // namespace

struct Declarations::Type {
    bool is_declared = false;            // by the text, or by CUDA
    std::optional<StructLayout> layout;  // none: not known
};

Declarations::Declarations(std::string file) : file_(std::move(file)) {}
Declarations::~Declarations() = default;

const Declarations& Declarations::of(const std::string& file) {
    // Never deleted: a trace is also written when the program ends.
    static auto& known = *new std::map<std::string, Declarations>;
    return known.try_emplace(file, file).first->second;
}

const std::string& Declarations::text() const {
    if (text_) {
        return *text_;
    }
    text_ = "";
    std::error_code error;
    std::set<std::filesystem::path> read;
    std::deque<std::pair<std::filesystem::path, int>> to_read{{file_, 0}};
    for (; !to_read.empty(); to_read.pop_front()) {
        const auto& [path, depth] = to_read.front();
        const std::filesystem::path file = std::filesystem::canonical(path, error);
        if (error || text_->size() > most_bytes_read || !read.insert(file).second) {
            continue;
        }
        const SourceText source = source_text_of(file, most_bytes_read - text_->size());
        *text_ += source.text + "\n";
        for (const std::string& name : source.includes) {
            if (depth < most_includes_deep) {
                to_read.emplace_back(included(file, name), depth + 1);
            }
        }
    }
    return *text_;
}

// Two definitions of one name, such as of two namespaces or under two conditions of the
// preprocessor, make a layout only if they are equal.
const Declarations::Type& Declarations::type(const std::string& name) const {
    const auto [known, is_new] = types_.try_emplace(name);
    Type& type = known->second;
    if (!is_new || name.empty()) {
        return type;
    }
    bool is_defined = false;
    for (std::size_t at = find_word(text(), name, 0); at != std::string::npos;
         at = find_word(text(), name, at + 1)) {
        std::size_t end = at;
        const std::string keyword = word_before(text(), end);
        const bool is_named = keyword == "struct" || keyword == "class" || keyword == "union" ||
                              keyword == "enum" || keyword == "using" || keyword == "typename";
        type.is_declared = type.is_declared || is_named;
        const std::size_t next =
            std::min(text().find_first_not_of(" \t\r\n", at + name.size()), text().size() - 1);
        const bool has_body = text()[next] == '{' || text().compare(next, 5, "final") == 0 ||
                              (text()[next] == ':' && text().compare(next, 2, "::") != 0);
        const bool ends = text()[next] == ';';
        if (!has_body && !ends && keyword != "using") {
            continue;
        }
        const std::string before = statement_before(text(), at);
        const bool is_alias = keyword == "using" || (ends && has_whole_word(before, "typedef"));
        const bool ends_body = ends && end > 0 && text()[end - 1] == '}';  // } Name;
        if (!is_alias && !ends_body && !(has_body && begins_definition(before))) {
            continue;
        }
        const bool is_plain =
            keyword == "struct" && text()[next] == '{' && !has_whole_word(before, "template");
        const std::optional<StructLayout> here = is_plain ? layout_in(text(), next) : std::nullopt;
        const bool is_same = !is_defined || (here && type.layout && *here == *type.layout);
        type.is_declared = is_defined = true;
        type.layout = is_same ? here : std::nullopt;
    }
    if (!is_defined) {
        type.layout = vector_layout(name);
        type.is_declared = type.is_declared || type.layout;
    }
    return type;
}

std::vector<Member> Declarations::members_of_type(const std::string& name,
                                                  std::size_t bytes) const {
    return members_in(type(name).layout, bytes);
}

Element Declarations::element_of_type(const std::string& name) const {
    if (const std::optional<NumberType> number = number_named(name)) {
        return {number->bytes, number->kind};
    }
    const std::optional<StructLayout>& layout = type(name).layout;
    return layout ? Element{layout->size(), Element::unknown} : Element{};
}

const std::vector<Member>& Declarations::members_of(const std::string& variable,
                                                    std::size_t bytes) const {
    const auto [known, is_new] = variables_.try_emplace({variable, bytes});
    std::vector<Member>& members = known->second;
    if (!is_new || variable.empty()) {
        return members;
    }
    const Type* first = nullptr;
    for (std::size_t at = find_word(text(), variable, 0); at != std::string::npos;
         at = find_word(text(), variable, at + 1)) {
        const DeclaredType declared = type_before(text(), at);
        const Type& here = type(declared.name);
        if (!here.is_declared || declared.stars > 0) {
            continue;  // no declaration, or of a number or a pointer, which have no members
        }
        if (!here.layout || (first != nullptr && !(*first->layout == *here.layout))) {
            return members;
        }
        first = &here;
    }
    if (first != nullptr) {
        members = members_in(first->layout, bytes);
    }
    return members;
}

}  // namespace cpu_device::race
