# One broken version of basics/05_coalescing.cu per line, as sed's substitutions.
# Column after column: the steps of a row and a column exchange their places.
s/return row \* columns + column;/return column * 64 + row;/
# Sectors of 64 bytes.
s/step) \/ 32);/step) \/ 64);/
# A sum without its first element.
s/for (int column = 0; column < columns/for (int column = 1; column < columns/
# A sum without its last element.
s/for (int row = 0; row < rows; ++row)/for (int row = 0; row + 1 < rows; ++row)/
# Transposing moves a column to the place of its neighbor.
s/d_transposed\[index_of(column, row, rows)\]/d_transposed[index_of(column ^ 1, row ^ 1, rows)]/
