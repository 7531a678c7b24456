# One broken version of neighbor_list/neighbor_list.cu per line, as sed's substitutions.
# The counts are right, the lists are not where they belong.
s/\(find_neighbors_atomic<<<.*cutoff_squared, MN\),/\1 - 1,/
# The squared distance is compared with the cutoff itself.
s/\(find_neighbors_no_atomic<<<.*cutoff\)_squared,/\1,/
