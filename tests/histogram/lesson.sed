# One broken version of histogram/histogram.cu per line, as sed's substitutions.
# One kernel leaves out the last byte, the other is right.
s/\(histogram_global<<<.*(d_bytes, n\),/\1 - 1,/
s/(d_bytes, n, bins,$/(d_bytes, n - 1, bins,/
# All bytes are counted, each as the value after its own.
s/\(shared_counts.data()\), d_bins, bins_bytes,/\1 + 1, d_bins, bins_bytes - sizeof(BinCount),/
