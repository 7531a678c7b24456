#!/usr/bin/env bash
# The files that mutex_dot reads and writes. Usage: program_test.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh" "$1"

need_device

# As many digits as tell one double from any other.
printf '0.1 1\n0 7\n' >rows.txt
expect 0 '^mutex .*ok' --input rows.txt --variant mutex --precision double --repeats 1 \
    --output dot.txt
echo 0.10000000000000001 | cmp - dot.txt || fail "--output: not all digits of 0.1"

# Both vectors are read: 1000 floats of 4 bytes each.
expect 0 '^mutex .*ok' --n 1000 --variant mutex --repeats 1 --json table.json
grep -q '"input_bytes": 8000,' table.json || fail "--json: not the bytes of both vectors"
say_and_exit
