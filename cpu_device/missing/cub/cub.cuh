#error "CUB: the CPU device does not have it"
