# One broken version of grid_barrier/grid_barrier.cu per line, as sed's substitutions.
# The kernel for a step is left out in one of them.
s/heat_step<<</if (step < steps) &/
# The kernel for all steps takes a row for one cell shorter.
s/void\* arguments\[\] = /--plate.columns; &/
