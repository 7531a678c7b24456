#error "cuBLAS: the CPU device does not have it"
