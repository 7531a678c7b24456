// rewrite INPUT OUTPUT [INPUT_WITH_CUDA_ARCH | host | names]: turns preprocessed CUDA C++ into
// preprocessed C++.
//
// The third file is the same source as the device sees it, with __CUDA_ARCH__ defined: see
// two_passes.hpp. The texts hold the marks __device__, __host__, __constant__ and __managed__,
// which vanish here.
//
// With `names`, OUTPUT becomes a list of the names of CUDA's that INPUT's system headers declare, a
// line each. Where INPUT names precompiled headers, X.gch, it reads theirs in X.names.
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
//   Without the cast, which loses the types of the parameters. cudaLaunchCooperativeKernel and
//   cudaLaunchKernelEx likewise.
//
//   In a kernel, that is, in a function with the mark that __global__ becomes, a launch is an
//   error.
//
//   __shared__ float s_x[8], s_y;
//     typedef float type_s_x[8], type_s_y; type_s_x& s_x = ::cpu_device::shared<type_s_x>(...); ...
//   extern __shared__ float s_z[];
//     typedef float type_s_z[]; type_s_z& s_z = ::cpu_device::dynamic_shared<type_s_z>();
//   Outside of a function, the typedef alone; the rest is put into each function that says s_z. For
//   one without `extern` a type stands beside it, by which all functions mean the same variable.
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
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pattern.hpp"
#include "ptx.hpp"
#include "tokens.hpp"
#include "two_passes.hpp"

namespace {

using cpu_device::Pattern;

// What CUDA has and the CPU device has not, by how its names begin.
struct Missing {
    std::string_view prefix;
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
    {"cudaMemPool", "a part of memory pools,"},
    {"cudaImportExternal", "memory and semaphores of other interfaces,"},
    {"cudaExternal", "memory and semaphores of other interfaces,"},
    {"tex1DLod", "textures with mipmaps,"},
    {"tex2DLod", "textures with mipmaps,"},
    {"tex3DLod", "textures with mipmaps,"},
    {"tex2Dgather", "gathers from textures,"},
    {"cudaMipmapped", "textures with mipmaps,"},
    {"cudaMallocMipmapped", "textures with mipmaps,"},
    {"cudaBindTexture", "texture references (CUDA 12 has texture objects instead),"},
    {"cudaUnbindTexture", "texture references (CUDA 12 has texture objects instead),"},
    {"cudaLaunchAttribute", "a part of the attributes of launches,"},
    {"texture", "texture references (CUDA 12 has texture objects instead),"},
    {"surface", "surface references (CUDA 12 has surface objects instead),"},
    {"__cluster", "clusters of blocks,"},
    {"this_cluster", "clusters of blocks,"},
    {"cublas", "a part of cuBLAS,"},
    {"cufft", "a part of cuFFT,"},
    {"cudaLibXtDesc", "a part of cuFFT,"},
    {"curand", "a part of cuRAND,"},
    {"cusparse", "cuSPARSE,"},
    {"cusolver", "cuSOLVER,"},
    {"cudnn", "cuDNN,"},
    {"nvrtc", "NVRTC,"},
};

// What is done to one token: text put before it, after it, and in place of it.
struct Edit {
    std::string before, after;
    bool replaced = false;
    std::string replacement;
};

class Rewriter {
  public:
    explicit Rewriter(std::string text) : text_(std::move(text)), tokens_(tokenise(text_)) {}

    // The names of CUDA's that are declared, a line each.
    std::string names() const {
        std::string all;
        for (const std::string& name : known_names()) {
            all += name + "\n";
        }
        return all;
    }

    // It may be of any kind, so it counts only if it has included a header of CUDA's.
    void look_at_host_source() const {
        for (const std::string& file : tokens_.files) {
            if (file.find("cpu_device/keywords.h") != std::string::npos) {
                look_for_missing();
                return;
            }
        }
    }

    std::string run() {
        look_for_missing();
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const std::string& t = tokens_[i].text;
            if (t[0] == '_' && (t == "__device__" || t == "__host__" || t == "__constant__" ||
                                t == "__managed__")) {
                replace(i, "");
            } else if (is_launch_bounds(i)) {
                for (const std::size_t close = matching(i + 1); i <= close; ++i) {
                    replace(i, "");
                }
                --i;
            }
        }
        std::vector<Brace> open;
        std::size_t kernel_end = 0;
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const std::string& t = tokens_[i].text;
            if (std::strchr("{}<ac_", t[0]) == nullptr) {  // so begins what is looked for
                continue;
            }
            if (t == "{") {
                const bool inside = !open.empty() && (open.back() == Brace::of_function ||
                                                      open.back() == Brace::of_other);
                open.push_back(inside ? Brace::of_other : brace(i));
                if (open.back() == Brace::of_function) {
                    declare_shared_of_file(i);
                    if (is_kernel(i)) {
                        kernel_end = matching(i);
                        look_at_launch_bounds(i);
                    }
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
            } else if (is_asm(i) && !tokens_[i].of_system && is_ptx(i)) {
                replace(i, "do { " + meaning_of_ptx(i) + "} while (false)");
                for (const std::size_t close = end_of_asm(i); i < close;) {
                    replace(++i, "");
                }
            } else if (launches_by_name(t) != nullptr && tokens_[i + 1].text == "(") {
                replace(i, launches_by_name(t));
                name_kernel(starts_with(t, "cudaLaunchKernelEx") ? argument_after(i + 2) : i + 2);
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
    // --- writing ----------------------------------------------------------------------------

    void replace(std::size_t i, std::string with) {
        edits_[i].replaced = true;
        edits_[i].replacement = std::move(with);
    }

    std::string edited() const {
        std::string out;
        std::size_t done = 0;
        for (const auto& [i, edit] : edits_) {
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
        return out.append(text_, done);
    }

    [[noreturn]] void fail(std::size_t i, const std::string& reason) const {
        throw NotUnderstood{place_of(tokens_, i) + ": error: " + reason + " [CPU device]"};
    }

    // --- what is not there ------------------------------------------------------------------

    // The names of CUDA's that are declared, here or in precompiled headers.
    std::set<std::string> known_names() const {
        std::set<std::string> known;
        const std::string_view pragma = "#pragma GCC pch_preprocess \"";
        const std::size_t at = text_.find(pragma);
        if (at != std::string::npos) {
            const std::size_t begin = at + pragma.size();
            const std::string headers = text_.substr(begin, text_.find(".gch\"", begin) - begin);
            std::ifstream names(headers + ".names");
            known.insert(std::istream_iterator<std::string>(names), {});
        }
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            const bool declared = token.of_system
                                      ? !is_old_reference(token.text)
                                      : !starts_with(token.text, "__cluster") && is_declared_at(i);
            if (token.kind == Token::word && declared && is_cudas(token.text)) {
                known.insert(token.text);
            }
        }
        return known;
    }

    // Names a missing feature in one sentence, where the compiler would not know a dozen names.
    void look_for_missing() const {
        const std::set<std::string> known = known_names();
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const Token& token = tokens_[i];
            if (token.of_system || token.kind != Token::word) {
                continue;
            }
            const std::string& next = tokens_[i + 1].text;
            if (is_asm(i) && is_ptx(i) && meaning_of_ptx(i).empty()) {
                fail(i, "inline PTX, which the CPU device does not have: " + first_literal(i));
            }
            if (launches_by_name(token.text) != nullptr) {
                continue;
            }
            const bool used = next == "(" || next == "<" || ends_with_t(token.text) ||
                              is_type_of_driver(token.text);
            if (used && is_cudas(token.text) && known.count(token.text) == 0) {
                fail(i, what_is_missing(token.text));
            }
        }
    }

    static bool begins_as(const std::string& name, const Missing& one) {
        return name[0] == one.prefix[0] && starts_with(name, one.prefix) &&
               (!is_old_reference(one.prefix) || name.size() == one.prefix.size());
    }
    // The types of CUDA 11, whose names are ordinary words.
    static bool is_old_reference(std::string_view name) {
        return name == "texture" || name == "surface";
    }
    static bool starts_with(std::string_view text, std::string_view prefix) {
        return text.substr(0, prefix.size()) == prefix;
    }
    static bool ends_with_t(const std::string& text) {
        return text.size() > 2 && text.compare(text.size() - 2, 2, "_t") == 0;
    }

    static bool is_of_driver(const std::string& name) {
        return name.size() > 2 && starts_with(name, "cu") &&
               std::isupper(static_cast<unsigned char>(name[2])) != 0;
    }
    static bool is_type_of_driver(const std::string& name) {
        for (const char* type : {"CUresult", "CUdevice", "CUcontext", "CUmodule", "CUfunction",
                                 "CUdeviceptr", "CUstream", "CUevent", "CUarray", "CUtexref",
                                 "CUlinkState", "CUjit_option", "CUDA_SUCCESS"}) {
            if (name == type) {
                return true;
            }
        }
        return false;
    }
    // A function that nvcc knows by itself or from the headers of small floating-point numbers. g++
    // would not know it either, and propose another one.
    static bool is_built_in(const std::string& name) {
        if (name.compare(0, 2, "__") != 0 || starts_with(name, "__has_") ||
            starts_with(name, "__int128")) {
            return false;
        }
        static constexpr std::string_view prefixes[] = {
            "__h",      "__bfloat",    "__float2",   "__double2",    "__int2",       "__uint2",
            "__short2", "__ushort2",   "__ll2",      "__ull2",       "__low",        "__lows2",
            "__halves", "__pipeline_", "__dp",       "__cvta_",      "__nv_atomic_", "__vadd",
            "__vsub",   "__vmax",      "__vmin",     "__vabs",       "__vcmp",       "__vset",
            "__vavg",   "__vsad",      "__vi",       "__isConst",    "__isGrid",     "__mbarrier_",
            "__brkpt",  "__prof_",     "__barrier_", "__u128Atomic", "__fadd2",      "__fmul2",
            "__ffma2"};
        return std::any_of(std::begin(prefixes), std::end(prefixes),
                           [&](std::string_view prefix) { return starts_with(name, prefix); });
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
        if (std::strchr("Cbcnst_", name[0]) == nullptr) {  // soon said of most
            return false;
        }
        const bool of_runtime = name.size() > 4 && starts_with(name, "cuda") &&
                                std::isupper(static_cast<unsigned char>(name[4])) != 0;
        return of_runtime || is_built_in(name) || is_of_driver(name) || is_type_of_driver(name) ||
               is_warp_function_without_sync(name) ||
               std::any_of(std::begin(missing), std::end(missing),
                           [&](const Missing& one) { return begins_as(name, one); });
    }

    static std::string what_is_missing(const std::string& name) {
        for (const Missing& one : missing) {
            if (begins_as(name, one)) {
                return name + " belongs to " + one.what + " which the CPU device does not have";
            }
        }
        if (is_built_in(name)) {
            const bool small = starts_with(name, "__h") || starts_with(name, "__bfloat") ||
                               name.find("2half") != std::string::npos ||
                               name.find("2bfloat") != std::string::npos;
            return "the CPU device does not have " + name +
                   (small ? ", or an #include of cuda_fp16.h or cuda_bf16.h is missing" : "");
        }
        if (is_warp_function_without_sync(name)) {
            return name + " is of a time when warps ran in step; use " + name + "_sync";
        }
        return is_of_driver(name) || is_type_of_driver(name)
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

    // --- inline PTX -------------------------------------------------------------------------

    bool is_asm(std::size_t i) const {
        const std::string& t = tokens_[i].text;
        return t == "asm" || t == "__asm__" || t == "__asm";
    }
    // The ( of asm volatile("..." : ...).
    std::size_t begin_of_asm(std::size_t i) const {
        do {
            ++i;
        } while (tokens_[i].kind == Token::word);
        return i;
    }
    std::size_t end_of_asm(std::size_t i) const { return matching(begin_of_asm(i)); }
    // Its first string, or with `all` those that follow, too, as one.
    std::string first_literal(std::size_t i, bool all = false) const {
        i = begin_of_asm(i);
        std::string text;
        if (tokens_[i].text != "(") {
            return "";
        }
        while (tokens_[i].kind != Token::end && tokens_[++i].kind == Token::literal) {
            if (!all) {
                return tokens_[i].text;
            }
            text += tokens_[i].text.substr(1, tokens_[i].text.size() - 2);
        }
        return text;
    }
    // As statements of C++, or "". An operand may be an array's element, a call, ...
    std::string meaning_of_ptx(std::size_t asm_at) const {
        const std::size_t close = end_of_asm(asm_at);
        std::vector<PtxOperand> operands;
        std::string name;
        for (std::size_t i = begin_of_asm(asm_at) + 1; i < close; ++i) {
            if (tokens_[i].text == "(") {  // "=r"(expression)
                const std::size_t end = matching(i);
                const std::string& constraint = tokens_[i - 1].text;
                const bool quoted = constraint.size() > 2 && constraint[0] == '"';
                const std::string expression =
                    text_.substr(tokens_[i].begin + 1, tokens_[end].begin - tokens_[i].begin - 1);
                if (!quoted || expression.find('\n') != std::string::npos) {  // lines stay lines
                    return "";
                }
                operands.push_back({constraint.substr(1, constraint.size() - 2), expression, name});
                name.clear();
                i = end;
            } else if (tokens_[i].text == "[") {  // [name] before an operand
                name = tokens_[i + 1].text;
            }
        }
        bool is_volatile = false;
        for (std::size_t i = asm_at; i < begin_of_asm(asm_at); ++i) {
            is_volatile |= tokens_[i].text.find("volatile") != std::string::npos;
        }
        return cuda_for_ptx(first_literal(asm_at, true), operands, is_volatile);
    }

    // Its instructions say types and scopes, as in ld.acquire.gpu.u32.
    bool is_ptx(std::size_t i) const {
        static const Pattern suffix(
            "[a-z0-9]\\.([usbf](8|16|32|64|128)|pred|cta|gpu|sys|gl|global|shared|sync|aligned|"
            "wait|wait_all|commit_group|wait_group|launch_dependents|acquire|release|L1|L2)\\b|\"("
            "trap|exit|brkpt);");
        return suffix.is_in("\"" + first_literal(i, true));
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
            const bool begins_argument = tokens_[i - 1].text == "," || i == close + 4;
            if (begins_argument && tokens_[i].text == "0" &&
                (tokens_[i + 1].text == "," || i + 1 == arguments_end)) {
                replace(i, "::cpu_device::Zero()");  // a null pointer, too
            }
            if (begins_argument && tokens_[i].text == "{") {
                fail(i,
                     "an argument of a kernel in braces, which the CPU device does not take; say "
                     "its type before them");
            }
            if (i > close + 3 && (tokens_[i].text == "(" || tokens_[i].text == "{")) {
                const std::size_t inner = matching(i);
                for (; i < inner; ++i) {
                    if (tokens_[i].text == "__null") {
                        replace(i, "nullptr");
                    }
                }
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

    bool is_launch_bounds(std::size_t i) const {
        return tokens_[i].text == "__launch_bounds__" && tokens_[i + 1].text == "(";
    }
    // The kernel whose body this brace opens does nothing in blocks of more threads than it allows.
    void look_at_launch_bounds(std::size_t brace) {
        for (std::size_t i = statement_begin(brace); i < brace; ++i) {
            if (is_launch_bounds(i)) {
                const std::size_t close = matching(i + 1);
                std::string most;
                for (i += 2; i < close && tokens_[i].text != ","; ++i) {
                    const std::size_t end = tokens_[i].text == "(" ? matching(i) : i;
                    for (; i < end; ++i) {
                        most += tokens_[i].text + " ";
                    }
                    most += tokens_[i].text + " ";
                }
                edits_[brace].after +=
                    " if (::cpu_device::exceeds_launch_bounds(" + most + ")) { return; }";
                return;
            }
        }
    }

    // What takes the place of a function that launches a kernel which is an argument; null for
    // other names.
    static const char* launches_by_name(const std::string& name) {
        static const std::map<std::string, const char*> all{
            {"cudaLaunchKernel", "cpu_device_launch_kernel"},
            {"cudaLaunchCooperativeKernel", "cpu_device_launch_cooperative_kernel"},
            {"cudaLaunchKernelExC", "cpu_device_launch_kernel_ex_c"},
            {"cudaLaunchKernelEx", "cpu_device_launch_kernel_ex"}};
        const auto found = name[0] == 'c' ? all.find(name) : all.end();
        return found == all.end() ? nullptr : found->second;
    }

    // Where the argument begins that follows the one which begins here.
    std::size_t argument_after(std::size_t i) const {
        for (; tokens_[i].text != ","; ++i) {
            const std::string& t = tokens_[i].text;
            if (t == "(" || t == "[" || t == "{") {
                i = matching(i);
            } else if (t == ")" || tokens_[i].kind == Token::end) {
                fail(i, "a launch without a kernel among its arguments");
            }
        }
        return i + 1;
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

    std::size_t matching(std::size_t i) const { return ::matching(tokens_, i); }

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
        std::size_t begin = statement_begin(at);
        while (begin > 1 && tokens_[begin - 1].text == ":" && !ends_label(begin - 1)) {
            begin = statement_begin(begin - 1);  // before the bases of a class
        }
        for (std::size_t i = begin; i < at; ++i) {
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

    bool ends_label(std::size_t colon) const {
        const std::string& before = tokens_[colon - 1].text;
        return before == "public" || before == "protected" || before == "private";
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
            } else if (t == "(" && next == "*" && names.empty()) {  // int (*q)[4]
                const std::size_t close = matching(i);
                while (++i < close) {
                    if (tokens_[i].kind == Token::word && tokens_[i].text != "const" &&
                        tokens_[i].text != "volatile") {
                        names.push_back(i);
                    }
                }
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
        edits_[begin].before += "typedef ";
        for (const std::size_t at : names) {
            const std::string name = tokens_[at].text;
            const std::string type = "cpu_device_type_" + name;
            replace(at, type);
            if (of_file) {
                shared_of_file_.push_back({name, dynamic});
                if (!dynamic) {
                    edits_[i].after += " namespace { struct cpu_device_of_file_" + name + " {}; }";
                }
                continue;
            }
            edits_[i].after += " " + type + "& " + name + " = ::cpu_device::" +
                               (dynamic ? "dynamic_shared<" + type + ">();"
                                        : "shared<" + type + ">([] {}, \"" + name + "\");");
        }
        return i;
    }

    // __shared__ outside of a function: each function that says the name declares it, around its
    // body, so that the body's own names hide it. A type by the variable's name makes it one
    // variable for all of them.
    void declare_shared_of_file(std::size_t open) {
        const std::size_t close = shared_of_file_.empty() ? open : matching(open);
        for (const auto& [name, dynamic] : shared_of_file_) {
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
                const std::string storage = dynamic ? "dynamic_shared_of_file<" + type + ">()"
                                                    : "shared_of_file<" + type +
                                                          ">(cpu_device_of_file_" + name +
                                                          "(), \"" + name + "\")";
                edits_[open].after += " [[maybe_unused]] " + type + "& " + name +
                                      " = ::cpu_device::" + storage + "; {";
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
    std::map<std::size_t, Edit> edits_;  // by the number of the token; most tokens have none
    struct SharedOfFile {
        std::string name;
        bool dynamic;  // extern
    };
    std::vector<SharedOfFile> shared_of_file_;
};

}  // namespace

// The file's text; ends the program where it cannot be read.
static std::string read(const char* file) {
    std::ifstream in(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) {
        std::cerr << "rewrite: cannot read " << file << "\n";
        std::exit(1);
    }
    return text;
}

int main(int argc, char** argv) {
    if (argc != 3 && argc != 4) {
        std::cerr << "usage: rewrite INPUT OUTPUT [INPUT_WITH_CUDA_ARCH | host | names]\n";
        return 2;
    }
    std::string text = read(argv[1]);
    std::string rewritten;
    try {
        if (argc == 4 && std::strcmp(argv[3], "host") == 0) {
            rewritten = text;
            Rewriter(text).look_at_host_source();
        } else if (argc == 4 && std::strcmp(argv[3], "names") == 0) {
            rewritten = Rewriter(std::move(text)).names();
        } else if (argc == 4) {
            std::vector<std::string> notes;
            text = merge_passes(std::move(text), read(argv[3]), notes);
            for (const std::string& note : notes) {
                std::cerr << note << "\n";
            }
        }
        if (rewritten.empty()) {
            rewritten = Rewriter(std::move(text)).run();
        }
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
