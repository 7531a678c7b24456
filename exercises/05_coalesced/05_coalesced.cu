// 5. Coalesced accesses
//
// The kernel doubles all elements of a matrix of 40 rows, which is stored row after row. The result
// is right. But each thread takes a whole row, so the lanes of a warp use words that are one row
// apart, and each word lies in a sector of its own.
//
// Change which elements a thread takes, and with it the launch: the lanes of a warp are to use
// neighboring words. Each of the two matrices has rows * columns / 8 sectors, so both together
// have rows * columns / 4. Allowed are fewer than twice as many.
// Read: basics/05_coalescing.md
__global__ void twice(const int* d_in, int* d_out, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        for (int column = 0; column < columns; ++column) {
            const int i = row * columns + column;
            d_out[i] = 2 * d_in[i];
        }
    }
}

void launch_twice(const int* d_in, int* d_out, int rows, int columns, int block_size) {
    if (columns > 0) {
        twice<<<(rows + block_size - 1) / block_size, block_size>>>(d_in, d_out, rows, columns);
    }
}
