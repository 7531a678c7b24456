#error "OpenGL: the CPU device does not have it"
