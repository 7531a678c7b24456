# One broken version of basics/02_device.cu per line, as sed's substitutions.
# A limit that is too large: the launch at the limit is refused.
s/with_block_z(p.maxThreadsDim\[2\]),/with_block_z(p.maxThreadsDim[1]),/
# A limit that is too small: one more is not refused.
s/with_threads(p.maxThreadsPerBlock + 1)/with_threads(p.maxThreadsPerBlock - 1)/
# The wrong limit of shared memory.
s/with_shared(p.sharedMemPerBlock),/with_shared(p.sharedMemPerBlockOptin),/
# Not the last block reports.
s/blockIdx.y == gridDim.y - 1) {/blockIdx.y == gridDim.y) {/
# A warp of another size.
s/\*d_warp_size = warpSize;/*d_warp_size = warpSize + 1;/
