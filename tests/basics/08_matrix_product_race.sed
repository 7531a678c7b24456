# Versions of basics/08_matrix_product.cu without a barrier, in which race mode must find a race.
s/__syncthreads();  \/\/ both tiles are complete.*//
s/__syncthreads();  \/\/ all threads have read.*//
