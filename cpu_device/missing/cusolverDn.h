#error "cuSOLVER: the CPU device does not have it"
