#include "race/members.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>

namespace cpu_device::race {
namespace {

constexpr int most_includes_deep = 4;

bool is_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}
bool is_space(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::string without_comments(const std::string& text) {
    std::string rest;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::string two = text.substr(at, 2);
        if (two == "//") {
            at = std::min(text.find('\n', at), text.size()) - 1;
        } else if (two == "/*") {
            at = std::min(text.find("*/", at + 2), text.size() - 2) + 1;
            rest += ' ';
        } else {
            rest += text[at];
        }
    }
    return rest;
}

// Where `name` stands as a whole word, from `at` on.
std::size_t find_word(const std::string& text, const std::string& name, std::size_t at) {
    for (at = text.find(name, at); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !is_of_word(text[at - 1])) &&
            (end == text.size() || !is_of_word(text[end]))) {
            break;
        }
    }
    return at;
}

// The word that ends before `end`; `end` becomes its beginning.
std::string word_before(const std::string& text, std::size_t& end) {
    while (end > 0 && is_space(text[end - 1])) {
        --end;
    }
    const std::size_t behind = end;
    while (end > 0 && is_of_word(text[end - 1])) {
        --end;
    }
    return text.substr(end, behind - end);
}

// The type of what is declared at `at`: of "const Particle* __restrict__ p" Particle. Empty where
// no type stands in front of it.
std::string type_before(const std::string& text, std::size_t at) {
    for (;;) {
        while (at > 0 && (is_space(text[at - 1]) || text[at - 1] == '*' || text[at - 1] == '&')) {
            --at;
        }
        const std::string word = word_before(text, at);
        if (word != "const" && word != "__restrict__" && word != "volatile") {
            return word;
        }
    }
}

struct Number {
    std::size_t bytes;
    Element::Kind kind;
};

// A type of numbers, whose words stand in this order.
std::optional<Number> number_named(const std::string& type) {
    static const std::map<std::string, Number> numbers = [] {
        std::map<std::string, Number> all{{"float", {4, Element::floating}},
                                          {"double", {8, Element::floating}},
                                          {"bool", {1, Element::without_sign}},
                                          {"unsigned", {4, Element::without_sign}},
                                          {"size_t", {8, Element::without_sign}},
                                          {"char", {1, Element::with_sign}},
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
    }();
    const auto found = numbers.find(type);
    return found == numbers.end() ? std::nullopt : std::optional<Number>(found->second);
}

// Of "float* next": the words "float", "next", and a star.
struct Declarator {
    std::vector<std::string> words;
    bool is_pointer = false;
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
    std::replace(text.begin(), text.end(), '*', ' ');
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (!std::all_of(word.begin(), word.end(), is_of_word)) {
            return {};
        }
        if (word != "const") {
            one.words.push_back(word);
        }
    }
    return one.words.empty() ? std::nullopt : std::optional<Declarator>(one);
}

// Puts members behind each other, as the compiler does.
class Layout {
  public:
    void add(const std::string& name, Number type, std::size_t count) {
        align_ = std::max(align_, type.bytes);
        end_ = up(end_, type.bytes);
        for (std::size_t i = 0; i < std::max<std::size_t>(count, 1); ++i, end_ += type.bytes) {
            members_.push_back({count == 0 ? name : name + "[" + std::to_string(i) + "]", end_,
                                type.bytes, type.kind});
        }
    }
    // Empty if the struct has another size: then it is laid out otherwise.
    std::vector<Member> members_if(std::size_t bytes) const {
        return up(end_, align_) == bytes ? members_ : std::vector<Member>{};
    }

  private:
    static std::size_t up(std::size_t bytes, std::size_t step) {
        return (bytes + step - 1) / step * step;
    }

    std::vector<Member> members_;
    std::size_t end_ = 0, align_ = 1;
};

// Adds what "const float a, b[2]" declares. False for what it does not know.
bool add_members(Layout& layout, const std::string& declaration) {
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
        const std::optional<Number> number =
            one->is_pointer ? Number{8, Element::unknown} : number_named(*type);
        if (!number || type->empty()) {
            return false;
        }
        layout.add(name, *number, one->count);
    }
    return true;
}

// Of float4 and its like: x, y, z and w. Empty for another type.
std::vector<Member> vector_members(std::string type, std::size_t bytes) {
    const char last = type.empty() ? '0' : type.back();
    if (last < '1' || last > '4') {
        return {};
    }
    type.pop_back();
    const bool is_unsigned = type.size() > 1 && type[0] == 'u';
    const std::string of = is_unsigned ? "unsigned " + type.substr(1) : type;
    const std::optional<Number> number = number_named(of);
    Layout layout;
    for (char name = 'x'; number && name < 'x' + (last - '0'); ++name) {
        layout.add(std::string(1, name > 'z' ? 'w' : name), *number, 0);
    }
    return layout.members_if(bytes);
}

}  // namespace

Declarations::Declarations(const std::string& file) {
    read(file, 0);
}

void Declarations::read(const std::string& file, int depth) {
    std::ifstream source(file);
    if (!source || depth > most_includes_deep) {
        return;
    }
    const std::string text =
        without_comments(std::string{std::istreambuf_iterator<char>(source), {}});
    const std::string folder = file.substr(0, file.rfind('/') + 1);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t open = line.find('"');
        if (line.compare(0, 8, "#include") == 0 && open != std::string::npos) {
            read(folder + line.substr(open + 1, line.rfind('"') - open - 1), depth + 1);
        }
    }
    text_ += text + "\n";
}

std::vector<Member> Declarations::layout_of(const std::string& type, std::size_t bytes) const {
    std::vector<Member> of_vector = vector_members(type, bytes);
    if (!of_vector.empty()) {
        return of_vector;
    }
    for (std::size_t at = find_word(text_, type, 0); at != std::string::npos;
         at = find_word(text_, type, at + 1)) {
        std::size_t before = at;
        const std::size_t open = text_.find_first_not_of(" \t\r\n", at + type.size());
        if (word_before(text_, before) != "struct" || open == std::string::npos ||
            text_[open] != '{') {
            continue;
        }
        const std::string body = text_.substr(open + 1, text_.find('}', open) - open - 1);
        std::istringstream declarations(body);
        Layout layout;
        for (std::string one; std::getline(declarations, one, ';');) {
            const bool is_empty = one.find_first_not_of(" \t\r\n") == std::string::npos;
            if (!is_empty && !add_members(layout, one)) {
                return {};
            }
        }
        return layout.members_if(bytes);
    }
    return {};
}

std::vector<Member> Declarations::members_of(const std::string& variable, std::size_t bytes) const {
    std::string known;
    std::vector<Member> members;
    for (std::size_t at = find_word(text_, variable, 0); at != std::string::npos;
         at = find_word(text_, variable, at + 1)) {
        const std::string type = type_before(text_, at);
        if (type.empty() || type == known) {
            continue;
        }
        std::vector<Member> found = layout_of(type, bytes);
        if (found.empty()) {
            continue;
        }
        if (!known.empty()) {
            return {};
        }
        known = type;
        members = std::move(found);
    }
    return members;
}

}  // namespace cpu_device::race
