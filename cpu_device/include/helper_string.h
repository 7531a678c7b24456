// What NVIDIA's samples expect of their helper_string.h: the command line (-name, --name,
// --name=value), and where a data file lies. A sample that brings its own header gets that one.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, bytes, from) strncpy(to, from, bytes)
#define FOPEN(file, name, mode) ((file) = fopen(name, mode))
#define SSCANF sscanf
#define SPRINTF sprintf

// The place of the first character that is not the delimiter.
inline int stringRemoveDelimiter(char delimiter, const char* text) {
    const char* rest = text;
    while (*rest == delimiter && *rest != '\0') {
        ++rest;
    }
    return static_cast<int>(rest - text);
}

// Where the extension begins, after the dot; the length of the name if there is none.
inline int getFileExtension(char* name, char** extension) {
    char* const dot = strrchr(name, '.');
    *extension = dot == nullptr ? nullptr : dot + 1;
    return static_cast<int>(dot == nullptr ? strlen(name) : dot + 1 - name);
}

namespace cpu_device {
// What follows -name or --name among the arguments: "" if nothing does, null if it is not there.
inline const char* argument_value(int count, const char** arguments, const char* name) {
    const size_t length = strlen(name);
    for (int i = 1; i < count; ++i) {
        if (arguments[i][0] != '-') {
            continue;
        }
        const char* const text = arguments[i] + stringRemoveDelimiter('-', arguments[i]);
        if (strncasecmp(text, name, length) == 0 && (text[length] == '\0' || text[length] == '=')) {
            return text + length + (text[length] == '=' ? 1 : 0);
        }
    }
    return nullptr;
}
}  // namespace cpu_device

inline bool checkCmdLineFlag(const int count, const char** arguments, const char* name) {
    return cpu_device::argument_value(count, arguments, name) != nullptr;
}

inline int getCmdLineArgumentInt(const int count, const char** arguments, const char* name) {
    const char* const value = cpu_device::argument_value(count, arguments, name);
    return value == nullptr ? 0 : static_cast<int>(strtol(value, nullptr, 10));
}

inline float getCmdLineArgumentFloat(const int count, const char** arguments, const char* name) {
    const char* const value = cpu_device::argument_value(count, arguments, name);
    return value == nullptr ? 0 : strtof(value, nullptr);
}

template <typename T>
bool getCmdLineArgumentValue(const int count, const char** arguments, const char* name, T* result) {
    const char* const value = cpu_device::argument_value(count, arguments, name);
    if (value != nullptr && *value != '\0') {
        *result = static_cast<T>(strtod(value, nullptr));
    }
    return value != nullptr;
}

// The string belongs to the arguments.
inline bool getCmdLineArgumentString(const int count, const char** arguments, const char* name,
                                     char** result) {
    const char* const value = cpu_device::argument_value(count, arguments, name);
    *result = const_cast<char*>(value);
    return value != nullptr;
}

// Looks in the working directory, in data/ there, and beside the program; as deep as three folders
// up. Returns a string that the caller frees, or null.
inline char* sdkFindFilePath(const char* file, const char* program) {
    std::string beside = program == nullptr ? "" : program;
    beside.resize(beside.rfind('/') == std::string::npos ? 0 : beside.rfind('/') + 1);
    for (const std::string& start : {std::string(), beside}) {
        std::string up = start;
        for (int floor = 0; floor < 4; ++floor, up += "../") {
            for (const char* folder : {"", "data/", "Data/"}) {
                const std::string path = up + folder + file;
                if (FILE* const found = fopen(path.c_str(), "rb")) {
                    fclose(found);
                    return strdup(path.c_str());
                }
            }
        }
    }
    return nullptr;
}
