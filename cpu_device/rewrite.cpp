// rewrite INPUT OUTPUT: turns preprocessed CUDA C++ into preprocessed C++.
//
// It reads the text *after* the preprocessor, so launches from headers and macros are covered, and
// it only ever inserts, renames and deletes within a line: the line markers of the preprocessor
// stay true, and errors, debuggers and sanitizers show the original file and line.
//
//   kernel<<<grid, block>>>(args)
//     ::cpu_device::Launch([&](auto&&... a) -> decltype(kernel(a...)) { kernel(a...); },
//                          "kernel", grid, block)(args)
//   A generic lambda, because `kernel` may be overloaded, a template, a member or a pointer; its
//   return type tells launch.h which arguments the kernel takes. `kernel << <1, 1 >> >(x)`, as
//   some formatters write it, is a launch too.
//
//   cudaLaunchKernel((void*)kernel, ...)
//     cpu_device_launch_kernel(::cpu_device::named_kernel(kernel, "kernel"), ...)
//   Without the cast, which loses the types of the parameters.
//
//   In a kernel, that is, in a function with the mark that __global__ becomes, a launch is an
//   error.
//
//   __shared__ float s_x[8], s_y;
//     typedef float type_s_x[8], type_s_y; type_s_x& s_x = ::cpu_device::shared<type_s_x>(...); ...
//   extern __shared__ float s_z[];
//     typedef float type_s_z[]; type_s_z& s_z = ::cpu_device::dynamic_shared<type_s_z>();
//   Outside of a function, the typedef alone; the rest is put into each function that says s_z.
//
//   __noinline__ becomes an attribute, and #pragma unroll a blank line.
//
// Exit status: 0; 1 with file:line and the reason where a construct is not understood.
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

struct Token {
    enum Kind { word, literal, symbol, end } kind;
    std::size_t begin;  // in the text
    std::string text;
    bool of_system;  // in a system header
};

// What CUDA has and the CPU device has not, by how its names begin.
struct Missing {
    const char* prefix;
    const char* what;
};
constexpr Missing missing[] = {
    {"cudaGraphics", "OpenGL and Direct3D,"},
    {"cudaGL", "OpenGL,"},
    {"cudaGraph", "CUDA graphs,"},
    {"cudaStreamBeginCapture", "CUDA graphs,"},
    {"cudaStreamEndCapture", "CUDA graphs,"},
    {"cudaStreamIsCapturing", "CUDA graphs,"},
    {"cudaIpc", "memory shared between processes,"},
    {"cudaMemPool", "memory pools,"},
    {"cudaDeviceGetDefaultMemPool", "memory pools,"},
    {"cudaDeviceSetMemPool", "memory pools,"},
    {"cudaMallocFromPoolAsync", "memory pools,"},
    {"cudaImportExternal", "memory and semaphores of other interfaces,"},
    {"cudaExternal", "memory and semaphores of other interfaces,"},
    {"cudaCreateSurfaceObject", "surfaces,"},
    {"cudaSurface", "surfaces,"},
    {"surf1D", "surfaces,"},
    {"surf2D", "surfaces,"},
    {"surf3D", "surfaces,"},
    {"tex1DLayered", "textures of layered arrays,"},
    {"tex2DLayered", "textures of layered arrays,"},
    {"texCubemap", "cubemap textures,"},
    {"tex1DLod", "textures with mipmaps,"},
    {"tex2DLod", "textures with mipmaps,"},
    {"tex3DLod", "textures with mipmaps,"},
    {"tex2Dgather", "gathers from textures,"},
    {"cudaMipmapped", "textures with mipmaps,"},
    {"cudaMallocMipmapped", "textures with mipmaps,"},
    {"cudaBindTexture", "texture references (CUDA 12 has texture objects instead),"},
    {"cudaUnbindTexture", "texture references (CUDA 12 has texture objects instead),"},
    {"cudaAccessPolicy", "L2 access policies,"},
    {"cudaLaunchKernelEx", "launches with attributes (as for clusters),"},
    {"cudaLaunchAttribute", "launches with attributes (as for clusters),"},
    {"cudaLaunchConfig", "launches with attributes (as for clusters),"},
    {"texture", "texture references (CUDA 12 has texture objects instead),"},
    {"cublas", "cuBLAS,"},
    {"cufft", "cuFFT,"},
    {"curand", "cuRAND,"},
    {"cusparse", "cuSPARSE,"},
    {"cusolver", "cuSOLVER,"},
    {"cudnn", "cuDNN,"},
    {"nvrtc", "NVRTC,"},
};

// The tokens of a text. Before the first and after the last one, which is Token::end, there is
// nothing but this one.
struct Tokens : std::vector<Token> {
    const Token& operator[](std::size_t i) const { return i < size() ? data()[i] : back(); }
};

// What is done to one token: text put before it, after it, and in place of it.
struct Edit {
    std::string before, after;
    bool replaced = false;
    std::string replacement;
};

// A construct is not understood: file:line, and the reason.
struct NotUnderstood {
    std::string message;
};

class Rewriter {
  public:
    explicit Rewriter(std::string text) : text_(std::move(text)) { tokenise(); }

    std::string run() {
        look_for_missing();
        std::vector<Brace> open;
        std::size_t kernel_end = 0;
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const std::string& t = tokens_[i].text;
            if (t == "{") {
                const bool inside = !open.empty() && (open.back() == Brace::of_function ||
                                                      open.back() == Brace::of_other);
                open.push_back(inside ? Brace::of_other : brace(i));
                if (open.back() == Brace::of_function) {
                    declare_shared_of_file(i);
                    kernel_end = is_kernel(i) ? matching(i) : kernel_end;
                }
            } else if (t == "}" && !open.empty()) {
                open.pop_back();
            } else if (opens_launch(i)) {
                if (i < kernel_end) {
                    fail(i,
                         "a launch from a kernel (dynamic parallelism), which the CPU device does "
                         "not have");
                }
                rewrite_launch(i);
            } else if ((t == "cudaLaunchKernel" || t == "cudaLaunchCooperativeKernel") &&
                       tokens_[i + 1].text == "(") {
                replace(i, t == "cudaLaunchKernel" ? "cpu_device_launch_kernel"
                                                   : "cpu_device_launch_cooperative_kernel");
                name_kernel(i + 2);
            } else if (t == "__shared__") {
                const bool of_file = std::all_of(open.begin(), open.end(), [](Brace brace) {
                    return brace == Brace::of_namespace;
                });
                i = rewrite_shared(i, of_file);
            } else if (t == "__noinline__" && i > 0 && tokens_[i - 1].text != "(" &&
                       tokens_[i - 1].text != ",") {
                replace(i, "__attribute__((noinline))");
            }
        }
        return edited();
    }

  private:
    // --- reading ----------------------------------------------------------------------------

    // Words, literals and symbols; white space, line markers and pragmas lie between tokens.
    void tokenise() {
        std::size_t i = 0;
        bool line_start = true;
        bool of_system = false;
        while (i < text_.size()) {
            const char c = text_[i];
            if (c == '\n') {
                line_start = true;
                ++i;
            } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
                ++i;
            } else if (c == '#' && line_start) {
                const std::size_t begin = i;
                i = std::min(text_.find('\n', i), text_.size());
                blank_pragma_unroll(begin, i);
                const std::size_t flags = text_.rfind('"', i);
                if (text_[begin + 1] == ' ' && flags != std::string::npos && flags > begin) {
                    of_system = text_.find('3', flags) < i;  // of a line marker
                }
            } else {
                line_start = false;
                const std::size_t begin = i;
                const Token::Kind kind = skip_token(i);
                tokens_.push_back({kind, begin, text_.substr(begin, i - begin), of_system});
            }
        }
        tokens_.push_back({Token::end, text_.size(), "", true});
        edits_.resize(tokens_.size());
    }

    // g++ knows no such pragma and would warn of it.
    void blank_pragma_unroll(std::size_t begin, std::size_t end) {
        const std::string line = text_.substr(begin, end - begin);
        const std::size_t what = line.find_first_not_of("# \tpragm");
        if (what != std::string::npos &&
            (line.compare(what, 6, "unroll") == 0 || line.compare(what, 8, "nounroll") == 0)) {
            text_.replace(begin, end - begin, std::string(end - begin, ' '));
        }
    }

    static bool word_character(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
               static_cast<unsigned char>(c) >= 128;
    }

    Token::Kind skip_token(std::size_t& i) const {
        const char c = text_[i];
        const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0 ||
                            (c == '.' && std::isdigit(static_cast<unsigned char>(at(i + 1))) != 0);
        if (number) {
            while (word_character(at(i)) || at(i) == '.' ||
                   (at(i) == '\'' && word_character(at(i + 1))) ||
                   ((at(i) == '+' || at(i) == '-') && is_exponent(at(i - 1)))) {
                ++i;
            }
            return Token::literal;
        }
        if (word_character(c)) {
            const std::size_t begin = i;
            while (word_character(at(i))) {
                ++i;
            }
            if (at(i) != '"' && at(i) != '\'') {
                return Token::word;
            }
            const std::string prefix = text_.substr(begin, i - begin);
            if (at(i) == '"' && prefix.back() == 'R' &&
                (prefix == "R" || prefix == "LR" || prefix == "uR" || prefix == "UR" ||
                 prefix == "u8R")) {
                skip_raw_string(i);
                return Token::literal;
            }
            if (prefix != "L" && prefix != "u" && prefix != "U" && prefix != "u8") {
                return Token::word;  // the literal after it is a token of its own
            }
        }
        if (at(i) == '"' || at(i) == '\'') {
            skip_quoted(i);
            return Token::literal;
        }
        for (const char* symbol : {"<<<", "<<=", "<<", "<=", "->", "::"}) {
            if (text_.compare(i, std::char_traits<char>::length(symbol), symbol) == 0) {
                i += std::char_traits<char>::length(symbol);
                return Token::symbol;
            }
        }
        ++i;
        return Token::symbol;
    }

    // In 1e-5 and 0x1p-3 the sign belongs to the number.
    static bool is_exponent(char last) {
        return last == 'e' || last == 'E' || last == 'p' || last == 'P';
    }

    char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

    void skip_quoted(std::size_t& i) const {
        const char quote = text_[i++];
        while (i < text_.size() && text_[i] != quote && text_[i] != '\n') {
            i += text_[i] == '\\' ? 2 : 1;
        }
        // A literal that is not closed ends with its line.
        i = std::min(i + (at(i) == quote ? 1 : 0), text_.size());
    }

    void skip_raw_string(std::size_t& i) const {
        const std::size_t open = text_.find('(', i);
        const std::string close = ")" + text_.substr(i + 1, open - i - 1) + "\"";
        const std::size_t found = text_.find(close, open);
        i = found == std::string::npos ? text_.size() : found + close.size();
    }

    // --- writing ----------------------------------------------------------------------------

    void replace(std::size_t i, std::string with) {
        edits_[i].replaced = true;
        edits_[i].replacement = std::move(with);
    }

    std::string edited() const {
        std::string out;
        std::size_t done = 0;
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const Edit& edit = edits_[i];
            const Token& token = tokens_[i];
            out.append(text_, done, token.begin - done);
            out += edit.before;
            out += edit.replaced ? edit.replacement : token.text;
            if (edit.replaced) {  // a raw string may have several lines
                out.append(std::count(token.text.begin(), token.text.end(), '\n'), '\n');
            }
            out += edit.after;
            done = token.begin + token.text.size();
        }
        return out;
    }

    // file:line of a token, from the last line marker before it.
    [[noreturn]] void fail(std::size_t i, const std::string& reason) const {
        std::string file = "<input>";
        int line = 1;
        std::size_t position = 0;
        while (position < tokens_[i].begin) {
            const std::size_t next = std::min(text_.find('\n', position), text_.size());
            const std::string text = text_.substr(position, next - position);
            const std::size_t quote = text.find('"');
            if (next >= tokens_[i].begin) {
                break;
            }
            if (text.compare(0, 2, "# ") == 0 && quote != std::string::npos) {
                line = std::atoi(text.c_str() + 2);
                file = text.substr(quote + 1, text.find('"', quote + 1) - quote - 1);
            } else {
                ++line;
            }
            position = next + 1;
        }
        throw NotUnderstood{file + ":" + std::to_string(line) + ": error: " + reason +
                            " [CPU device]"};
    }

    // --- what is not there ------------------------------------------------------------------

    // Names a missing feature in one sentence, where the compiler would not know a dozen names.
    void look_for_missing() const {
        std::set<std::string> known{"cudaLaunchKernel", "cudaLaunchCooperativeKernel"};
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            const bool declared = token.of_system ? token.text != "texture" : is_declared_at(i);
            if (token.kind == Token::word && declared && is_cudas(token.text)) {
                known.insert(token.text);
            }
        }
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            if (token.of_system || token.kind != Token::word) {
                continue;
            }
            const std::string& next = tokens_[i + 1].text;
            if ((token.text == "asm" || token.text == "__asm__") && is_ptx(i)) {
                fail(i, "inline PTX, which the CPU device does not have: " + first_literal(i));
            }
            const bool used = next == "(" || next == "<" || ends_with_t(token.text);
            if (used && is_cudas(token.text) && known.count(token.text) == 0) {
                fail(i, what_is_missing(token.text));
            }
        }
    }

    static bool begins_as(const std::string& name, const Missing& one) {
        return std::strcmp(one.prefix, "texture") == 0 ? name == "texture"
                                                       : starts_with(name, one.prefix);
    }
    static bool starts_with(const std::string& text, const char* prefix) {
        return text.compare(0, std::strlen(prefix), prefix) == 0;
    }
    static bool ends_with_t(const std::string& text) {
        return text.size() > 2 && text.compare(text.size() - 2, 2, "_t") == 0;
    }

    static bool is_of_driver(const std::string& name) {
        return name.size() > 2 && starts_with(name, "cu") &&
               std::isupper(static_cast<unsigned char>(name[2])) != 0;
    }
    static bool is_warp_function_without_sync(const std::string& name) {
        for (const char* old :
             {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__any", "__all", "__ballot"}) {
            if (name == old) {
                return true;
            }
        }
        return false;
    }
    static bool is_cudas(const std::string& name) {
        const bool of_runtime = name.size() > 4 && starts_with(name, "cuda") &&
                                std::isupper(static_cast<unsigned char>(name[4])) != 0;
        return of_runtime || is_of_driver(name) || is_warp_function_without_sync(name) ||
               std::any_of(std::begin(missing), std::end(missing),
                           [&](const Missing& one) { return begins_as(name, one); });
    }

    static std::string what_is_missing(const std::string& name) {
        for (const Missing& one : missing) {
            if (begins_as(name, one)) {
                return name + " belongs to " + one.what + " which the CPU device does not have";
            }
        }
        if (is_warp_function_without_sync(name)) {
            return name + " is of a time when warps ran in step; use " + name + "_sync";
        }
        return is_of_driver(name)
                   ? name + " belongs to the driver API, which the CPU device does not have"
                   : "the CPU device does not have " + name;
    }

    // A type or a declarator's sign stands before a name that is declared.
    bool is_declared_at(std::size_t i) const {
        if (i == 0) {
            return true;
        }
        const Token& before = tokens_[i - 1];
        if (before.kind != Token::word) {
            return before.text == "*" || before.text == "&" || before.text == ">";
        }
        for (const char* keyword : {"return", "else", "do", "case", "const", "static", "struct",
                                    "enum", "throw", "volatile", "inline", "typename", "new"}) {
            if (before.text == keyword) {
                const std::string& next = tokens_[i + 1].text;
                return (before.text == "struct" || before.text == "enum") && next == "{";
            }
        }
        return true;
    }

    // The first string of asm volatile("..." : ...).
    std::string first_literal(std::size_t i) const {
        while (tokens_[i].text != "(" && tokens_[i].kind == Token::word) {
            ++i;
        }
        return tokens_[i].text == "(" && tokens_[i + 1].kind == Token::literal ? tokens_[i + 1].text
                                                                               : "";
    }
    // Its instructions say types and scopes, as in ld.acquire.gpu.u32.
    bool is_ptx(std::size_t i) const {
        static const std::regex suffix(
            "[a-z0-9]\\.([usbf](8|16|32|64|128)|pred|cta|gpu|sys|gl|global|shared|sync|aligned|"
            "wait|wait_all|commit_group|wait_group|acquire|release|L1|L2)\\b|\"(trap|exit|brkpt);");
        return std::regex_search(first_literal(i), suffix);
    }

    // --- kernel launches --------------------------------------------------------------------

    // <<< or << <, neither of which C++ has between two operands.
    bool opens_launch(std::size_t i) const {
        const bool is_operator = i > 0 && tokens_[i - 1].text == "operator";
        return !is_operator && (tokens_[i].text == "<<<" ||
                                (tokens_[i].text == "<<" && tokens_[i + 1].text == "<"));
    }

    void rewrite_launch(std::size_t open) {
        const std::size_t begin = kernel_begin(open);
        std::string name;
        for (std::size_t i = begin; i < open; ++i) {
            const bool space = i > begin && tokens_[i].kind != Token::symbol &&
                               tokens_[i - 1].kind != Token::symbol;
            name += (space ? " " : "") + tokens_[i].text;
        }
        const std::string quoted = in_quotes(name, open);
        const std::size_t close = configuration_end(open);
        const std::string call =
            name + "(::cpu_device::pass<decltype(cpu_device_arguments)>(cpu_device_arguments)...)";
        edits_[begin].before +=  // a space, lest a ':' before it join its "::"
            " ::cpu_device::Launch([&](const auto& cpu_device_end, auto&&... cpu_device_arguments)"
            " -> decltype(" +
            call + ") { ";
        replace(open, call.substr(name.size()) + ", cpu_device_end(); }, " + quoted + ", ");
        if (tokens_[open].text == "<<") {
            replace(open + 1, "");
        }
        replace(close, ")");
        replace(close + 1, "");
        replace(close + 2, "");
        // NULL, as an integer, would not become a pointer again in the lambda.
        const std::size_t arguments_end = matching(close + 3);
        for (std::size_t i = close + 3; i < arguments_end; ++i) {
            if (tokens_[i].text == "__null") {
                replace(i, "nullptr");
            }
        }
    }

    // The function whose body this brace opens says __global__, which is __attribute__(()) by now.
    bool is_kernel(std::size_t brace) const {
        for (std::size_t i = statement_begin(brace); i < brace; ++i) {
            if (tokens_[i].text == "__attribute__" && tokens_[i + 2].text == "(" &&
                tokens_[i + 3].text == ")") {
                return true;
            }
        }
        return false;
    }

    // The argument that begins here is a kernel's address.
    void name_kernel(std::size_t begin) {
        std::size_t first = begin;
        if (tokens_[first].text == "(") {  // (void*)kernel
            for (const std::size_t close = matching(first); first <= close; ++first) {
                replace(first, "");
            }
        } else if (tokens_[first].text == "reinterpret_cast") {  // ...<const void*>(kernel)
            while (tokens_[first].text != "(") {
                if (tokens_[first].kind == Token::end) {
                    fail(begin, "reinterpret_cast without '(' after it");
                }
                replace(first++, "");
            }
        }
        std::size_t end = first;  // of the argument
        for (int angles = 0; tokens_[end].kind != Token::end; ++end) {
            const std::string& t = tokens_[end].text;
            angles += t == "<" ? 1 : (t == ">" ? -1 : 0);
            if (t == "(" || t == "[" || t == "{") {
                end = matching(end);
            } else if (t == ")" || (t == "," && angles <= 0)) {
                break;
            }
        }
        std::string name;
        for (std::size_t i = first; i < end; ++i) {
            name += tokens_[i].text == "&" ? "" : tokens_[i].text;
        }
        edits_[first].before += "::cpu_device::named_kernel(";
        edits_[end - 1].after += ", " + in_quotes(name, begin) + ")";
    }

    // A kernel's name as a string. `at`: the place for a message.
    std::string in_quotes(const std::string& name, std::size_t at) const {
        if (name.find('\n') != std::string::npos) {  // it is written twice, and lines stay lines
            fail(at, "a raw string of several lines in the kernel's name");
        }
        std::string quoted = "\"";
        for (const char c : name) {
            if (c == '"' || c == '\\') {
                quoted += '\\';
            }
            quoted += c;
        }
        return quoted + "\"";
    }

    // The first token of the expression that names the kernel, reading backwards from <<<:
    // ns::kernel<int, 2>, object.kernel, table[i], (*pointer), make(x).
    std::size_t kernel_begin(std::size_t open) const {
        std::size_t i = open;
        for (;;) {
            if (i == 0) {
                fail(open, "<<< without a kernel's name before it");
            }
            --i;
            if (tokens_[i].text == ">") {  // template arguments: go to the template's name
                i = matching_angle(i);
                continue;
            }
            if (tokens_[i].text == "]" || tokens_[i].text == ")") {
                i = matching(i);
                if (i == 0 || !ends_operand(i - 1)) {
                    return i;  // a parenthesis of its own, as in (*pointer)<<<...>>>
                }
                continue;
            }
            if (tokens_[i].kind != Token::word) {
                fail(open, "<<< without a kernel's name before it");
            }
            if (i > 0 && tokens_[i - 1].text == "template") {
                --i;
            }
            if (i > 0 && (tokens_[i - 1].text == "." || tokens_[i - 1].text == "->")) {
                --i;
                continue;
            }
            if (i > 0 && tokens_[i - 1].text == "::") {
                --i;
                if (i > 0 && ends_operand(i - 1) && tokens_[i - 1].text != ")" &&
                    tokens_[i - 1].text != "]") {
                    continue;
                }
            }
            return i;
        }
    }

    bool ends_operand(std::size_t i) const {
        const Token& t = tokens_[i];
        if (t.kind == Token::word) {
            for (const char* keyword : {"if", "while", "for", "switch", "return", "else", "do"}) {
                if (t.text == keyword) {
                    return false;
                }
            }
            return true;
        }
        return t.text == ">" || t.text == "]";
    }

    // The first > of the >>> that closes the configuration.
    std::size_t configuration_end(std::size_t open) const {
        const bool split = tokens_[open].text == "<<";  // then the end is written >> > or > >>
        for (std::size_t i = open + 1; i + 3 < tokens_.size(); ++i) {
            const std::string& t = tokens_[i].text;
            if (t == "(" || t == "[" || t == "{") {
                i = matching(i);
            } else if (t == ";" || t == ")" || t == "}" || t == "]") {
                break;
            } else if (t == ">" && tokens_[i + 3].text == "(" &&
                       (split ? tokens_[i + 1].text == ">" && tokens_[i + 2].text == ">"
                              : adjacent(i) && adjacent(i + 1))) {
                return i;
            }
        }
        fail(open, "<<< without >>>( after it");
    }

    bool adjacent(std::size_t i) const {
        return tokens_[i + 1].text == ">" && tokens_[i + 1].begin == tokens_[i].begin + 1;
    }

    // The other end of a pair of parentheses, brackets or braces.
    std::size_t matching(std::size_t i) const {
        const std::size_t start = i;
        const std::string opening = "([{";
        const bool forward = opening.find(tokens_[i].text) != std::string::npos;
        int depth = 0;
        for (;;) {
            const std::string& t = tokens_[i].text;
            if (t == "(" || t == "[" || t == "{") {
                ++depth;
            } else if (t == ")" || t == "]" || t == "}") {
                --depth;
            }
            if (depth == 0) {
                return i;
            }
            if (forward ? tokens_[i].kind == Token::end : i == 0) {
                fail(start, "no counterpart to this '" + tokens_[start].text + "'");
            }
            forward ? ++i : --i;
        }
    }

    // The < that opens the template arguments which the > at `close` ends.
    std::size_t matching_angle(std::size_t close) const {
        int depth = 0;
        for (std::size_t i = close;; --i) {
            const std::string& t = tokens_[i].text;
            if (t == ">") {
                ++depth;
            } else if (t == "<") {
                --depth;
            } else if (t == ")" || t == "]" || t == "}") {
                i = matching(i);
            }
            if (depth == 0) {
                return i;
            }
            if (i == 0 || t == ";") {
                fail(close, "no '<' to this '>'");
            }
        }
    }

    // --- __shared__ -------------------------------------------------------------------------

    enum class Brace { of_namespace, of_class, of_function, of_other };

    // What the brace belongs to, if it lies in no function.
    Brace brace(std::size_t at) const {
        if (opens_namespace(at)) {
            return Brace::of_namespace;
        }
        bool is_class = false;
        bool has_parameters = false;
        for (std::size_t i = statement_begin(at); i < at; ++i) {
            const std::string& t = tokens_[i].text;
            if (t == "template" && tokens_[i + 1].text == "<") {
                int angles = 0;
                do {
                    ++i;
                    angles += tokens_[i].text == "<" ? 1 : (tokens_[i].text == ">" ? -1 : 0);
                } while (angles > 0 && i < at);
            } else if (t == "class" || t == "struct" || t == "union" || t == "enum") {
                is_class = true;
            } else if (t == "=" && tokens_[i - 1].text != "operator") {
                return Brace::of_other;
            } else if (t == "(") {
                const std::string& before = tokens_[i - 1].text;
                has_parameters = has_parameters || (before != "alignas" && before != "decltype" &&
                                                    before != "__attribute__");
                i = matching(i);
            }
        }
        return has_parameters ? Brace::of_function : (is_class ? Brace::of_class : Brace::of_other);
    }

    std::size_t statement_begin(std::size_t i) const {
        while (i > 0 && !starts_statement_after(i - 1)) {
            --i;
            if (tokens_[i].text == ")") {
                i = matching(i);
            }
        }
        return i;
    }

    bool opens_namespace(std::size_t brace) const {
        std::size_t i = brace;
        while (i > 0 && (tokens_[i - 1].kind == Token::word || tokens_[i - 1].text == "::" ||
                         tokens_[i - 1].kind == Token::literal)) {
            --i;
            if (tokens_[i].text == "namespace" ||
                (tokens_[i].text == "extern" && tokens_[i + 1].kind == Token::literal)) {
                return true;
            }
        }
        return false;
    }

    // Returns the index of the declaration's semicolon.
    std::size_t rewrite_shared(std::size_t shared, bool of_file) {
        const std::size_t begin = statement_begin(shared);
        bool dynamic = false;
        std::vector<std::size_t> names;
        int angles = 0;
        std::size_t i = begin;
        for (; tokens_[i].text != ";"; ++i) {
            if (tokens_[i].kind == Token::end) {
                fail(shared, "__shared__ without ';' after it");
            }
            const std::string& t = tokens_[i].text;
            const std::string& next = tokens_[i + 1].text;
            if (t == "extern" || t == "static" || t == "__shared__") {
                dynamic = dynamic || t == "extern";
                replace(i, "");
            } else if ((t == "alignas" || t == "__attribute__") && next == "(") {
                // Storage for shared variables is aligned more than any type asks for.
                const std::size_t close = matching(i + 1);
                for (; i < close; ++i) {
                    replace(i, "");
                }
                replace(close, "");
            } else if (t == "(" || t == "[" || t == "{") {
                i = matching(i);
            } else if (t == "<") {
                ++angles;
            } else if (t == ">") {
                --angles;
            } else if (t == "=") {
                fail(i, "a __shared__ variable cannot have an initial value");
            } else if (tokens_[i].kind == Token::word && angles == 0 &&
                       (next == "[" || next == "," || next == ";")) {
                names.push_back(i);
            }
        }
        if (names.empty()) {
            fail(shared, "__shared__ without a variable's name");
        }
        if (of_file && !dynamic) {
            fail(shared,
                 "a __shared__ variable outside of any function; declare it in the function "
                 "that uses it");
        }
        edits_[begin].before += "typedef ";
        for (const std::size_t at : names) {
            const std::string name = tokens_[at].text;
            const std::string type = "cpu_device_type_" + name;
            replace(at, type);
            if (of_file) {
                shared_of_file_.push_back(name);
                continue;
            }
            edits_[i].after += " " + type + "& " + name + " = ::cpu_device::" +
                               (dynamic ? "dynamic_shared<" + type + ">();"
                                        : "shared<" + type + ">([] {}, \"" + name + "\");");
        }
        return i;
    }

    // extern __shared__ outside of a function: each function that says the name declares it, around
    // its body, so that the body's own names hide it.
    void declare_shared_of_file(std::size_t open) {
        const std::size_t close = shared_of_file_.empty() ? open : matching(open);
        for (const std::string& name : shared_of_file_) {
            bool used = false;
            for (std::size_t i = open; i < close; ++i) {
                used = used || (tokens_[i].text == name && tokens_[i - 1].text != "." &&
                                tokens_[i - 1].text != "->");
            }
            for (std::size_t i = statement_begin(open); i < open; ++i) {
                used = used && tokens_[i].text != name;  // a parameter
            }
            if (used) {
                const std::string type = "cpu_device_type_" + name;
                edits_[open].after += " [[maybe_unused]] " + type + "& " + name +
                                      " = ::cpu_device::dynamic_shared_of_file<" + type + ">(); {";
                edits_[close].before += "} ";
            }
        }
    }

    bool starts_statement_after(std::size_t i) const {
        const std::string& t = tokens_[i].text;
        return t == ";" || t == "{" || t == "}" || t == ":";
    }

    std::string text_;
    Tokens tokens_;
    std::vector<Edit> edits_;
    std::vector<std::string> shared_of_file_;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: rewrite INPUT OUTPUT\n";
        return 2;
    }
    std::ifstream in(argv[1], std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) {
        std::cerr << "rewrite: cannot read " << argv[1] << "\n";
        return 1;
    }
    std::string rewritten;
    try {
        rewritten = Rewriter(std::move(text)).run();
    } catch (const NotUnderstood& error) {
        std::cerr << error.message << "\n";
        return 1;
    }
    std::ofstream out(argv[2], std::ios::binary);
    out << rewritten;
    out.close();
    if (!out) {
        std::cerr << "rewrite: cannot write " << argv[2] << "\n";
        return 1;
    }
    return 0;
}
