# One broken version of basics/04_pitched_memory.cu per line, as sed's substitutions.
# The rows of the matrix follow each other without gaps.
s/reinterpret_cast<char\*>(d_matrix) + y \* pitch/reinterpret_cast<char*>(d_matrix) + y * width * 4/
# The matrix is copied as if it had no gaps.
s/cudaMemcpy2D(matrix.data(), row_bytes, d_matrix, pitch,/cudaMemcpy2D(matrix.data(), row_bytes, d_matrix, row_bytes,/
# The slices overlap.
s/z \* d_volume.pitch \* height/z * d_volume.pitch * (height - 1)/
# The extent's width in elements instead of bytes.
s/make_cudaExtent(row_bytes, height, depth)/make_cudaExtent(width, height, depth)/
# The last slice is not copied back.
s/copy.kind = cudaMemcpyDeviceToHost;/copy.kind = cudaMemcpyDeviceToHost, --copy.extent.depth;/
# The index of the row in the place of that of the column.
s/\[x\] += increment(x, y, z)/[y] += increment(x, y, z)/
