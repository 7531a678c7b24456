#!/usr/bin/env bash
# What only histogram's command line has. Usage: histogram_program_test.sh PROGRAM
# Ends with 77 (skipped) where the program needs a GPU and there is none; with REQUIRE_GPU set, 1.
set -u
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

failed() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}
# expect STATUS PATTERN ARGUMENTS...: runs the program; its status must be STATUS and its output
# (both streams) must hold the extended regular expression PATTERN.
expect() {
    local status=$1 pattern=$2 got
    shift 2
    timeout 120 "$program" "$@" >output 2>&1
    got=$?
    if [ "$got" != "$status" ] || ! grep -qE -- "$pattern" output; then
        failed "$*: status $got, expected $status and output with '$pattern'; output:"
        head -n 20 output
    fi
}

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

"$program" --n 100 --repeats 1 >output 2>&1
if [ $? = 77 ]; then
    [ "$failures" = 0 ] || exit 1
    [ -z "${REQUIRE_GPU:-}" ] || exit 1
    exit 77
fi

printf 'abba\377' >text.txt
expect 0 '^input: 5 bytes from text.txt; 128 bins' --input text.txt --bins 128 --repeats 1 \
    --output counts.txt --json table.json
for value in $(seq 0 127); do
    case $value in 97 | 98) echo "$value 2" ;; *) echo "$value 0" ;; esac
done >expected.txt
cmp counts.txt expected.txt || failed "--output: counts.txt is not what was expected"
grep -q '"n": 5,' table.json || failed "--json: n is not the number of bytes in the file"

# A file that cannot be written is an error, and a result that was there stays.
expect 1 'missing/counts.txt: cannot be created' --n 100 --repeats 1 --output missing/counts.txt
cmp counts.txt expected.txt || failed "counts.txt was changed"

# The lecture's sentence: 38 letters, among them three E and two G.
printf 'Programming Massively Parallel Processors' >sentence.txt
expect 0 '^38 letters' --input sentence.txt --letters --repeats 1 --variant shared
for line in 'A +4 ' 'B +0 ' 'C +1 ' 'E +3 ' 'G +2 ' 'R +5 .* #{50}$'; do
    grep -qE "^$line" output || failed "--letters: no line '$line'"
done
expect 0 '^E .* #{50}$' --n 100000 --content text --letters --repeats 1 --variant global

for content in random equal alternating text; do
    expect 0 '^bank_per_lane .*ok' --n 5000 --content $content --repeats 1
done
expect 0 'contention 0.5' --n 5000 --contention 0.5 --repeats 1
expect 0 '^ +blocks +shared$' --n 5000 --sweep --variant shared --repeats 1 --json table.json
grep -q '"grid_sizes"' table.json || failed "--sweep: no grid sizes in the JSON file"
[ "$failures" = 0 ] && echo "histogram: all held"
exit $((failures > 0))
