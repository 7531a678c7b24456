#error "cuDNN: the CPU device does not have it"
