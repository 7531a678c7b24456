# One broken version of hash_table/hash_table.cu per line, as sed's substitutions.
# The CPU's table gives every key the value of another one.
s/build_cpu(h_keys, h_values,/build_cpu(h_keys, {h_values.rbegin(), h_values.rend()},/
# The last key is left out.
s/\(insert_lock_per_bucket<<<.*(d_keys, d_values, n\),/\1 - 1,/
# Every key has the value of the one after it, the last key none.
s/insert_lock_free_push<<<.*d_values/& + 1/
# The keys are in the buckets of a table that has one bucket less.
s/ChainedTable table{nullptr, nullptr, buckets}/ChainedTable table{nullptr, nullptr, buckets - 1}/
