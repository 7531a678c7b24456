#error "cuSPARSE: the CPU device does not have it"
