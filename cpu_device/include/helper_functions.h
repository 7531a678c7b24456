// What NVIDIA's samples expect of their helper_functions.h, but for pictures.
#pragma once

#include <cmath>

#include "helper_string.h"
#include "helper_timer.h"

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
