# Versions of basics/06_shared_memory.cu without a barrier, in which race mode must find a race.
s/__syncthreads();  \/\/ all numbers are stored.*//
s/__syncthreads();  \/\/ all sums of this step.*//
