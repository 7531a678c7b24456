# One broken version of reduce_atomic/reduce_atomic.cu per line, as sed's substitutions.
# Half of the elements are left out.
s/reduce_block_tree<<<grid_size,/reduce_block_tree<<<grid_size \/ 2,/
# Every launch adds to the sum of the one before.
s/CHECK(cudaMemset(d_sum, 0, sizeof(float)));$/static int runs = 0; if (runs++ == 0) &/
# The sum starts as a NaN, which no comparison calls too large.
s/cudaMemset(d_sum, 0, sizeof(float)));$/cudaMemset(d_sum, 0xff, sizeof(float)));/
