# One broken version of basics/09_textures.cu per line, as sed's substitutions.
# The kernel reads the nearest element only.
s/how.filterMode = filter;/how.filterMode = cudaFilterModePoint;/
# Outside of the array the samples are 0.
s/= cudaAddressModeClamp;/= cudaAddressModeBorder;/
# Rows and columns exchanged.
s/(texture, p.x, p.y)$/(texture, p.y, p.x)/
# Every sample of a volume comes from its first slices.
s/p.x, p.y, p.z);/p.x, p.y, 0);/
# The integer of an index is taken for the middle of its element.
s/(texture, p.x)$/(texture, p.x + 0.5f)/
# The slices overlap.
s/size.width, size.height);/size.width, size.height - 1);/
# The tail is missing.
s/<<<(n + 255) \/ 256/<<<n \/ 256/
