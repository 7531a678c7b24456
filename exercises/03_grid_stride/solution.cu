// 3. The grid-stride loop
//
// The kernel adds 1 to n numbers: d_y[i] = d_x[i] + 1. The grid has at most 8 blocks, however large
// n is. So a thread may have to take several elements, one after another: first the element with
// the index of the thread, as in exercise 1. Its next element is so many places further on as
// there are threads in the whole grid. It goes on until the end of the array.
//
// Put the first element and the distance to the next one in the places of ____ . (The check counts
// threads, and sectors: pieces of memory of 32 bytes. If neighboring threads take neighboring
// elements, they need few sectors. Allowed are four times as many as the two arrays have.)
// Read: basics/03_vector_sum.md
__global__ void add_one(const int* d_x, int* d_y, int n) {
    const int first = blockIdx.x * blockDim.x + threadIdx.x;
    const int stride = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += stride) {
        d_y[i] = d_x[i] + 1;
    }
}

void launch_add_one(const int* d_x, int* d_y, int n, int block_size) {
    add_one<<<8, block_size>>>(d_x, d_y, n);
}
