#!/usr/bin/env bash
# What only histogram's command line has. Usage: program_test.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/../expect.sh" "$1"

need_device

printf 'abba\377' >text.txt
expect 0 '^input: 5 bytes from text.txt; 128 bins' --input text.txt --bins 128 --repeats 1 \
    --output counts.txt --json table.json
for value in $(seq 0 127); do
    case $value in 97 | 98) echo "$value 2" ;; *) echo "$value 0" ;; esac
done >expected.txt
cmp counts.txt expected.txt || fail "--output: counts.txt is not what was expected"
grep -q '"n": 5,' table.json || fail "--json: n is not the number of bytes in the file"

# The lecture's sentence: 38 letters, among them three E and two G.
printf 'Programming Massively Parallel Processors' >sentence.txt
expect 0 '^38 letters' --input sentence.txt --letters --repeats 1 --variant shared
for line in 'A +4 ' 'B +0 ' 'C +1 ' 'E +3 ' 'G +2 ' 'R +5 .* #{50}$'; do
    grep -qE "^$line" output || fail "--letters: no line '$line'"
done
expect 0 '^E .* #{50}$' --n 100000 --content text --letters --repeats 1 --variant global

for content in random equal alternating text; do
    expect 0 '^bank_per_lane .*ok' --n 5000 --content $content --repeats 1 --all
done
expect 0 'contention 0.5' --n 5000 --contention 0.5 --repeats 1
expect 0 '^ +blocks +shared$' --n 5000 --sweep --variant shared --repeats 1 --json table.json
grep -q '"grid_sizes"' table.json || fail "--sweep: no grid sizes in the JSON file"
say_and_exit
