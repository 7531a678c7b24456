// What NVIDIA's samples expect of their helper_image.h: pictures in the formats PGM (gray) and PPM
// (colours) with 8 bits a value, files of numbers, and comparisons. All functions return false, and
// say why on standard error, if a file is not what it should be.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "helper_string.h"

namespace cpu_device {

// The next number of a picture's head, in which # begins a comment.
inline bool read_number_of_head(FILE* file, unsigned* number) {
    int c = fgetc(file);
    while (c == '#' || c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        while (c == '#' && (c = fgetc(file)) != '\n' && c != EOF) {
            c = '#';
        }
        c = fgetc(file);
    }
    ungetc(c, file);
    return fscanf(file, "%9u", number) == 1;
}

// Values of 8 bits, `channels` a pixel: 1 (P5) or 3 (P6).
inline bool read_picture(const char* name, std::vector<unsigned char>* values, unsigned* width,
                         unsigned* height, unsigned* channels) {
    FILE* const file = name == nullptr ? nullptr : fopen(name, "rb");
    if (file == nullptr) {
        fprintf(stderr, "%s: cannot be read\n", name == nullptr ? "(no name)" : name);
        return false;
    }
    unsigned largest = 0;
    bool good = fgetc(file) == 'P';
    const int kind = fgetc(file);
    *channels = kind == '5' ? 1 : 3;
    good = good && (kind == '5' || kind == '6') && read_number_of_head(file, width) &&
           read_number_of_head(file, height) && read_number_of_head(file, &largest) &&
           largest < 256 && fgetc(file) != EOF;
    if (good) {
        values->resize(size_t{*width} * *height * *channels);
        good = fread(values->data(), 1, values->size(), file) == values->size();
    }
    fclose(file);
    if (!good) {
        fprintf(stderr, "%s: not a whole picture of type P5 or P6 with 8 bits a value\n", name);
    }
    return good;
}
inline bool write_picture(const char* name, const unsigned char* values, unsigned width,
                          unsigned height, unsigned channels) {
    FILE* const file = name == nullptr ? nullptr : fopen(name, "wb");
    if (file == nullptr) {
        fprintf(stderr, "%s: cannot be written\n", name == nullptr ? "(no name)" : name);
        return false;
    }
    const size_t count = size_t{width} * height * channels;
    fprintf(file, "P%c\n%u %u\n255\n", channels == 1 ? '5' : '6', width, height);
    const bool good = fwrite(values, 1, count, file) == count;
    return fclose(file) == 0 && good;
}

// A value as the program wants it: a byte as it is, a float from 0 to 1.
template <typename T>
T value_of_byte(unsigned char byte) {
    return std::is_floating_point_v<T> ? static_cast<T>(byte) / static_cast<T>(255.0)
                                       : static_cast<T>(byte);
}
template <typename T>
unsigned char byte_of_value(T value) {
    return static_cast<unsigned char>(std::is_floating_point_v<T> ? value * static_cast<T>(255.0)
                                                                  : value);
}

// Into *data, which the program frees. If it is not null, it is memory for a picture of the size
// that *width and *height say.
template <typename T>
bool load_picture(const char* name, T** data, unsigned* width, unsigned* height,
                  unsigned channels_of_file, unsigned channels) {
    std::vector<unsigned char> values;
    unsigned w = 0, h = 0, there = 0;
    if (!read_picture(name, &values, &w, &h, &there)) {
        return false;
    }
    if (there != channels_of_file || (*data != nullptr && (*width != w || *height != h))) {
        fprintf(stderr, "%s: a picture of another type or size\n", name);
        return false;
    }
    *width = w;
    *height = h;
    const size_t pixels = size_t{w} * h;
    if (*data == nullptr) {
        *data = static_cast<T*>(malloc(pixels * channels * sizeof(T)));
    }
    for (size_t i = 0; i < pixels; ++i) {
        for (unsigned c = 0; c < channels; ++c) {
            (*data)[i * channels + c] =
                c < there ? value_of_byte<T>(values[i * there + c]) : static_cast<T>(0);
        }
    }
    return true;
}
template <typename T>
bool save_picture(const char* name, const T* data, unsigned width, unsigned height,
                  unsigned channels_of_file, unsigned channels) {
    std::vector<unsigned char> values;
    for (size_t i = 0; i < size_t{width} * height; ++i) {
        for (unsigned c = 0; c < channels_of_file; ++c) {
            values.push_back(byte_of_value(data[i * channels + c]));
        }
    }
    return write_picture(name, values.data(), width, height, channels_of_file);
}

}  // namespace cpu_device

template <typename T>
bool sdkLoadPGM(const char* name, T** data, unsigned* width, unsigned* height) {
    return cpu_device::load_picture(name, data, width, height, 1, 1);
}
template <typename T>
bool sdkSavePGM(const char* name, T* data, unsigned width, unsigned height) {
    return cpu_device::save_picture(name, data, width, height, 1, 1);
}
// Four values a pixel in memory and three in the file: the fourth is 0.
template <typename T>
bool sdkLoadPPM4(const char* name, T** data, unsigned* width, unsigned* height) {
    return cpu_device::load_picture(name, data, width, height, 3, 4);
}
inline bool sdkLoadPPM4ub(const char* name, unsigned char** data, unsigned* width,
                          unsigned* height) {
    return cpu_device::load_picture(name, data, width, height, 3, 4);
}
inline bool sdkSavePPM4ub(const char* name, unsigned char* data, unsigned width, unsigned height) {
    return cpu_device::save_picture(name, data, width, height, 3, 4);
}
inline bool sdkSavePPMub(const char* name, unsigned char* data, unsigned width, unsigned height) {
    return cpu_device::save_picture(name, data, width, height, 3, 3);
}

// All numbers of a text file, into *data as above; a line that begins with # is a comment.
template <typename T>
bool sdkReadFile(const char* name, T** data, unsigned* count, bool = false) {
    std::ifstream file(name);
    std::vector<T> numbers;
    std::string line;
    while (std::getline(file, line)) {
        std::istringstream words(line[0] == '#' ? std::string() : line);
        for (T number; words >> number;) {
            numbers.push_back(number);
        }
    }
    if (numbers.empty() || (*data != nullptr && *count != numbers.size())) {
        fprintf(stderr, "sdkReadFile: %s: cannot be read, or has another number of values\n", name);
        return false;
    }
    if (*data == nullptr) {
        *data = static_cast<T*>(malloc(numbers.size() * sizeof(T)));
    }
    *count = static_cast<unsigned>(numbers.size());
    for (size_t i = 0; i < numbers.size(); ++i) {
        (*data)[i] = numbers[i];
    }
    return true;
}

// Do so few values of the two pictures differ by more than epsilon that they are less than this
// part of all?
inline bool sdkComparePPM(const char* first, const char* second, const float epsilon,
                          const float threshold, bool = false) {
    std::vector<unsigned char> a, b;
    unsigned width = 0, height = 0, channels = 0, width_b = 0, height_b = 0, channels_b = 0;
    if (!cpu_device::read_picture(first, &a, &width, &height, &channels) ||
        !cpu_device::read_picture(second, &b, &width_b, &height_b, &channels_b)) {
        return false;
    }
    size_t different = 0;
    for (size_t i = 0; i < a.size() && a.size() == b.size(); ++i) {
        different += std::abs(a[i] - b[i]) > static_cast<int>(epsilon) ? 1 : 0;
    }
    return width == width_b && height == height_b && channels == channels_b &&
           (different == 0 ||
            static_cast<float>(different) < threshold * static_cast<float>(a.size()));
}
inline bool sdkComparePGM(const char* first, const char* second, const float epsilon,
                          const float threshold, bool verbose = false) {
    return sdkComparePPM(first, second, epsilon, threshold, verbose);
}
// Is the distance of the two arrays at most epsilon, in relation to the length of the first?
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned count,
                           const float epsilon) {
    double error = 0, length = 0;
    for (unsigned i = 0; i < count; ++i) {
        const double difference = static_cast<double>(reference[i]) - data[i];
        error += difference * difference;
        length += static_cast<double>(reference[i]) * reference[i];
    }
    return length > 0 && std::sqrt(error / length) < epsilon;
}

// Do so few differ by more than epsilon that they are less than this part of all? With a threshold
// of 0, none may.
template <typename T, typename S>
bool compareData(const T* reference, const T* data, const unsigned count, const S epsilon,
                 const float threshold) {
    unsigned different = 0;
    for (unsigned i = 0; i < count; ++i) {
        const double difference = static_cast<double>(reference[i]) - static_cast<double>(data[i]);
        different += std::fabs(difference) <= static_cast<double>(epsilon) ? 0 : 1;
    }
    if (threshold == 0.0f) {
        return different == 0;
    }
    if (different > 0) {
        printf("%4.2f(%%) of values differ (count=%u)\n", 100.0 * different / count, different);
    }
    return static_cast<float>(different) < threshold * static_cast<float>(count);
}

// As text, with epsilon in the first line.
template <typename T, typename S>
bool sdkWriteFile(const char* name, const T* data, const unsigned count, const S epsilon, bool,
                  bool append = false) {
    FILE* const file = fopen(name, append ? "a" : "w");
    if (file == nullptr) {
        fprintf(stderr, "sdkWriteFile: cannot write %s\n", name);
        return false;
    }
    fprintf(file, "# %g\n", static_cast<double>(epsilon));
    for (unsigned i = 0; i < count; ++i) {
        fprintf(file, "%g ", static_cast<double>(data[i]));
    }
    return fclose(file) == 0;
}
