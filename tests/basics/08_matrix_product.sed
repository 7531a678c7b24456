# One broken version of basics/08_matrix_product.cu per line, as sed's substitutions.
# The sum in global memory leaves out the last product.
s/k < inner; ++k) {/k < inner - 1; ++k) {/
# The tile of B is read as if it were transposed.
s/s_b\[k\]\[x\];/s_b[x][k];/
# The last tiles, which are not full, are left out.
s/first < inner; first += tile/first + tile <= inner; first += tile/
# The tile of A is stored as if it were transposed.
s/s_a\[y\]\[x\] = /s_a[x][y] = /
# Every tile of B is the first one.
s/d_b\[(first + y) \* columns/d_b[y * columns/
# The grid is rounded down.
s/grid((columns + tile - 1) /grid(columns /
# Rows and columns of the grid exchanged.
s/dim3 grid(\(.*\), \((rows + tile - 1) . tile\)), block/dim3 grid(\2, \1), block/
