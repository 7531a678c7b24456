# One broken version of several_gpus/several_gpus.cu per line, as sed's substitutions.
# The last part lacks what the division leaves over, and one item more.
s/gpu < gpus - 1 ? n \/ gpus : n - first/(n - 1) \/ gpus/
# Each GPU has the first part.
s/h_x.data() + first/h_x.data()/
