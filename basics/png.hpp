// png::write: a grey picture as a PNG file, which every viewer and browser shows.
//
// Without libpng, so that a program still builds by one nvcc line. It is short because nothing is
// compressed: the pixels are in "stored" blocks of the zlib format, one block per row. So the file
// is about as large as the picture.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace png {

inline std::string big_endian(std::uint32_t value) {
    return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}

// A chunk is the length of its data, a name of four letters, the data, and the CRC-32 of both.
inline std::string chunk(const std::string& name_and_data) {
    std::uint32_t crc = 0xffffffff;
    for (const unsigned char byte : name_and_data) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit) {
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
        }
    }
    return big_endian(name_and_data.size() - 4) + name_and_data + big_endian(~crc);
}

// `grey` has width x height pixels, row after row: 0 is black, 255 is white. width: 1 to 65534.
// Ends the program with status 1 if the file cannot be written.
inline void write(const char* path, const std::vector<unsigned char>& grey, int width, int height) {
    std::string pixels = "IDAT\x78\x01";     // a zlib stream follows
    std::uint32_t sum = 1, sum_of_sums = 0;  // its checksum, Adler-32
    for (int row = 0; row < height; ++row) {
        const unsigned length = 1 + width;
        pixels += char(row == height - 1);  // is it the last block?
        pixels += {char(length), char(length >> 8), char(~length), char(~length >> 8)};
        const std::size_t begin = pixels.size();
        pixels += '\0';  // the pixels of this row are as they are, not differences
        pixels.append(grey.begin() + std::size_t{1} * row * width,
                      grey.begin() + std::size_t{1} * (row + 1) * width);
        for (std::size_t i = begin; i < pixels.size(); ++i) {
            sum = (sum + static_cast<unsigned char>(pixels[i])) % 65521;
            sum_of_sums = (sum_of_sums + sum) % 65521;
        }
    }
    pixels += big_endian(sum_of_sums << 16 | sum);
    const std::string kind = {8, 0, 0, 0, 0};  // 8 bits per pixel, grey; the rest has one value
    const std::string file = "\x89PNG\r\n\x1a\n" +
                             chunk("IHDR" + big_endian(width) + big_endian(height) + kind) +
                             chunk(pixels) + chunk("IEND");
    std::FILE* out = std::fopen(path, "wb");
    const bool written = out && std::fwrite(file.data(), 1, file.size(), out) == file.size();
    if ((out && std::fclose(out) != 0) || !written) {
        std::perror((std::string("cannot write ") + path).c_str());
        std::exit(1);
    }
}

}  // namespace png
