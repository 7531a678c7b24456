#error "NCCL: the CPU device does not have it"
