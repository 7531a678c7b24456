#error "EGL: the CPU device does not have it"
