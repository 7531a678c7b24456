# One broken version of scan/scan.cu per line, as sed's substitutions.
# The sums are not added to the tiles.
s/^ *add_sums<<<.*$//
# The last tile is left out.
s/scan_look_back<<<tiles,/scan_look_back<<<tiles - 1,/
# The last element is left out.
s/block_size>>>(d_x, n, d_y, d_ticket,/block_size>>>(d_x, n - 1, d_y, d_ticket,/
