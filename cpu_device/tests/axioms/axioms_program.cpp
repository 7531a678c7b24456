#include "axioms_program.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace axioms {

void fail(const std::string& where, const std::string& what) {
    std::fprintf(stderr, "axioms: %s: %s\n", where.c_str(), what.c_str());
    std::exit(2);
}

namespace {

std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == at) {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

bool is_word(char c) {
    return c >= 'u' && c <= 'z';
}
bool is_register(char c) {
    return c >= 'a' && c <= 'h';
}

// Reads "x", "1", "a" or "a+1" of `expression` into the step.
void read_value(const std::string& expression, Step& step, const std::string& text) {
    for (const std::string& term : split(expression, '+')) {
        if (term.size() == 1 && is_register(term[0])) {
            step.source = term[0];
        } else if (!term.empty() && std::isdigit(static_cast<unsigned char>(term[0])) != 0) {
            step.value += std::atoi(term.c_str());
        } else {
            fail(text, "expected a number, a register, or their sum");
        }
    }
}

void read_qualifiers(const std::vector<std::string>& words, Step& step, const std::string& text) {
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string& word = words[i];
        const bool is_load = step.action == Action::load;
        const bool is_store = step.action == Action::store;
        if (word == "weak" && (is_load || is_store)) {
            step.weak = true;
        } else if (word == "vol" && (is_load || is_store)) {
            step.scope = scope_sys;
        } else if (word == "rlx" && step.action != Action::fence) {
            continue;
        } else if (word == "acq" && !is_store) {
            step.acquires = true;
        } else if (word == "rel" && !is_load) {
            step.releases = true;
        } else if (word == "ar" && !is_load && !is_store) {
            step.acquires = step.releases = true;
        } else if (word == "sc") {
            step.seq_cst = true;
            step.acquires = !is_store;
            step.releases = !is_load;
        } else if (word == "thr") {
            step.scope = scope_thread;
        } else if (word == "cta") {
            step.scope = scope_cta;
        } else if (word == "gpu") {
            step.scope = scope_gpu;
        } else if (word == "sys") {
            step.scope = scope_sys;
        } else {
            fail(text, "'" + word + "' does not fit here");
        }
    }
}

Step read_step(std::string text) {
    Step step;
    const std::string whole = text;
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    if (text.size() > 5 && text.compare(1, 2, "==") == 0 && text[4] == '?') {
        step.guard = text[0];
        step.guard_value = text[3] - '0';
        text.erase(0, 5);
    }
    const std::vector<std::string> words = split(text, '.');
    if (words[0] == "bar" || words[0] == "warp") {
        step.action = words[0] == "bar" ? Action::block_barrier : Action::warp_barrier;
    } else if (words[0] == "fence") {
        step.action = Action::fence;
    } else if (words[0].size() < 3 || words[0][1] != '=') {
        fail(whole, "expected x=1, a=x, a=add(x,1), fence, bar or warp");
    } else if (is_word(words[0][0])) {
        step.action = Action::store;
        step.place = words[0][0];
        read_value(words[0].substr(2), step, whole);
    } else if (words[0].size() == 3) {
        step.action = Action::load;
        step.target = words[0][0];
        step.place = words[0][2];
    } else {
        step.target = words[0][0];
        const std::string call = words[0].substr(2, 4);
        const std::vector<std::string> arguments = split(words[0].substr(6), ',');
        step.action = call == "add("   ? Action::add
                      : call == "xch(" ? Action::exchange
                                       : Action::swap;
        const std::size_t expected = step.action == Action::swap ? 3 : 2;
        if ((step.action == Action::swap && call != "cas(") || arguments.size() != expected) {
            fail(whole, "expected add(x,1), xch(x,1) or cas(x,0,1)");
        }
        step.place = arguments[0][0];
        step.compare = std::atoi(arguments[1].c_str());
        step.value = std::atoi(arguments.back().c_str());
    }
    if (step.place != 0 && !is_word(step.place)) {
        fail(whole, "words are called u to z");
    }
    if (step.target != 0 && !is_register(step.target)) {
        fail(whole, "registers are called a to h");
    }
    read_qualifiers(words, step, whole);
    if (step.action == Action::fence && !step.acquires && !step.releases) {
        step.acquires = step.releases = true;
    }
    return step;
}

void add_once(std::string& letters, char letter) {
    if (letter != 0 && letters.find(letter) == std::string::npos) {
        letters += letter;
    }
}

}  // namespace

Program read_program(const std::string& header, const std::string& body) {
    Program program;
    program.name = header.substr(0, header.find(':'));
    bool see = false;
    for (const std::string& word : split(header.substr(header.find(':') + 1), ' ')) {
        if (word.empty() || word == "blocks") {
            continue;
        }
        if (word == "see") {
            see = true;
        } else if (see) {
            program.seen += word[0];
        } else {
            const std::size_t dot = word.find('.');
            program.threads.emplace_back();
            program.threads.back().block = static_cast<unsigned>(std::atoi(word.c_str()));
            program.threads.back().warp =
                dot == std::string::npos ? 0
                                         : static_cast<unsigned>(std::atoi(word.c_str() + dot + 1));
        }
    }
    const std::vector<std::string> threads = split(body, '|');
    if (threads.size() != program.threads.size()) {
        fail(program.name, "as many blocks as threads are needed");
    }
    for (std::size_t t = 0; t < threads.size(); ++t) {
        for (const std::string& text : split(threads[t], ';')) {
            const Step step = read_step(text);
            add_once(program.registers, step.target);
            add_once(program.words, step.place);
            program.threads[t].steps.push_back(step);
        }
    }
    for (const char word : program.seen) {
        add_once(program.words, word);
    }
    return program;
}

}  // namespace axioms
