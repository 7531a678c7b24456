#include "machine_text.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

namespace machine {
namespace {

[[noreturn]] void complain(const std::string& about) {
    std::fprintf(stderr, "machine: cannot read '%s'\n", about.c_str());
    std::exit(2);
}

// "1==..." of a guard is gone. HEAD.QUALIFIER.QUALIFIER...
Instruction instruction_of(const std::string& text) {
    static const std::map<std::string, Order> orders = {
        {"rlx", Order::relaxed}, {"acq", Order::acquire}, {"rel", Order::release},
        {"ar", Order::acq_rel},  {"sc", Order::seq_cst},
    };
    static const std::map<std::string, Scope> scopes = {
        {"thr", Scope::thread},
        {"cta", Scope::block},
        {"gpu", Scope::device},
        {"sys", Scope::system},
    };
    Instruction made;
    std::istringstream parts(text);
    std::string head, qualifier;
    std::getline(parts, head, '.');
    made.order = head == "fence" ? Order::acq_rel : Order::relaxed;
    while (std::getline(parts, qualifier, '.')) {
        if (orders.count(qualifier) != 0) {
            made.order = orders.at(qualifier);
        } else if (scopes.count(qualifier) != 0) {
            made.scope = scopes.at(qualifier);
        } else if (qualifier == "vol") {
            made.scope = Scope::system;
        } else if (qualifier == "weak") {
            made.weak = true;
        } else {
            complain(text);
        }
    }
    const std::size_t equals = head.find('=');
    if (equals == std::string::npos) {
        made.name = head;
        return made;
    }
    const std::string right = head.substr(equals + 1);
    if (head[0] >= 'u') {
        made.name = "=";
        made.word = head[0];
        made.operands = {right};
    } else if (right.size() == 1) {
        made.name = "load";
        made.into = head[0];
        made.word = right[0];
    } else {
        made.name = right.substr(0, 3);
        made.into = head[0];
        made.word = right[4];
        std::istringstream list(right.substr(6, right.size() - 7));
        for (std::string operand; std::getline(list, operand, ',');) {
            made.operands.push_back(operand);
        }
    }
    return made;
}

}  // namespace

Litmus litmus_of(const std::string& header, const std::string& steps) {
    Litmus made;
    std::istringstream words(header);
    std::string word;
    words >> made.name >> word;
    made.name.pop_back();
    if (word != "blocks") {
        complain(header);
    }
    while (words >> word && word != "see") {
        unsigned block = 0, warp = 0;
        std::sscanf(word.c_str(), "%u.%u", &block, &warp);
        made.blocks.push_back(block);
        made.warps.push_back(warp);
    }
    while (words >> word) {
        made.seen += word;
    }
    std::istringstream columns(steps);
    for (std::string column; std::getline(columns, column, '|');) {
        std::istringstream cells(column);
        made.threads.emplace_back();
        for (std::string cell; std::getline(cells, cell, ';');) {
            std::string text;
            for (const char c : cell) {
                text += c == ' ' ? "" : std::string(1, c);
            }
            const bool guarded = text.size() > 5 && text[4] == '?';
            Instruction step = instruction_of(guarded ? text.substr(5) : text);
            step.guard = guarded ? text[0] : '\0';
            step.guard_digit = guarded ? text[3] : '\0';
            if (step.is_access() && step.order == Order::seq_cst) {
                // A fence, then the access: two steps.
                Instruction before = step;
                before.name = "fence";
                before.into = before.word = '\0';
                made.threads.back().push_back(before);
                step.order = Order::acq_rel;
            }
            made.threads.back().push_back(step);
        }
    }
    if (made.threads.size() != made.blocks.size()) {
        complain(header);
    }
    return made;
}

}  // namespace machine
