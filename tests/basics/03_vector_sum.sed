# One broken version of basics/03_vector_sum.cu per line, as sed's substitutions.
# The wrong grid in the place of the right one: the tail is missing.
s/add<<<(n + block_size - 1) /add<<<n /
# The right grid in the place of the wrong one: nothing is missing.
s/add<<<n \/ block_size,/add<<<n \/ block_size + 1,/
# The guard leaves out the last element.
s/if (i < n)/if (i < n - 1)/
# The loop ends early.
s/i < n; i += stride/i < n - 1; i += stride/
# The stride leaves out elements.
s/stride = gridDim.x \* blockDim.x;/stride = gridDim.x * blockDim.x + 1;/
