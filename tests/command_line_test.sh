#!/usr/bin/env bash
# What holds for the command line of every example. Usage: command_line_test.sh PROGRAM
# Ends with 77 (skipped) where the program needs a GPU and there is none; with REQUIRE_GPU set, 1.
set -u
program=$1
name=$(basename "$program")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
failures=0

# expect STATUS PATTERN ARGUMENTS...: runs the program; its status must be STATUS and its output
# (both streams) must hold the extended regular expression PATTERN.
expect() {
    local status=$1 pattern=$2 got
    shift 2
    timeout 120 "$program" "$@" >output 2>&1
    got=$?
    if [ "$got" != "$status" ] || ! grep -qE -- "$pattern" output; then
        echo "FAILED: $name $*: status $got, expected $status and output with '$pattern'; output:"
        head -n 20 output
        failures=$((failures + 1))
    fi
}

expect 0 '^Example:' --help
expect 0 '^[a-z_0-9]+ +right ' --list
"$program" --list >list

# The command line is judged before any device is asked for.
expect 2 "there is no variant 'nonsense'; expected one of" --variant nonsense
expect 2 '--n' --n -5
expect 2 '--n' --n many
expect 2 '--block' --block 0
expect 2 '--block' --block 1025
expect 2 '--repeats' --repeats 0
expect 2 'unknown_flag' --unknown_flag

"$program" --n 100 --repeats 1 >output 2>&1
if [ $? = 77 ]; then
    expect 77 'no CUDA device found' --n 100
    [ "$failures" = 0 ] || exit 1
    [ -z "${REQUIRE_GPU:-}" ] || exit 1
    exit 77
fi

first=$(awk '$2 == "right" { print $1; exit }' list)
expect 0 "^$first .*(ok|no bound)" --n 1000 --repeats 1 --variant "$first"
expect 0 '^input: ' --n 0 --repeats 1
expect 0 '^input: ' --n 1 --repeats 1
expect 0 '^input: ' --n 1000 --repeats 2 --queued
expect 0 '^input: ' --n 1000 --repeats 1 --block 100 --json table.json
if ! grep -q "\"program\": \"$name\"" table.json; then
    echo "FAILED: no JSON"
    failures=$((failures + 1))
fi
expect 1 'missing/table.json: cannot be created' --n 100 --repeats 1 --json missing/table.json
if grep -q "^$first " output; then
    echo "FAILED: $name --json: that the file cannot be written was noticed after the work only"
    failures=$((failures + 1))
fi
expect 2 '(excludes|expected one of the two)' --n 100 --input file.txt
expect 1 'missing.txt: cannot be opened' --input missing.txt
expect 1 'is a directory' --input .

# Wrong variants run when asked for, say what they are, and leave the exit status alone.
for wrong in $(awk '$2 == "wrong" { print $1 }' list); do
    expect 0 "^$wrong .*wrong, as announced" --n 1000 --random --repeats 1 --variant "$wrong"
done
for wrong in $(awk '$2 == "race" || $2 == "order" { print $1 }' list); do
    expect 0 "^$wrong .*(wrong, as announced|right this time)" --n 1000 --repeats 1 \
        --variant "$wrong"
done
[ "$failures" = 0 ] && echo "$name: all held"
exit $((failures > 0))
