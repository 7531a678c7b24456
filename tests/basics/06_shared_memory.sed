# One broken version of basics/06_shared_memory.cu per line, as sed's substitutions.
# The tree of one block begins too late.
s/int offset = 4;/int offset = 2;/
# The tree of any block begins too late: half of the numbers are left out.
s/int offset = blockDim.x \/ 2;/int offset = blockDim.x \/ 4;/
# The threads beyond the last number bring the last number again.
s/i < n ? d_x\[i\] : 0/d_x[i < n ? i : n - 1]/
# Every block stores its sum in the same word.
s/d_sums\[blockIdx.x\] = s_x\[0\]/d_sums[0] = s_x[0]/
# A lane goes on to another word.
s/word = s_x\[word\]/word = s_x[word \/ 2]/
