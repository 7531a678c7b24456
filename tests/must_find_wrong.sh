#!/usr/bin/env bash
# A program that is broken on purpose must be found out: it ends with STATUS and prints each TEXT.
# Usage: must_find_wrong.sh PROGRAM STATUS TEXT...
status=0
output=$("$1" 2>&1) || status=$?
for text in "${@:3}"; do
    if [ $status != "$2" ] || ! grep -q "$text" <<<"$output"; then
        printf '%s\n' "$output" "$1: status $status, expected $2, and a line with $text"
        exit 1
    fi
done
