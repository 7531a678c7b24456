// 1. One thread per element
//
// The kernel adds two arrays: d_z[i] = d_x[i] + d_y[i]. Each element is to have a thread of its
// own: thread 0 of the whole grid takes element 0, thread 1 takes element 1, and so on through all
// blocks.
//
// Put the index of the thread in the place of ____ .
// Read: basics/01_threads.md
__global__ void add(const int* d_x, const int* d_y, int* d_z, int n) {
    const int i = ____;
    if (i < n) {
        d_z[i] = d_x[i] + d_y[i];
    }
}

// As many blocks as n elements need. (A launch of 0 blocks is refused.)
void launch_add(const int* d_x, const int* d_y, int* d_z, int n, int block_size) {
    if (n > 0) {
        add<<<(n + block_size - 1) / block_size, block_size>>>(d_x, d_y, d_z, n);
    }
}
