# One broken version of basics/07_warps.cu per line, as sed's substitutions.
# The first step of the sum is left out.
s/int offset = 16;/int offset = 8;/
# The neighbor in place of the lane offset further on.
s/mine, offset)/mine, 1)/
# Each odd lane counts itself as well.
s/(1u << lane) - 1)/(2u << lane) - 1)/
# Another lane than the first odd one.
s/__ffs(mask) - 1;/__ffs(mask);/
# The lane beside the opposite one.
s/s_x\[31 - lane\]/s_x[30 - lane \& 31]/
# Both sides for the wrong threads.
s/\] = branch(i \/ group % 2 == 0/] = branch(i \/ group % 2 != 0/
