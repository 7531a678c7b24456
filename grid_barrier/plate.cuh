// The plate, and what a step does to a cell: the same code on the GPU and on the CPU.
//
// A plate has n cells in rows of `columns` cells; the last row may be shorter. A cell with four
// neighbors is an inner cell, and a step makes it their mean. The others are the plate's edge and
// keep their temperature.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

// A plate on the device, and room for the next one: a step reads one and writes the other.
struct Plate {
    float* d_now;   // n temperatures
    float* d_next;  // n temperatures: those after the next step
    std::size_t n;
    std::size_t columns;
};

__host__ __device__ inline bool is_inner(std::size_t cell, std::size_t n, std::size_t columns) {
    const std::size_t column = cell % columns;
    return cell >= columns && n - cell > columns && column > 0 && column < columns - 1;
}

// The temperature of a cell after a step. There is no a * b + c in it, which a compiler might turn
// into a fused multiply-add: so every device rounds it to the same bits.
__host__ __device__ inline float next_temperature(const float* plate, std::size_t cell,
                                                  std::size_t n, std::size_t columns) {
    if (!is_inner(cell, n, columns)) {
        return plate[cell];
    }
    const float vertical = plate[cell - columns] + plate[cell + columns];
    const float horizontal = plate[cell - 1] + plate[cell + 1];
    return 0.25f * (vertical + horizontal);
}

// One step for the cells that fall to this thread when the grid strides over the plate.
__device__ inline void update_cells(const Plate& plate) {
    const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
    for (std::size_t cell = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; cell < plate.n;
         cell += stride) {
        plate.d_next[cell] = next_temperature(plate.d_now, cell, plate.n, plate.columns);
    }
}

// The step has ended: the next one reads what it has written.
__host__ __device__ inline void swap_plates(Plate& plate) {
    float* const d_old = plate.d_now;
    plate.d_now = plate.d_next;
    plate.d_next = d_old;
}
