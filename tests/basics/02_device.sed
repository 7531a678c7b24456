# One broken version of basics/02_device.cu per line, as sed's substitutions.
# A limit that is too large: the launch at the limit is refused.
s/block_z = p.maxThreadsDim\[2\]/block_z = p.maxThreadsDim[1]/
# A limit that is too small: one more is not refused.
s/runs(1, threads + 1, 0, warp)/runs(1, threads - 1, 0, warp)/
# The wrong limit of shared memory.
s/shared = p.sharedMemPerBlock;/shared = p.sharedMemPerBlockOptin;/
# Not the last block reports.
s/blockIdx.y == gridDim.y - 1) {/blockIdx.y == gridDim.y) {/
# A warp of another size.
s/\*d_warp_size = warpSize;/*d_warp_size = warpSize + 1;/
