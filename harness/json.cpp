#include "harness/json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cpu_device/json_string.hpp"

namespace harness {

using cpu_device::json_string;

namespace {

// The shortest digits that are read as the same number; JSON has no infinity and no NaN.
std::string digits(double value) {
    if (!std::isfinite(value)) {
        return "null";
    }
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

}  // namespace

Json::Json(bool value) : text_(value ? "true" : "false") {}
Json::Json(double value) : text_(digits(value)) {}
Json::Json(const std::string& value) : text_(json_string(value)) {}
Json::Json(const char* value) : text_(json_string(value)) {}
Json::Json(const std::vector<int>& values) : Json(list(values.begin(), values.end())) {}
Json::Json(const std::vector<double>& values) : Json(list(values.begin(), values.end())) {}

Json Json::list() {
    Json list;
    list.kind_ = Kind::list;
    return list;
}

Json& Json::set(const std::string& name, Json value) {
    kind_ = Kind::object;
    names_.push_back(name);
    elements_.push_back(std::move(value));
    return *this;
}

Json& Json::add(Json element) {
    kind_ = Kind::list;
    elements_.push_back(std::move(element));
    return *this;
}

std::string Json::text(std::size_t indent) const {
    if (kind_ == Kind::scalar) {
        return text_;
    }
    const bool is_list = kind_ == Kind::list;
    std::string result(1, is_list ? '[' : '{');
    const std::string line = "\n" + std::string(indent, ' ');
    for (std::size_t i = 0; i < elements_.size(); ++i) {
        result += (i == 0 ? "" : ",") + line + "  " +
                  (is_list ? "" : json_string(names_[i]) + ": ") + elements_[i].text(indent + 2);
    }
    return result + (elements_.empty() ? "" : line) + (is_list ? ']' : '}');
}

}  // namespace harness
