#error "8-bit floating-point numbers: the CPU device does not have them"
