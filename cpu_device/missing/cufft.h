#error "cuFFT: the CPU device does not have it"
