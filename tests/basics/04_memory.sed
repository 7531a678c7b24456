# One broken version of basics/04_memory.cu per line, as sed's substitutions.
# The guard leaves out the last element.
s/if (i < n)/if (i < n - 1)/
# The input is copied in elements instead of bytes.
s/cudaMemcpy(d_x, x, bytes,/cudaMemcpy(d_x, x, n,/
# The result is copied in elements instead of bytes.
s/cudaMemcpy(distances, d_distances, bytes,/cudaMemcpy(distances, d_distances, n,/
# The tail is missing in unified memory.
s/find_distances<<<(n + 255) \/ 256, 256>>>(x, distances, n)/find_distances<<<n \/ 256, 256>>>(x, distances, n)/
# Input and output of the kernel exchanged.
s/256>>>(d_x, d_distances, n)/256>>>(d_distances, d_x, n)/
