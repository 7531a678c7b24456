#error "NVRTC: the CPU device does not have it"
