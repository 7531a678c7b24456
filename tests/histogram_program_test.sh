#!/usr/bin/env bash
# What only histogram's command line has. Usage: histogram_program_test.sh PROGRAM
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh" "$1"

# What contradicts itself is refused before any device is asked for.
expect 2 '^--bins: .*1 to 256' --bins 0
expect 2 '^--bins: .*1 to 256' --bins 257
expect 2 '^--content: ' --content noise
expect 2 '^--contention: ' --contention 1.5
expect 2 '^--contention: .*expected --content random' --content text --contention 0.5
expect 2 '^--random: .*--content equal' --content equal --random
expect 2 'excludes' --input text.txt --n 5
expect 2 '^--letters: .*expected --input FILE or --content text' --letters
expect 2 "^--letters: .*expected --bins 123" --content text --letters --bins 122
expect 2 '^--letters, --output: ' --variant plain_increment --output counts.txt

need_device

printf 'abba\377' >text.txt
expect 0 '^input: 5 bytes from text.txt; 128 bins' --input text.txt --bins 128 --repeats 1 \
    --output counts.txt --json table.json
for value in $(seq 0 127); do
    case $value in 97 | 98) echo "$value 2" ;; *) echo "$value 0" ;; esac
done >expected.txt
cmp counts.txt expected.txt || fail "--output: counts.txt is not what was expected"
grep -q '"n": 5,' table.json || fail "--json: n is not the number of bytes in the file"

# A file that cannot be written is an error, and a result that was there stays.
expect 1 'missing/counts.txt: cannot be created' --n 100 --repeats 1 --output missing/counts.txt
cmp counts.txt expected.txt || fail "counts.txt was changed"

# The lecture's sentence: 38 letters, among them three E and two G.
printf 'Programming Massively Parallel Processors' >sentence.txt
expect 0 '^38 letters' --input sentence.txt --letters --repeats 1 --variant shared
for line in 'A +4 ' 'B +0 ' 'C +1 ' 'E +3 ' 'G +2 ' 'R +5 .* #{50}$'; do
    grep -qE "^$line" output || fail "--letters: no line '$line'"
done
expect 0 '^E .* #{50}$' --n 100000 --content text --letters --repeats 1 --variant global

for content in random equal alternating text; do
    expect 0 '^bank_per_lane .*ok' --n 5000 --content $content --repeats 1
done
expect 0 'contention 0.5' --n 5000 --contention 0.5 --repeats 1
expect 0 '^ +blocks +shared$' --n 5000 --sweep --variant shared --repeats 1 --json table.json
grep -q '"grid_sizes"' table.json || fail "--sweep: no grid sizes in the JSON file"
say_and_exit
