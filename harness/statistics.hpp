// Median and spread of repeated timings.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace harness {

// The median of the values; 0 of none.
inline double median(std::vector<double> values) {
    if (values.empty()) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Half the distance between the quartiles, as a share of the median: how far a typical sample lies
// from it. Outliers, such as the first run after a clock change, do not count. 0 of fewer than 4.
inline double spread(std::vector<double> values) {
    const double middle = median(values);
    if (values.size() < 4 || middle == 0) {
        return 0;
    }
    std::sort(values.begin(), values.end());
    const std::size_t quarter = values.size() / 4;
    return (values[values.size() - 1 - quarter] - values[quarter]) / 2 / middle;
}

}  // namespace harness
