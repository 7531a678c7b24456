// The texts are read as lists of items: a function with its body, another declaration, the head of
// a namespace or of a class, its end. Where __CUDA_ARCH__ makes no difference, the lists agree.
#include "two_passes.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "tokens.hpp"

namespace {

struct Item {
    enum Kind { function, declaration, head, tail } kind;
    std::size_t begin, end;  // its tokens
    std::size_t body;        // the { of a function
    bool of_class;           // the head or the end of one
    std::size_t place;       // a hash of where it stands and of its kind
};

bool is_one_of(const std::string& text, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

// One pass: its text, its tokens and their items.
class Pass {
  public:
    explicit Pass(std::string text) : text_(std::move(text)), tokens_(tokenise(text_)) {
        std::vector<bool> open;  // the scopes: is it a class?
        for (std::size_t i = 0; tokens_[i].kind != Token::end;) {
            const std::string& t = tokens_[i].text;
            Item item{Item::declaration, i, i + 1, 0, false, 0};
            if (t == "}") {
                item.kind = Item::tail;
                item.of_class = !open.empty() && open.back();
                if (!open.empty()) {
                    open.pop_back();
                }
                if (item.of_class) {
                    item.end = after_semicolon(i + 1);
                }
            } else if (is_one_of(t, {"public", "private", "protected"}) &&
                       tokens_[i + 1].text == ":") {
                item.end = i + 2;
            } else if (t != ";") {
                read_item(item);
                if (item.kind == Item::head) {
                    open.push_back(item.of_class);
                }
            }
            const std::hash<std::string> hash;
            item.place = hash(place_of(tokens_, i)) * 8 + item.kind;
            items_.push_back(item);
            i = item.end;
        }
        for (const Item& item : items_) {
            if (item.kind == Item::declaration && has(item.begin, item.end, "__device__")) {
                declared_on_device_.insert(name_of_function(item.begin, item.end));
            }
        }
    }

    const std::string& text() const { return text_; }
    const Tokens& tokens() const { return tokens_; }
    const std::vector<Item>& items() const { return items_; }

    std::size_t begin_of(std::size_t token) const { return tokens_[token].begin; }
    std::size_t end_of(std::size_t token) const {
        return tokens_[token].begin + tokens_[token].text.size();
    }

    bool has(std::size_t begin, std::size_t end, const char* word) const {
        for (std::size_t i = begin; i < end; ++i) {
            if (tokens_[i].text == word) {
                return true;
            }
        }
        return false;
    }
    // The mark of __global__ is an attribute that says nothing.
    bool is_kernel(const Item& item) const {
        for (std::size_t i = item.begin; i < item.body; ++i) {
            if (tokens_[i].text == "__attribute__" && tokens_[i + 2].text == "(" &&
                tokens_[i + 3].text == ")") {
                return true;
            }
        }
        return false;
    }
    bool runs_on_device(const Item& item) const {
        return has(item.begin, item.body, "__device__") || is_kernel(item) ||
               has(item.begin, item.body, "constexpr") || is_declared_on_device(item);
    }
    bool runs_on_host(const Item& item) const {
        return has(item.begin, item.body, "__host__") || has(item.begin, item.body, "constexpr") ||
               !(has(item.begin, item.body, "__device__") || is_kernel(item));
    }

    // Tokens as one text. Of a function's head: without what does not make it another function.
    std::string words(std::size_t begin, std::size_t end) const {
        std::string all;
        for (std::size_t i = begin; i < end; ++i) {
            const std::string& t = tokens_[i].text;
            if (t == "__attribute__" && tokens_[i + 1].text == "(") {
                i = matching(tokens_, i + 1);
            } else if (!is_one_of(t, {"__device__", "__host__", "inline", "static", "constexpr"})) {
                all += t + " ";
            }
        }
        return all;
    }
    bool same(const Item& mine, const Pass& other, const Item& its) const {
        if (mine.end - mine.begin != its.end - its.begin) {
            return false;
        }
        for (std::size_t i = 0; i < mine.end - mine.begin; ++i) {
            if (tokens_[mine.begin + i].text != other.tokens_[its.begin + i].text) {
                return false;
            }
        }
        return true;
    }

    // The variables, types and enumerators that a declaration declares, or the class of a head.
    std::vector<std::string> declared(const Item& item) const {
        std::vector<std::string> names;
        const std::string& first = tokens_[item.begin].text;
        if (item.kind == Item::head) {
            for (std::size_t i = item.begin; i < item.end && names.empty(); ++i) {
                if (tokens_[i].kind == Token::word &&
                    is_one_of(tokens_[i + 1].text, {"{", ":", "final"})) {
                    names.push_back(tokens_[i].text);
                }
            }
        } else if (first == "using") {
            if (tokens_[item.begin + 2].text == "=") {
                names.push_back(tokens_[item.begin + 1].text);
            }
        } else if (first != "static_assert" && first != "friend") {
            bool in_enum = false;
            int angles = 0;
            for (std::size_t i = item.begin; i < item.end; ++i) {
                const std::string& t = tokens_[i].text;
                const std::string& next = tokens_[i + 1].text;
                in_enum = in_enum || t == "enum";
                if (t == "(" || t == "[" || (t == "{" && !in_enum)) {
                    i = matching(tokens_, i);
                } else if (t == "<" || t == ">") {
                    angles += t == "<" ? 1 : -1;
                } else if (t == "=") {  // its value
                    while (i + 1 < item.end && !is_one_of(tokens_[i + 1].text, {",", ";", "}"})) {
                        ++i;
                        i = is_one_of(tokens_[i].text, {"(", "[", "{"}) ? matching(tokens_, i) : i;
                    }
                } else if (tokens_[i].kind == Token::word && angles == 0 && t != "enum" &&
                           is_one_of(next, {"=", ",", ";", "[", "{", "}"})) {
                    names.push_back(t);
                }
            }
        }
        return names;
    }

  private:
    // A definition without a mark is for both sides where a declaration of it, in its class as
    // well, is for the device: nvcc says so in a warning.
    bool is_declared_on_device(const Item& item) const {
        const std::string name = name_of_function(item.begin, item.body);
        return name != "" && !has(item.begin, item.body, "__host__") &&
               declared_on_device_.count(name) > 0;
    }
    // With the number of its parameters; "" for what is no function.
    std::string name_of_function(std::size_t begin, std::size_t end) const {
        for (std::size_t i = begin + 1; i < end; ++i) {
            if (tokens_[i].text == "=" && tokens_[i - 1].text != "operator") {
                return "";
            }
            if (tokens_[i].text != "(") {
                continue;
            }
            const std::size_t close = matching(tokens_, i);
            const std::string& name = tokens_[i - 1].text;
            if (name == "operator" && close == i + 1) {  // operator()
                continue;
            }
            if (is_one_of(name, {"__attribute__", "__launch_bounds__", "__align__", "alignas",
                                 "decltype", "explicit", "noexcept"})) {
                i = close;
                continue;
            }
            std::size_t parameters = close > i + 1 ? 1 : 0;
            for (std::size_t k = i + 1; k < close; ++k) {
                if (is_one_of(tokens_[k].text, {"(", "[", "{"})) {
                    k = matching(tokens_, k);
                } else if (tokens_[k].text == ",") {
                    ++parameters;
                }
            }
            return name + " " + std::to_string(parameters);
        }
        return "";
    }

    std::size_t after_semicolon(std::size_t i) const {
        for (; tokens_[i].kind != Token::end; ++i) {
            if (tokens_[i].text == ";") {
                return i + 1;
            }
            if (is_one_of(tokens_[i].text, {"(", "[", "{"})) {
                i = matching(tokens_, i);
            }
        }
        return i;
    }

    std::size_t after_angles(std::size_t i) const {
        int angles = 0;
        for (; tokens_[i].kind != Token::end; ++i) {
            const std::string& t = tokens_[i].text;
            angles += t == "<" ? 1 : (t == ">" ? -1 : 0);
            if (angles == 0) {
                return i;
            }
            i = is_one_of(t, {"(", "[", "{"}) ? matching(tokens_, i) : i;
        }
        return i;
    }

    // Sets the end and the kind of an item that begins with a declaration.
    void read_item(Item& item) {
        bool has_parameters = false;
        bool is_class = false;
        bool is_enum = false;
        const std::string& first = tokens_[item.begin].text;
        if (is_one_of(first, {"using", "typedef", "static_assert"})) {
            item.end = after_semicolon(item.begin);
            return;
        }
        const auto begins_scope = [&](std::size_t i, bool of_class) {
            item.kind = Item::head;
            item.of_class = of_class;
            item.end = i + 1;
        };
        for (std::size_t i = item.begin;; ++i) {
            const std::string& t = tokens_[i].text;
            const std::string& next = tokens_[i + 1].text;
            if (tokens_[i].kind == Token::end || t == ";") {
                item.end = std::min(i + 1, tokens_.size() - 1);
                return;
            }
            if (t == "template" && next == "<") {
                i = after_angles(i + 1);
            } else if (t == "namespace") {
                while (!is_one_of(tokens_[i].text, {"{", ";"}) && tokens_[i].kind != Token::end) {
                    ++i;
                }
                if (tokens_[i].text == "{") {
                    begins_scope(i, false);
                    return;
                }
                --i;
            } else if (t == "extern" && tokens_[i + 1].kind == Token::literal &&
                       tokens_[i + 2].text == "{") {
                begins_scope(i + 2, false);
                return;
            } else if (t == "operator") {  // up to the parenthesis of its parameters
                i += next == "(" ? 2 : 0;
                while (tokens_[i + 1].text != "(" && tokens_[i + 1].kind != Token::end) {
                    ++i;
                }
            } else if (is_one_of(t, {"class", "struct", "union"})) {
                is_class = true;
            } else if (t == "enum") {
                is_enum = true;
            } else if (t == "(") {
                const std::string& before = tokens_[i - 1].text;
                has_parameters =
                    has_parameters || !is_one_of(before, {"alignas", "decltype", "__attribute__",
                                                          "noexcept", "explicit", "requires"});
                i = matching(tokens_, i);
            } else if (t == "[") {
                i = matching(tokens_, i);
            } else if (t == "=") {
                item.end = after_semicolon(i);
                return;
            } else if (t == ":" && has_parameters) {  // what a constructor initialises
                for (++i; tokens_[i].kind != Token::end; ++i) {
                    const Token& before = tokens_[i - 1];
                    if (tokens_[i].text == "(" ||
                        (tokens_[i].text == "{" &&
                         (before.kind == Token::word || before.text == ">"))) {
                        i = matching(tokens_, i);
                    } else if (is_one_of(tokens_[i].text, {"{", ";"})) {
                        break;
                    }
                }
                --i;
            } else if (t == "{") {
                if (has_parameters) {
                    item.kind = Item::function;
                    item.body = i;
                    item.end = matching(tokens_, i) + 1;
                    return;
                }
                if (is_class && !is_enum) {
                    begins_scope(i, true);
                    return;
                }
                i = matching(tokens_, i);
            }
        }
    }

    std::string text_;
    Tokens tokens_;
    std::vector<Item> items_;
    std::set<std::string> declared_on_device_;  // functions
};

class Merger {
  public:
    Merger(const Pass& host, const Pass& device, std::vector<std::string>& notes)
        : host_(host), device_(device), notes_(notes) {}

    std::string run() {
        const std::vector<Item>& host = host_.items();
        const std::vector<Item>& device = device_.items();
        const auto host_places = places(host);
        const auto device_places = places(device);
        std::size_t i = 0;
        std::size_t j = 0;
        while (i < host.size() || j < device.size()) {
            if (i < host.size() && j < device.size() && host[i].place == device[j].place) {
                in_both(host[i++], device[j++]);
                continue;
            }
            // To the next item that both have.
            std::size_t i_end = host.size();
            std::size_t j_end = device.size();
            for (std::size_t k = 0; i + k < host.size() || j + k < device.size(); ++k) {
                std::size_t found = 0;
                if (i + k < host.size() && find(device_places, host[i + k].place, j, found)) {
                    i_end = i + k;
                    j_end = found;
                    break;
                }
                if (j + k < device.size() && find(host_places, device[j + k].place, i, found)) {
                    i_end = found;
                    j_end = j + k;
                    break;
                }
            }
            in_one(i, i_end, j, j_end);
            i = i_end;
            j = j_end;
        }
        out_.append(host_.text(), done_, std::string::npos);
        return std::move(out_);
    }

  private:
    using Places = std::unordered_map<std::size_t, std::vector<std::size_t>>;
    static Places places(const std::vector<Item>& items) {
        Places places;
        for (std::size_t i = 0; i < items.size(); ++i) {
            places[items[i].place].push_back(i);
        }
        return places;
    }
    static bool find(const Places& places, std::size_t place, std::size_t from,
                     std::size_t& found) {
        const auto known = places.find(place);
        if (known == places.end()) {
            return false;
        }
        const auto first = std::lower_bound(known->second.begin(), known->second.end(), from);
        found = first == known->second.end() ? 0 : *first;
        return first != known->second.end();
    }

    // --- writing ------------------------------------------------------------------------------

    void mark(const Pass& pass, std::size_t token) {
        const Token& t = pass.tokens()[token];
        const std::size_t line = pass.text().rfind('\n', t.begin) + 1;
        out_ += "\n# " + std::to_string(t.line) + " \"" + pass.tokens().files[t.file] + "\"" +
                (t.of_system ? " 3" : "") + "\n" + std::string(t.begin - line, ' ');
    }

    // Line markers and pragmas before an item of the host's pass, whether it is kept or not.
    void gap(const Item& item) {
        out_.append(host_.text(), done_, host_.begin_of(item.begin) - done_);
        done_ = host_.end_of(item.end - 1);
    }
    void keep(const Item& item) {
        gap(item);
        if (line_is_wrong_) {
            mark(host_, item.begin);
            line_is_wrong_ = false;
        }
        out_.append(host_.text(), host_.begin_of(item.begin),
                    host_.end_of(item.end - 1) - host_.begin_of(item.begin));
    }
    void drop(const Item& item) {
        gap(item);
        line_is_wrong_ = true;
    }
    void add(const Item& item) {
        mark(device_, item.begin);
        const bool rename_head = item.kind != Item::function || !device_.is_kernel(item);
        if (!rename_head) {  // what the host launches
            out_ += renamed(item.begin, item.body, false) + " ";
            out_ += renamed(item.body, item.end, true);
        } else {
            out_ += renamed(item.begin, item.end, true);
        }
        out_ += "\n";
        line_is_wrong_ = true;
    }

    bool is_renamed(const Pass& pass, std::size_t i) const {
        return names_.count(pass.tokens()[i].text) != 0 && pass.tokens()[i - 1].text != "." &&
               pass.tokens()[i - 1].text != "->";
    }
    bool says_a_renamed(const Pass& pass, std::size_t begin, std::size_t end) const {
        for (std::size_t i = begin; i < end && !names_.empty(); ++i) {
            if (is_renamed(pass, i)) {
                return true;
            }
        }
        return false;
    }
    // The text of tokens of the device's pass, with the names that they have there.
    std::string renamed(std::size_t begin, std::size_t end, bool rename) const {
        std::string text;
        std::size_t done = device_.begin_of(begin);
        for (std::size_t i = begin; i < end; ++i) {
            if (rename && is_renamed(device_, i)) {
                text.append(device_.text(), done, device_.begin_of(i) - done);
                text += "cpu_device_arch_" + device_.tokens()[i].text;
                done = device_.end_of(i);
            }
        }
        return text.append(device_.text(), done, device_.end_of(end - 1) - done);
    }

    // The function of the host's pass, with the body of the device's pass beside its own.
    void keep_both(const Item& host, const Item& device) {
        gap(host);
        mark(host_, host.begin);
        out_.append(host_.text(), host_.begin_of(host.begin),
                    host_.end_of(host.body) - host_.begin_of(host.begin));
        both_bodies(host.body, host.end, device.body, device.end,
                    host_.has(host.begin, host.body, "constexpr"));
        out_ += " }";
        line_is_wrong_ = true;
    }
    void both_bodies(std::size_t host_begin, std::size_t host_end, std::size_t device_begin,
                     std::size_t device_end, bool constant) {
        out_ += constant ? " if (!__builtin_is_constant_evaluated() && ::cpu_device::in_kernel())"
                         : " if (::cpu_device::in_kernel())";
        mark(device_, device_begin);
        out_ += renamed(device_begin, device_end, true) + " else ";
        mark(host_, host_begin);
        out_.append(host_.text(), host_.begin_of(host_begin),
                    host_.end_of(host_end - 1) - host_.begin_of(host_begin));
    }

    // A function of the host. Lambdas in it may be for the device.
    void keep_host(const Item& host, const Item& device) {
        const std::vector<std::pair<std::size_t, std::size_t>> mine = lambdas(host_, host);
        const std::vector<std::pair<std::size_t, std::size_t>> its = lambdas(device_, device);
        if (mine.size() != its.size()) {
            note(device.begin);
        }
        if (mine.empty() || mine.size() != its.size()) {
            keep(host);
            return;
        }
        gap(host);
        mark(host_, host.begin);
        std::size_t done = host_.begin_of(host.begin);
        for (std::size_t k = 0; k < mine.size(); ++k) {
            const std::size_t mark_at = mine[k].first;
            std::size_t body = mark_at;
            while (host_.tokens()[body].text != "{") {
                ++body;
            }
            std::size_t its_body = its[k].first;
            while (device_.tokens()[its_body].text != "{") {
                ++its_body;
            }
            out_.append(host_.text(), done, host_.end_of(body) - done);
            if (host_.has(mark_at, body, "__host__") ||
                host_.tokens()[mark_at - 1].text == "__host__") {
                both_bodies(body, mine[k].second, its_body, its[k].second, true);
            } else {
                mark(device_, its_body);
                out_ += renamed(its_body, its[k].second, true);
            }
            out_ += " }";
            done = host_.end_of(mine[k].second - 1);
            if (mine[k].second < host.end) {
                mark(host_, mine[k].second);
                done = host_.begin_of(mine[k].second);
            }
        }
        out_.append(host_.text(), done, host_.end_of(host.end - 1) - done);
        line_is_wrong_ = true;
    }
    // The lambdas in a function that have the mark __device__: that, and the end of the body.
    static std::vector<std::pair<std::size_t, std::size_t>> lambdas(const Pass& pass,
                                                                    const Item& item) {
        std::vector<std::pair<std::size_t, std::size_t>> found;
        for (std::size_t i = item.body; i < item.end; ++i) {
            if (pass.tokens()[i].text == "__device__") {
                std::size_t body = i;
                while (body < item.end && pass.tokens()[body].text != "{") {
                    body = pass.tokens()[body].text == "(" ? matching(pass.tokens(), body) : body;
                    ++body;
                }
                if (body < item.end) {
                    found.emplace_back(i, matching(pass.tokens(), body) + 1);
                    i = found.back().second;
                }
            }
        }
        return found;
    }

    void note(std::size_t token) {
        const Token& t = device_.tokens()[token];
        if (!t.of_system && noted_.insert(t.file).second) {
            notes_.push_back(place_of(device_.tokens(), token) +
                             ": note: for the device, where __CUDA_ARCH__ is 900, this is another "
                             "declaration than for the host; the CPU device takes the device's for "
                             "both [CPU device]");
        }
    }

    // --- deciding -----------------------------------------------------------------------------

    // An item at one place of the source.
    void in_both(const Item& host, const Item& device) {
        if (host.of_class) {
            classes_ += host.kind == Item::head ? 1 : -1;
        }
        const bool same = host_.same(host, device_, device);
        const bool renames = says_a_renamed(host_, host.begin, host.end) ||
                             says_a_renamed(device_, device.begin, device.end);
        if (same && !renames) {
            keep(host);
        } else if (host.kind == Item::function && device.kind == Item::function) {
            function_in_both(host, device);
        } else if (host.kind == Item::declaration &&
                   host_.tokens()[host.begin].text != "template" && may_be_twice(device) &&
                   !device_.declared(device).empty()) {
            keep(host);
            rename(device);
            add(device);
        } else if (same) {
            if (!variable_of_device(device)) {
                if (host.kind != Item::head) {
                    note(device.begin);
                }
                keep(host);
            } else {
                drop(host);
                add(device);
            }
        } else if (host.kind == Item::head || host.kind == Item::tail) {
            note(device.begin);
            keep(host);
        } else {
            if (!variable_of_device(device)) {
                note(device.begin);
            }
            drop(host);
            add(device);
        }
    }
    bool variable_of_device(const Item& item) const {
        return device_.has(item.begin, item.end, "__device__") ||
               device_.has(item.begin, item.end, "__constant__") ||
               device_.has(item.begin, item.end, "__managed__");
    }
    // A constant or a type, outside of classes.
    bool may_be_twice(const Item& item) const {
        if (variable_of_device(item) || classes_ > 0) {
            return false;
        }
        for (const char* word : {"constexpr", "const", "using", "typedef", "enum"}) {
            if (device_.has(item.begin, item.end, word)) {
                return true;
            }
        }
        return false;
    }
    void rename(const Item& device) {
        for (const std::string& name : device_.declared(device)) {
            names_.insert(name);
        }
    }

    void function_in_both(const Item& host, const Item& device) {
        const bool on_host = host_.runs_on_host(host);
        const bool on_device = device_.runs_on_device(device);
        if (device_.is_kernel(device) || (on_device && !on_host)) {
            drop(host);
            add(device);
        } else if (!on_device) {
            keep_host(host, device);
        } else if (host_.words(host.begin, host.body) == device_.words(device.begin, device.body)) {
            keep_both(host, device);
        } else {
            note(device.begin);
            drop(host);
            add(device);
        }
    }

    static int depth(const std::vector<Item>& items, std::size_t begin, std::size_t end) {
        int depth = 0;
        int lowest = 0;
        for (std::size_t i = begin; i < end; ++i) {
            depth += items[i].kind == Item::head ? 1 : (items[i].kind == Item::tail ? -1 : 0);
            lowest = std::min(lowest, depth);
        }
        return lowest != 0 ? lowest : depth;
    }

    // Items that only the one or only the other pass has, between two that both have.
    void in_one(std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
        const std::vector<Item>& host = host_.items();
        const std::vector<Item>& device = device_.items();
        if (depth(host, i, i_end) != 0 || depth(device, j, j_end) != 0) {
            if (j < j_end) {
                note(device[j].begin);
            }
            for (; i < i_end; ++i) {
                keep(host[i]);
            }
            return;
        }
        std::map<std::string, std::size_t> functions;  // of the device, by their heads
        std::map<std::string, std::size_t> names;      // what else it declares
        for (std::size_t k = j; k < j_end; ++k) {
            if (device[k].kind == Item::function && device_.runs_on_device(device[k])) {
                functions[device_.words(device[k].begin, device[k].body)] = k;
            } else if (device[k].kind == Item::head ? device[k].of_class
                                                    : device[k].kind == Item::declaration) {
                for (const std::string& name : device_.declared(device[k])) {
                    names[name] = k;
                }
            }
        }
        std::set<std::size_t> done;  // of the device's items
        int classes_left_out = 0;
        for (; i < i_end; ++i) {
            const Item& item = host[i];
            if (classes_left_out > 0) {
                classes_left_out +=
                    item.kind == Item::head ? 1 : (item.kind == Item::tail ? -1 : 0);
                drop(item);
            } else if (item.kind == Item::head && item.of_class && declares_one_of(item, names)) {
                note(device[names[host_.declared(item)[0]]].begin);
                classes_left_out = 1;
                drop(item);
            } else if (item.kind == Item::function) {
                const auto twin = functions.find(host_.words(item.begin, item.body));
                if (!host_.runs_on_host(item)) {
                    drop(item);
                } else if (twin != functions.end()) {
                    keep_both(item, device[twin->second]);
                    done.insert(twin->second);
                } else {
                    keep(item);
                }
            } else if (item.kind == Item::declaration && declares_one_of(item, names)) {
                const std::size_t twin = names[host_.declared(item)[0]];
                if (host_.same(item, device_, device[twin])) {
                    done.insert(twin);
                    keep(item);
                } else if (may_be_twice(device[twin])) {
                    rename(device[twin]);
                    keep(item);
                } else {
                    if (!variable_of_device(device[twin])) {
                        note(device[twin].begin);
                    }
                    drop(item);
                }
            } else {
                keep(item);
            }
        }
        for (; j < j_end; ++j) {
            const bool of_host =
                device[j].kind == Item::function && !device_.runs_on_device(device[j]);
            if (!of_host && done.count(j) == 0) {
                add(device[j]);
            }
        }
    }
    bool declares_one_of(const Item& item, const std::map<std::string, std::size_t>& names) const {
        const std::vector<std::string> declared = host_.declared(item);
        return !declared.empty() && names.count(declared[0]) != 0;
    }

    const Pass& host_;
    const Pass& device_;
    std::vector<std::string>& notes_;
    std::set<int> noted_;          // files
    std::set<std::string> names_;  // that the device's functions say otherwise
    int classes_ = 0;
    std::string out_;
    std::size_t done_ = 0;  // of the host's text
    bool line_is_wrong_ = false;
};

}  // namespace

std::string merge_passes(std::string host, std::string device, std::vector<std::string>& notes) {
    const Pass host_pass(std::move(host));
    const Pass device_pass(std::move(device));
    return Merger(host_pass, device_pass, notes).run();
}
