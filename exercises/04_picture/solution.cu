// 4. A picture
//
// The kernel makes a picture brighter: 40 is added to each pixel, up to 255 at most. The picture is
// stored row after row: the pixel in row r and column c is d_in[r * width + c]. Each pixel has a
// thread. The blocks have two dimensions, and x is the column: a block is 32 threads wide and
// block_size / 32 threads high.
//
// Fill in the places of ____ : the column and the row of the thread, and how many blocks the grid
// has in x and in y. Neither width nor height need be a multiple of the block's.
// Read: basics/01_threads.md; basics/10_julia.md has a picture with a thread per pixel
__global__ void brighten(const unsigned char* d_in, unsigned char* d_out, int width, int height) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) {
        const int i = row * width + column;
        d_out[i] = min(d_in[i] + 40, 255);
    }
}

// block_size is a multiple of 32.
void launch_brighten(const unsigned char* d_in, unsigned char* d_out, int width, int height,
                     int block_size) {
    if (width > 0) {
        const dim3 block(32, block_size / 32);
        const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
        brighten<<<grid, block>>>(d_in, d_out, width, height);
    }
}
