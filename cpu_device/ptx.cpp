#include "ptx.hpp"

#include <array>
#include <cctype>
#include <map>
#include <regex>
#include <sstream>

namespace {

// The special registers, "PTX ISA", chapter "Special Registers".
std::string special_register(const std::string& name) {
    static const std::map<std::string, std::string> all{
        {"laneid", "::cpu_device::lane()"},
        {"warpid", "::cpu_device::warp_in_block()"},
        {"nwarpid", "64u"},
        {"smid", "::cpu_device::multiprocessor_number"},
        {"lanemask_eq", "(1u << ::cpu_device::lane())"},
        {"lanemask_lt", "((1u << ::cpu_device::lane()) - 1)"},
        {"lanemask_le", "(2u * (1u << ::cpu_device::lane()) - 1)"},
        {"lanemask_gt", "~(2u * (1u << ::cpu_device::lane()) - 1)"},
        {"lanemask_ge", "~((1u << ::cpu_device::lane()) - 1)"},
        {"clock", "static_cast<unsigned>(::clock64())"},
        {"clock64", "::clock64()"},
        {"globaltimer", "::clock64()"},
    };
    if (const auto found = all.find(name); found != all.end()) {
        return found->second;
    }
    static const std::regex index("(tid|ntid|ctaid|nctaid)\\.([xyz])");
    std::smatch parts;
    if (!std::regex_match(name, parts, index)) {
        return "";
    }
    static const std::map<std::string, std::string> variables{{"tid", "::threadIdx"},
                                                              {"ntid", "::blockDim"},
                                                              {"ctaid", "::blockIdx"},
                                                              {"nctaid", "::gridDim"}};
    return variables.at(parts[1]) + "." + parts[2].str();
}

// An instruction, as a pattern of its name, and what it is in C++, where $1 is its first operand.
struct Instruction {
    const char* name;
    std::size_t operands;
    const char* meaning;
};
constexpr std::array<Instruction, 29> instructions{{
    {"mov\\.[busf](16|32|64)", 2, "$1 = $2;"},
    {"membar\\.cta", 0, "::__threadfence_block();"},
    {"membar\\.gl", 0, "::__threadfence();"},
    {"membar\\.sys", 0, "::__threadfence_system();"},
    {"trap", 0, "::__trap();"},
    {"prefetch\\.global\\.L[12]", 1, ";"},
    {"griddepcontrol\\.(wait|launch_dependents)", 0, ";"},
    {"nanosleep\\.u32", 1, "::__nanosleep($1);"},
    {"bar\\.sync|barrier\\.sync", 1, "::__syncthreads();"},
    {"popc\\.b32", 2, "$1 = ::__popc($2);"},
    {"popc\\.b64", 2, "$1 = ::__popcll($2);"},
    {"clz\\.b32", 2, "$1 = ::__clz($2);"},
    {"clz\\.b64", 2, "$1 = ::__clzll($2);"},
    {"brev\\.b32", 2, "$1 = ::__brev($2);"},
    {"brev\\.b64", 2, "$1 = ::__brevll($2);"},
    {"prmt\\.b32", 4, "$1 = ::__byte_perm($2, $3, $4);"},
    {"bfe\\.u32", 4, "$1 = ::cpu_device::bits_of<unsigned>($2, $3, $4);"},
    {"bfe\\.u64", 4, "$1 = ::cpu_device::bits_of<unsigned long long>($2, $3, $4);"},
    {"bfi\\.b32", 5, "$1 = ::cpu_device::bits_into<unsigned>($2, $3, $4, $5);"},
    {"bfi\\.b64", 5, "$1 = ::cpu_device::bits_into<unsigned long long>($2, $3, $4, $5);"},
    {"bfind\\.u32", 2, "$1 = 31 - ::__clz($2);"},
    {"lop3\\.b32", 5, "$1 = ::cpu_device::logic_of_three($2, $3, $4, $5);"},
    {"mul\\.hi\\.u32", 3, "$1 = ::__umulhi($2, $3);"},
    {"mul\\.hi\\.u64", 3, "$1 = ::__umul64hi($2, $3);"},
    {"mad\\.lo\\.[su]32", 4, "$1 = $2 * $3 + $4;"},
    {"vabsdiff4\\.u32\\.u32\\.u32\\.add", 4, "$1 = $4 + ::__vsadu4($2, $3);"},
    {"ld\\.global\\.(ca|cg|cs|lu|nc)\\.[busf](8|16|32|64)", 2,
     "$1 = *::cpu_device::at($2, &($1));"},
    {"ld\\.(volatile\\.global|global\\.cv)\\.[busf](8|16|32|64)", 2,
     "$1 = *::cpu_device::at_volatile($2, &($1));"},
    {"(ex2|lg2|rcp|sqrt|rsqrt|sin|cos|tanh)\\.approx(\\.ftz)?\\.f32", 2, ""},
}};

// Of those with `approx`: the function of C.
std::string approximate(const std::string& name) {
    static const std::map<std::string, std::string> all{
        {"ex2", "::exp2f($2)"},  {"lg2", "::log2f($2)"},    {"rcp", "1.0f / $2"},
        {"sqrt", "::sqrtf($2)"}, {"rsqrt", "::rsqrtf($2)"}, {"sin", "::sinf($2)"},
        {"cos", "::cosf($2)"},   {"tanh", "::tanhf($2)"}};
    return "$1 = " + all.at(name.substr(0, name.find('.'))) + ";";
}

// ld.acquire.gpu.global.u32 and others that name an order or are atomic: a call of an __nv_atomic_
// function. "" if it is none of them.
std::string atomic_access(const std::string& name, const std::vector<std::string>& values) {
    static const std::map<std::string, std::string> orders{
        {"relaxed", "int(::cpu_device::Order::relaxed)"},
        {"acquire", "int(::cpu_device::Order::acquire)"},
        {"release", "int(::cpu_device::Order::release)"},
        {"acq_rel", "int(::cpu_device::Order::acq_rel)"},
        {"sc", "int(::cpu_device::Order::seq_cst)"}};
    static const std::map<std::string, std::string> scopes{// __NV_THREAD_SCOPE_...
                                                           {"cta", "1"},
                                                           {"gpu", "3"},
                                                           {"sys", "4"}};
    static const std::map<std::string, std::string> types{{"b32", "unsigned"},
                                                          {"u32", "unsigned"},
                                                          {"s32", "int"},
                                                          {"f32", "float"},
                                                          {"b64", "unsigned long long"},
                                                          {"u64", "unsigned long long"},
                                                          {"s64", "long long"},
                                                          {"f64", "double"}};
    static const std::map<std::string, std::string> functions{
        {"add", "add"}, {"and", "and"}, {"or", "or"},     {"xor", "xor"},
        {"min", "min"}, {"max", "max"}, {"exch", "exch"}, {"cas", "cas"}};
    std::string what, order, scope, type, function;
    std::istringstream parts(name);
    for (std::string part; std::getline(parts, part, '.');) {
        const auto take = [&](const std::map<std::string, std::string>& from, std::string& into) {
            const auto found = from.find(part);
            into = found != from.end() ? found->second : into;
            return found != from.end();
        };
        if (what.empty()) {
            what = part;
        } else if (part != "global" && !take(orders, order) && !take(scopes, scope) &&
                   !take(types, type) && !take(functions, function)) {
            return "";
        }
    }
    const bool updates = what == "red" || what == "atom";
    if (updates && order.empty()) {
        order = orders.at("relaxed");
    }
    if (updates && scope.empty()) {
        scope = scopes.at("gpu");
    }
    if (order.empty() || scope.empty()) {
        return "";
    }
    const std::string how = ", " + order + ", " + scope + ");";
    if (what == "fence" && values.empty()) {
        return "::__nv_atomic_thread_fence(" + how.substr(2);
    }
    const auto address = [&](std::size_t i) {
        return "::cpu_device::pointer_to<" + type + ">(" + values[i] + ")";
    };
    if (type.empty() || updates == function.empty()) {
        return "";
    }
    if (what == "ld" && values.size() == 2) {
        return values[0] + " = ::__nv_atomic_load_n(" + address(1) + how;
    }
    if (what == "st" && values.size() == 2) {
        return "::__nv_atomic_store_n(" + address(0) + ", " + values[1] + how;
    }
    if (what == "red" && values.size() == 2 && function != "exch" && function != "cas") {
        return "::__nv_atomic_" + function + "(" + address(0) + ", " + values[1] + how;
    }
    if (what == "atom" && function == "cas" && values.size() == 4) {
        return values[0] + " = ::cpu_device::compare_and_swap(" + address(1) + ", " + values[2] +
               ", " + values[3] + how;
    }
    if (what == "atom" && function != "cas" && values.size() == 3) {
        return values[0] + " = ::__nv_atomic_" +
               (function == "exch" ? "exchange_n" : "fetch_" + function) + "(" + address(1) + ", " +
               values[2] + how;
    }
    return "";
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" ");
    return first == std::string::npos ? ""
                                      : text.substr(first, text.find_last_not_of(" ") - first + 1);
}

// %0, an address [%0], a number, or a special register; "" for anything else.
std::string operand(std::string text, const std::vector<std::string>& operands) {
    text = trimmed(text);
    static const std::regex number("-?(0x[0-9a-fA-F]+|[0-9]+)U?");
    if (std::regex_match(text, number)) {
        return text;
    }
    if (text.size() > 2 && text.front() == '[' && text.back() == ']') {
        text = trimmed(text.substr(1, text.size() - 2));
    }
    if (text.size() < 2 || text[0] != '%') {
        return "";
    }
    if (text.find_first_not_of("0123456789", 1) < text.size()) {  // %%laneid; nvcc takes %laneid
        return special_register(text.substr(text[1] == '%' ? 2 : 1));
    }
    const unsigned long number_of = std::stoul(text.substr(1, 3));
    return number_of < operands.size() ? "(" + operands[number_of] + ")" : "";
}

std::string one(const std::string& text, const std::vector<std::string>& operands) {
    const std::size_t space = text.find(' ');
    const std::string name = text.substr(0, space);
    std::vector<std::string> values;
    if (space != std::string::npos) {
        std::istringstream list(text.substr(space));
        for (std::string item; std::getline(list, item, ',');) {
            values.push_back(operand(item, operands));
            if (values.back().empty()) {
                return "";
            }
        }
    }
    for (const Instruction& known : instructions) {
        if (values.size() != known.operands || !std::regex_match(name, std::regex(known.name))) {
            continue;
        }
        std::string meaning = *known.meaning == '\0' ? approximate(name) : known.meaning;
        std::string out;
        for (std::size_t i = 0; i < meaning.size(); ++i) {
            if (meaning[i] == '$') {
                out += values[meaning[++i] - '1'];
            } else {
                out += meaning[i];
            }
        }
        return out;
    }
    return atomic_access(name, values);
}

}  // namespace

std::string cuda_for_ptx(const std::string& code, const std::vector<std::string>& operands) {
    std::string plain;  // without tabs, line ends and comments
    static const std::regex blank("\\\\[nt]|//[^\\\\]*|\\s");
    plain = std::regex_replace(code, blank, " ");
    std::string all;
    std::istringstream list(plain);
    for (std::string item; std::getline(list, item, ';');) {
        item = trimmed(item);
        if (item.empty()) {
            continue;
        }
        const std::string statement = one(item, operands);
        if (statement.empty()) {
            return "";
        }
        all += statement + " ";
    }
    return all;
}
