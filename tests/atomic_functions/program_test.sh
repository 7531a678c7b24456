#!/usr/bin/env bash
# The files that atomic_functions reads and writes. Usage: program_test.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh" "$1"

need_device

# No operand is above 0, the first value of the word, so each thread finds that there.
printf '%s\n' 0 -2 -4.5 >operands.txt
expect 0 '^float_max_cas .*ok: x = 0' --input operands.txt --variant float_max_cas --repeats 1 \
    --output olds.txt
printf '%s\n' '# thread, and its old value' '0 0' '1 0' '2 0' '# at the end: 0' | cmp - olds.txt ||
    fail "--output: not each thread and its old value"
say_and_exit
