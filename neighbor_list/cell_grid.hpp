// A grid of square cells over the atoms. The cells are a little larger than the cutoff, so an
// atom's neighbors are in its own cell or in one of the eight around it.
#pragma once

#include <cuda_runtime.h>  // __host__ __device__

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <vector>

// The smallest box around all atoms, in angstrom. A simulation knows its box.
template <typename T>
struct Box {
    T x_min = 0;
    T x_max = 0;
    T y_min = 0;
    T y_max = 0;
};

template <typename T>
Box<T> bounding_box(const std::vector<T>& x, const std::vector<T>& y) {
    if (x.empty()) {
        return {};
    }
    const auto [x_min, x_max] = std::minmax_element(x.begin(), x.end());
    const auto [y_min, y_max] = std::minmax_element(y.begin(), y.end());
    return {*x_min, *x_max, *y_min, *y_max};
}

// Cell (column, row) has the number row * columns + column: cells side by side in a row are side by
// side in memory too.
template <typename T>
struct CellGrid {
    T x_min = 0;
    T y_min = 0;
    T cells_per_unit = 0;  // one over a cell's edge
    int columns = 1;
    int rows = 1;

    // For coordinates inside the box. fmin keeps the result inside the grid when the subtraction
    // overflows (then there is only one cell).
    __host__ __device__ int column(T x) const {
        return static_cast<int>(std::fmin((x - x_min) * cells_per_unit, T(columns - 1)));
    }
    __host__ __device__ int row(T y) const {
        return static_cast<int>(std::fmin((y - y_min) * cells_per_unit, T(rows - 1)));
    }
    __host__ __device__ int cell(T x, T y) const { return row(y) * columns + column(x); }
    std::size_t cells() const { return static_cast<std::size_t>(columns) * rows; }
};

// The finest grid whose cells are a little larger than the cutoff and are at most about two per
// atom: where the box is large and almost empty, the cells grow instead of their number. Cells that
// hold many atoms cost time, never the result.
//
// Why "a little larger": column() rounds, by up to two units in the last place of a number as large
// as the number of columns. Atoms with a whole column between them must be a cutoff apart all the
// same. So the edge is longer than the cutoff by more than that error: 8 u times the extent, where
// u is the unit roundoff of T.
template <typename T>
CellGrid<T> make_cell_grid(const Box<T>& box, T cutoff, std::size_t N) {
    constexpr long double u = std::numeric_limits<T>::epsilon() / 2;
    constexpr long double max_cells_along = 65536;
    const long double max_cells = 2.0L * static_cast<long double>(N) + 64;
    const long double extent_x = static_cast<long double>(box.x_max) - box.x_min;
    const long double extent_y = static_cast<long double>(box.y_max) - box.y_min;
    const long double extent = std::max(extent_x, extent_y);

    CellGrid<T> grid;
    grid.x_min = box.x_min;
    grid.y_min = box.y_min;
    if (extent > std::numeric_limits<T>::max() / 2) {
        return grid;  // differences overflow T: one cell
    }
    long double edge = cutoff + 8 * u * (extent + cutoff);
    const auto cells_along = [&](long double length) { return std::floor(length / edge) + 1; };
    while (cells_along(extent) > max_cells_along ||
           cells_along(extent_x) * cells_along(extent_y) > max_cells) {
        edge *= 1.25L;
    }
    grid.cells_per_unit = static_cast<T>(1 / edge);
    // Counted with the function that the kernels use, so that the last atom has a cell.
    grid.columns = static_cast<int>((box.x_max - box.x_min) * grid.cells_per_unit) + 1;
    grid.rows = static_cast<int>((box.y_max - box.y_min) * grid.cells_per_unit) + 1;
    return grid;
}

// How many tests a cell list makes for these atoms: each atom against the atoms of nine cells. (In
// double, because it may exceed 64 bits.)
template <typename T>
double tests_in_cells(const CellGrid<T>& grid, const std::vector<T>& x, const std::vector<T>& y) {
    std::vector<double> counts(grid.cells());
    for (std::size_t n = 0; n < x.size(); ++n) {
        ++counts[grid.cell(x[n], y[n])];
    }
    double tests = 0;
    for (int row = 0; row < grid.rows; ++row) {
        for (int column = 0; column < grid.columns; ++column) {
            double near = 0;
            for (int r = std::max(row - 1, 0); r <= std::min(row + 1, grid.rows - 1); ++r) {
                for (int c = std::max(column - 1, 0); c <= std::min(column + 1, grid.columns - 1);
                     ++c) {
                    near += counts[static_cast<std::size_t>(r) * grid.columns + c];
                }
            }
            tests += near * counts[static_cast<std::size_t>(row) * grid.columns + column];
        }
    }
    return tests;
}

// Throws std::invalid_argument where so many atoms are so close together that a run would take
// minutes: more than a second's work for a variant, and more than 1000 tests per atom.
template <typename T>
void refuse_crowd(const CellGrid<T>& grid, const std::vector<T>& x, const std::vector<T>& y) {
    constexpr double max_tests = 1e8;
    constexpr double max_tests_per_atom = 1000;
    const double tests = tests_in_cells(grid, x, y);
    if (tests > max_tests && tests > max_tests_per_atom * static_cast<double>(x.size())) {
        char text[300];
        std::snprintf(text, sizeof text,
                      "%zu atoms are too close together: a cell list would make %.3g tests of a "
                      "pair; expected at most %g, or at most %g per atom (a smaller --cutoff needs "
                      "fewer)",
                      x.size(), tests, max_tests, max_tests_per_atom);
        throw std::invalid_argument(text);
    }
}
