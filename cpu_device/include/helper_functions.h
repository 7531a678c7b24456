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
