// The check of 06_find_the_race.cu; check.hpp says what it is made of.
#include <algorithm>
#include <cctype>
#include <fstream>

#include "exercises/check.hpp"

namespace exercises {

struct Line {
    std::string code;  // without spaces and comments
    bool marked;
};

// The lines that have code or a mark.
static std::vector<Line> lines_of(const std::vector<std::string>& source) {
    std::vector<Line> lines;
    for (const std::string& text : source) {
        const std::size_t comment = std::min(text.find("//"), text.size());
        Line line = {text.substr(0, comment), false};
        std::string words = text.substr(comment);
        for (std::string* part : {&line.code, &words}) {
            part->erase(std::remove_if(part->begin(), part->end(),
                                       [](unsigned char c) { return std::isspace(c); }),
                        part->end());
        }
        std::transform(words.begin(), words.end(), words.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        const std::string mark = "//race";  // at the end it may stand behind another comment
        line.marked = words.rfind(mark, 0) == 0 ||
                      (words.size() > mark.size() &&
                       words.compare(words.size() - mark.size(), mark.size(), mark) == 0);
        if (!line.code.empty() || line.marked) {
            lines.push_back(line);
        }
    }
    return lines;
}

static std::string code_of(const std::vector<Line>& lines) {
    std::string code;
    for (const Line& line : lines) {
        code += line.code;
    }
    return code;
}

static std::vector<std::string> marked_of(const std::vector<Line>& lines) {
    std::vector<std::string> marked;
    for (const Line& line : lines) {
        if (line.marked) {
            marked.push_back(line.code);
        }
    }
    return marked;
}

// The marks of the solution are right: exercise 7 has the same race, and shows its report.
static void run(int, int) {
    std::string path = __FILE__;
    std::ifstream file(path.replace(path.rfind('/') + 1, std::string::npos, "solution.cu"));
    std::vector<std::string> solution;
    for (std::string line; std::getline(file, line);) {
        solution.push_back(line);
    }
    const std::vector<Line> given = lines_of(source_lines()), right = lines_of(solution);
    const std::vector<std::string> marked = marked_of(given), wanted = marked_of(right);
    if (code_of(given) != code_of(right)) {
        throw Wrong{"changed", "The code is not what it was at the beginning."};
    }
    if (std::count(marked.begin(), marked.end(), "") > 0) {
        throw Wrong{"place", "A mark stands on a line without code."};
    }
    if (marked.size() != 2) {
        throw Wrong{"marks", std::to_string(marked.size()) +
                                 (marked.size() == 1 ? " line has" : " lines have") +
                                 " the mark // race at the end. Two lines should have it."};
    }
    const auto is_wanted = [&](const std::string& code) {
        return std::count(wanted.begin(), wanted.end(), code) > 0;
    };
    const auto found = std::count_if(marked.begin(), marked.end(), is_wanted);
    if (found < 2) {
        throw Wrong{"answer", found == 1 ? "One of the two lines is right, the other is not."
                                         : "Neither of the two lines has a part in the race."};
    }
}

static Exercise make() {
    Exercise one = {run};
    one.what = "the two lines that race are marked";
    one.sizes = {1};
    one.block_sizes = {1};
    one.max_share = 1;
    one.race_cases = {};
    return one;
}
const Exercise exercise = make();

}  // namespace exercises
