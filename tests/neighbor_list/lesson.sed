# One broken version of neighbor_list/neighbor_list.cu per line, as sed's substitutions.
# The counts are right, the lists are not where they belong.
s/find_neighbors_atomic<<<.*cutoff_squared, MN,/find_neighbors_atomic<<<grid_size, block_size>>>(d_x, d_y, N, cutoff_squared, MN - 1,/
# The squared distance is compared with the cutoff itself.
s/find_neighbors_no_atomic<<<.*cutoff_squared,/find_neighbors_no_atomic<<<grid_size, block_size>>>(d_x, d_y, N, cutoff,/
