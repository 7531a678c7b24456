// A plate as text.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

// At most 12 lines of 24 characters, one for the cell in the middle of each part of the plate: from
// ' ' for the coldest to '@' for the hottest, '?' for what is no number.
inline std::string drawn(const std::vector<float>& plate, std::size_t columns) {
    const std::string shades = " .:-=+*#%@";
    const std::size_t rows = plate.size() / columns;
    const std::size_t height = rows < 12 ? rows : 12;
    const std::size_t width = columns < 24 ? columns : 24;
    float coldest = INFINITY;
    float hottest = -INFINITY;
    for (const float temperature : plate) {
        if (std::isfinite(temperature)) {
            coldest = std::fmin(coldest, temperature);
            hottest = std::fmax(hottest, temperature);
        }
    }
    std::string text;
    for (std::size_t y = 0; y < height; ++y) {
        text += '|';
        for (std::size_t x = 0; x < width; ++x) {
            const std::size_t row = (2 * y + 1) * rows / (2 * height);
            const std::size_t column = (2 * x + 1) * columns / (2 * width);
            const float temperature = plate[row * columns + column];
            const float share = (temperature - coldest) / (hottest - coldest);  // NaN on equal ones
            const float shade = std::fmin(std::fmax(share, 0.0f), 1.0f) * 9.99f;
            text += std::isnan(temperature) ? '?' : shades[static_cast<std::size_t>(shade)];
        }
        text += "|\n";
    }
    return text;
}
