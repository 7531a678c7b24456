#include "tokens.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>

namespace {

class Tokeniser {
  public:
    explicit Tokeniser(std::string& text) : text_(text) {}

    Tokens tokens() {
        Tokens tokens;
        tokens.reserve(text_.size() / 4);  // with its white space a token has some five bytes
        std::map<std::string, int> numbers;
        int file = number_of("<input>", tokens, numbers);
        int line = 1;
        bool of_system = false;
        bool line_start = true;
        std::size_t i = 0;
        while (i < text_.size()) {
            const char c = text_[i];
            if (c == '\n') {
                line_start = true;
                ++line;
                ++i;
            } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
                ++i;
            } else if (c == '#' && line_start) {
                const std::size_t begin = i;
                i = std::min(text_.find('\n', i), text_.size());
                blank_pragma_unroll(begin, i);
                const std::size_t open = text_.find('"', begin);
                const std::size_t close = text_.rfind('"', i);
                if (text_[begin + 1] == ' ' && open < close && close < i) {  // a line marker
                    file = number_of(text_.substr(open + 1, close - open - 1), tokens, numbers);
                    line = std::atoi(text_.c_str() + begin + 2) - 1;
                    of_system = text_.find('3', close) < i;
                }
            } else {
                line_start = false;
                const std::size_t begin = i;
                const Token::Kind kind = skip_token(i);
                tokens.push_back(
                    {kind, begin, text_.substr(begin, i - begin), of_system, file, line});
                if (kind == Token::literal) {  // a raw string may have several lines
                    line += static_cast<int>(
                        std::count(tokens.back().text.begin(), tokens.back().text.end(), '\n'));
                }
            }
        }
        tokens.push_back({Token::end, text_.size(), "", true, file, line});
        return tokens;
    }

  private:
    static int number_of(const std::string& file, Tokens& tokens,
                         std::map<std::string, int>& numbers) {
        const auto [known, is_new] = numbers.emplace(file, static_cast<int>(numbers.size()));
        if (is_new) {
            tokens.files.push_back(file);
        }
        return known->second;
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
        if (c == '<') {
            i += at(i + 1) == '<' ? (at(i + 2) == '<' || at(i + 2) == '=' ? 3 : 2)
                                  : (at(i + 1) == '=' ? 2 : 1);
        } else {
            i += (c == '-' && at(i + 1) == '>') || (c == ':' && at(i + 1) == ':') ? 2 : 1;
        }
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

    std::string& text_;
};

}  // namespace

Tokens tokenise(std::string& text) {
    return Tokeniser(text).tokens();
}

std::string place_of(const Tokens& tokens, std::size_t i) {
    return tokens.files[tokens[i].file] + ":" + std::to_string(tokens[i].line);
}

std::size_t matching(const Tokens& tokens, std::size_t i) {
    const std::size_t start = i;
    const std::string opening = "([{";
    const bool forward = opening.find(tokens[i].text) != std::string::npos;
    int depth = 0;
    for (;;) {
        const std::string& t = tokens[i].text;
        if (t == "(" || t == "[" || t == "{") {
            ++depth;
        } else if (t == ")" || t == "]" || t == "}") {
            --depth;
        }
        if (depth == 0) {
            return i;
        }
        if (forward ? tokens[i].kind == Token::end : i == 0) {
            throw NotUnderstood{place_of(tokens, start) + ": error: no counterpart to this '" +
                                tokens[start].text + "' [CPU device]"};
        }
        forward ? ++i : --i;
    }
}
