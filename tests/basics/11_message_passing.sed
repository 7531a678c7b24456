# One broken version of basics/11_message_passing.cu per line, as sed's substitutions.
# The first way receives another number.
s/\*d_received = \*d_data;  \/\/ after the flag/*d_received = *d_data + 1;/
# The second way sends the data, and receives something else.
s/\*d_received = \*d_data;$/*d_received = *d_flag;/
# All threads of the sending block write the same word.
s/d_data\[tid\] = number + tid;/d_data[0] = number + tid;/
# Each thread receives its neighbor's number.
s/= d_data\[tid\];/= d_data[tid ^ 1];/
