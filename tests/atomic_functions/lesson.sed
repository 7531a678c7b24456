# One broken version of atomic_functions/atomic_functions.cu per line, as sed's substitutions.
# The old values are right, the count is not.
s/count_atomic_add<<<.*$/& CHECK(cudaMemset(d_x, 0, sizeof(int)));/
# The count is right, the old value of a thread is not.
s/count_atomic_add<<<.*$/& CHECK(cudaMemset(d_olds, 0xff, sizeof(int)));/
# The maximum starts above all values.
s/float lowest = -INFINITY/float lowest = INFINITY/
# The maximum is never looked for.
s/float_max_cas<<</if (n == 0) &/
