#!/usr/bin/env bash
# One program of docs/found: race mode reports the broken one, by the kind that the head of its
# source names, with each of 20 seeds, and has nothing to say of the fixed one, which ends with 0.
#
#   found_test.sh SOURCE BROKEN FIXED
set -euo pipefail
source=$1 broken=$2 fixed=$3
kind=$(sed -n 's|^//     scripts/race [^ ]* *# ||p' "$source")
[ -n "$kind" ] || { echo "FAILED: $source names no kind of report"; exit 1; }
for seed in {1..20}; do
    status=0
    output=$(RACE_SEED=$seed timeout 60 "$broken" 2>&1) || status=$?
    if [ $status != 66 ] || ! grep -q "^$kind in kernel" <<<"$output"; then
        echo "FAILED: seed $seed: status $status, expected 66 and '$kind':"
        echo "$output"
        exit 1
    fi
    RACE_SEED=$seed timeout 60 "$fixed" >/dev/null || {
        echo "FAILED: seed $seed: the fixed program ends with $?, expected 0"
        exit 1
    }
done
echo "20 seeds: $kind, and nothing where it is fixed"
