// A fuzz target without libFuzzer: runs it once on each file that is named on the command line.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/fuzz.hpp"

int main(int argc, char** argv) {
    int inputs = 0;
    for (int i = 1; i < argc; ++i) {
        std::ifstream in(argv[i], std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        if (!in) {
            std::fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return EXIT_FAILURE;
        }
        std::fprintf(stderr, "%s\n", argv[i]);  // the last one named is the one that failed
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
        ++inputs;
    }
    std::printf("%d inputs: every promise held\n", inputs);
    return inputs > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
