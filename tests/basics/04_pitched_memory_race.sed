# Versions of basics/04_pitched_memory.cu in which race mode must find a race.
# The slices overlap, so threads of two slices add to the same word.
s/z \* d_volume.pitch \* height/z * d_volume.pitch * (height - 1)/
