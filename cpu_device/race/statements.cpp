#include "race/statements.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace cpu_device::race {
namespace {

constexpr std::size_t most_lines_between = 100;  // from one to the other
constexpr std::size_t lines_around = 4;          // over which a statement may go on

struct SourceLine {
    std::string file;
    std::size_t line;
};

SourceLine parse(const std::string& place) {
    const std::size_t colon = place.rfind(':');
    if (colon == std::string::npos) {
        return {"", 0};
    }
    return {place.substr(0, colon), std::strtoul(place.c_str() + colon + 1, nullptr, 10)};
}

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Lines without their comments; line 1 is the first.
std::vector<std::string> text_of(const std::string& file) {
    std::vector<std::string> lines{""};
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        line.erase(std::min(line.find("//"), line.size()));
        line.erase(line.find_last_not_of(" \t\r") + 1);
        lines.push_back(line);
    }
    return lines;
}

bool ends_statement(const std::string& line) {
    return line.empty() || line.find_first_of(";{}#") != std::string::npos || line.back() == ':';
}

// The first line of the statement that this line belongs to, and the last.
std::size_t first_line(const std::vector<std::string>& lines, std::size_t line) {
    for (std::size_t more = lines_around; more > 0 && !ends_statement(lines[line - 1]); --more) {
        --line;
    }
    return line;
}
std::size_t last_line(const std::vector<std::string>& lines, std::size_t line) {
    for (std::size_t more = lines_around;
         more > 0 && line + 1 < lines.size() && !ends_statement(lines[line]); --more) {
        ++line;
    }
    return line;
}

// After the bracket that closes the one at `open`.
std::size_t after_bracket(const std::string& text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0) {
            return i + 1;
        }
    }
    return text.size();
}

// Conditions and the heads of loops decide whether something is stored, and not what.
std::string without_conditions(std::string text) {
    for (const char* const word : {"if", "while", "for", "switch"}) {
        const std::string name = word;
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
            const std::size_t open = text.find_first_not_of(' ', at + name.size());
            const bool is_whole = at == 0 || !is_word(text[at - 1]);
            if (!is_whole || open == std::string::npos || text[open] != '(') {
                at += name.size();
                continue;
            }
            text.replace(at, after_bracket(text, open) - at, ";");
        }
    }
    return text;
}

std::vector<std::string> statements_in(const std::string& text) {
    std::vector<std::string> statements{""};
    for (const char c : text) {
        if (c == ';' || c == '{' || c == '}') {
            statements.emplace_back();
        } else {
            statements.back() += c;
        }
    }
    return statements;
}

bool has_name(const std::string& text, const std::string& name) {
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) {
            return true;
        }
    }
    return false;
}

bool has_any(const std::string& text, const std::set<std::string>& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return has_name(text, name); });
}

// TARGET = VALUE, TARGET += VALUE, or TARGET.store(VALUE).
struct Assignment {
    std::string target, value;
    bool is_update = false;  // the value is computed from the target: +=, ++
};

Assignment read_assignment(const std::string& statement) {
    const std::size_t store = statement.find("store(");
    if (store != std::string::npos) {
        return {statement.substr(0, store), statement.substr(store), false};
    }
    for (std::size_t at = statement.find('='); at != std::string::npos;
         at = statement.find('=', at + 1)) {
        const char before = at > 0 ? statement[at - 1] : ' ';
        const bool is_shift = at > 1 && (statement.compare(at - 2, 2, "<<") == 0 ||
                                         statement.compare(at - 2, 2, ">>") == 0);
        if (statement[at + 1] == '=') {
            ++at;  // a comparison
        } else if (is_shift || std::string("+-*/%&|^").find(before) != std::string::npos) {
            return {statement.substr(0, at - 1), statement.substr(at + 1), true};
        } else if (std::string("<>!").find(before) == std::string::npos) {
            return {statement.substr(0, at), statement.substr(at + 1), false};
        }
    }
    const bool steps =
        statement.find("++") != std::string::npos || statement.find("--") != std::string::npos;
    return {statement, "", steps};
}

std::string without_blanks(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
}

// The last name in a target: `old` of `const int old`.
std::string name_in(const std::string& target) {
    const std::size_t end = target.find_last_not_of(" \t");
    if (end == std::string::npos || !is_word(target[end])) {
        return "";
    }
    std::size_t begin = end;
    while (begin > 0 && is_word(target[begin - 1])) {
        --begin;
    }
    return target.substr(begin, end + 1 - begin);
}

// One statement that reads and writes the word. What its conditions read they do not store.
bool is_update(const std::string& text) {
    const std::string stored = without_conditions(text);
    const bool has_condition = stored != text;
    const std::vector<std::string> statements = statements_in(stored);
    return std::any_of(statements.begin(), statements.end(), [&](const std::string& one) {
        const Assignment made = read_assignment(one);
        const std::string target = without_blanks(made.target);
        return made.is_update || (!made.value.empty() && !has_condition) ||
               made.value.find("load(") != std::string::npos ||
               (!target.empty() && without_blanks(made.value).find(target) != std::string::npos);
    });
}

std::string joined(const std::vector<std::string>& lines, std::size_t first, std::size_t last) {
    std::string text;
    for (std::size_t line = first; line <= last; ++line) {
        text += lines[line] + " ";
    }
    return text;
}

}  // namespace

bool is_computed_from(const std::string& read, const std::string& write) {
    const SourceLine from = parse(read);
    const SourceLine to = parse(write);
    if (from.file.empty() || from.file != to.file) {
        return false;
    }
    const std::vector<std::string> lines = text_of(from.file);
    if (from.line == 0 || to.line == 0 || from.line >= lines.size() || to.line >= lines.size()) {
        return false;
    }
    const std::size_t first = first_line(lines, to.line);
    const std::size_t last = last_line(lines, to.line);
    if (from.line >= first && from.line <= last) {
        return is_update(joined(lines, first, last));
    }
    if (from.line > to.line || to.line - from.line > most_lines_between) {
        return false;
    }
    std::set<std::string> computed;  // names of variables
    const std::size_t read_last = last_line(lines, from.line);
    const std::string at_read = joined(lines, first_line(lines, from.line), read_last);
    for (const std::string& one : statements_in(without_conditions(at_read))) {
        const Assignment made = read_assignment(one);
        if (!made.value.empty() && !name_in(made.target).empty()) {
            computed.insert(name_in(made.target));
        }
    }
    for (const std::string& one :
         statements_in(without_conditions(joined(lines, read_last + 1, first - 1)))) {
        const Assignment made = read_assignment(one);
        if (has_any(made.value, computed) && !name_in(made.target).empty()) {
            computed.insert(name_in(made.target));
        }
    }
    const std::vector<std::string> at_write =
        statements_in(without_conditions(joined(lines, first, last)));
    return std::any_of(at_write.begin(), at_write.end(), [&](const std::string& one) {
        return has_any(read_assignment(one).value, computed);
    });
}

}  // namespace cpu_device::race
