// Writes JSON: a table, and what a chapter adds to it. A JSON library takes six seconds to compile,
// in a program that a learner waits for.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace harness {

class Json {
  public:
    Json() = default;  // null
    Json(bool value);
    Json(double value);  // null where it is not finite
    // A byte that is no UTF-8, which the name of a file may hold, is replaced.
    Json(const std::string& value);
    Json(const char* value);
    Json(const std::vector<int>& values);
    Json(const std::vector<double>& values);
    template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
    Json(T value) : text_(std::to_string(value)) {}

    static Json list();  // without elements

    // Of an object, which a null becomes: a member more. Each name is set once.
    Json& set(const std::string& name, Json value);
    // Of a list, which a null becomes: an element more.
    Json& add(Json element);

    // As the text of a file, in steps of two blanks; the first line has no indent.
    std::string text(std::size_t indent = 0) const;

  private:
    enum class Kind { scalar, list, object };

    template <typename Iterator>
    static Json list(Iterator begin, Iterator end) {
        Json all = list();
        while (begin != end) {
            all.add(*begin++);
        }
        return all;
    }

    Kind kind_ = Kind::scalar;
    std::string text_ = "null";       // of a scalar
    std::vector<std::string> names_;  // of an object's elements
    std::vector<Json> elements_;
};

}  // namespace harness
