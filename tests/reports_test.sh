#!/usr/bin/env bash
# What race mode says of each fault, word for word: the texts of reports.txt, which people have read.
#
#   reports_test.sh BIN           BIN: the folder of the race build's programs
#   reports_test.sh BIN --write   writes reports.txt anew; read what has changed
#
# Numbers stand there as N, since lines move and another schedule has other threads meet.
set -euo pipefail
bin=$(realpath "$1")
expected=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/reports.txt
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$(dirname "$expected")/.."  # the reports name files as they are called from here
unset RACE_JSON RACE_MUTE
for program in faults race_report_cases; do
    for name in $("$bin/$program" --list); do
        status=0
        ulimit -c 0
        RACE_SEED=1 timeout 60 "$bin/$program" "$name" >"$scratch/said" 2>&1 || status=$?
        echo "=== $program $name: status $status"
        sed -E 's/0x[0-9a-f]+/N/g; s/[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?/N/g
            s/N(( to|,) N)+/N/g' "$scratch/said"
    done
done >"$scratch/reports.txt"
if [ "${2:-}" = --write ]; then
    cp "$scratch/reports.txt" "$expected"
elif ! diff "$expected" "$scratch/reports.txt"; then
    echo "the reports are no longer those of $expected; where that is right:"
    echo "    tests/reports_test.sh build/race/bin --write"
    exit 1
fi
