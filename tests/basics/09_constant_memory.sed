# One broken version of basics/09_constant_memory.cu per line, as sed's substitutions.
# The terms are copied in elements instead of bytes.
s/sizeof c_terms))/polynomials * terms))/
# The terms of the first group are kept for all groups.
s/CHECK(cudaMemcpyToSymbol(/if (group == 32) &/
# The kernel leaves out the constant term.
s/k >= 0; --k/k > 0; --k/
# The neighbor's polynomial.
s/= polynomial_of(i, group);/= polynomial_of(i + 1, group);/
# The rows and columns of the table exchanged.
s/c_terms\[polynomial\]\[k\]/(\&c_terms[0][0])[k * polynomials + polynomial]/
# The last, incomplete block is missing.
s/<<<(n + 255) \/ 256/<<<n \/ 256/
