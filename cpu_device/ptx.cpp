#include "ptx.hpp"

#include <algorithm>
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

// A type of an instruction, as .u32, in C++.
struct Type {
    const char* name;
    const char* cpp;
    char kind;  // b: any bits, i: a whole number, f
    std::size_t bytes;
};
const Type* type_named(const std::string& name) {
    static constexpr std::array<Type, 14> all{{{"b8", "unsigned char", 'b', 1},
                                               {"u8", "unsigned char", 'i', 1},
                                               {"s8", "signed char", 'i', 1},
                                               {"b16", "unsigned short", 'b', 2},
                                               {"u16", "unsigned short", 'i', 2},
                                               {"s16", "short", 'i', 2},
                                               {"b32", "unsigned", 'b', 4},
                                               {"u32", "unsigned", 'i', 4},
                                               {"s32", "int", 'i', 4},
                                               {"f32", "float", 'f', 4},
                                               {"b64", "unsigned long long", 'b', 8},
                                               {"u64", "unsigned long long", 'i', 8},
                                               {"s64", "long long", 'i', 8},
                                               {"f64", "double", 'f', 8}}};
    const auto* const found =
        std::find_if(all.begin(), all.end(), [&](const Type& type) { return name == type.name; });
    return found != all.end() ? found : nullptr;
}
const Type* type_at_end(const std::string& name) {
    return type_named(name.substr(name.rfind('.') + 1));
}

// What a constraint says: the register that the operand is in. `n` is a constant.
const Type* register_of(char constraint) {
    static const std::map<char, const Type*> all{{'h', type_named("u16")},
                                                 {'r', type_named("u32")},
                                                 {'l', type_named("u64")},
                                                 {'f', type_named("f32")},
                                                 {'d', type_named("f64")}};
    const auto found = all.find(constraint);
    return found != all.end() ? found->second : nullptr;
}

// An operand of an instruction.
struct Value {
    std::string text;     // in C++; "": it is not known
    const Type* type;     // nullptr: a number, of any size
    bool in_brackets;     // an address
    bool may_be_written;  // an output of the asm statement
};

// May an instruction of this type work on that register? Loads and stores, which may `extend`, take
// a wider one for whole numbers.
bool fits(const Type& type, const Type& in, bool extends) {
    const bool bits = type.kind == 'f' || type.kind == 'b' || in.kind != 'f';
    return bits && (type.bytes == in.bytes ||
                    (extends && type.kind != 'f' && in.kind != 'f' && type.bytes < in.bytes));
}

std::string cast(const char* type, const std::string& expression) {
    return std::string("static_cast<") + type + ">(" + expression + ")";
}

// What the instruction reads, or "".
std::string read(const Value& value, const Type& type, bool extends = false) {
    if (value.in_brackets || (value.type == nullptr && type.kind == 'f')) {
        return "";
    }
    if (value.type == nullptr) {
        return cast(type.cpp, value.text);
    }
    if (!fits(type, *value.type, extends)) {
        return "";
    }
    if (type.kind == 'f' && value.type->kind != 'f') {
        return std::string("::cpu_device::from_bits<") + type.cpp + ">(" + value.text + ")";
    }
    if (type.kind != 'f' && value.type->kind == 'f') {
        return "::cpu_device::bits_of(" + value.text + ")";
    }
    return cast(type.cpp, value.text);
}

// The statement that stores a result of the instruction, or "".
std::string write(const Value& value, const Type& type, const std::string& result,
                  bool extends = false) {
    if (result.empty() || !value.may_be_written || value.in_brackets ||
        !fits(type, *value.type, extends)) {
        return "";
    }
    std::string bits = cast(type.cpp, result);
    if (type.kind == 'f' && value.type->kind != 'f') {
        bits = "::cpu_device::bits_of(" + bits + ")";
    } else if (type.kind != 'f' && value.type->kind == 'f') {
        bits = std::string("::cpu_device::from_bits<") + value.type->cpp + ">(" + bits + ")";
    }
    return value.text + " = " + bits + ";";
}

std::string address(const Value& value, const std::string& type) {
    if (!value.in_brackets) {
        return "";
    }
    return "::cpu_device::pointer_to<" + type + ">(" + value.text + ")";
}

// An instruction, as a pattern of its name, and what it is in C++. Its operands are written as
// "u32 = u64 u32" says, the types of what it writes and reads; $1 is the first that it reads.
struct Instruction {
    const char* name;
    const char* operands;
    const char* meaning;
};
constexpr std::array<Instruction, 32> instructions{{
    {"membar\\.cta", "", "::__threadfence_block()"},
    {"membar\\.gl", "", "::__threadfence()"},
    {"membar\\.sys", "", "::__threadfence_system()"},
    {"trap", "", "::__trap()"},
    {"griddepcontrol\\.(wait|launch_dependents)", "", "(void)0"},
    {"nanosleep\\.u32", "u32", "::__nanosleep($1)"},
    {"bar\\.sync|barrier\\.sync", "u32", "::__syncthreads()"},
    {"popc\\.b32", "u32 = b32", "::__popc($1)"},
    {"popc\\.b64", "u32 = b64", "::__popcll($1)"},
    {"clz\\.b32", "u32 = b32", "::__clz($1)"},
    {"clz\\.b64", "u32 = b64", "::__clzll($1)"},
    {"brev\\.b32", "b32 = b32", "::__brev($1)"},
    {"brev\\.b64", "b64 = b64", "::__brevll($1)"},
    {"prmt\\.b32", "b32 = b32 b32 b32", "::__byte_perm($1, $2, $3)"},
    {"bfe\\.u32", "u32 = u32 u32 u32", "::cpu_device::bits_of<unsigned>($1, $2, $3)"},
    {"bfe\\.u64", "u64 = u64 u32 u32", "::cpu_device::bits_of<unsigned long long>($1, $2, $3)"},
    {"bfi\\.b32", "b32 = b32 b32 u32 u32", "::cpu_device::bits_into<unsigned>($1, $2, $3, $4)"},
    {"bfi\\.b64", "b64 = b64 b64 u32 u32",
     "::cpu_device::bits_into<unsigned long long>($1, $2, $3, $4)"},
    {"bfind\\.u32", "u32 = u32", "31 - ::__clz($1)"},
    {"lop3\\.b32", "b32 = b32 b32 b32 u32", "::cpu_device::logic_of_three($1, $2, $3, $4)"},
    {"mul\\.hi\\.u32", "u32 = u32 u32", "::__umulhi($1, $2)"},
    {"mul\\.hi\\.u64", "u64 = u64 u64", "::__umul64hi($1, $2)"},
    {"mad\\.lo\\.[su]32", "u32 = u32 u32 u32", "$1 * $2 + $3"},
    {"vabsdiff4\\.u32\\.u32\\.u32\\.add", "u32 = u32 u32 u32", "$3 + ::__vsadu4($1, $2)"},
    {"ex2\\.approx(\\.ftz)?\\.f32", "f32 = f32", "::exp2f($1)"},
    {"lg2\\.approx(\\.ftz)?\\.f32", "f32 = f32", "::log2f($1)"},
    {"rcp\\.approx(\\.ftz)?\\.f32", "f32 = f32", "1.0f / $1"},
    {"sqrt\\.approx(\\.ftz)?\\.f32", "f32 = f32", "::sqrtf($1)"},
    {"rsqrt\\.approx(\\.ftz)?\\.f32", "f32 = f32", "::rsqrtf($1)"},
    {"sin\\.approx(\\.ftz)?\\.f32", "f32 = f32", "::sinf($1)"},
    {"cos\\.approx(\\.ftz)?\\.f32", "f32 = f32", "::cosf($1)"},
    {"tanh\\.approx(\\.ftz)?\\.f32", "f32 = f32", "::tanhf($1)"},
}};

std::string one_of_table(const std::string& name, const std::vector<Value>& values) {
    for (const Instruction& known : instructions) {
        if (!std::regex_match(name, std::regex(known.name))) {
            continue;
        }
        std::istringstream list(known.operands);
        std::vector<const Type*> types;
        bool writes = false;
        for (std::string type; list >> type;) {
            if (type == "=") {
                writes = true;
            } else {
                types.push_back(type_named(type));
            }
        }
        if (types.size() != values.size()) {
            return "";
        }
        std::vector<std::string> inputs;
        for (std::size_t i = writes ? 1 : 0; i < types.size(); ++i) {
            inputs.push_back(read(values[i], *types[i]));
            if (inputs.back().empty()) {
                return "";
            }
        }
        const std::string meaning = known.meaning;
        std::string out;
        for (std::size_t i = 0; i < meaning.size(); ++i) {
            if (meaning[i] == '$') {
                out += inputs[meaning[++i] - '1'];
            } else {
                out += meaning[i];
            }
        }
        return writes ? write(values[0], *types[0], out) : out + ";";
    }
    return "";
}

// mov.b32, ld.global.nc.u8 and others that say the type at the end; "" if it is none of them.
std::string move_or_load(const std::string& name, const std::vector<Value>& values) {
    if (std::regex_match(name, std::regex("prefetch\\.global\\.L[12]"))) {
        return values.size() == 1 && values[0].in_brackets ? "(void)0;" : "";
    }
    const Type* const type = type_at_end(name);
    if (type == nullptr || values.size() != 2) {
        return "";
    }
    if (std::regex_match(name, std::regex("mov\\.[busf](16|32|64)"))) {
        return write(values[0], *type, read(values[1], *type));
    }
    std::smatch parts;
    if (std::regex_match(name, parts, std::regex("ld\\.global\\.(ca|cg|cs|lu|nc)\\.[a-z0-9]+"))) {
        const std::string pointer = address(values[1], std::string("const ") + type->cpp);
        const std::string function =
            parts[1] == "nc" ? "::__ldg(" : "::__ld" + parts[1].str() + "(";
        return pointer.empty() ? "" : write(values[0], *type, function + pointer + ")", true);
    }
    if (std::regex_match(name, std::regex("ld\\.(volatile\\.global|global\\.cv)\\.[a-z0-9]+"))) {
        const std::string pointer = address(values[1], std::string("const volatile ") + type->cpp);
        return pointer.empty() ? "" : write(values[0], *type, "*" + pointer, true);
    }
    return "";
}

// ld.acquire.gpu.global.u32 and others that name an order or are atomic: a call of an __nv_atomic_
// function. "" if it is none of them.
std::string atomic_access(const std::string& name, const std::vector<Value>& values) {
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
    static const std::map<std::string, std::string> functions{
        {"add", "add"}, {"and", "and"}, {"or", "or"},     {"xor", "xor"},
        {"min", "min"}, {"max", "max"}, {"exch", "exch"}, {"cas", "cas"}};
    std::string what, order, scope, function;
    const Type* type = nullptr;
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
                   !take(functions, function)) {
            type = type_named(part);
            if (type == nullptr || type->bytes < 4) {
                return "";
            }
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
    const std::string how = ", " + order + ", " + scope + ")";
    if (what == "fence" && values.empty()) {
        return "::__nv_atomic_thread_fence(" + how.substr(2) + ";";
    }
    if (type == nullptr || updates == function.empty()) {
        return "";
    }
    // The address, and after it the values that the function reads.
    const bool writes = what == "ld" || what == "atom";
    const bool extends = !updates;
    const std::size_t first = writes ? 1 : 0;
    if (values.size() <= first) {
        return "";
    }
    std::string arguments = address(values[first], type->cpp);
    bool known = !arguments.empty();
    for (std::size_t i = first + 1; i < values.size(); ++i) {
        const std::string value = read(values[i], *type, extends);
        known = known && !value.empty();
        arguments += ", " + value;
    }
    if (!known) {
        return "";
    }
    arguments = "(" + arguments + how;
    if (what == "ld" && values.size() == 2) {
        return write(values[0], *type, "::__nv_atomic_load_n" + arguments, extends);
    }
    if (what == "st" && values.size() == 2) {
        return "::__nv_atomic_store_n" + arguments + ";";
    }
    if (what == "red" && values.size() == 2 && function != "exch" && function != "cas") {
        return "::__nv_atomic_" + function + arguments + ";";
    }
    if (what == "atom" && function == "cas" && values.size() == 4) {
        return write(values[0], *type, "::cpu_device::compare_and_swap" + arguments);
    }
    if (what == "atom" && function != "cas" && values.size() == 3) {
        const std::string called = function == "exch" ? "exchange_n" : "fetch_" + function;
        return write(values[0], *type, "::__nv_atomic_" + called + arguments);
    }
    return "";
}

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" ");
    return first == std::string::npos ? ""
                                      : text.substr(first, text.find_last_not_of(" ") - first + 1);
}

// The registers of the asm statement, by the number of the operand.
std::string register_name(std::size_t number) {
    return "cpu_device_ptx_" + std::to_string(number);
}

// %0, an address [%0], a number, or a special register.
Value operand(std::string text, const std::vector<Value>& registers) {
    static const Value unknown{};
    text = trimmed(text);
    // Numbers have 64 bits in PTX.
    static const std::regex number("(-?(?:0x[0-9a-fA-F]{1,16}|[0-9]{1,18}))(U?)");
    std::smatch parts;
    if (std::regex_match(text, parts, number)) {
        return {parts[1].str() + (parts[2].length() != 0 ? "ull" : "ll"), nullptr, false, false};
    }
    const bool in_brackets = text.size() > 2 && text.front() == '[' && text.back() == ']';
    if (in_brackets) {
        text = trimmed(text.substr(1, text.size() - 2));
    }
    if (text.size() < 2 || text[0] != '%') {
        return unknown;
    }
    if (text.find_first_not_of("0123456789", 1) < text.size()) {  // %%laneid; nvcc takes %laneid
        const std::string name = text.substr(text[1] == '%' ? 2 : 1);
        const std::string meaning = special_register(name);
        const Type* const type =
            type_named(name == "clock64" || name == "globaltimer" ? "u64" : "u32");
        return in_brackets || meaning.empty() ? unknown : Value{meaning, type, false, false};
    }
    const unsigned long number_of = std::stoul(text.substr(1, 3));
    if (number_of >= registers.size()) {
        return unknown;
    }
    Value value = registers[number_of];
    value.in_brackets = in_brackets;
    const bool is_address =
        value.type != nullptr && value.type->kind != 'f' && value.type->bytes == 8;
    return in_brackets && !is_address ? unknown : value;
}

std::string one(const std::string& text, const std::vector<Value>& registers) {
    const std::size_t space = text.find(' ');
    const std::string name = text.substr(0, space);
    std::vector<Value> values;
    if (space != std::string::npos) {
        std::istringstream list(text.substr(space));
        for (std::string item; std::getline(list, item, ',');) {
            values.push_back(operand(item, registers));
            if (values.back().text.empty()) {
                return "";
            }
        }
    }
    for (const auto& meaning : {one_of_table, move_or_load, atomic_access}) {
        if (const std::string statement = meaning(name, values); !statement.empty()) {
            return statement;
        }
    }
    return "";
}

}  // namespace

std::string cuda_for_ptx(const std::string& code, const std::vector<PtxOperand>& operands) {
    // All operands are evaluated once, before the first instruction; outputs are stored after the
    // last one.
    std::vector<Value> registers;
    std::string before, after;
    for (const PtxOperand& operand : operands) {
        const std::string& constraint = operand.constraint;
        const bool is_output = constraint[0] == '=' || constraint[0] == '+';
        const char letter = constraint.back();
        const Type* const type = register_of(letter);
        static const std::regex known("[=+]?&?[hrlfd]|n");
        if (!std::regex_match(constraint, known)) {
            return "";
        }
        if (letter == 'n') {
            registers.push_back({"(" + operand.expression + ")", nullptr, false, false});
            continue;
        }
        const std::string name = register_name(registers.size());
        registers.push_back({name, type, false, is_output});
        std::string value = "(" + operand.expression + ")";
        if (is_output) {
            const std::string output = name + "_output";
            before += "auto&& " + output + " = " + value + "; ";
            after +=
                output + " = ::cpu_device::from_register<decltype(" + output + ")>(" + name + "); ";
            value = constraint[0] == '+' ? output : "";
        }
        before += std::string(is_output ? "" : "[[maybe_unused]] const ") + type->cpp + " " + name +
                  (value.empty() ? "{}"
                                 : " = ::cpu_device::to_register<" + std::string(type->cpp) + ">(" +
                                       value + ")") +
                  "; ";
    }
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
        const std::string statement = one(item, registers);
        if (statement.empty()) {
            return "";
        }
        all += statement + " ";
    }
    return before + all + after;
}
