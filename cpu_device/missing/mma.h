#error "Tensor cores: the CPU device does not have them"
