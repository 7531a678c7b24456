// 10. Bank conflicts
//
// The kernel transposes a matrix of rows x columns elements: row r of the one becomes column r of
// the other. To read and write along rows, each block goes through a tile in shared memory of 32 x
// 32 elements: its warps store the rows of the tile, and read its columns. The result is right. But
// the elements of one column of the tile all lie in the same bank: 32 turns in place of one.
//
// Change the tile so that there are no bank conflicts. Both matrices together have rows * columns /
// 4 sectors. Allowed are twice as many, so the tile must stay.
// Read: basics/06_shared_memory.md
__global__ void transpose(const int* d_in, int* d_out, int rows, int columns) {
    // Rows of 33 words: from row to row, the elements of a column lie one bank further on.
    __shared__ int s_tile[32][32 + 1];
    const int x = threadIdx.x;
    const int first_row = blockIdx.y * 32, first_column = blockIdx.x * 32;
    for (int y = threadIdx.y; y < 32; y += blockDim.y) {
        if (first_row + y < rows && first_column + x < columns) {
            s_tile[y][x] = d_in[(first_row + y) * columns + first_column + x];
        }
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += blockDim.y) {  // a column of the tile, a row of d_out
        if (first_column + y < columns && first_row + x < rows) {
            d_out[(first_column + y) * rows + first_row + x] = s_tile[x][y];
        }
    }
}

// block_size is a multiple of 32.
void launch_transpose(const int* d_in, int* d_out, int rows, int columns, int block_size) {
    if (columns > 0) {
        const dim3 grid((columns + 31) / 32, (rows + 31) / 32), block(32, block_size / 32);
        transpose<<<grid, block>>>(d_in, d_out, rows, columns);
    }
}
