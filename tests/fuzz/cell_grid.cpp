// Fuzz target: the cell grid of the neighbor list, neighbor_list/cell_grid.hpp. An input is a byte
// that says how to read the rest: bit 0, as float or double; bit 1, as raw numbers or as multiples
// of 1/256 of the cutoff. Then the cutoff, and two numbers for each atom.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "neighbor_list/cell_grid.hpp"
#include "neighbor_list/distance.cuh"
#include "tests/fuzz/fuzz.hpp"

using fuzz::require;

namespace {

// Cuts numbers from the front of the input.
struct Source {
    const std::uint8_t* data;
    std::size_t size;

    template <typename N>
    bool take(N& number) {
        if (size < sizeof number) {
            return false;
        }
        std::memcpy(&number, data, sizeof number);
        data += sizeof number;
        size -= sizeof number;
        return true;
    }
};

template <typename T>
bool take_place(Source& source, bool raw, T cutoff, T& place) {
    if (raw) {
        return source.take(place) && std::isfinite(place);
    }
    std::int16_t steps = 0;
    const bool taken = source.take(steps);
    place = static_cast<T>(steps) / 256 * cutoff;
    return taken && std::isfinite(place);
}

template <typename T>
void look_at_grid(Source source, bool raw) {
    T cutoff = 0;
    if (!source.take(cutoff) || !(cutoff >= T(1e-15) && cutoff <= T(1e15))) {
        return;  // the command line takes no other
    }
    std::vector<T> x;
    std::vector<T> y;
    T place_x = 0;
    T place_y = 0;
    while (x.size() < 100 && take_place(source, raw, cutoff, place_x) &&
           take_place(source, raw, cutoff, place_y)) {
        x.push_back(place_x);
        y.push_back(place_y);
    }
    const std::size_t N = x.size();
    const CellGrid<T> grid = make_cell_grid(bounding_box(x, y), cutoff, N);
    require(grid.columns >= 1 && grid.rows >= 1, "there is a cell");
    require(grid.cells() <= 3 * N + 1000, "there are at most about two cells per atom",
            std::to_string(grid.cells()));

    double near = 0;  // pairs of atoms in cells side by side, counted twice, and each atom itself
    for (std::size_t i = 0; i < N; ++i) {
        const int column = grid.column(x[i]);
        const int row = grid.row(y[i]);
        require(0 <= column && column < grid.columns && 0 <= row && row < grid.rows,
                "every atom has a cell", std::to_string(i));
        for (std::size_t k = 0; k < N; ++k) {
            const bool side_by_side =
                std::abs(grid.column(x[k]) - column) <= 1 && std::abs(grid.row(y[k]) - row) <= 1;
            near += side_by_side ? 1 : 0;
            require(side_by_side || !within_cutoff(x[i], y[i], x[k], y[k], cutoff * cutoff),
                    "neighbors are in cells side by side",
                    std::to_string(i) + " and " + std::to_string(k));
        }
    }
    require(tests_in_cells(grid, x, y) == near, "the number of tests is that of near pairs");
    refuse_crowd(grid, x, y);  // throws for no more than 100 atoms
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size > 0) {
        const bool raw = (data[0] & 2) == 0;
        const Source source{data + 1, size - 1};
        (data[0] & 1) == 0 ? look_at_grid<float>(source, raw) : look_at_grid<double>(source, raw);
    }
    return 0;
}
