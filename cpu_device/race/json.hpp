// Writes JSON: commas come by themselves.
#pragma once

#include <string>

#include "json_string.hpp"

namespace cpu_device::race {

class Json {
  public:
    // bracket: '{' or '['. Of a long list each member may have a line of its own.
    Json& open(char bracket) {
        separate();
        text_ += bracket;
        first_ = true;
        return *this;
    }
    Json& close(char bracket) {
        text_ += bracket;
        first_ = false;
        return *this;
    }
    Json& key(const char* name) {
        separate();
        text_ += json_string(name) + ": ";
        first_ = true;
        return *this;
    }
    Json& value(const std::string& text) { return raw(json_string(text)); }
    Json& value(const char* text) { return raw(json_string(text)); }
    Json& value(bool is) { return raw(is ? "true" : "false"); }
    template <typename Integer>
    Json& value(Integer number) {
        return raw(std::to_string(number));
    }
    Json& null() { return raw("null"); }
    Json& line() {
        line_ = true;
        return *this;
    }
    const std::string& text() const { return text_; }

  private:
    void separate() {
        text_ += first_ ? "" : (line_ ? "," : ", ");
        text_ += line_ ? "\n" : "";
        line_ = first_ = false;
    }
    Json& raw(const std::string& text) {
        separate();
        text_ += text;
        return *this;
    }

    std::string text_;
    bool first_ = true, line_ = false;
};

}  // namespace cpu_device::race
