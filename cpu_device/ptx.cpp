#include "ptx.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <map>
#include <sstream>

#include "pattern.hpp"

namespace {

using cpu_device::Pattern;

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
    static const Pattern index("(tid|ntid|ctaid|nctaid)\\.([xyz])");
    const std::vector<std::string> parts = index.match(name);
    if (parts.empty()) {
        return "";
    }
    static const std::map<std::string, std::string> variables{{"tid", "::threadIdx"},
                                                              {"ntid", "::blockDim"},
                                                              {"ctaid", "::blockIdx"},
                                                              {"nctaid", "::gridDim"}};
    return variables.at(parts[1]) + "." + parts[2];
}

// A type of an instruction, as .u32, in C++.
struct Type {
    const char* name;
    const char* cpp;
    char kind;  // b: any bits, i: a whole number, f, p: a predicate
    std::size_t bytes;
};
const Type* type_named(const std::string& name) {
    static constexpr std::array<Type, 15> all{{{"pred", "bool", 'p', 1},
                                               {"b8", "unsigned char", 'b', 1},
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
    std::string text;               // in C++; "": it is not known
    const Type* type;               // nullptr: a number, of any size
    bool in_brackets;               // an address
    bool may_be_written;            // an output of the asm statement, or a register of its own
    std::vector<Value> parts = {};  // of a vector, as {%0, %1}
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
    if (value.in_brackets || !value.parts.empty() || (value.type == nullptr && type.kind == 'f')) {
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
    if (result.empty() || !value.may_be_written || value.in_brackets || value.type == nullptr ||
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

// Shared memory has addresses of its own, which fit into 32 bits.
std::string address(const Value& value, const std::string& type, bool shared = false) {
    if (!value.in_brackets || (!shared && value.type->bytes != 8)) {
        return "";
    }
    const char* const function =
        shared ? "::cpu_device::shared_pointer_to<" : "::cpu_device::pointer_to<";
    return function + type + ">(" + value.text + ")";
}

// An instruction, as a pattern of its name, and what it is in C++. Its operands are written as
// "u32 = u64 u32" says, the types of what it writes and reads; $1 is the first that it reads.
struct Instruction {
    const char* name;
    const char* operands;
    const char* meaning;
};
constexpr std::array<Instruction, 53> instructions{{
    {"membar\\.cta", "", "::__threadfence_block()"},
    {"membar\\.gl", "", "::__threadfence()"},
    {"membar\\.sys", "", "::__threadfence_system()"},
    {"trap", "", "::__trap()"},
    {"griddepcontrol\\.(wait|launch_dependents)", "", "(void)0"},
    {"nanosleep\\.u32", "u32", "::__nanosleep($1)"},
    {"bar\\.sync|barrier\\.sync", "u32", "::__syncthreads()"},
    {"activemask\\.b32", "u32 =", "::__activemask()"},
    {"match\\.any\\.sync\\.b32", "b32 = b32 b32", "::__match_any_sync($2, $1)"},
    {"redux\\.sync\\.add\\.u32", "u32 = u32 u32", "::__reduce_add_sync($2, $1)"},
    {"redux\\.sync\\.add\\.s32", "s32 = s32 u32", "::__reduce_add_sync($2, $1)"},
    {"redux\\.sync\\.min\\.u32", "u32 = u32 u32", "::__reduce_min_sync($2, $1)"},
    {"redux\\.sync\\.max\\.u32", "u32 = u32 u32", "::__reduce_max_sync($2, $1)"},
    {"shfl\\.sync\\.idx\\.b32", "b32 = b32 u32 u32 u32",
     "::cpu_device::ptx_shuffle<'i'>($1, $2, $3, $4)"},
    {"shfl\\.sync\\.bfly\\.b32", "b32 = b32 u32 u32 u32",
     "::cpu_device::ptx_shuffle<'b'>($1, $2, $3, $4)"},
    {"shfl\\.sync\\.up\\.b32", "b32 = b32 u32 u32 u32",
     "::cpu_device::ptx_shuffle<'u'>($1, $2, $3, $4)"},
    {"shfl\\.sync\\.down\\.b32", "b32 = b32 u32 u32 u32",
     "::cpu_device::ptx_shuffle<'d'>($1, $2, $3, $4)"},
    {"vote\\.sync\\.ballot\\.b32", "b32 = pred b32", "::__ballot_sync($2, $1)"},
    {"vote\\.sync\\.any\\.pred", "pred = pred b32", "::__any_sync($2, $1)"},
    {"vote\\.sync\\.all\\.pred", "pred = pred b32", "::__all_sync($2, $1)"},
    {"shf\\.l\\.wrap\\.b32", "b32 = b32 b32 u32", "::__funnelshift_l($1, $2, $3)"},
    {"shf\\.r\\.wrap\\.b32", "b32 = b32 b32 u32", "::__funnelshift_r($1, $2, $3)"},
    {"dp4a\\.u32\\.u32", "u32 = u32 u32 u32", "::__dp4a($1, $2, $3)"},
    {"dp4a\\.s32\\.s32", "s32 = s32 s32 s32", "::__dp4a($1, $2, $3)"},
    {"cvta\\.to\\.shared\\.u64", "u64 = u64", "::cpu_device::shared_address($1)"},
    {"cvta\\.to\\.global\\.u64", "u64 = u64", "$1"},
    {"cp\\.async\\.commit_group", "",
     "::cpu_device::commit_copies(&::cpu_device::pipeline_of_thread, {})"},
    {"cp\\.async\\.wait_all", "", "::cpu_device::finish_copies(&::cpu_device::pipeline_of_thread)"},
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

bool flushes_subnormals(const std::string& instruction) {
    return instruction.find(".ftz.") != std::string::npos;
}
std::string flushed(const std::string& number) {
    return "::cpu_device::without_subnormal(" + number + ")";
}

// A name of the tables, compiled once.
const Pattern& pattern_of(const char* name) {
    static std::map<const char*, Pattern> all;
    return all.try_emplace(name, name).first->second;
}

std::string one_of_table(const std::string& name, const std::vector<Value>& values) {
    for (const Instruction& known : instructions) {
        if (!pattern_of(known.name).is(name)) {
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
            std::string input = read(values[i], *types[i]);
            if (input.empty()) {
                return "";
            }
            inputs.push_back(flushes_subnormals(name) ? flushed(input) : std::move(input));
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
        if (flushes_subnormals(name)) {
            out = flushed(out);
        }
        return writes ? write(values[0], *types[0], out) : out + ";";
    }
    return "";
}

// One element is loaded, by `function` or else plainly. A thread may wait for another one by it.
std::string waiting_load(const Value& to, const Type& type, const std::string& pointer,
                         const std::string& function = "*") {
    const std::string store = write(to, type, "cpu_device_loaded", true);
    return pointer.empty() || store.empty()
               ? ""
               : "{ auto* const cpu_device_at = " + pointer +
                     "; const auto cpu_device_loaded = " + function + "(cpu_device_at); " + store +
                     " ::cpu_device::has_loaded(cpu_device_at, cpu_device_loaded); }";
}

// mov.b32, ld.global.nc.u8 and others that say the type at the end; "" if it is none of them.
std::string move_or_load(const std::string& name, const std::vector<Value>& values,
                         bool is_volatile) {
    static const Pattern prefetch("prefetch\\.global\\.L[12]"), move("mov\\.[busf](16|32|64)"),
        hinted("ld\\.global\\.(ca|cg|cs|lu|nc)\\.[a-z0-9]+"),
        waiting("ld\\.(volatile\\.global|global\\.cv)\\.[a-z0-9]+");
    if (prefetch.is(name)) {
        return values.size() == 1 && values[0].in_brackets ? "(void)0;" : "";
    }
    const Type* const type = type_at_end(name);
    if (type == nullptr || values.size() != 2) {
        return "";
    }
    if (move.is(name)) {
        return write(values[0], *type, read(values[1], *type));
    }
    if (const std::vector<std::string> parts = hinted.match(name); !parts.empty()) {
        const std::string pointer = address(values[1], std::string("const ") + type->cpp);
        if (parts[1] == "nc") {
            return pointer.empty() ? "" : write(values[0], *type, "::__ldg(" + pointer + ")", true);
        }
        const std::string function = "::__ld" + parts[1];
        return is_volatile       ? waiting_load(values[0], *type, pointer, function)
               : pointer.empty() ? ""
                                 : write(values[0], *type, function + "(" + pointer + ")", true);
    }
    if (waiting.is(name)) {
        return waiting_load(values[0], *type,
                            address(values[1], std::string("const volatile ") + type->cpp));
    }
    return "";
}

// cp.async.ca.shared.global [%0], [%1], 16 and its wait; "" if it is none of them.
std::string asynchronous_copy(const std::string& name, const std::vector<Value>& values) {
    static const Type& number = *type_named("u32");
    static const Pattern copy("cp\\.async\\.c[ag]\\.shared\\.global(\\.L2::(64|128|256)B)?");
    if (name == "cp.async.wait_group" && values.size() == 1) {
        return "::cpu_device::finish_batches(&::cpu_device::pipeline_of_thread, " +
               read(values[0], number) + ");";
    }
    // How many bytes are copied is a constant.
    if (!copy.is(name) || values.size() < 3 || values.size() > 4 || values[2].type != nullptr) {
        return "";
    }
    const std::string to = address(values[0], "char", true);
    const std::string from = address(values[1], "const char");
    const std::string bytes = read(values[2], number);
    const std::string used = read(values.back(), number);
    const std::string check =
        name[10] == 'g' ? "static_assert(" + bytes + " == 16, \"cp.async.cg copies 16 bytes\"); "
                        : "";
    return to.empty() || from.empty() || bytes.empty() || used.empty()
               ? ""
               : check + "::cpu_device::cp_async(" + to + ", " + from + ", " + bytes + ", " + used +
                     ", {});";
}

// ld.shared.u32, st.global.v4.f32 and others that are neither atomic nor have a hint; "" if it is
// none of them.
std::string plain_access(const std::string& name, const std::vector<Value>& values,
                         bool is_volatile) {
    static const Pattern form(
        "(ld|st)(\\.global|\\.shared)?(\\.(ca|cg|cs|lu|nc|wb|wt))?(\\.L1::[a-z_]+)?"
        "(\\.L2::[a-z0-9_]+)?(\\.L2::[0-9]+B)?(\\.v[24])?\\.[a-z0-9]+");
    const Type* const type = type_at_end(name);
    const std::vector<std::string> is = form.match(name);
    if (type == nullptr || values.size() != 2 || is.empty()) {
        return "";
    }
    const bool loads = is[1] == "ld";
    static const Pattern of_loads("\\.(ca|cg|cs|lu|nc)"), of_stores("\\.(wb|cg|cs|wt)");
    const std::string& hint = is[3];
    const std::string& vector = is[8];
    if ((!hint.empty() && !(loads ? of_loads : of_stores).is(hint)) ||
        (hint == ".nc" && is[2] != ".global")) {
        return "";
    }
    const Value& data = values[loads ? 0 : 1];
    const std::string pointer = address(
        values[loads ? 1 : 0], std::string(loads ? "const " : "") + type->cpp, is[2] == ".shared");
    const std::size_t count = vector.empty() ? 1 : vector[2] - '0';
    const std::vector<Value> parts = count == 1 ? std::vector<Value>{data} : data.parts;
    if (pointer.empty() || parts.size() != count) {
        return "";
    }
    if (loads && is_volatile && count == 1 && hint != ".nc") {
        return waiting_load(data, *type, pointer);
    }
    std::string all = "{ auto* const cpu_device_at = " + pointer + "; ";
    for (std::size_t i = 0; i < count; ++i) {
        const std::string at = "cpu_device_at[" + std::to_string(i) + "]";
        const std::string element = hint == ".nc" ? "::__ldg(&" + at + ")" : at;
        std::string one =
            loads ? write(parts[i], *type, element, true) : read(parts[i], *type, true);
        if (one.empty()) {
            return "";
        }
        all += (loads ? one : element + " = " + one + ";") + " ";
    }
    return all + (!loads && is_volatile ? "::cpu_device::has_stored(); }" : "}");
}

// What setp computes of two numbers of a type, or "": nvcc takes no order of bits, and lo, ls, hi
// and hs for numbers without a sign only.
std::string compared(const std::string& how, const Type& type, const std::string& left,
                     const std::string& right) {
    static const std::map<std::string, std::string> comparisons{
        {"eq", " == "}, {"ne", " != "}, {"lt", " < "},  {"le", " <= "}, {"gt", " > "},
        {"ge", " >= "}, {"lo", " < "},  {"ls", " <= "}, {"hi", " > "},  {"hs", " >= "}};
    const auto found = comparisons.find(how);
    const bool of_unsigned = how == "lo" || how == "ls" || how == "hi" || how == "hs";
    if (found == comparisons.end() || left.empty() || right.empty() || type.kind == 'p' ||
        (type.kind == 'b' && how != "eq" && how != "ne") || (of_unsigned && type.name[0] != 'u')) {
        return "";
    }
    if (type.kind == 'f' && how == "ne") {
        return "::cpu_device::are_ordered_and_differ(" + left + ", " + right + ")";
    }
    return left + found->second + right;
}

// Does cvt say how to round where it must, and nowhere else? .rzi makes whole numbers.
bool rounds_as_needed(const std::string& rounding, const Type& to, const Type& from) {
    const auto is_number = [](const Type& type) { return type.kind == 'i' || type.kind == 'f'; };
    if (!is_number(to) || !is_number(from)) {
        return false;
    }
    if (from.kind == 'f' && (to.kind == 'i' || (rounding == ".rzi" && to.bytes == from.bytes))) {
        return rounding == ".rzi";
    }
    const bool is_inexact = to.kind == 'f' && (from.kind == 'i' || to.bytes < from.bytes);
    return rounding == (is_inexact ? ".rn" : "");
}

// add.u32, fma.rn.f32, setp.lt.s32, selp.b32 and the like; "" if it is none of them.
std::string arithmetic(const std::string& name, const std::vector<Value>& values) {
    struct Operation {
        const char* name;
        const char* kinds;  // of its type; s: a whole number with a sign
        bool wraps;         // computed without a sign
        const char* meaning;
    };
    static constexpr std::array<Operation, 26> all{{
        {"add", "i", true, "$1 + $2"},
        {"sub", "i", true, "$1 - $2"},
        {"mul\\.lo", "i", true, "1u * $1 * $2"},
        {"mad\\.lo", "i", true, "1u * $1 * $2 + $3"},
        {"div", "i", false, "::cpu_device::quotient($1, $2)"},
        {"rem", "i", false, "::cpu_device::remainder_of($1, $2)"},
        {"min", "i", false, "($2 < $1 ? $2 : $1)"},
        {"max", "i", false, "($1 < $2 ? $2 : $1)"},
        {"abs", "s", false, "::cpu_device::magnitude($1)"},
        {"neg", "s", true, "0u - $1"},
        {"and", "b", false, "$1 & $2"},
        {"or", "b", false, "$1 | $2"},
        {"xor", "b", false, "$1 ^ $2"},
        {"not", "b", false, "~$1"},
        {"shl", "b", false, "::cpu_device::shifted_left($1, $2)"},
        {"shr", "bi", false, "::cpu_device::shifted_right($1, $2)"},
        {"add(\\.rn)?(\\.ftz)?", "f", false, "$1 + $2"},
        {"sub(\\.rn)?(\\.ftz)?", "f", false, "$1 - $2"},
        {"mul(\\.rn)?(\\.ftz)?", "f", false, "$1 * $2"},
        {"div\\.(rn|full|approx)(\\.ftz)?", "f", false, "$1 / $2"},
        {"(fma|mad)\\.rn(\\.ftz)?", "f", false, "::fma($1, $2, $3)"},
        {"min(\\.ftz)?", "f", false, "::fmin($1, $2)"},
        {"max(\\.ftz)?", "f", false, "::fmax($1, $2)"},
        {"abs(\\.ftz)?", "f", false, "::fabs($1)"},
        {"neg(\\.ftz)?", "f", false, "-$1"},
        {"sqrt\\.rn(\\.ftz)?", "f", false, "::sqrt($1)"},
    }};
    const Type* type = type_at_end(name);
    if (type == nullptr || values.empty()) {
        return "";
    }
    const std::string what = name.substr(0, name.rfind('.'));
    const auto is_predicate = [](const Value& value) {
        return value.type != nullptr && value.type->kind == 'p';
    };
    if (what.compare(0, 5, "setp.") == 0 && values.size() == 3 && is_predicate(values[0])) {
        const std::string comparison =
            compared(what.substr(5), *type, read(values[1], *type), read(values[2], *type));
        return comparison.empty() ? "" : values[0].text + " = " + comparison + ";";
    }
    if (what == "selp" && values.size() == 4 && is_predicate(values[3])) {
        const std::string left = read(values[1], *type), right = read(values[2], *type);
        return left.empty() || right.empty()
                   ? ""
                   : write(values[0], *type,
                           "(" + values[3].text + " ? " + left + " : " + right + ")");
    }
    // cvt.u32.u64, cvt.rn.f32.s32: to the first type from the second.
    static const Pattern conversion("cvt(\\.rn|\\.rzi)?\\.([a-z0-9]+)\\.([a-z0-9]+)");
    const std::vector<std::string> types = conversion.match(name);
    if (!types.empty() && values.size() == 2) {
        const Type* const to = type_named(types[2]);
        if (to == nullptr || !rounds_as_needed(types[1], *to, *type)) {
            return "";
        }
        std::string from = read(values[1], *type, true);
        if (from.empty()) {
            return "";
        }
        if (types[1] == ".rzi") {
            from = "::std::trunc(" + from + ")";
        }
        if (to->kind == 'i' && type->kind == 'f') {
            from = std::string("::cpu_device::saturating_cast<") + to->cpp + ">(" + from + ")";
        }
        return write(values[0], *to, from, true);
    }
    for (const Operation& known : all) {
        const bool is_signed = type->kind == 'i' && type->name[0] == 's';
        if ((std::strchr(known.kinds, type->kind) == nullptr &&
             !(is_signed && std::strchr(known.kinds, 's') != nullptr)) ||
            !pattern_of(known.name).is(what)) {
            continue;
        }
        const bool flushes = flushes_subnormals(name);
        if (flushes && type->bytes != 4) {
            return "";
        }
        const Type* const computed =
            known.wraps ? type_named("u" + std::string(type->name + 1)) : type;
        const std::string meaning = known.meaning;
        const std::size_t operands = meaning.find("$3") < meaning.size()   ? 3
                                     : meaning.find("$2") < meaning.size() ? 2
                                                                           : 1;
        if (values.size() != operands + 1) {
            return "";
        }
        std::string out;
        for (std::size_t i = 0; i < meaning.size(); ++i) {
            if (meaning[i] == '$') {
                const std::size_t number = meaning[++i] - '0';
                const bool shift = number == 2 && what[0] == 's' && what[1] == 'h';
                const std::string in = read(values[number], shift ? *type_named("u32") : *computed);
                if (in.empty()) {
                    return "";
                }
                out += flushes ? flushed(in) : in;
            } else {
                out += meaning[i];
            }
        }
        return write(values[0], *type, flushes ? flushed(out) : out);
    }
    // The low and the high half of 64 bits.
    if (name == "mov.b64" && values.size() == 2) {
        static const Type& half = *type_named("b32");
        const std::vector<Value>&to = values[0].parts, &from = values[1].parts;
        if (from.size() == 2 && to.empty()) {
            const std::string low = read(from[0], half), high = read(from[1], half);
            return low.empty() || high.empty()
                       ? ""
                       : write(values[0], *type, low + " | " + cast(type->cpp, high) + " << 32");
        }
        if (to.size() == 2 && from.empty()) {
            const std::string bits = read(values[1], *type);
            const std::string low = write(to[0], half, "cpu_device_bits");
            const std::string high = write(to[1], half, "cpu_device_bits >> 32");
            return bits.empty() || low.empty() || high.empty()
                       ? ""
                       : "{ const auto cpu_device_bits = " + bits + "; " + low + " " + high + " }";
        }
    }
    const std::string wide = name.substr(0, 9);
    if ((wide == "mul.wide." || wide == "mad.wide.") && type->kind == 'i' && type->bytes == 4) {
        const Type& product = *type_named(type->name[0] == 's' ? "s64" : "u64");
        const bool adds = wide[1] == 'a';
        if (values.size() != (adds ? 4 : 3)) {
            return "";
        }
        const std::string x = read(values[1], *type), y = read(values[2], *type);
        const std::string z = adds ? read(values[3], product) : "0";
        const std::string factor = cast(product.cpp, x);
        return x.empty() || y.empty() || z.empty()
                   ? ""  // the product fits, the sum wraps
                   : write(values[0], product,
                           cast("unsigned long long", factor + " * " + y) + " + " +
                               cast("unsigned long long", z));
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
    bool shared = false;
    std::istringstream parts(name);
    for (std::string part; std::getline(parts, part, '.');) {
        const auto take = [&](const std::map<std::string, std::string>& from, std::string& into) {
            const auto found = from.find(part);
            into = found != from.end() ? found->second : into;
            return found != from.end();
        };
        if (what.empty()) {
            what = part;
        } else if (part == "shared") {
            shared = true;
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
    std::string arguments = address(values[first], type->cpp, shared);
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

// The registers that the code itself declares, by their names.
using OwnRegisters = std::map<std::string, Value>;

// %0, an address [%0] or [%0 + 4], a vector {%0, %1}, a number, a register of the code's own, or a
// special register.
Value operand(std::string text, const std::vector<Value>& registers, const OwnRegisters& own) {
    static const Value unknown{};
    text = trimmed(text);
    // Numbers have 64 bits in PTX.
    static const Pattern number("(-?(0x[0-9a-fA-F]{1,16}|[0-9]{1,18}))(U?)");
    if (const std::vector<std::string> parts = number.match(text); !parts.empty()) {
        return {parts[1] + (parts[3].empty() ? "ll" : "ull"), nullptr, false, false};
    }
    if (text.size() > 2 && text.front() == '{' && text.back() == '}') {
        Value all{"vector", nullptr, false, false};
        std::istringstream list(text.substr(1, text.size() - 2));
        for (std::string item; std::getline(list, item, ',');) {
            all.parts.push_back(operand(item, registers, own));
            if (all.parts.back().text.empty()) {
                return unknown;
            }
        }
        return all;
    }
    const bool in_brackets = text.size() > 2 && text.front() == '[' && text.back() == ']';
    if (in_brackets) {
        text = trimmed(text.substr(1, text.size() - 2));
        static const Pattern sum("(.*[^ +]) *\\+ *(-?[0-9]+|0x[0-9a-fA-F]+|%[0-9]+)");
        if (const std::vector<std::string> parts = sum.match(text); !parts.empty()) {
            Value value = operand("[" + parts[1] + "]", registers, own);
            const Value offset = operand(parts[2], registers, own);
            if (value.text.empty() || offset.text.empty()) {
                return unknown;
            }
            value.text = "(" + value.text + " + " + offset.text + ")";
            return value;
        }
    }
    if (const auto found = own.find(text); found != own.end()) {
        Value value = found->second;
        value.in_brackets = in_brackets;
        return in_brackets && (value.type->kind == 'f' || value.type->bytes < 4) ? unknown : value;
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
        value.type != nullptr && value.type->kind != 'f' && value.type->bytes >= 4;
    return in_brackets && !is_address ? unknown : value;
}

// At the commas outside of braces.
std::vector<std::string> items_of(const std::string& text) {
    std::vector<std::string> items(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        if (c == ',' && depth == 0) {
            items.emplace_back();
        } else {
            items.back() += c;
        }
    }
    return items;
}

// .reg .u32 a, b: the variables that stand for them.
std::string declaration(const std::string& text, OwnRegisters& own) {
    static const Pattern form("\\.reg *\\.([a-z0-9]+) +([%A-Za-z_][A-Za-z0-9_, %]*)");
    const std::vector<std::string> parts = form.match(text);
    if (parts.empty() || type_named(parts[1]) == nullptr) {
        return "";
    }
    const Type* const type = type_named(parts[1]);
    std::string all;
    for (const std::string& item : items_of(parts[2])) {
        const std::string name = trimmed(item);
        std::string variable = "cpu_device_ptx_own_";
        for (const char c : name) {
            variable += c == '%' ? '_' : c;
        }
        if (!own.emplace(name, Value{variable, type, false, true}).second) {
            return "";
        }
        all += std::string(type->cpp) + " " + variable + "{}; ";
    }
    return all;
}

std::string one(std::string text, const std::vector<Value>& registers, const OwnRegisters& own,
                bool is_volatile) {
    static const Pattern condition("@(!?) *([^ ]+) +(.*)");
    const std::vector<std::string> parts = condition.match(text);
    if (!parts.empty()) {  // @p or @!p: the instruction happens if so
        const auto found = own.find(parts[2]);
        const std::string then = one(parts[3], registers, own, is_volatile);
        return then.empty() || found == own.end() || found->second.type->kind != 'p'
                   ? ""
                   : "if (" + parts[1] + found->second.text + ") { " + then + " }";
    }
    const std::size_t space = text.find(' ');
    const std::string name = text.substr(0, space);
    std::vector<Value> values;
    if (space != std::string::npos) {
        for (const std::string& item : items_of(text.substr(space))) {
            values.push_back(operand(item, registers, own));
            if (values.back().text.empty()) {
                return "";
            }
        }
    }
    for (const auto& meaning : {move_or_load, plain_access}) {
        if (const std::string statement = meaning(name, values, is_volatile); !statement.empty()) {
            return statement;
        }
    }
    for (const auto& meaning : {one_of_table, atomic_access, asynchronous_copy, arithmetic}) {
        if (const std::string statement = meaning(name, values); !statement.empty()) {
            return statement;
        }
    }
    return "";
}

// %[name] as %0, %1, ...
std::string with_numbers(std::string code, const std::vector<PtxOperand>& operands) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const std::string name = "%[" + operands[i].name + "]";
        for (std::size_t at = 0; (at = code.find(name)) != std::string::npos;) {
            code.replace(at, name.size(), "%" + std::to_string(i));
        }
    }
    return code;
}

// Blanks for the ends of lines and the tabulators, also for those that the source spells \n and \t.
std::string with_blanks(std::string code) {
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i] == '\\' && i + 1 < code.size() && (code[i + 1] == 'n' || code[i + 1] == 't')) {
            code.replace(i, 2, " ");
        } else if (std::isspace(static_cast<unsigned char>(code[i]))) {
            code[i] = ' ';
        }
    }
    return code;
}

// A comment goes to the end of its line, which is \n in an ordinary literal.
std::string without_comments(const std::string& code) {
    std::string rest;
    for (std::size_t at = 0; at < code.size();) {
        const std::size_t comment = std::min(code.find("//", at), code.size());
        rest += code.substr(at, comment - at);
        at = std::min(std::min(code.find("\\n", comment), code.find('\n', comment)), code.size());
    }
    return rest;
}

}  // namespace

std::string cuda_for_ptx(const std::string& code, const std::vector<PtxOperand>& operands,
                         bool is_volatile) {
    // All operands are evaluated once, before the first instruction; outputs are stored after the
    // last one.
    std::vector<Value> registers;
    std::string before, after;
    for (const PtxOperand& operand : operands) {
        const std::string& constraint = operand.constraint;
        const bool is_output = constraint[0] == '=' || constraint[0] == '+';
        const char letter = constraint.back();
        const Type* const type = register_of(letter);
        static const Pattern known("[=+]?&?[hrlfd]|n");
        if (!known.is(constraint)) {
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
    OwnRegisters own;
    const std::string plain = with_blanks(without_comments(with_numbers(code, operands)));
    std::string all;
    std::istringstream list(plain);
    for (std::string item; std::getline(list, item, ';');) {
        item = trimmed(item);
        while (!item.empty() && (item[0] == '{' || item[0] == '}')) {  // a scope of the code
            item = trimmed(item.substr(1));
        }
        if (item.empty()) {
            continue;
        }
        const std::string statement =
            item[0] == '.' ? declaration(item, own) : one(item, registers, own, is_volatile);
        if (statement.empty()) {
            return "";
        }
        all += statement + " ";
    }
    return before + all + after;
}
