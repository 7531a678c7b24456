// The tokens of a preprocessed source file, and where in the source each of them stands.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

struct Token {
    enum Kind { word, literal, symbol, end } kind;
    std::size_t begin;  // in the text
    std::string text;
    bool of_system;  // in a system header
    int file;        // of Tokens::files
    int line;
};

// Before the first and after the last one, which is Token::end, there is nothing but this one.
struct Tokens : std::vector<Token> {
    std::vector<std::string> files;

    const Token& operator[](std::size_t i) const { return i < size() ? data()[i] : back(); }
};

// Words, literals and symbols; white space, line markers and pragmas lie between tokens. In `text`,
// a #pragma unroll becomes blank.
Tokens tokenise(std::string& text);

// A construct is not understood: file:line, and the reason.
struct NotUnderstood {
    std::string message;
};

// file:line of a token, as compilers write it.
std::string place_of(const Tokens& tokens, std::size_t i);

// The other end of a pair of parentheses, brackets or braces.
std::size_t matching(const Tokens& tokens, std::size_t i);
