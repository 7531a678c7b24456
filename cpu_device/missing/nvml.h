#error "NVML: the CPU device does not have it"
