# Versions of basics/07_warps.cu in which race mode must find a race.
s/__syncwarp();.*//
# A shuffle does not order accesses to memory.
s/__syncwarp();.*/__shfl_sync(all_lanes, lane, 0);/
