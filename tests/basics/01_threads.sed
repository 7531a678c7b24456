# One broken version of basics/01_threads.cu per line, as sed's substitutions.
# Rows and columns of the grid exchanged, in 2-D.
s/blockIdx.y \* gridDim.x + blockIdx.x;/blockIdx.x * gridDim.y + blockIdx.y;/
# The formula of the notes' section 2.1, which takes the wrong built-in variable.
s/return threadIdx.y \* blockDim.x + threadIdx.x;/return threadIdx.y * blockIdx.x + threadIdx.x;/
# The last row of the block's last dimension is cut off.
s/threadIdx.z \* blockDim.y + threadIdx.y/threadIdx.z * (blockDim.y - 1) + threadIdx.y/
# Warps of 33 threads.
s/warp = threadIdx.x \/ warpSize/warp = threadIdx.x \/ (warpSize + 1)/
