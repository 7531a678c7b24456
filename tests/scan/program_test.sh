#!/usr/bin/env bash
# What only scan's command line has. Usage: program_test.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh" "$1"

expect 2 "^--type: 'int': expected uint32 or float" --type int

need_device

printf '%s\n' 3 1 4 1 5 >numbers.txt
expect 0 '^input: 5 numbers from numbers.txt \(uint32\)' --input numbers.txt --repeats 1 \
    --output sums.txt --json table.json
printf '%s\n' 3 4 8 9 14 | cmp - sums.txt || fail "--output: not the prefix sums"
grep -q '"precision": "uint32"' table.json || fail "--json: no type"
expect 0 '^input: 5 numbers from numbers.txt \(float\)' --input numbers.txt --repeats 1 \
    --type float --output sums.txt
printf '%s\n' 3 4 8 9 14 | cmp - sums.txt || fail "--type float: not the prefix sums"

# What never ends is not started on a GPU. The CPU device ends it with a report.
if "$program" --n 1 --repeats 1 --table | grep -q '^CPU device'; then
    CPU_DEVICE_DEADLOCK_SECONDS=0.5 expect 134 'deadlock in kernel scan_block_index' --n 300 \
        --block 64 --repeats 1 --variant block_index
else
    expect 0 '^block_index +skipped: a GPU may never end' --variant block_index
fi
say_and_exit
