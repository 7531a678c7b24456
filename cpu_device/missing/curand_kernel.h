#error "cuRAND: the CPU device does not have it"
