// Pictures and files of numbers by the helper_functions.h of NVIDIA's samples, which brings C++'s
// own headers along, too.
#include <helper_functions.h>

#include <unistd.h>

using namespace std;

static bool ends_well(const char* what, bool good) {
    if (!good) {
        cout << what << " is wrong" << endl;
    }
    return good;
}

static bool write(const string& name, const string& text) {
    ofstream file(name, ios::binary);
    file << text;
    return static_cast<bool>(file);
}

int main() {
    char folder[] = "/tmp/picturesXXXXXX";
    assert(mkdtemp(folder) != nullptr);
    const string gray = string(folder) + "/a.pgm", colours = string(folder) + "/a.ppm",
                 other = string(folder) + "/b.ppm", numbers = string(folder) + "/n.txt";
    unsigned width = 0, height = 0, count = 0;

    bool good = write(gray, "P5\n# a comment\n3 2\n255\n" + string("\x01\x20\xff\0"
                                                                   "ab",
                                                                   6));
    unsigned char* bytes = nullptr;
    good = ends_well("sdkLoadPGM", sdkLoadPGM(gray.c_str(), &bytes, &width, &height) &&
                                       width == 3 && height == 2 && bytes[1] == 0x20 &&
                                       bytes[3] == 0 && bytes[5] == 'b') &&
           good;
    float* values = nullptr;
    good = ends_well("of floats", sdkLoadPGM(gray.c_str(), &values, &width, &height) &&
                                      values[2] == 1 && values[0] == 1 / 255.0f) &&
           good;
    values[4] = 0.5f;
    float* again = static_cast<float*>(malloc(6 * sizeof(float)));
    good = ends_well("sdkSavePGM", sdkSavePGM(gray.c_str(), values, width, height) &&
                                       sdkLoadPGM(gray.c_str(), &again, &width, &height) &&
                                       again[4] == 127 / 255.0f && again[2] == 1) &&
           good;
    width = 2;
    good = ends_well("another size", !sdkLoadPGM(gray.c_str(), &again, &width, &height)) && good;

    vector<unsigned char> pixels;
    for (int i = 0; i < 4 * 5 * 2; ++i) {
        pixels.push_back(static_cast<unsigned char>(7 * i));
    }
    unsigned char* loaded = nullptr;
    good = ends_well("sdkSavePPM4ub", sdkSavePPM4ub(colours.c_str(), pixels.data(), 5, 2) &&
                                          sdkLoadPPM4(colours.c_str(), &loaded, &width, &height) &&
                                          width == 5 && height == 2) &&
           good;
    for (int i = 0; i < 4 * 5 * 2; ++i) {
        good = ends_well("a pixel", loaded[i] == (i % 4 == 3 ? 0 : pixels[i])) && good;
    }
    pixels[0] = 90;  // one of 30 values
    good = ends_well("sdkComparePPM", sdkSavePPM4ub(other.c_str(), pixels.data(), 5, 2) &&
                                          sdkComparePPM(colours.c_str(), colours.c_str(), 1, 0) &&
                                          sdkComparePPM(colours.c_str(), other.c_str(), 1, 0.1f) &&
                                          sdkComparePPM(colours.c_str(), other.c_str(), 90, 0) &&
                                          !sdkComparePPM(colours.c_str(), other.c_str(), 1, 0)) &&
           good;
    good = ends_well("half a file", write(other, "P6\n5 2\n255\nabc") &&
                                        !sdkLoadPPM4(other.c_str(), &loaded, &width, &height)) &&
           good;

    float* read = nullptr;
    good = ends_well("sdkReadFile", write(numbers, "# 0.1\n1 2.5\n-3\n") &&
                                        sdkReadFile(numbers.c_str(), &read, &count, false) &&
                                        count == 3 && read[0] == 1 && read[1] == 2.5f &&
                                        read[2] == -3) &&
           good;
    for (const string& name : {gray, colours, other, numbers}) {
        remove(name.c_str());
    }
    rmdir(folder);
    free(bytes), free(values), free(again), free(loaded), free(read);
    cout << (good ? "ok" : "not ok") << endl;
    return good ? 0 : 1;
}
